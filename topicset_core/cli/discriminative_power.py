"""``discriminative-power``: the share of pairs of systems that each measure distinguishes."""

import argparse
from typing import Any

from topicset_core.analyses.rank_resolution.discriminative_power import (
    DEFAULT_PERMUTATIONS,
    Powers,
    discriminative_power,
)
from topicset_core.analyses.rank_resolution.report import power_report
from topicset_core.cli import files
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, SEED


def add_parser(commands: Any) -> None:
    """Add ``discriminative-power`` to the command line."""
    parser = commands.add_parser(
        "discriminative-power",
        help="the share of pairs of systems that each measure distinguishes (randomised Tukey HSD)",
        description="The share of pairs of systems that differ significantly by a randomised Tukey HSD test (Sakai "
        "2006, Carterette 2012), one row per measure; all measures on the same systems and topics.",
        allow_abbrev=False,
    )
    files.add_options(parser)
    parser.add_argument(
        ALPHA.option,
        type=float,
        default=ALPHA.default,
        metavar="X",
        help=f"{ALPHA.help} Default {ALPHA.default:g}",
    )
    parser.add_argument(
        "--trials",
        dest="n_trials",
        type=int,
        default=DEFAULT_PERMUTATIONS,
        metavar="N",
        help=f"permutations of the scores of each topic. Default {DEFAULT_PERMUTATIONS:,}",
    )
    parser.add_argument(SEED.option, type=int, default=int(SEED.default), metavar="N", help=SEED.help)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return a row per measure as text and as a record."""
    read = files.read_files(options)
    for one in read.matrices[1:]:
        _refuse_others(read.matrices[0], one, options.files)
    names = {"n_trials": "--trials"} | {one.name: one.option for one in (ALPHA, SEED)}
    with common.refusals_by_option(names), common.threads() as executor:
        powers = [
            discriminative_power(
                one, alpha=options.alpha, n_trials=options.n_trials, seed=options.seed, executor=executor
            )
            for one in read.matrices
        ]
    powers.sort(key=lambda one: -one.share)
    lines = [*map(_line, powers), *read.recognised]
    return common.printed(
        "\n".join(lines), power_report(powers, read.matrices), recognised=list(read.recognised)
    )


def _line(one: Powers) -> str:
    tukey = "" if one.n_by_tukey is None else f"; Tukey HSD {one.n_by_tukey:,}"
    return (
        f"{one.measure} of {one.name}: {one.n_significant:,} of {one.n_pairs:,} pairs ({100 * one.share:.1f} %), "
        f"smallest significant difference {one.smallest_significant:.4f}, mean ASL {one.mean_asl:.4f}{tukey}"
    )


def _refuse_others(first: ScoreMatrix, other: ScoreMatrix, names: list[str]) -> None:
    """Refuse scores of other systems or topics, as shares of different pairs cannot be compared."""
    for noun, here, there in (
        ("systems", first.systems, other.systems),
        ("topics", first.topics, other.topics),
    ):
        if set(here) != set(there):
            rule = (
                f"must have the same {noun} in all measures; {first.measure} of {first.name} and "
                f"{other.measure} of {other.name} differ"
            )
            raise InputError("FILE", ", ".join(names), rule)
