"""``subsets``: which topics would have been enough to rank these runs."""

import argparse
from collections.abc import Mapping, Sequence
from typing import Any, get_args

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.analyses.topic_subsets.held_out.curve import headline_curve
from topicset_core.analyses.topic_subsets.held_out.null import NullComparison, compare_with_null
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM
from topicset_core.analyses.topic_subsets.report import null_method, null_sentence, report
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
    DEFAULT_SEED,
    N_TRIALS,
    NODES,
    PARAMETERS,
    Method,
    Request,
    cardinalities_of,
    default_cardinalities,
    size_below,
)
from topicset_core.analyses.topic_subsets.side_by_side import side_by_side
from topicset_core.analyses.topic_subsets.topic_counts import topic_table
from topicset_core.cli import files, preparing, subsets_held_out
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.report import Report
from topicset_core.parameters import SEED
from topicset_core.preparation import Prepared

_MOST_NAMED = 12  # topics of a set in the text; the record has all
_NUMBERS = {
    NODES.name: f"exact: most nodes of the search tree to evaluate per proof; default {NODES.default:,}",
    N_TRIALS.name: f"random subsets of each cardinality; default {N_TRIALS.default:,}, for --holdout "
    f"{N_RANDOM.default} on each split",
    SEED.name: "default 0",
}
_NUMBERS |= {
    one.name: f"{one.help} Default {one.default:,}." for one in PARAMETERS if one.name not in _NUMBERS
}
"""Numbers of a request with their help."""


