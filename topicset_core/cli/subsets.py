"""``subsets``: which topics would have been enough to rank these runs."""

import argparse
import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any, get_args

from topicset_core.analyses.topic_subsets.curve import CurvePoint, Side, Subset, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM
from topicset_core.analyses.topic_subsets.request import (
    DEFAULT_SEED,
    DEFAULT_TRIALS,
    NODES,
    Method,
    Request,
    cardinalities_of,
    default_cardinalities,
)
from topicset_core.analyses.topic_subsets.sentences import answer_sentence
from topicset_core.analyses.topic_subsets.topic_counts import stability
from topicset_core.cli import preparing, score_files, subsets_held_out
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

_MOST_NAMED = 12  # topics of a set in the text; the record has all


def add_parser(commands: Any) -> None:
    """Add ``subsets`` to the command line."""
    parser = commands.add_parser(
        "subsets",
        help="best, average and worst subsets of topics",
        description="How well subsets of topics rank the runs as all topics do (Guiver, Mizzaro and Robertson "
        "2009): the best, the worst and the average subset of each cardinality. For GMAP give AP and --log.",
        allow_abbrev=False,
    )
    score_files.add_options(parser)
    parser.add_argument(
        "--goodness",
        choices=[measure.key for measure in MEASURES],
        default=MEASURES[0].key,
        help="how subsets are judged against all topics; default pearson",
    )
    parser.add_argument(
        "--cardinality",
        metavar="C",
        help='topics in a subset, like "1-10,20,30"; default all, or a grid for pairs of runs on more than 100 '
        "topics",
    )
    parser.add_argument(
        "--method",
        choices=get_args(Method),
        help="exhaustive: all subsets; local: swaps from many starts; guiver: the paper's heuristic; "
        "auto: exhaustive where that is quick, else local; exact: auto, and what local found is proved by branch "
        "and bound (pearson); default auto",
    )
    parser.add_argument(
        "--nodes",
        type=int,
        metavar="N",
        help=f"exact: parts of a search tree to look at for each proof, at most; default {NODES.default:,}",
    )
    parser.add_argument(
        "--trials",
        type=int,
        metavar="N",
        help=f"random subsets of each cardinality; default {DEFAULT_TRIALS:,}, for --holdout {N_RANDOM.default} on "
        "each split",
    )
    parser.add_argument("--seed", type=int, default=DEFAULT_SEED, metavar="N", help="default 0")
    parser.add_argument(
        "--target",
        type=float,
        metavar="X",
        help="goodness to reach; default .95, .9 for kendall, .02 error rate",
    )
    subsets_held_out.add_options(parser)
    preparing.add_options(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> tuple[str, dict[str, Any]]:
    """Return the curve, the held-out experiment or the audit as text and as a record.

    Raises
    ------
    ParseError
        If a file does not hold scores, or does not hold all of them, or a list names no topics of them.
    InputError
        If a value breaks its rule, or the scores cannot be prepared or compared.
    OSError
        If a file cannot be read.
    """
    subsets_held_out.check(options)
    as_read, recognised = score_files.only_matrix(options)
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
        return _run_curve(options, done.matrix, about)
    except InputError as error:
        raise subsets_held_out.renamed(error) from error


def _run_curve(
    options: argparse.Namespace, matrix: ScoreMatrix, about: dict[str, Any]
) -> tuple[str, dict[str, Any]]:
    sizes = (
        default_cardinalities(matrix.n_topics, options.goodness)
        if options.cardinality is None
        else cardinalities_of(options.cardinality)
    )
    target = measure_of(options.goodness).target if options.target is None else options.target
    request = Request(
        goodness=options.goodness,
        cardinalities=sizes,
        method="auto" if options.method is None else options.method,
        n_trials=DEFAULT_TRIALS if options.trials is None else options.trials,
        seed=options.seed,
        nodes=int(NODES.default) if options.nodes is None else options.nodes,
    )
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        curve = subset_curve(matrix, request, executor=executor)
    sides: tuple[Side, ...] = ("best", "worst")
    record = about | {
        "method": request.method,
        **curve.record(target),
        "sentence": answer_sentence(curve, target),
        "stability": {side: stability(curve, side) for side in sides},
    }
    return _text(curve, record), record


def _text(curve: SubsetCurve, record: dict[str, Any]) -> str:
    header = f"{'topics':>6} {'best':>9} {'mean':>9} {'error':>8} {'worst':>9}  status      best topics"
    rows = [
        f"{point.cardinality:6} {_of(point.best)} {_value(point.mean)} "
        f"{point.mean_standard_error:8.1e} {_of(point.worst)}  {_named(point)}"
        for point in curve.points
    ]
    return "\n".join(
        [
            record["sentence"],
            "",
            f"{curve.measure.label} with the means over all {curve.n_topics:,} topics, {record['measure']} of "
            f"{record['name']}:",
            header,
            *rows,
            "",
            *record["recognised"],
        ]
    )


def _of(subset: Subset | None) -> str:
    return _value(None if subset is None else subset.value)


def _value(value: float | None) -> str:
    return f"{'-':>9}" if value is None else f"{value:9.6f}"


def _named(point: CurvePoint) -> str:
    if point.best is None:
        return f"no subset has a correlation ({point.n_undefined:,} looked at)"
    topics = point.best.topics
    more = f" and {len(topics) - _MOST_NAMED:,} more" if len(topics) > _MOST_NAMED else ""
    known = dict.fromkeys(_known(one) for one in (point.best, point.worst) if one is not None)
    return f"{'/'.join(known):11} {' '.join(topics[:_MOST_NAMED])}{more}"


def _known(subset: Subset) -> str:
    """Return how well a set is known, for a gap with its other end."""
    return subset.status if subset.bound is None else f"{subset.status} to {subset.bound:.6f}"
