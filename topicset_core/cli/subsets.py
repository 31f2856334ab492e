"""``subsets``: which topics would have been enough to rank these runs, and do chosen ones hold on other runs."""

import argparse
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import fields, replace
from pathlib import Path
from typing import Any, get_args

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.analyses.topic_subsets.held_out.audit import (
    AuditedGoodness,
    AuditRequest,
    SubsetAudit,
    audit_subset,
)
from topicset_core.analyses.topic_subsets.held_out.audit_report import audit_sentence
from topicset_core.analyses.topic_subsets.held_out.audit_report import report as audit_report
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, headline_curve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.null import (
    DEFAULT_SPLITS,
    N_REPLICATES,
    NullComparison,
    NullRequest,
    compare_with_null,
)
from topicset_core.analyses.topic_subsets.held_out.report import held_out_sentence, how_counted
from topicset_core.analyses.topic_subsets.held_out.report import report as held_out_report
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS, HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import MEANING, Spread
from topicset_core.analyses.topic_subsets.report import null_method, null_sentence, report
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
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
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.selection import choose
from topicset_core.collection.units import kept_together
from topicset_core.errors import InputError
from topicset_core.execution.sizes import default_sizes
from topicset_core.exports.report import Report
from topicset_core.parameters import SEED, Parameter
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.preparation import Prepared, Steps
from topicset_core.wording import first_few

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


def _destination(name: str) -> str:
    """Return where the option of a parameter is kept: "trials" for "n_trials"."""
    return name.removeprefix("n_")


_ELSEWHERE = {field.name for field in fields(HeldOutRequest)}
_OF_CURVES = ("method", *(_destination(one.name) for one in PARAMETERS if one.name not in _ELSEWHERE))
_OF_HOLDOUT = ("choose_by", "judge_scores", "choose_on")
_OF_AUDIT = ("unseen",)
_MOST_RUNS = 10  # whose ranks change most; the record has all

