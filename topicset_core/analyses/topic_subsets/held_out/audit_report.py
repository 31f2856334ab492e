"""The exports of an audit: sentences, tables, record, figures and a paragraph for a paper."""

from collections.abc import Sequence
from typing import Any

from topicset_core import __version__
from topicset_core.analyses.topic_subsets.goodness import exactly, number, reached
from topicset_core.analyses.topic_subsets.held_out.audit import AuditedGoodness, SubsetAudit
from topicset_core.analyses.topic_subsets.held_out.ranking import FIRST
from topicset_core.analyses.topic_subsets.held_out.report import (
    interval,
    scores_and_name,
    span,
    topics_in_words,
)
from topicset_core.analyses.topic_subsets.held_out.splits import Spread
from topicset_core.charts.chart import Chart, errors, panels
from topicset_core.charts.labels import clear_of_each_other, literal
from topicset_core.collection import ScoreMatrix
from topicset_core.collection.units import kept_together
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.figures import Figure
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import GUIVER_2009, KENDALL_1945

_FEW_NAMED = 3
_FEWEST_PERCENT = 0.1  # of sets, the smallest percentile that is shown as more than 0
_FEW_PERCENT = 1.0  # that are not rounded to whole ones


def report(
    audit: SubsetAudit,
    matrix: ScoreMatrix,
    *,
    goodness: str,
    left_out: Sequence[str] = (),
    preparation: Sequence[str] = (),
    link: str = "",
) -> Report:
    """Return an audit ready for export."""
    sentence = audit_answer(audit, goodness)
    return Report(
        name="topic-subset-audit",
        title=f"Evaluation of a subset of topics: {audit.scores}",
        sentence=sentence,
        tables=[
            ReportTable("place", lambda: audit_table(audit), "Place", "topic-subset-audit-place"),
            ReportTable("ranks", lambda: rank_changes_table(audit), "Ranks", "topic-subset-audit-ranks"),
        ],
        results=lambda: [
            {
                "sentence": sentence,
                "prepared": preparation,
                "left_out_runs": left_out,
                **audit.record(),
            }
        ],
        text=subset_audit_text(audit),
        figures=lambda: [audit_place(audit, goodness), rank_changes(audit)],
        measure=matrix.measure,
        variance_source=" ".join(preparation) or "as loaded",
        matrices=[matrix],
        seed=audit.request.seed,
        link=link,
    )


_HALVES, _ALL = 0, 1
_ROWS = ("halves of the runs", "all runs")
_ROW_HEIGHT, _FRAME = 150, 110  # pixels
_LEGEND_BELOW = 0.45  # of a row


def audit_place(audit: SubsetAudit, goodness: str) -> Figure:
    """Draw a strip for each measure: on all runs, and on random halves of them next to sets that were chosen."""
    results = [one for one in audit.goodness if one.value is not None]
    n = max(1, len(results))
    chart = Chart(
        f"Your {audit.cardinality:,} topics among all subsets of that size: {audit.scores}",
        "",
        "",
        height=_FRAME + _ROW_HEIGHT * n,
    )
    for one, panel in zip(results, panels(n, 1, down=0.16), strict=False):
        _add_strip(chart, one, panel.end)
        title = {"text": literal(one.measure.label), "font": {"size": 13}, "standoff": 4}
        # Better is to the right, everywhere.
        across = {"title": title, "autorange": None if one.measure.higher_is_better else "reversed"}
        up = {"title": {}, "tickvals": [_HALVES, _ALL], "ticktext": list(_ROWS), "range": [-0.9, 1.9]}
        chart.panel(panel, across, up)
    chart.legend(y=-_LEGEND_BELOW / n)
    return chart.figure("audit-place", audit_answer(audit, goodness))


