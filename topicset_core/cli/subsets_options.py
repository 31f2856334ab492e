"""Options of ``subsets`` that ask about chosen topics elsewhere, and which options go together."""

import argparse
from collections.abc import Iterable

from topicset_core.analyses.topic_subsets.goodness import MEASURES
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS
from topicset_core.errors import InputError

_OF_CURVES = ("method", "nodes")
_OF_SPLITS = ("splits", "starts", "teams")
_OF_HOLDOUT = ("by_difference", "choose_by", "judge_scores")
_OF_AUDIT = ("unseen",)

NAMES = {
    "n_trials": "--trials",
    "seed": "--seed",
    "cardinality": "--cardinality",
    "method": "--method",
    "nodes": "--nodes",
    "n_splits": "--splits",
    "n_starts": "--starts",
    "teams": "--teams",
    "runs": "--unseen",
}
"""Options by the parameters of the core that they set."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of held-out experiments and of the audit."""
    group = parser.add_argument_group("chosen topics on other runs and topics")
    which = group.add_mutually_exclusive_group()
    which.add_argument(
        "--holdout",
        choices=["runs", "topics"],
        help="choose topics on one random half of the runs or of the topics, judge them on the other",
    )
    which.add_argument(
        "--audit",
        metavar="FILE",
        help="judge the topics in a list, one a line, as those of a small benchmark",
    )
    group.add_argument(
        "--splits",
        type=int,
        metavar="N",
        help=f"random halves, for --holdout and --audit; default {N_SPLITS.default}",
    )
    group.add_argument(
        "--starts",
        type=int,
        metavar="N",
        help=f"random starts of each search on a half; default {N_STARTS.default}",
    )
    group.add_argument(
        "--teams",
        action="store_true",
        default=None,
        help="runs of one team, guessed from their names, stay in one half; the guess is in the record",
    )
    group.add_argument(
        "--choose-by",
        choices=[measure.key for measure in MEASURES],
        help="--holdout: goodness by which topics are chosen; default that of --goodness",
    )
    group.add_argument(
        "--judge-scores",
        metavar="FILE",
        help="--holdout: scores of the same runs and topics in another measure, by which topics are judged",
    )
    group.add_argument(
        "--by-difference",
        action="store_true",
        default=None,
        help="--holdout topics: error rates by the size of a difference, after Voorhees and Buckley; "
        f"--trials (default {N_RANDOM.default}) pairs of sets a split",
    )
    group.add_argument(
        "--unseen",
        nargs="+",
        metavar="RUN",
        help="--audit: runs to judge by, where the topics were chosen by looking at the others",
    )


def check(options: argparse.Namespace) -> None:
    """Refuse options that have no meaning together.

    Raises
    ------
    InputError
        Naming the option.
    """
    if options.holdout is None and options.audit is None:
        _refuse(options, _OF_SPLITS, "without --holdout or --audit")
    else:
        _refuse(options, _OF_CURVES, "with --holdout or --audit: these search by swaps")
    if options.holdout is None:
        _refuse(options, _OF_HOLDOUT, "without --holdout")
    if options.audit is None:
        _refuse(options, _OF_AUDIT, "without --audit")
    else:
        _refuse(options, ("cardinality", "target"), "with --audit: the list says how many topics it is about")
    if options.holdout == "runs":
        _refuse(options, ("by_difference",), "with --holdout runs")
    if options.holdout == "topics":
        _refuse(options, ("teams",), "with --holdout topics")
    if options.by_difference:
        _refuse(options, ("target",), "with --by-difference")


def renamed(error: InputError) -> InputError:
    """Return an error of the core under the name of the option."""
    return InputError(NAMES.get(error.parameter, error.parameter), error.value, error.rule)


def _refuse(options: argparse.Namespace, names: Iterable[str], why: str) -> None:
    for name in names:
        given = getattr(options, name)
        if given is not None:
            raise InputError(f"--{name.replace('_', '-')}", given, f"has no meaning {why}")
