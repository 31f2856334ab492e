"""``topic-variance``: would another document collection change the conclusions."""

import argparse
from typing import Any, get_args

from topicset_core.analyses.topic_variance import Findings, topic_variance
from topicset_core.analyses.topic_variance.conclusions import BIN_WIDTH, Estimate
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.report import READINGS, comparisons, report
from topicset_core.analyses.topic_variance.sentences import (
    kept_sentence,
    needed,
    noise_sentence,
    order_sentence,
    reversal_sentence,
)
from topicset_core.analyses.topic_variance.settings import (
    N_TRIALS,
    Bandwidth,
    Denominator,
    MeasureName,
    Model,
    Settings,
)
from topicset_core.cli import options as common
from topicset_core.cli.files import track_files
from topicset_core.errors import InputError, ParseError
from topicset_core.parameters import ALPHA, MIN_D
from topicset_core.parsing.trec.track import read_track
from topicset_core.wording import counted

_DEFAULT_TRIALS = int(N_TRIALS.default)


def add_parser(commands: Any) -> None:
    """Add ``topic-variance`` to the command line."""
    parser = commands.add_parser(
        "topic-variance",
        help="how often another document collection reverses pairs of runs, from runs and judgments",
        description="Treats the documents of a collection as a sample and resamples them: once for all runs "
        "(Cormack and Lynam 2006), or for each run separately (Yang, Zhang and Song 2018). Reports how often "
        "pairs of runs change their order and their significance, with standard errors over trials.",
        allow_abbrev=False,
    )
    parser.add_argument("--qrels", required=True, metavar="FILE", help="relevance judgments")
    parser.add_argument(
        "--runs", nargs="+", required=True, metavar="PATH", help="folders or files of runs, archives too"
    )
    parser.add_argument(
        "--model",
        choices=get_args(Model),
        default=Settings.model,
        help="shared resamples documents, the same for all runs; bst resamples the scores of each run separately, "
        "kde draws them from Gaussian kernel densities, and both give upper bounds; default: shared",
    )
    parser.add_argument(
        "--measure",
        default="AP",
        metavar="NAME",
        help=f"{', '.join(get_args(MeasureName))}, with a depth as in P@10; of binary relevance; default: AP",
    )
    common.add_relevance_level(parser)
    parser.add_argument(
        N_TRIALS.option,
        dest=N_TRIALS.name,
        type=int,
        default=_DEFAULT_TRIALS,
        metavar="N",
        help=f"simulated collections; default: {_DEFAULT_TRIALS:,}",
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="default: 0")
    parser.add_argument(
        "--denominator",
        choices=get_args(Denominator),
        default="drawn",
        help="relevant documents of a topic in a trial: R less those returned plus those drawn, so that no "
        "score exceeds 1, or R; default: drawn",
    )
    parser.add_argument(
        "--bandwidth", choices=get_args(Bandwidth), default="scott", help="of densities; default: scott"
    )
    parser.add_argument(
        "--min-d",
        type=float,
        default=MIN_D.default,
        metavar="X",
        help=f"difference to detect with 80 %% power, for the topics needed; default: {MIN_D.default:g}",
    )
    parser.add_argument("--alpha", type=float, default=ALPHA.default, metavar="X", help="default: 0.05")
    common.add_score_precision(parser)
    common.add_selection(parser)
    common.add_output(parser)
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> common.Printed:
    """Return the results of the simulation as text and as a record."""
    settings = _settings(options)
    track = read_track(
        track_files(options.runs),
        track_files([options.qrels]),
        keep_scores=settings.model == "kde",
        precision=options.score_precision,
    )
    if track.errors:
        raise track.errors[0]
    track, chosen = track.select(*common.selection(options), common.SELECTIONS)
    if len(track.judged) != 1:
        expected = f"expected judgments of one collection that runs have topics of, found {len(track.judged)}"
        raise ParseError(options.qrels, None, expected)
    runs = [one.run for one in track.runs]
    with common.threads() as executor:
        result = topic_variance(track.judged[0], settings, runs, executor=executor)
    topics = needed(result, options.min_d)
    recognised = [*common.level_notes(settings.relevance_level, track.judged), *track.notes]
    text = _text(result, noise_sentence(result, topics), recognised)
    return common.printed(
        text,
        report(result, min_d=options.min_d),
        topics_needed=topics,
        recognised=recognised,
        relevance_level=settings.relevance_level,
        **chosen.entry(),
    )


def _settings(options: argparse.Namespace) -> Settings:
    """Return all choices, refused by the names of the options before any file is read."""
    name, _, depth = options.measure.partition("@")
    if depth and not depth.isdecimal():
        raise InputError("--measure", options.measure, "must have a whole number behind @")
    names = {N_TRIALS.name: N_TRIALS.option, "measurement_depth": "--measure", "depth": "--measure"}
    try:
        MIN_D.check(options.min_d)
        return Settings(
            model=options.model,
            measure=name,
            depth=int(depth) if depth else None,
            relevance_level=options.relevance_level,
            denominator=options.denominator,
            bandwidth=options.bandwidth,
            n_trials=options.n_trials,
            alpha=options.alpha,
            seed=options.seed,
        )
    except InputError as error:
        option = names.get(error.parameter, f"--{error.parameter.replace('_', '-')}")
        raise InputError(option, error.value, error.rule) from error


def _text(findings: Findings, noise: str, recognised: list[str]) -> str:
    width = 70
    lines = [f"{reversal_sentence(findings)} {order_sentence(findings)}", noise, ""]
    lines.append(f"{'':{width}} {'simulated':>9} {'s.e.':>8}   raw scores")
    for row in comparisons(findings):
        raw = "" if row.raw is None else f"{_number(row.raw)} {row.raw_is}"
        what = [f"{row.what} [{READINGS[row.reading]}]"]
        while len(what[-1]) > width:
            at = what[-1].rindex(" ", 0, width)
            what[-1:] = [what[-1][:at], f"  {what[-1][at + 1 :]}"]
        lines += what[:-1]
        lines.append(f"{what[-1]:{width}} {_number(row.value):>9} {_error(row.value):>8}   {raw}".rstrip())
    lines += ["", f"{'simulated difference from':26} {'pairs':>12} {'error rate':>11} {'s.e.':>8}"]
    for place, (pairs, rate) in enumerate(zip(findings.pairs_by_bin, findings.error_rates, strict=True)):
        lines.append(f"{place * BIN_WIDTH:26.2f} {pairs:12,} {_number(rate):>11} {_error(rate):>8}")
    lines.append("")
    lines += [
        f"{counted(len(cells), 'ranked list')}: {REMARKS[remark]}."
        for remark, cells in findings.cells_with_remarks.items()
    ]
    tied = sum(findings.n_tied)
    lines.append(
        f"{findings.n_unjudged:,} documents of the ranked lists are unjudged and count as not relevant; "
        f"{tied:,} have the score of another document of the list and are ordered by descending id."
    )
    if kept_sentence(findings):
        lines.append(kept_sentence(findings))
    if findings.left_out_topics:
        lines.append(f"Left out, as no run has them: topics {', '.join(findings.left_out_topics)}.")
    return "\n".join([*lines, *(["", *recognised] if recognised else [])])


def _number(result: Estimate) -> str:
    return "-" if result.value is None else f"{result.value:.4f}"


def _error(result: Estimate) -> str:
    return "-" if result.standard_error is None else f"{result.standard_error:.4f}"
