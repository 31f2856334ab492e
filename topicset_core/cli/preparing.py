"""Options that prepare scores before their variance is estimated, and the result of that."""

import argparse
from collections.abc import Sequence
from typing import Any

from topicset_core.analyses.score_variance.uncertainty import STANDARD_QUESTION, preparation_effect
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.exports.records import fields_of
from topicset_core.preparation import GMAP_FLOOR, METHODS, Prepared, Steps, fraction_of, prepare


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options; they act in the order of the help text, not in their order on the line."""
    group = parser.add_argument_group(
        "preparation", "done to every matrix, in this order; recorded with the variance before and after"
    )
    common.add_selection(group)
    group.add_argument(
        "--max-zero-topics",
        type=int,
        metavar="K",
        help="drop runs with a score of 0 on more than K topics",
    )
    worst = group.add_mutually_exclusive_group()
    worst.add_argument(
        "--worst-percent", type=float, metavar="X", help="then drop the X %% of the runs with the lowest mean"
    )
    worst.add_argument("--worst-count", type=int, metavar="N", help="or the N runs with the lowest mean")
    group.add_argument(
        "--log",
        dest="log_floor",
        type=float,
        nargs="?",
        const=GMAP_FLOOR,
        metavar="FLOOR",
        help="replace scores by natural logarithms; lower scores count as FLOOR, by default "
        f"{GMAP_FLOOR:g}; write it behind the files",
    )
    group.add_argument(
        "--standardise", choices=METHODS, help="by mean and standard deviation of runs on each topic"
    )
    group.add_argument(
        "--reference-runs",
        dest="reference",
        nargs="+",
        metavar="RUN",
        help="the runs to standardise by, in place of all that are left",
    )


def steps_of(options: argparse.Namespace) -> Steps:
    """Return the steps of the options."""
    topics, systems = common.selection(options)
    return Steps(
        topics=topics,
        systems=systems,
        max_zero_topics=options.max_zero_topics,
        worst_fraction=fraction_of(options.worst_percent),
        worst_count=options.worst_count,
        log_floor=options.log_floor,
        standardise=options.standardise,
        reference=tuple(options.reference) if options.reference else None,
    )


def prepared(matrix: ScoreMatrix, steps: Steps) -> Prepared:
    """Prepare a matrix."""
    try:
        return prepare(matrix, steps)
    except InputError as error:
        rule = f"{error.rule} (in {matrix.measure} of {matrix.name})"
        name = dict(zip(("topics", "systems"), common.SELECTIONS, strict=True)).get(
            error.parameter, error.parameter
        )
        raise InputError(name, error.value, rule) from error


def chosen(
    options: argparse.Namespace, matrices: Sequence[ScoreMatrix]
) -> tuple[tuple[ScoreMatrix, ...], dict[str, Any]]:
    """Take the topics and runs that are chosen of each matrix; return the record too, empty where all are."""
    topics, systems = common.selection(options)
    for option, which in zip(common.SELECTIONS, (topics, systems), strict=True):
        if which is not None and not matrices:
            raise InputError(option, ", ".join(which), "has no meaning without scores")
    done = [prepared(matrix, Steps(topics=topics, systems=systems)) for matrix in matrices]
    records = [record_of(before, after) for before, after in zip(matrices, done, strict=True)]
    return tuple(prepared.matrix for prepared in done), {"preparation": records} if any(records) else {}


def record_of(before: ScoreMatrix, done: Prepared) -> dict[str, Any] | None:
    """Return the preparation of one matrix and its effect; None if no preparation was requested."""
    if done.steps.does_nothing:
        return None
    effect = preparation_effect(before, done.matrix, changes_scale=done.steps.changes_scale)
    return {
        "steps": done.records,
        "notes": [*done.notes, effect.sentence],
        "effect": fields_of(effect) | {"required_by": STANDARD_QUESTION},
    }