def _add_strip(chart: Chart, one: AuditedGoodness, end: str) -> None:
    measure = one.measure
    if one.best is not None and one.worst is not None:
        look: dict[str, Any] = {"width": 1.4, "showlegend": False, "panel": end}
        chart.line([one.worst.value, one.best.value], [_ALL, _ALL], "range", None, colour=QUIET, **look)
    marks: tuple[tuple[str, int, float | None, str, str, int], ...] = (
        ("worst", _ALL, one.worst.value if one.worst else None, SERIES[1], "circle", 10),
        ("best", _ALL, one.best.value if one.best else None, SERIES[0], "circle", 10),
        ("average", _ALL, one.average, TEXT, "line-ns-open", 14),
        ("average", _HALVES, _mean(one.held_out_average), TEXT, "line-ns-open", 14),
        ("chosen on the other half", _HALVES, _mean(one.held_out_chosen), SERIES[0], "circle-open", 10),
        ("yours", _HALVES, _mean(one.held_out), ACCENT, "diamond", 13),
        ("yours", _ALL, one.value, ACCENT, "diamond", 13),
    )
    for name, place, value, colour, symbol, size in marks:
        if value is None:
            continue
        is_yours, spread = name == "yours", one.held_out
        bar = None
        if (
            is_yours and place == _HALVES and spread is not None
        ):  # from the 5th to the 95th percentile over halves
            up, down = [spread.high - spread.mean], [spread.mean - spread.low]
            bar = errors(up, ACCENT, down=down, thickness=1.6, width=5)
        chart.points(
            [value],
            [place],
            name,
            f"{name}, {_ROWS[place]}: %{{x:.5f}}",
            colour=colour,
            size=size,
            symbol=symbol,
            mode="markers+text" if is_yours else "markers",
            text=[f"<b>{number(value, measure)}</b>"],
            textposition="top center" if place == _ALL else "bottom center",
            textfont={"color": colour, "size": 13},
            marker={"line": {"width": 2, "color": colour}},
            error_x=bar,
            cliponaxis=False,
            showlegend=not end and (place == _ALL or name.startswith("chosen")),
            panel=end,
        )


def _mean(spread: Spread | None) -> float | None:
    return None if spread is None else float(spread.mean)


_NAMED = 5
_EVERY_RANK = 10  # runs up to which each rank has a tick; else some would fall between ranks


def rank_changes(audit: SubsetAudit) -> Figure:
    """Draw one point per run; the runs that change most are named."""
    changes = audit.ranking.changes
    n = len(changes)
    chart = Chart(
        f"Ranks of the runs: {audit.scores}",
        "rank on all topics (1 is best)",
        "rank on these topics",
        height=480,
    )
    chart.line([1, n], [1, n], "same rank", None, colour=QUIET, width=1, dash="dot")
    named = [one for one in changes[:_NAMED] if one.change]
    for runs, name, colour in (
        (changes[len(named) :], "other runs", SERIES[0]),
        (named, "largest changes", ACCENT),
    ):
        x, y = [one.rank_all for one in runs], [one.rank_subset for one in runs]
        sides = ["middle right" if one.rank_all <= n / 2 else "middle left" for one in runs]
        is_named = runs is named
        chart.points(
            x,
            y,
            name,
            [
                f"{literal(one.system)}: rank {one.rank_all:g} on all, {one.rank_subset:g} here<br>"
                f"means {one.mean_all:.4f} and {one.mean_subset:.4f}"
                for one in runs
            ],
            colour=colour,
            size=7,
            symbol="circle",
            mode="markers+text" if is_named else "markers",
            text=[literal(one.system) for one in runs],
            textposition=clear_of_each_other(x, y, [one.system for one in runs], sides)
            if is_named
            else "middle right",
            textfont={"color": colour, "size": 11},
            cliponaxis=False,
        )
    # There is no rank 0; half a rank of room shows the outermost points whole.
    for axis in ("x", "y"):
        chart.axis(axis, range=[0.5, n + 0.5], dtick=1 if n <= _EVERY_RANK else None)
    return chart.figure("audit-ranks", ranking_sentence(audit))


