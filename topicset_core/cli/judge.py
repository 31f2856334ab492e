"""``judge``: a difference from judge scores and few human labels, the judge's bias, and a budget's split."""

import argparse
from itertools import combinations
from pathlib import Path
from typing import Any

from topicset_core.analyses.judge_study import study
from topicset_core.analyses.judge_study.report import (
    COVERAGE,
    labels_next,
    report,
    requirements_of,
    sentences,
)
from topicset_core.cli import options as common
from topicset_core.designs.judge_budget import split
from topicset_core.errors import InputError
from topicset_core.parameters import BETA
from topicset_core.parsing.scores.labels import read_labels

_COSTS = {
    "budget": "budget to split over labels, topics and judge calls; in units of cost",
    "cost_label": "cost of a human label of a topic for both systems",
    "cost_topic": "cost of a topic, as running the systems on it",
    "cost_call": "cost of a judge call on a topic for both systems",
}


def add_parser(commands: Any) -> None:
    """Add ``judge`` to the command line."""
    parser = commands.add_parser(
        "judge",
        help="scores by a judge and few human labels: the difference, the judge's bias, the best use of a budget",
        description="The difference of two systems from many judge scores and few human labels (two-phase "
        "regression), the judge's bias, noise and agreement, and the best split of a budget. The file has columns "
        "topic, system, "
        "judge and human (empty without a label); repeated rows are judge calls.",
        allow_abbrev=False,
    )
    parser.add_argument("file", metavar="FILE", help="long table of judge scores and human labels")
    parser.add_argument(
        "--human", metavar="FILE", help="human scores of some topics, if they are not in FILE"
    )
    parser.add_argument("--pair", nargs=2, metavar="SYSTEM", help="two systems; default: all pairs")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="X", help="1 - level of intervals; default .05"
    )
    parser.add_argument(
        "--min-d",
        type=float,
        metavar="X",
        help="also the labels that detect this difference with 80 %% power",
    )
    for name, text in _COSTS.items():
        parser.add_argument(f"--{name.replace('_', '-')}", dest=name, type=float, metavar="X", help=text)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the answer as text and as a record."""
    costs = {name: getattr(options, name) for name in _COSTS}
    given = [name for name, value in costs.items() if value is not None]
    missing = [name for name in _COSTS if given and costs[name] is None]
    if missing:
        raise InputError(
            f"--{missing[0].replace('_', '-')}", None, f"must be given with --{given[0].replace('_', '-')}"
        )
    human = (options.human, Path(options.human).read_bytes()) if options.human else None
    labels = read_labels(options.file, Path(options.file).read_bytes(), human)
    pairs = [tuple(options.pair)] if options.pair else list(combinations(labels.systems, 2))
    studies = [study(labels, first, second, alpha=options.alpha) for first, second in pairs]
    best = split(requirements_of(studies[0], **costs)) if given else None
    lines = [
        line
        for n, one in enumerate(studies)
        for line in (*([""] if n else []), *sentences(one, None if n else best))
    ]
    lines.append(COVERAGE)
    if options.min_d is not None:
        lines.append(labels_next(studies[0], options.min_d, BETA.default))
    return common.printed("\n".join(lines), report(studies, best))
