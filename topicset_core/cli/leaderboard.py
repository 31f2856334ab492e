"""``leaderboard``: which ranks are real, and which systems may be the best."""

import argparse
from typing import Any

from topicset_core.analyses.rank_resolution.answer import TOP_K, Leaderboard, leaderboard
from topicset_core.analyses.rank_resolution.report import (
    outlook_sentence,
    paper_table,
    report,
    sentences,
    top_sentence,
    warnings,
)
from topicset_core.analyses.rank_resolution.resolution import FLOOR, N_TRIALS, Request
from topicset_core.analyses.rank_resolution.two_systems import TwoSystems, two_systems
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.exports.columns import aligned
from topicset_core.parameters import ALPHA, SEED

_PARAMETERS = (ALPHA, N_TRIALS, SEED, FLOOR)


def add_parser(commands: Any) -> None:
    """Add ``leaderboard`` to the command line."""
    parser = commands.add_parser(
        "leaderboard",
        help="which ranks of a leaderboard are real: rank intervals, pairs resolved, candidates for first",
        description="Resolves the order of all pairs of systems of one score matrix with one error probability, by "
        "sign flips of whole topics, and gives every system the ranks that remain (Mogstad, Romano, Shaikh and "
        "Wilhelm 2024).",
        allow_abbrev=False,
    )
    files.add_options(parser)
    common.add_with_defaults(parser, _PARAMETERS)
    parser.add_argument(
        TOP_K.option, dest=TOP_K.name, type=int, metavar="K", help=f"{TOP_K.label}. {TOP_K.help}"
    )
    parser.add_argument(
        "--lower-is-better", action="store_true", help="low scores are good, for example errors or times"
    )
    parser.add_argument(
        "--pair", nargs=2, metavar=("A", "B"), help="two systems by name: was that difference real?"
    )
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return ranks as text and as a record."""
    as_read, recognised = files.only_matrix(options)
    done = preparing.prepared(as_read, preparing.steps_of(options))
    names = {one.name: one.option for one in (*_PARAMETERS, TOP_K)} | {"pair": "--pair", "k": TOP_K.option}
    with common.refusals_by_option(names):
        request = Request(
            alpha=options.alpha,
            n_trials=options.n_trials,
            seed=options.seed,
            floor=options.floor,
            lower_is_better=options.lower_is_better,
        )
        with common.threads() as executor:
            result = leaderboard(done.matrix, request, executor=executor).with_top(options.top_k)
        two = None if options.pair is None else two_systems(result.resolution, *options.pair)
    return common.printed(
        _text(result, two, (*recognised, *done.notes)),
        report(result, preparation=done.notes, two=two),
        preparation=preparing.record_of(as_read, done),
        recognised=list(recognised),
    )


def _text(result: Leaderboard, two: TwoSystems | None, recognised: tuple[str, ...]) -> str:
    return "\n".join(
        [
            *sentences(result),
            outlook_sentence(result),
            *warnings(result.resolution),
            *([two.sentence] if two else []),
            *([top_sentence(result)] if result.top else []),
            "",
            *aligned(paper_table(result.resolution)),
            "",
            *recognised,
        ]
    )