def audit_table(audit: SubsetAudit) -> Table:
    """Return the place of the subset, a row for each measure of goodness."""
    result = audit.goodness

    def mean(one: Spread | None) -> float | None:
        return None if one is None else one.mean

    return {
        "goodness": [one.measure.key for one in result],
        "value": [one.value for one in result],
        "percentile": [one.percentile for one in result],
        "percentile standard error": [one.percentile_standard_error for one in result],
        "worst": [None if one.worst is None else one.worst.value for one in result],
        "average": [one.average for one in result],
        "best": [None if one.best is None else one.best.value for one in result],
        "worst is": ["" if one.worst is None else one.worst.status for one in result],
        "best is": ["" if one.best is None else one.best.status for one in result],
        "compared with": [one.n_compared for one in result],
        "on halves of the runs": [mean(one.held_out) for one in result],
        "on halves, low": [None if one.held_out is None else one.held_out.low for one in result],
        "on halves, high": [None if one.held_out is None else one.held_out.high for one in result],
        "random sets on halves": [mean(one.held_out_average) for one in result],
        "sets chosen on the other half": [mean(one.held_out_chosen) for one in result],
        "share above average": [one.share_above_average for one in result],
        "share above chosen": [one.share_above_chosen for one in result],
    }


def rank_changes_table(audit: SubsetAudit) -> Table:
    """Return all runs with their ranks, the largest change first."""
    changes = audit.ranking.changes
    return {
        "run": [one.system for one in changes],
        "mean on all topics": [one.mean_all for one in changes],
        "mean on the subset": [one.mean_subset for one in changes],
        "rank on all topics": [one.rank_all for one in changes],
        "rank on the subset": [one.rank_subset for one in changes],
        "ranks lost": [one.change for one in changes],
    }


def subset_audit_text(audit: SubsetAudit) -> tuple[str, str]:
    """Return the result of an audit, in plain text and in LaTeX."""
    listed = ", ".join(audit.topics)
    compared = (
        "all subsets of its size"
        if all(one.all_subsets for one in audit.goodness)
        else f"{audit.request.n_trials:,} random subsets of its size"
    )
    halves = ""
    one = audit.goodness[0]
    if one.held_out is not None and one.held_out_average is not None and one.held_out_chosen is not None:
        units = kept_together(audit.n_units, audit.n_systems)
        halves = (
            f" On random halves of the runs its {one.measure.symbol} is {one.held_out.mean:.3f} on average over "
            f"{audit.request.n_splits:,} splits{units}; random subsets reach {one.held_out_average.mean:.3f}, and "
            f"subsets chosen on the other half by search {one.held_out_chosen.mean:.3f}."
        )
    paragraph = (
        f"A subset of {audit.cardinality:,} of {audit.n_topics:,} topics ({listed}) was compared with {compared} "
        f"{CITATION} on the {scores_and_name(audit.scores, audit.scores)} of {audit.n_systems:,} runs (seed "
        f"{audit.request.seed}). {audit_sentence(audit)}{halves} (Topicset {__version__}.)"
    )
    works = (GUIVER_2009, KENDALL_1945)
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def audit_answer(audit: SubsetAudit, key: str) -> str:
    """Return the place of a subset among all of its size by one measure."""
    one = audit.by(key)
    size = audit.cardinality
    if one.value is None or one.percentile is None:
        these = "this topic" if size == 1 else f"these {size:,} topics"
        return f"All runs have equal scores on {these}, so {one.measure.label} is undefined."
    among = "all" if one.all_subsets else "random"
    average = "" if one.average is None else f" (average {number(one.average, one.measure)})"
    ends = [
        f"the {side}{'' if end.status == 'exhaustive' else ' found'} {number(end.value, one.measure)}"
        for side, end in (("best", one.best), ("worst", one.worst))
        if end is not None
    ]
    return (
        f"Means of the {audit.n_systems:,} runs over your {topics_in_words(size)} agree with those over all "
        f"{audit.n_topics:,}: {reached(one.value, one.measure)}, better than "
        f"{share_beaten(one)} of {among} subsets of {size:,}{average}"
        + (f"; {', '.join(ends)}." if ends else ".")
    )


