"""``subsets --holdout`` and ``subsets --audit``: chosen topics on other runs and topics."""

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

from topicset_core.analyses.topic_subsets.goodness import MEASURES, measure_of
from topicset_core.analyses.topic_subsets.held_out.audit import (
    AuditedGoodness,
    AuditRequest,
    SubsetAudit,
    audit_subset,
)
from topicset_core.analyses.topic_subsets.held_out.audit_report import audit_sentence
from topicset_core.analyses.topic_subsets.held_out.audit_report import report as audit_report
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.error_rates import (
    THREE_BINS,
    HeldOutErrorRates,
    held_out_error_rates,
)
from topicset_core.analyses.topic_subsets.held_out.null import DEFAULT_SPLITS, N_REPLICATES, NullRequest
from topicset_core.analyses.topic_subsets.held_out.report import (
    error_rates_report,
    held_out_sentence,
    how_counted,
    report,
)
from topicset_core.analyses.topic_subsets.held_out.request import N_RANDOM, N_SPLITS, N_STARTS, HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import MEANING, BestAverageWorst, Spread
from topicset_core.analyses.topic_subsets.request import (
    CARDINALITY,
    N_TRIALS,
    PARAMETERS,
    cardinalities_of,
)
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.selection import choose
from topicset_core.collection.units import kept_together
from topicset_core.errors import InputError
from topicset_core.execution.sizes import default_sizes
from topicset_core.parameters import Parameter
from topicset_core.parsing.topic_list import read_topic_list
from topicset_core.preparation import Prepared, Steps


def destination(name: str) -> str:
    """Return where the option of a parameter is kept: "trials" for "n_trials"."""
    return name.removeprefix("n_")


_ELSEWHERE = {field.name for field in fields(HeldOutRequest)}
_OF_CURVES = ("method", *(destination(one.name) for one in PARAMETERS if one.name not in _ELSEWHERE))
_OF_HOLDOUT = ("by_difference", "choose_by", "judge_scores", "choose_on")
_OF_AUDIT = ("unseen",)
_MOST_RUNS = 10  # whose ranks change most; the record has all
_EDGES = tuple(f"to .{place + 1:02d}" for place in THREE_BINS)

NAMES = {
    one.name: f"--{destination(one.name)}" for one in (*PARAMETERS, N_SPLITS, N_STARTS, N_REPLICATES)
} | {
    "cardinality": "--cardinality",
    "method": "--method",
    "chosen_on": "--choose-on",
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
        help="--holdout: goodness by which topics are chosen; default: the same as --goodness",
    )
    group.add_argument(
        "--judge-scores",
        metavar="FILE",
        help="--holdout: scores of the same runs and topics in another measure, by which subsets are evaluated",
    )
    group.add_argument(
        "--by-difference",
        action="store_true",
        default=None,
        help="--holdout topics: error rates by the size of a difference, after Voorhees and Buckley; "
        f"--trials (default {N_RANDOM.default}) pairs of sets per split",
    )
    group.add_argument(
        "--unseen",
        nargs="+",
        metavar="RUN",
        help="--audit: runs to evaluate on, if the topics were chosen by the scores of the others",
    )


def check(options: argparse.Namespace) -> None:
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
    if options.holdout == "runs":
        _refuse(options, ("by_difference",), "with --holdout runs")
    if options.by_difference:
        _refuse(options, ("target",), "with --by-difference")
    if options.choose_on is not None:
        _refuse(options, ("splits",), "with --choose-on: the split is given")


def renamed(error: InputError) -> InputError:
    """Return an error of the core under the name of the option."""
    return InputError(NAMES.get(error.parameter, error.parameter), error.value, error.rule)


def null_request(options: argparse.Namespace, size: int) -> NullRequest:
    """Return the request that compares topics to keep and to exclude with exchangeable ones."""
    return NullRequest(
        goodness=options.goodness,
        cardinality=size,
        n_replicates=_number(options.replicates, N_REPLICATES),
        n_splits=DEFAULT_SPLITS if options.splits is None else options.splits,
        n_starts=_number(options.starts, N_STARTS),
        seed=options.seed,
    )