_NAMES = {
    one.name: f"--{_destination(one.name)}" for one in (*PARAMETERS, N_SPLITS, N_STARTS, N_REPLICATES)
} | {
    "cardinality": "--cardinality",
    "method": "--method",
    "chosen_on": "--choose-on",
    "runs": "--unseen",
}
"""Options by the parameters of the core that they set."""


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
        "--agreement",
        "--goodness",
        dest="goodness",
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
        default = int(SEED.default) if name == SEED.name else None
        parser.add_argument(f"--{_destination(name)}", type=int, default=default, metavar="N", help=words)
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        help="agreement to reach; default .95, .9 for kendall, .02 error rate",
    )
    parser.add_argument(
        "--side-by-side",
        action="store_true",
        help="the curves of all measures in the files, for figure 2 of Guiver et al.",
    )
    _add_held_out(parser)
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the curve, the held-out experiment or the audit as text and as a record."""
    _check(options)
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
            return _run_audit(options, done, about)
        if options.holdout is not None:
            return _run_held_out(options, done, about)
        return _run_curve(options, done, about)
    except InputError as error:
        raise _renamed(error) from error


def _run_curve(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
    matrix, target = done.matrix, _target(options)
    request = _request(options, matrix)
    null = None
    with common.threads() as executor:
        curve = subset_curve(matrix, request, executor=executor)
        held = headline_curve(matrix, curve, target, executor=executor)
        size = curve.nearest(size_below(matrix.n_topics, int(CARDINALITY.default))).cardinality
        if options.null:
            null = compare_with_null(matrix, _null_request(options, size), executor=executor)
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
        raise _renamed(error) from error
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
    numbers = {name: getattr(options, _destination(name)) for name in _NUMBERS}
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
    known = dict.fromkeys(_known(one) for one in (point.best, point.worst) if one is not None)
    return f"{'/'.join(known):11} {first_few(point.best.topics, _MOST_NAMED, ' ')}"


def _known(subset: Subset) -> str:
    """Return how well a set is known, for a gap with its other end."""
    return subset.status if subset.bound is None else f"{subset.status} to {subset.bound:.6f}"


def _add_held_out(parser: argparse.ArgumentParser) -> None:
    """Add the options of held-out experiments and of the audit."""
    group = parser.add_argument_group("chosen topics on other runs and topics")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--holdout",
        choices=["runs", "topics"],
        help="choose topics on one random half of the runs or of the topics, evaluate them on the other. "
        "Similar runs and runs of a team, recognised by their names, stay together in all halves",
    )
    which.add_argument(
        "--audit",
        metavar="FILE",
        help="evaluate a list of topics, one per line, such as the topics of a small benchmark",
    )
    which.add_argument(
        "--null",
        action="store_true",
        default=None,
        help="test which topics are reliably good or bad, by comparison with exchangeable topics",
    )
    group.add_argument(
        "--replicates",
        type=int,
        metavar="N",
        help=f"--null: matrices of exchangeable topics; default {N_REPLICATES.default}",
    )
    group.add_argument(
        "--splits",
        type=int,
        metavar="N",
        help=f"random halves, for --holdout, --audit and --null; default {N_SPLITS.default}, for --null "
        f"{DEFAULT_SPLITS}",
    )
    group.add_argument(
        "--starts",
        type=int,
        metavar="N",
        help=f"random starts of each search on a half; default {N_STARTS.default}",
    )
    group.add_argument(
        "--choose-on",
        action="append",
        metavar="WHICH",
        help="--holdout: runs (topics) of the half that topics are chosen on, written as for --only-systems "
        "(--only-topics); subsets are evaluated on the others. One given split instead of random ones",
    )
    group.add_argument(
        "--choose-by",
        choices=[measure.key for measure in MEASURES],
        help="--holdout: measure of agreement by which topics are chosen; default: the same as --agreement",
    )
    group.add_argument(
        "--judge-scores",
        metavar="FILE",
        help="--holdout: scores of the same runs and topics in another measure, by which subsets are evaluated",
    )
    group.add_argument(
        "--unseen",
        nargs="+",
        metavar="RUN",
        help="--audit: runs to evaluate on, if the topics were chosen by the scores of the others",
    )


def _check(options: argparse.Namespace) -> None:
    """Refuse options that have no meaning together."""
    if options.null is None:
        _refuse(options, ("replicates",), "without --null")
    if options.holdout is None and options.audit is None:
        if options.null is None:
            _refuse(options, ("splits", "starts"), "without --holdout, --audit or --null")
    else:
        _refuse(options, _OF_CURVES, "with --holdout or --audit: these search by local search")
    if options.holdout is None:
        _refuse(options, _OF_HOLDOUT, "without --holdout")
    if options.audit is None:
        _refuse(options, _OF_AUDIT, "without --audit")
    else:
        _refuse(options, ("cardinality", "target"), "with --audit: the list gives the number of topics")
    if options.choose_on is not None:
        _refuse(options, ("splits",), "with --choose-on: the split is given")


def _renamed(error: InputError) -> InputError:
    """Return an error of the core under the name of the option."""
    return InputError(_NAMES.get(error.parameter, error.parameter), error.value, error.rule)


def _null_request(options: argparse.Namespace, size: int) -> NullRequest:
    """Return the request that compares topics to keep and to exclude with exchangeable ones."""
    return NullRequest(
        goodness=options.goodness,
        cardinality=size,
        n_replicates=_number(options.replicates, N_REPLICATES),
        n_splits=DEFAULT_SPLITS if options.splits is None else options.splits,
        n_starts=_number(options.starts, N_STARTS),
        seed=options.seed,
    )


def _run_held_out(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
    """Return a held-out curve as text and as a record."""
    matrix = done.matrix
    evaluating = None if options.judge_scores is None else _other_scores(options)
    chosen_on = _chosen_on(options, matrix)
    request = HeldOutRequest(
        hold_out=options.holdout,
        goodness=options.goodness,
        choose_by=options.choose_by,
        cardinalities=_sizes(options, matrix.n_topics, chosen_on),
        chosen_on=chosen_on,
        n_splits=_number(options.splits, N_SPLITS),
        n_starts=_number(options.starts, N_STARTS),
        n_trials=_number(options.trials, N_RANDOM),
        seed=options.seed,
    )
    with common.threads() as executor:
        curve = held_out_curve(matrix, request, evaluating=evaluating, executor=executor)
    target = _target(options)
    sentence = held_out_sentence(curve, target)
    result = held_out_report(
        curve,
        matrix,
        target=target,
        cardinality=int(CARDINALITY.default),
        evaluating=evaluating,
        preparation=done.notes,
    )
    return common.printed(_held_out_text(curve, sentence), result, **about, sentence=sentence)


def _run_audit(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
    """Return the audit of a list of topics as text and as a record."""
    matrix = done.matrix
    request = AuditRequest(
        topics=read_topic_list(options.audit, Path(options.audit).read_bytes(), matrix.topics),
        runs=options.unseen,
        n_trials=_number(options.trials, N_TRIALS),
        n_splits=_number(options.splits, N_SPLITS),
        n_starts=_number(options.starts, N_STARTS),
        seed=options.seed,
    )
    with common.threads() as executor:
        answer = audit_subset(matrix, request, executor=executor)
    evaluating = set(matrix.systems if options.unseen is None else options.unseen)
    result = audit_report(
        answer,
        matrix,
        goodness=options.goodness,
        left_out=[run for run in matrix.systems if run not in evaluating],
        preparation=done.notes,
    )
    sentence = audit_sentence(answer)
    more: dict[str, Any] = {**about, "sentence": sentence}
    # The answer calls these "scores", the record calls their contents "scores".
    more["details"] = {"scores": result.record()["scores"]}
    return common.printed(_audit_text(answer, sentence), result, **more)


def _number(given: int | None, parameter: Parameter) -> int:
    return int(parameter.default) if given is None else given


def _sizes(options: argparse.Namespace, n_topics: int, chosen_on: tuple[str, ...] | None) -> tuple[int, ...]:
    """Return the cardinalities asked for; by default all, or log-spaced ones."""
    if options.cardinality is not None:
        return cardinalities_of(options.cardinality)
    half = n_topics // 2 if chosen_on is None else len(chosen_on)
    most = n_topics if options.holdout == "runs" else half
    return default_sizes(max(most, 1), n_topics)


def _chosen_on(options: argparse.Namespace, matrix: ScoreMatrix) -> tuple[str, ...] | None:
    """Return the ids of the half that topics are chosen on; None for random halves."""
    if options.choose_on is None:
        return None
    ids, noun = (matrix.systems, "run") if options.holdout == "runs" else (matrix.topics, "topic")
    result = choose(common.lines(options.choose_on), ids, "--choose-on", noun)
    if result.absent:
        raise InputError("--choose-on", ", ".join(result.absent), f"must be {noun}s that the scores have")
    return tuple(ids[place] for place in result.places)


def _other_scores(options: argparse.Namespace) -> ScoreMatrix:
    """Read the scores for the evaluation, of the same topics and runs; each measure would drop other runs."""
    steps = preparing.steps_of(options)
    if replace(steps, topics=None, systems=None) != Steps():
        raise InputError(
            "--judge-scores",
            options.judge_scores,
            "cannot be combined with these options; prepare both files beforehand",
        )
    alone = vars(options) | {"files": [options.judge_scores], "measure": None, "columns": None}
    matrix, _ = files.only_matrix(argparse.Namespace(**alone))
    return preparing.prepared(matrix, steps).matrix


def _refuse(options: argparse.Namespace, names: Iterable[str], why: str) -> None:
    for name in names:
        given = getattr(options, name)
        if given is not None:
            raise InputError(f"--{name.replace('_', '-')}", given, f"has no meaning {why}")


def _held_out_text(curve: HeldOutCurve, sentence: str) -> str:
    """Return a held-out curve as text."""
    what, given = curve.request.hold_out, curve.request.chosen_on is not None
    header = (
        f"{'':6} {f'chosen on the other half of the {what}':^44}  {'chosen on the held-out half':^30}\n"
        f"{'topics':>6} {'best':>9} {'5 %':>9} {'95 %':>9} {'average':>9} {'worst':>9} "
        f"{'best':>9} {'average':>9} {'worst':>9}  better reversed"
    )
    rows = []
    for point in curve.points:
        best = point.chosen.best
        low, high = (None, None) if best is None or given else (best.low, best.high)
        share = "-" if point.gain is None or given else f"{100 * point.gain.share_better:.0f} %"
        rows.append(
            f"{point.cardinality:6} {_mean(best)} {_five(low)} {_five(high)} {_mean(point.chosen.average)} "
            f"{_mean(point.chosen.worst)} {_mean(point.own.best)} {_mean(point.own.average)} "
            f"{_mean(point.own.worst)}  {share:>6} {_percent(point.reversed_pairs):>8}"
        )
    matched = [f"{curve.chosen_scores} chooses: {curve.matched}."] if curve.matched else []
    title = f"{curve.evaluated_by.label} on the held-out half, {curve.evaluated_scores}:"
    return "\n".join(
        [sentence, "", title, header, *rows, "", how_counted(curve), _meaning(curve.request), *matched]
    )


def _meaning(request: HeldOutRequest) -> str:
    return MEANING if request.chosen_on is None else "This is one split; on others, numbers differ."


def _audit_text(audit: SubsetAudit, sentence: str) -> str:
    """Return an audit as text."""
    header = (
        f"{'':11} {'value':>9} {'percentile':>14} {'worst':>9} {'average':>9} {'best':>9}  "
        f"{'on halves':>9} {'random':>9} {'searched':>9}"
    )
    ranking, halves, others = audit.ranking, audit.halves, audit.random_halves
    largest = ranking.largest_reversal
    units = kept_together(audit.n_units, audit.n_systems)
    lines = [
        f"Best run over all topics: {', '.join(ranking.top)}; on these: {', '.join(ranking.top_on_subset)}.",
        f"Of the first {ranking.n_first} runs, {ranking.n_first_kept} are among the first on these topics.",
        f"On halves of the runs{units}: {_percent(halves.share_reversed)} of pairs reversed (random sets "
        f"{_percent(others.share_reversed)}), the best run kept on {100 * halves.top_kept:.0f} % "
        f"({100 * others.top_kept:.0f} %).",
    ]
    if largest is not None:
        lines.append(
            f"Largest reversed difference: {largest.better} above {largest.worse} by "
            f"{largest.difference:.4f}, here {largest.difference_on_subset:.4f}."
        )
    changes = [
        f"{one.system:24} {one.rank_all:7.1f} {one.rank_subset:7.1f} {one.change:+z7.1f}"
        for one in ranking.changes[:_MOST_RUNS]
    ]
    return "\n".join(
        [
            sentence,
            "",
            f"{audit.cardinality:,} topics among sets of that size, {audit.scores}; on halves of the runs next to "
            "random sets and sets that a search chooses on the other half:",
            header,
            *[_row(one) for one in audit.goodness],
            "",
            *lines,
            "",
            f"{'run':24} {'rank':>7} {'here':>7} {'change':>7}",
            *changes,
            "",
            MEANING,
        ]
    )


def _row(one: AuditedGoodness) -> str:
    place = "-"
    if one.percentile is not None:
        place = f"{one.percentile:.1f} ± {one.percentile_standard_error:.1f}"
    return (
        f"{one.measure.key:11} {_five(one.value)} {place:>14} "
        f"{_five(None if one.worst is None else one.worst.value)} {_five(one.average)} "
        f"{_five(None if one.best is None else one.best.value)}  {_mean(one.held_out)} "
        f"{_mean(one.held_out_average)} {_mean(one.held_out_chosen)}"
    )


def _mean(spread: Spread | None) -> str:
    return _five(None if spread is None else spread.mean)


def _five(value: float | None) -> str:
    return f"{'-':>9}" if value is None else f"{value:9.5f}"


def _percent(spread: Spread | None) -> str:
    return "-" if spread is None else f"{100 * spread.mean:.1f} %"