def audit_sentence(audit: SubsetAudit) -> str:
    """Return where a subset lies, by the first measure that it has a value by, and how it ranks."""
    size = "This topic ranks" if audit.cardinality == 1 else f"These {audit.cardinality:,} topics rank"
    over = "Over this topic" if audit.cardinality == 1 else f"Over these {audit.cardinality:,} topics"
    one = next((one for one in audit.goodness if one.value is not None and one.percentile is not None), None)
    ranking = audit.ranking
    pairs = (
        f"{ranking.n_reversed:,} of {ranking.n_pairs:,} pairs of runs are reversed, and the best "
        f"run {'stays' if ranking.top_kept else 'does not stay'} best"
    )
    if one is None or one.value is None or one.percentile is None:
        return f"{size} all {audit.n_systems:,} runs equally: {pairs}."
    average = (
        "" if one.average is None else f"; random subsets have {exactly(one.average, one.measure)} on average"
    )
    return (
        f"{over}, the means of the {audit.n_systems:,} runs agree with those over all {audit.n_topics:,} to "
        f"{one.measure.symbol} "
        f"{'=' if one.measure.higher_is_better else 'of'} {exactly(one.value, one.measure)}, better than "
        f"{share_beaten(one)} of all subsets of that size{average}; {pairs}."
    )


def share_beaten(one: AuditedGoodness) -> str:
    """Return the percentile of a subset with its error; never rounded to 0 or 100 %."""
    percentile = one.percentile or 0.0
    if percentile > 100 - _FEWEST_PERCENT:
        return f"over {100 - _FEWEST_PERCENT:g} %"
    if percentile < _FEWEST_PERCENT:
        return f"under {_FEWEST_PERCENT:g} %"
    error = f" (± {one.percentile_standard_error:.1f})" if one.percentile_standard_error else ""
    return f"{percentile:.1f} %{error}"


def share_in_title(one: AuditedGoodness) -> str:
    """Return the percentile of a subset in large letters: whole percents, except near 0 and 100."""
    percentile = one.percentile or 0.0
    whole = _FEW_PERCENT < percentile < 100 - _FEW_PERCENT
    return f"{percentile:.0f} %" if whole else share_beaten(one).partition(" (")[0]


def halves_sentence(audit: SubsetAudit, key: str) -> str:
    """Return how a subset fares on random halves of the runs, next to random ones and one chosen on the others."""
    one = audit.by(key)
    if one.held_out is None:
        return ""
    units = kept_together(audit.n_units, audit.n_systems, "; {}")
    runs = f"{span(*audit.half_sizes)} in each{units}"
    parts = [
        f"On random halves of the runs ({runs}) it reaches {reached(one.held_out.mean, one.measure)} on "
        f"average ({interval(one.held_out, one.measure)})"
    ]
    for spread, of_what, share in (
        (one.held_out_average, "random subsets", one.share_above_average),
        (one.held_out_chosen, "subsets chosen on the other half", one.share_above_chosen),
    ):
        if spread is not None:
            better = "" if share is None else f", worse than yours in {100 * share:.0f} % of the halves"
            parts.append(f"{of_what} {number(spread.mean, one.measure)}{better}")
    return "; ".join(parts) + "."


def ranking_sentence(audit: SubsetAudit) -> str:
    """Return the pairs of runs that a subset reverses."""
    ranking = audit.ranking
    share = 100 * ranking.n_reversed / ranking.n_pairs
    summary = f"{ranking.n_reversed:,} of {ranking.n_pairs:,} pairs of runs ({share:.1f} %) are reversed"
    if ranking.n_tied:
        summary += f" and {ranking.n_tied:,} tie"
    halves, drawn = audit.halves.share_reversed, audit.random_halves.share_reversed
    if halves is not None and drawn is not None:
        summary += (
            f"; on random halves of the runs {100 * halves.mean:.1f} %, with random subsets "
            f"{100 * drawn.mean:.1f} %"
        )
    top = " and ".join(ranking.top[:_FEW_NAMED])
    best = (
        f"The best run, {top}, stays best"
        if ranking.top_kept
        else f"The best run is {' and '.join(ranking.top_on_subset[:_FEW_NAMED])} instead of {top}"
    )
    first = ""
    if audit.n_systems > FIRST:
        first = f", and {ranking.n_first_kept:,} of the first {ranking.n_first:,} stay among them"
    largest = ranking.largest_reversal
    worst = (
        ""
        if largest is None
        else f" The largest reversed difference: {largest.better} is {largest.difference:.4f} better than "
        f"{largest.worse}, and {-largest.difference_on_subset:.4f} worse on these topics."
    )
    return f"{summary}. {best}{first}.{worst}"