def run_held_out(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
    """Return a held-out curve, or error rates, as text and as a record."""
    matrix = done.matrix
    judged = None if options.judge_scores is None else _other_scores(options)
    chosen_on = _chosen_on(options, matrix)
    request = HeldOutRequest(
        hold_out=options.holdout,
        goodness="error-rate" if options.by_difference else options.goodness,
        choose_by=options.choose_by,
        cardinalities=_sizes(options, matrix.n_topics, chosen_on),
        chosen_on=chosen_on,
        n_splits=_number(options.splits, N_SPLITS),
        n_starts=_number(options.starts, N_STARTS),
        n_trials=_number(options.trials, N_RANDOM),
        seed=options.seed,
    )
    with common.threads() as executor:
        if options.by_difference:
            rates = held_out_error_rates(matrix, request, judged=judged, executor=executor)
            result = error_rates_report(rates, matrix, judged=judged, preparation=done.notes)
            return common.printed(_error_rates_text(rates, result.sentence), result, **about)
        curve = held_out_curve(matrix, request, judged=judged, executor=executor)
    target = measure_of(options.goodness).target if options.target is None else options.target
    sentence = held_out_sentence(curve, target)
    result = report(
        curve,
        matrix,
        target=target,
        cardinality=int(CARDINALITY.default),
        judged=judged,
        preparation=done.notes,
    )
    return common.printed(_held_out_text(curve, sentence), result, **about, sentence=sentence)


def run_audit(options: argparse.Namespace, done: Prepared, about: Mapping[str, Any]) -> common.Printed:
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
    judging = set(matrix.systems if options.unseen is None else options.unseen)
    result = audit_report(
        answer,
        matrix,
        goodness=options.goodness,
        left_out=[run for run in matrix.systems if run not in judging],
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
        f"{'best':>9} {'average':>9} {'worst':>9}  better"
    )
    rows = []
    for point in curve.points:
        best = point.chosen.best
        low, high = (None, None) if best is None or given else (best.low, best.high)
        share = "-" if point.gain is None or given else f"{100 * point.gain.share_better:.0f} %"
        rows.append(
            f"{point.cardinality:6} {_mean(best)} {_value(low)} {_value(high)} {_mean(point.chosen.average)} "
            f"{_mean(point.chosen.worst)} {_mean(point.own.best)} {_mean(point.own.average)} "
            f"{_mean(point.own.worst)}  {share:>6}"
        )
    matched = [f"{curve.chosen_scores} chooses: {curve.matched}."] if curve.matched else []
    title = f"{curve.evaluated_by.label} on the held-out half, {curve.judged_scores}:"
    return "\n".join(
        [sentence, "", title, header, *rows, "", how_counted(curve), _meaning(curve.request), *matched]
    )


def _meaning(request: HeldOutRequest) -> str:
    return MEANING if request.chosen_on is None else "This is one split; on others, numbers differ."


def _error_rates_text(error_rates: HeldOutErrorRates, sentence: str) -> str:
    """Return held-out error rates as text."""
    groups = ("all pairs", *_EDGES, "mean of bins")
    header = (
        f"{'':6}" + "".join(f"  {group:^23}" for group in groups) + "\n"
        f"{'topics':>6}" + f"  {'best':>7} {'random':>7} {'worst':>7}" * len(groups)
    )
    rows = []
    for point in error_rates.points:
        levels = (point.all_pairs, *(point.bins[place] for place in THREE_BINS), point.average_of_bins)
        rows.append(f"{point.cardinality:6}" + "".join(f"  {_rates(one)}" for one in levels))
    matched = [f"{error_rates.chosen_scores} chooses: {error_rates.matched}."] if error_rates.matched else []
    title = f"Error rates in percent by difference on the other half, {error_rates.judged_scores}:"
    return "\n".join([sentence, "", title, header, *rows, "", _meaning(error_rates.request), *matched])


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
        f"{one.measure.key:11} {_value(one.value)} {place:>14} "
        f"{_value(None if one.worst is None else one.worst.value)} {_value(one.average)} "
        f"{_value(None if one.best is None else one.best.value)}  {_mean(one.held_out)} "
        f"{_mean(one.held_out_average)} {_mean(one.held_out_chosen)}"
    )


def _mean(spread: Spread | None) -> str:
    return _value(None if spread is None else spread.mean)


def _value(value: float | None) -> str:
    return f"{'-':>9}" if value is None else f"{value:9.5f}"


def _rates(levels: BestAverageWorst) -> str:
    results = (levels.best, levels.average, levels.worst)
    return " ".join(f"{'-':>7}" if one is None else f"{100 * one.mean:7.2f}" for one in results)


def _percent(spread: Spread | None) -> str:
    return "-" if spread is None else f"{100 * spread.mean:.1f} %"
