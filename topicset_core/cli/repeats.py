"""``repeats``: variance of seeds, repeated answers or query variations, and whether to add topics or repeats."""

import argparse
from pathlib import Path
from typing import Any

from topicset_core.analyses.repeats import answer
from topicset_core.analyses.repeats.report import report, sentences
from topicset_core.cli import options as common
from topicset_core.errors import InputError
from topicset_core.parsing.scores.replicated import read_replicated

_NUMBERS = {
    "alpha": (0.05, "Type I error probability; default .05"),
    "beta": (0.20, "Type II error probability; default .20"),
    "min_d": (0.05, "smallest difference to detect, in units of the measure; default .05"),
    "cost_topic": (1.0, "cost of a topic; default 1"),
    "cost_seed": (0.0, "cost of a seed of a system, as a training; default 0"),
    "cost_cell": (0.0, "cost of one system's score on one topic; default 0"),
}


def add_parser(commands: Any) -> None:
    """Add ``repeats`` to the command line."""
    parser = commands.add_parser(
        "repeats",
        help="seeds, repeated answers, query variations: variance, the right test, topics or repeats",
        description="Variance components of scores with repeats, tests of every pair that allow for seeds, and the "
        "cheapest numbers of topics and repeats. A single file is a long table (topic, system, score, and "
        "seed, repeat or variant); of several files each contains one repeat.",
        allow_abbrev=False,
    )
    parser.add_argument("files", nargs="+", metavar="FILE", help="long table, or a score file per repeat")
    parser.add_argument(
        "--kind",
        required=True,
        choices=("seeds", "repeats", "query-variations"),
        help="kind of repeats: seeds of a system (or folds) over all topics, answers within a topic, or "
        "formulations of a topic for all systems",
    )
    parser.add_argument("--measure", default="", help="the column of scores, or the name of the measure")
    for name, (default, text) in _NUMBERS.items():
        option = f"--{name.replace('_', '-')}"
        parser.add_argument(option, type=float, default=default, metavar="X", help=text)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the answer as text and as a record."""
    if options.kind != "seeds" and options.cost_seed:
        raise InputError("--cost-seed", options.cost_seed, f"has no meaning with --kind {options.kind}")
    scores = read_replicated([(file, Path(file).read_bytes()) for file in options.files], options.measure)
    with common.refusals_by_option({name: f"--{name.replace('_', '-')}" for name in _NUMBERS}):
        result = answer(scores, options.kind, **{name: getattr(options, name) for name in _NUMBERS})
    return common.printed("\n".join(sentences(result)), report(result))