def add_parser(commands: Any) -> None:
    """Add ``subsets`` to the command line."""
    parser = commands.add_parser(
        "subsets",
        help="best, average and worst subsets of topics",
        description="Agreement of subsets of topics with all topics in ranking the runs (Guiver, Mizzaro and "
        "Robertson 2009): the best, the worst and the average subset of each cardinality. "
        "For GMAP give AP and --log.",
        allow_abbrev=False,
    )
    files.add_options(parser)
    parser.add_argument(
        "--goodness",
        choices=[measure.key for measure in MEASURES],
        default=MEASURES[0].key,
        help="measure of agreement of subsets with all topics; default pearson",
    )
    parser.add_argument(
        "--cardinality",
        metavar="C",
        help='topics in a subset, like "1-10,20,30"; default all, of more than 100 topics log-spaced sizes',
    )
    parser.add_argument(
        "--method",
        choices=get_args(Method),
        help="exhaustive: all subsets; local: exchanges of topics from many starts; guiver: the paper's heuristic; "
        "auto: exhaustive if that is quick, else local; exact: auto, with results of local search proved by branch "
        "and bound (pearson); default auto",
    )
    for name, words in _NUMBERS.items():
        default = DEFAULT_SEED if name == SEED.name else None
        parser.add_argument(
            f"--{subsets_held_out.destination(name)}", type=int, default=default, metavar="N", help=words
        )
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        help="goodness to reach; default .95, .9 for kendall, .02 error rate",
    )
    parser.add_argument(
        "--side-by-side",
        action="store_true",
        help="the curves of all measures in the files, for figure 2 of Guiver et al.",
    )
    subsets_held_out.add_options(parser)
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the curve, the held-out experiment or the audit as text and as a record."""
    subsets_held_out.check(options)
    if options.side_by_side:
        return _run_side_by_side(options)
    as_read, recognised = files.only_matrix(options)
    done = preparing.prepared(as_read, preparing.steps_of(options))
    about = {
        "name": done.matrix.name,
        "measure": done.matrix.measure,
        "preparation": preparing.record_of(as_read, done),
        "recognised": list(recognised),
    }
    try:
        if options.audit is not None:
            return subsets_held_out.run_audit(options, done, about)
        if options.holdout is not None:
            return subsets_held_out.run_held_out(options, done, about)
        return _run_curve(options, done, about)
    except InputError as error:
        raise subsets_held_out.renamed(error) from error


def _run_curve(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
    matrix, target = done.matrix, _target(options)
    request = _request(options, matrix)
    null = None
    with common.threads() as executor:
        curve = subset_curve(matrix, request, executor=executor)
        held = headline_curve(matrix, curve, target, executor=executor)
        size = curve.nearest(size_below(matrix.n_topics, int(CARDINALITY.default))).cardinality
        if options.null:
            null = compare_with_null(matrix, subsets_held_out.null_request(options, size), executor=executor)
    table = topic_table(matrix, curve, size)
    answer = report(
        matrix,
        curve,
        table,
        target=target,
        method=request.method,
        held=held,
        null=null,
        preparation=done.notes,
    )
    return common.printed(_text(curve, answer, null, [*about["recognised"], *done.notes]), answer, **about)


def _run_side_by_side(options: argparse.Namespace) -> common.Printed:
    if options.holdout or options.audit or options.null:
        raise InputError("--side-by-side", True, "has no meaning with --holdout, --audit or --null")
    if options.measure is not None:
        raise InputError(
            "--measure", options.measure, "has no meaning with --side-by-side: it takes all measures"
        )
    read = files.read_files(options)
    steps = preparing.steps_of(options)
    done = [preparing.prepared(matrix, steps) for matrix in read.matrices]
    target = _target(options)
    try:
        with common.threads() as executor:
            measured = [
                (one.matrix, subset_curve(one.matrix, _request(options, one.matrix), executor=executor))
                for one in done
            ]
        answer = side_by_side(measured, target, done[0].notes)
    except InputError as error:
        raise subsets_held_out.renamed(error) from error
    tables = [
        _table(curve, f"{matrix.measure} of {matrix.name}, all {curve.n_topics:,} topics")
        for matrix, curve in measured
    ]
    text = "\n".join([answer.sentence, "", *(line for table in tables for line in (*table, ""))])
    preparation = [
        preparing.record_of(before, after) for before, after in zip(read.matrices, done, strict=True)
    ]
    return common.printed(text, answer, preparation=preparation, recognised=list(read.recognised))


def _request(options: argparse.Namespace, matrix: ScoreMatrix) -> Request:
    sizes = (
        default_cardinalities(matrix.n_topics)
        if options.cardinality is None
        else cardinalities_of(options.cardinality)
    )
    numbers = {name: getattr(options, subsets_held_out.destination(name)) for name in _NUMBERS}
    given = {"method": options.method} | numbers
    return Request(
        goodness=options.goodness,
        cardinalities=sizes,
        **{name: value for name, value in given.items() if value is not None},
    )


def _target(options: argparse.Namespace) -> float:
    return measure_of(options.goodness).target if options.target is None else float(options.target)


def _text(curve: SubsetCurve, answer: Report, null: NullComparison | None, recognised: Sequence[str]) -> str:
    title = (
        f"{curve.measure.label} with the means over all {curve.n_topics:,} topics, {answer.measure} of "
        f"{answer.matrices[0].name}:"
    )
    return "\n".join(
        [
            answer.sentence,
            "",
            *_table(curve, title),
            *filter(None, [curve.sizes_in_words]),
            "",
            *([] if null is None else [null_sentence(null), null_method(null), ""]),
            *recognised,
        ]
    )


def _table(curve: SubsetCurve, title: str) -> list[str]:
    header = f"{'topics':>6} {'best':>9} {'mean':>9} {'error':>8} {'worst':>9}  status      best topics"
    rows = [
        f"{point.cardinality:6} {_of(point.best)} {_value(point.mean)} "
        f"{point.mean_standard_error:8.1e} {_of(point.worst)}  {_named(point)}"
        for point in curve.points
    ]
    return [title, header, *rows]


def _of(subset: Subset | None) -> str:
    return _value(None if subset is None else subset.value)


def _value(value: float | None) -> str:
    return f"{'-':>9}" if value is None else f"{value:9.6f}"


def _named(point: CurvePoint) -> str:
    if point.best is None:
        return f"no subset has a correlation ({point.n_undefined:,} evaluated)"
    topics = point.best.topics
    more = f" and {len(topics) - _MOST_NAMED:,} more" if len(topics) > _MOST_NAMED else ""
    known = dict.fromkeys(_known(one) for one in (point.best, point.worst) if one is not None)
    return f"{'/'.join(known):11} {' '.join(topics[:_MOST_NAMED])}{more}"


def _known(subset: Subset) -> str:
    """Return how well a set is known, for a gap with its other end."""
    return subset.status if subset.bound is None else f"{subset.status} to {subset.bound:.6f}"
