"""Tables of ``subsets --holdout`` and ``--audit`` in the terminal."""

from topicset_core.analyses.topic_subsets.held_out.audit import AuditedGoodness, SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve
from topicset_core.analyses.topic_subsets.held_out.error_rates import THREE_BINS, HeldOutErrorRates
from topicset_core.analyses.topic_subsets.held_out.spreads import MEANING, BestAverageWorst, Spread

_MOST_RUNS = 10  # whose ranks change most; the record has all
_EDGES = tuple(f"to .{place + 1:02d}" for place in THREE_BINS)


def held_out(curve: HeldOutCurve, sentence: str) -> str:
    """Return a held-out curve as text."""
    what = "runs" if curve.request.hold_out == "runs" else "topics"
    header = (
        f"{'':6} {f'chosen on the other half of the {what}':^44}  {'chosen on the half judged on':^30}\n"
        f"{'topics':>6} {'best':>9} {'5 %':>9} {'95 %':>9} {'average':>9} {'worst':>9} "
        f"{'best':>9} {'average':>9} {'worst':>9}  better"
    )
    rows = []
    for point in curve.points:
        best = point.chosen.best
        low, high = (None, None) if best is None else (best.low, best.high)
        share = "-" if point.gain is None else f"{100 * point.gain.share_better:.0f} %"
        rows.append(
            f"{point.cardinality:6} {_mean(best)} {_value(low)} {_value(high)} {_mean(point.chosen.average)} "
            f"{_mean(point.chosen.worst)} {_mean(point.own.best)} {_mean(point.own.average)} "
            f"{_mean(point.own.worst)}  {share:>6}"
        )
    matched = [f"{curve.chosen_scores} chooses: {curve.matched}."] if curve.matched else []
    title = f"{curve.judge_by.label} on the half that is held out, {curve.judged_scores}:"
    return "\n".join([sentence, "", title, header, *rows, "", MEANING, *matched])


def error_rates(found: HeldOutErrorRates, sentence: str) -> str:
    """Return held-out error rates as text."""
    groups = ("all pairs", *_EDGES, "mean of bins")
    header = (
        f"{'':6}" + "".join(f"  {group:^23}" for group in groups) + "\n"
        f"{'topics':>6}" + f"  {'best':>7} {'random':>7} {'worst':>7}" * len(groups)
    )
    rows = []
    for point in found.points:
        levels = (point.all_pairs, *(point.bins[place] for place in THREE_BINS), point.average_of_bins)
        rows.append(f"{point.cardinality:6}" + "".join(f"  {_rates(one)}" for one in levels))
    matched = [f"{found.chosen_scores} chooses: {found.matched}."] if found.matched else []
    title = f"Error rates in percent by difference on the other half, {found.judged_scores}:"
    return "\n".join([sentence, "", title, header, *rows, "", MEANING, *matched])


def audited(audit: SubsetAudit, sentence: str) -> str:
    """Return an audit as text."""
    header = (
        f"{'':11} {'value':>9} {'percentile':>14} {'worst':>9} {'average':>9} {'best':>9}  "
        f"{'on halves':>9} {'random':>9} {'searched':>9}"
    )
    ranking, halves, others = audit.ranking, audit.halves, audit.random_halves
    largest = ranking.largest_reversal
    lines = [
        f"Best run over all topics: {', '.join(ranking.top)}; on these: {', '.join(ranking.top_on_subset)}.",
        f"Of the first {ranking.n_first} runs, {ranking.n_first_kept} are among the first on these topics.",
        f"On halves of the runs: {_percent(halves.share_reversed)} of pairs the other way round (random sets "
        f"{_percent(others.share_reversed)}), the best run kept on {100 * halves.top_kept:.0f} % "
        f"({100 * others.top_kept:.0f} %).",
    ]
    if largest is not None:
        lines.append(
            f"Largest difference the other way round: {largest.better} above {largest.worse} by "
            f"{largest.difference:.4f}, here {largest.difference_on_subset:.4f}."
        )
    changes = [
        f"{one.system:24} {one.rank_all:7.1f} {one.rank_subset:7.1f} {one.change:+7.1f}"
        for one in ranking.changes[:_MOST_RUNS]
    ]
    return "\n".join(
        [
            sentence,
            "",
            f"{audit.cardinality:,} topics among sets of that size, {audit.scores}; on halves of the runs beside "
            "random sets and those that a search chooses on the other half:",
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
    found = (levels.best, levels.average, levels.worst)
    return " ".join(f"{'-':>7}" if one is None else f"{100 * one.mean:7.2f}" for one in found)


def _percent(spread: Spread | None) -> str:
    return "-" if spread is None else f"{100 * spread.mean:.1f} %"
