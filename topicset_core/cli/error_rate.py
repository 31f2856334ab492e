"""``error-rate``: how often two sets of topics would contradict each other about these runs."""

import argparse
from collections.abc import Sequence
from typing import Any

from topicset_core.analyses.error_rate import Answer, Request, error_rate
from topicset_core.analyses.error_rate.answer import DEFAULT_DIFFERENCE
from topicset_core.analyses.error_rate.experiment import DEFAULT_TRIALS
from topicset_core.analyses.error_rate.prediction import INTERVAL_NOTE
from topicset_core.analyses.error_rate.report import report, sentences
from topicset_core.analyses.error_rate.theory import level_variances, pairs_of
from topicset_core.analyses.error_rate.two_runs import INTERVALS_HELD
from topicset_core.analyses.error_rate.units import UPPER_EDGES
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.columns import aligned
from topicset_core.exports.records import attributes
from topicset_core.parameters import MAX_ERROR

_OPTIONS = {
    "min_d": "--min-d",
    "max_error": "--max-error",
    "n_topics": "--topics",
    "runs_pair": "--runs-pair",
}
_SHOWN_BINS = (0, 1, 2, 3, 4, 6, 9, 14, 19, 20)


def add_parser(commands: Any) -> None:
    """Add ``error-rate`` to the command line."""
    parser = commands.add_parser(
        "error-rate",
        help="how often a second set of topics reverses the order of two runs",
        description="The experiment of Voorhees and Buckley (2002) on one matrix of scores: error rates by "
        "topics in a set and by bins of the difference, fitted exponentials, the error rate of Lin and "
        "Hauptmann (2005) in three forms, and how many topics a tolerated rate requires.",
        allow_abbrev=False,
    )
    files.add_options(parser)
    parser.add_argument(
        "--trials",
        type=int,
        default=DEFAULT_TRIALS,
        metavar="N",
        help=f"pairs of topic sets for each cardinality; default {DEFAULT_TRIALS:,}",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default 0")
    parser.add_argument(
        "--cardinalities",
        type=int,
        nargs="+",
        metavar="C",
        help="topics in a set; default 1 to half the topics, of more than 100 topics log-spaced sizes",
    )
    parser.add_argument(
        "--with-replacement",
        action="store_true",
        help="draw topics with replacement (a bootstrap), so that sets may have more than half the topics",
    )
    parser.add_argument(
        "--max-error",
        type=float,
        default=MAX_ERROR.default,
        metavar="X",
        help=f"error rate that is tolerated; default {MAX_ERROR.default:g}",
    )
    parser.add_argument(
        "--min-d",
        type=float,
        default=DEFAULT_DIFFERENCE,
        metavar="X",
        help=f"difference between two runs, in units of the measure; default {DEFAULT_DIFFERENCE:g}",
    )
    parser.add_argument(
        "--topics",
        type=int,
        metavar="N",
        help="number of topics on which it was observed; default: the topics of the matrix",
    )
    parser.add_argument(
        "--runs-pair",
        nargs=2,
        metavar=("A", "B"),
        help="two runs by name: their difference, how often other topics reverse it, and the power of a paired t "
        "test with that number of topics",
    )
    preparing.add_options(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the error rates as text and as a record."""
    as_read, recognised = files.only_matrix(options)
    done = preparing.prepared(as_read, preparing.steps_of(options))
    answer = _answer(done.matrix, options)
    return common.printed(
        _text(answer, (*recognised, *done.notes)),
        report(answer, preparation=done.notes),
        preparation=preparing.record_of(as_read, done),
        recognised=list(recognised),
        details=_details(answer),
    )


def _answer(matrix: ScoreMatrix, options: argparse.Namespace) -> Answer:
    """Return the answer; refuses wrong values by the names of the options."""
    request = Request(
        difference=options.min_d,
        n_topics=options.topics,
        max_error=options.max_error,
        cardinalities=options.cardinalities,
        n_trials=options.trials,
        seed=options.seed,
        with_replacement=options.with_replacement,
        runs_pair=None if options.runs_pair is None else (options.runs_pair[0], options.runs_pair[1]),
    )
    with common.refusals_by_option(_OPTIONS), common.threads() as executor:
        return error_rate(matrix, request, executor=executor)


def _details(answer: Answer) -> dict[str, Any]:
    """Return the arrays behind the answer, which its record leaves out."""
    counted, expected = answer.counted, answer.expected
    return {
        "n_equal_pairs": pairs_of(answer.matrix).n_constant,
        **attributes(counted, "decimals scores_are_exact"),
        **attributes(counted, "error_rates standard_errors"),
        "overall_error_rates": counted.overall,
        "fits": answer.fits,
        "theory": attributes(expected, "independent paired conditional"),
        "level_variances": level_variances(answer.matrix),
    }


def _text(answer: Answer, recognised: tuple[str, ...]) -> str:
    counted = answer.counted
    how = "with replacement" if counted.with_replacement else "disjoint sets"
    table: dict[str, Sequence[object]] = {"topics": counted.cardinalities}
    for place in _SHOWN_BINS:
        upper = UPPER_EDGES[place]
        name = "> .20" if upper is None else f"{upper:.2f}"
        table[name] = (100 * counted.error_rates[:, place]).tolist()
    return "\n".join(
        [
            *sentences(answer),
            *([INTERVAL_NOTE] if answer.prediction.interval else []),
            *([INTERVALS_HELD] if answer.two_runs and answer.two_runs.interval else []),
            "",
            f"Error rates in per cent, {counted.n_trials:,} trials of seed {counted.seed}, {how}; a column is "
            "named by the bin's upper edge:",
            *filter(None, [counted.sizes_in_words]),
            *aligned(table, ".2f"),
            "",
            *recognised,
        ]
    )
