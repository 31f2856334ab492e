"""The exports of an audit: findings, tables, record and figures."""

from dataclasses import replace
from typing import Any

from topicset_core.analyses.topic_subsets.goodness import number, reached
from topicset_core.analyses.topic_subsets.held_out.audit import (
    FIRST,
    AuditedGoodness,
    SubsetAudit,
    audit_subset,
)
from topicset_core.analyses.topic_subsets.held_out.report import (
    interval,
    span,
)
from topicset_core.analyses.topic_subsets.held_out.splits import MEANING, Spread
from topicset_core.analyses.topic_subsets.request import AuditRequest
from topicset_core.charts.chart import Chart, errors, panels
from topicset_core.charts.labels import clear_of_each_other, literal
from topicset_core.collection.units import kept_together
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET, SERIES, TEXT
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, texts
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row
from topicset_core.question import Question
from topicset_core.references import GUIVER_2009, KENDALL_1945
from topicset_core.version import __version__
from topicset_core.wording import counted

RANKS_TAB = "Ranks"
"""Of the page."""

_FEW_NAMED = 3
_MOST_RUNS = 10  # whose ranks change most, in a terminal; the record has all
_FEWEST_PERCENT = 0.1  # of sets, the smallest percentile that is shown as more than 0
_FEW_PERCENT = 1.0  # that are not rounded to whole ones


def report(audit: SubsetAudit) -> Report:
    """Return an audit ready for export."""
    said = findings(audit)
    return Report(
        name="topic-subset-audit",
        title=f"Evaluation of a subset of topics: {audit.scores}",
        findings=said,
        works=(GUIVER_2009, KENDALL_1945),
        tables=[
            ReportTable("place", lambda: PLACE.table(audit.goodness), "Place", "topic-subset-audit-place"),
            ReportTable(
                "ranks", lambda: RANKS.table(audit.ranking.changes), "Ranks", "topic-subset-audit-ranks"
            ),
        ],
        results=lambda: [
            {"sentence": " ".join(texts(said, "export")), "left_out_runs": audit.left_out, **audit.record()}
        ],
        figures=lambda: [audit_place(audit), rank_changes(audit)],
        measure=audit.matrix.measure,
        preparation=(),
        matrices=[audit.matrix],
        request=audit.request.settings,
    )


_HALVES, _ALL = 0, 1
_ROWS = ("halves of the runs", "all runs")
_ROW_HEIGHT, _FRAME = 150, 110  # pixels
_LEGEND_BELOW = 0.45  # of a row


def audit_place(audit: SubsetAudit) -> Figure:
    """Draw a strip for each measure: on all runs, and on random halves of them next to sets that were chosen."""
    results = [place for place in audit.goodness if place.value is not None]
    n = max(1, len(results))
    chart = Chart(
        f"Your {audit.cardinality:,} topics among all subsets of that size: {audit.scores}",
        "",
        "",
        height=_FRAME + _ROW_HEIGHT * n,
    )
    for place, panel in zip(results, panels(n, 1, down=0.16), strict=False):
        _add_strip(chart, place, panel.end)
        title = {"text": literal(place.measure.label), "font": {"size": 13}, "standoff": 4}
        # Better is to the right, everywhere.
        across = {"title": title, "autorange": None if place.measure.higher_is_better else "reversed"}
        up = {"title": {}, "tickvals": [_HALVES, _ALL], "ticktext": list(_ROWS), "range": [-0.9, 1.9]}
        chart.panel(panel, across, up)
    chart.legend(y=-_LEGEND_BELOW / n)
    return chart.figure("audit-place", place_sentence(audit))


def _add_strip(chart: Chart, goodness: AuditedGoodness, end: str) -> None:
    measure = goodness.measure
    if goodness.best is not None and goodness.worst is not None:
        look: dict[str, Any] = {"width": 1.4, "showlegend": False, "panel": end}
        chart.line(
            [goodness.worst.value, goodness.best.value], [_ALL, _ALL], "range", None, colour=QUIET, **look
        )
    marks: tuple[tuple[str, int, float | None, str, str, int], ...] = (
        ("worst", _ALL, goodness.worst.value if goodness.worst else None, SERIES[1], "circle", 10),
        ("best", _ALL, goodness.best.value if goodness.best else None, SERIES[0], "circle", 10),
        ("average", _ALL, goodness.average, TEXT, "line-ns-open", 14),
        ("average", _HALVES, _mean(goodness.held_out_average), TEXT, "line-ns-open", 14),
        ("chosen on the other half", _HALVES, _mean(goodness.held_out_chosen), SERIES[0], "circle-open", 10),
        ("yours", _HALVES, _mean(goodness.held_out), ACCENT, "diamond", 13),
        ("yours", _ALL, goodness.value, ACCENT, "diamond", 13),
    )
    for name, place, value, colour, symbol, size in marks:
        if value is None:
            continue
        is_yours, spread = name == "yours", goodness.held_out
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
    named = [row for row in changes[:_NAMED] if row["change"]]
    for runs, name, colour in (
        (changes[len(named) :], "other runs", SERIES[0]),
        (named, "largest changes", ACCENT),
    ):
        x, y = [row["rank_all"] for row in runs], [row["rank_subset"] for row in runs]
        sides = ["middle right" if row["rank_all"] <= n / 2 else "middle left" for row in runs]
        is_named = runs is named
        chart.points(
            x,
            y,
            name,
            [
                f"{literal(row['run'])}: rank {row['rank_all']:g} on all, {row['rank_subset']:g} here<br>"
                f"means {row['mean_all']:.4f} and {row['mean_subset']:.4f}"
                for row in runs
            ],
            colour=colour,
            size=7,
            symbol="circle",
            mode="markers+text" if is_named else "markers",
            text=[literal(row["run"]) for row in runs],
            textposition=clear_of_each_other(x, y, [row["run"] for row in runs], sides)
            if is_named
            else "middle right",
            textfont={"color": colour, "size": 11},
            cliponaxis=False,
        )
    # There is no rank 0; half a rank of room shows the outermost points whole.
    for axis in ("x", "y"):
        chart.axis(axis, range=[0.5, n + 0.5], dtick=1 if n <= _EVERY_RANK else None)
    return chart.figure("audit-ranks", ranking_sentence(audit))


PLACE: Columns[AuditedGoodness] = Columns(
    Column("goodness", "measure.key"),
    Column("value", form=".5f"),
    Column("percentile", form=".1f"),
    Column("percentile standard error", "percentile_standard_error", form=".1f"),
    Column("worst", "worst.value", form=".5f"),
    Column("average", form=".5f"),
    Column("best", "best.value", form=".5f"),
    Column("worst is", lambda place: place.worst.status if place.worst else "", on="fs"),
    Column("best is", lambda place: place.best.status if place.best else "", on="fs"),
    Column("compared with", "n_compared", on="fs"),
    Column("on halves of the runs", "held_out.mean", form=".5f"),
    Column("on halves, low", "held_out.low", form=".5f", on="fs"),
    Column("on halves, high", "held_out.high", form=".5f", on="fs"),
    Column("random sets on halves", "held_out_average.mean", form=".5f"),
    Column("sets chosen on the other half", "held_out_chosen.mean", form=".5f"),
    Column("share above average", "share_above_average", form=".2f", on="fs"),
    Column("share above chosen", "share_above_chosen", form=".2f", on="fs"),
)
"""The place of the subset, a row for each measure of goodness."""

RANKS: Columns[Row] = Columns(
    Column("run"),
    Column("mean on all topics", "mean_all", form=".4f", on="fs"),
    Column("mean on the subset", "mean_subset", form=".4f", on="fs"),
    Column("rank on all topics", "rank_all", form=".1f"),
    Column("rank on the subset", "rank_subset", form=".1f"),
    Column("ranks lost", "change", form="+.1f"),
)
"""All runs with their ranks, the largest change first."""


def findings(audit: SubsetAudit) -> list[Finding]:
    """Return where a subset lies among all of its size, on all runs and on halves of them, and how it ranks."""
    place, size, matrix = audit.shown, audit.cardinality, audit.matrix
    yours = f"Your {counted(size, 'topic')}: "
    changed = sum(row["change"] != 0 for row in audit.ranking.changes)
    is_exact = all(place.all_subsets for place in audit.goodness)
    compared = "all subsets" if is_exact else f"{audit.request.n_trials:,} random subsets"
    origin = (
        f"A subset of {size:,} of {audit.n_topics:,} topics ({', '.join(audit.topics)}) was compared with "
        f"{compared} of its size {CITATION} (Topicset {__version__}) on the "
        f"{matrix.measure} scores ({matrix.name}) of {audit.n_systems:,} runs (seed {audit.request.seed})."
    )
    return [
        headline(yours, "correlation undefined")
        if place.percentile is None
        else headline(f"{yours}better than ", f"{share_in_title(place)} of subsets"),
        Finding(origin, "paper"),
        Finding(place_sentence(audit)),
        *([] if place.held_out is None else [Finding(halves_sentence(audit))]),
        Finding(ranking_sentence(audit)),
        Finding(f"{changed:,} of {audit.n_systems:,} runs change their rank.", tab=RANKS_TAB),
        Finding(MEANING, "terminal"),
    ]


def place_sentence(audit: SubsetAudit) -> str:
    """Return the place of a subset among all of its size by the measure in question."""
    place, size = audit.shown, audit.cardinality
    these = "this topic" if size == 1 else f"these {size:,} topics"
    if place.value is None or place.percentile is None:
        return f"All runs have equal scores on {these}, so {place.measure.label} is undefined."
    average = "" if place.average is None else f" (average {number(place.average, place.measure)})"
    ends = [
        f"the {side}{'' if end.status == 'exhaustive' else ' found'}{verb} {number(end.value, place.measure)}"
        for side, end, verb in (("best", place.best, " has"), ("worst", place.worst, ""))
        if end is not None
    ]
    return (
        f"Over {these}, the means of the {audit.n_systems:,} runs agree with those over all {audit.n_topics:,}: "
        f"{reached(place.value, place.measure)}, better than {share_beaten(place)} of "
        f"{'all' if place.all_subsets else 'random'} subsets of {size:,}{average}"
        + (f"; {', '.join(ends)}." if ends else ".")
        + place.measure.ties
    )


def share_beaten(place: AuditedGoodness) -> str:
    """Return the percentile of a subset with its error; never rounded to 0 or 100 %."""
    percentile = place.percentile or 0.0
    if percentile > 100 - _FEWEST_PERCENT:
        return f"over {100 - _FEWEST_PERCENT:g} %"
    if percentile < _FEWEST_PERCENT:
        return f"under {_FEWEST_PERCENT:g} %"
    error = f" (± {place.percentile_standard_error:.1f})" if place.percentile_standard_error else ""
    return f"{percentile:.1f} %{error}"


def share_in_title(place: AuditedGoodness) -> str:
    """Return the percentile of a subset in large letters: whole percents, except near 0 and 100."""
    percentile = place.percentile or 0.0
    whole = _FEW_PERCENT < percentile < 100 - _FEW_PERCENT
    return f"{percentile:.0f} %" if whole else share_beaten(place).partition(" (")[0]


def halves_sentence(audit: SubsetAudit) -> str:
    """Return how a subset fares on random halves of the runs, next to random ones and one chosen on the others."""
    place = audit.shown
    assert place.held_out is not None  # noqa: S101 - else there is no such sentence
    each = f"{span(*audit.half_sizes)} in each{kept_together(audit.n_units, audit.n_systems, '; {}')}"
    parts = [
        f"On random halves of the runs ({each}), the subset reaches "
        f"{reached(place.held_out.mean, place.measure)} on average over {audit.request.n_splits:,} splits "
        f"({interval(place.held_out, place.measure)})"
    ]
    for spread, which, share in (
        (place.held_out_average, "random subsets", place.share_above_average),
        (place.held_out_chosen, "subsets chosen by search on the other half", place.share_above_chosen),
    ):
        if spread is not None:
            worse = "" if share is None else f", worse in {100 * share:.0f} % of the halves"
            parts.append(f"{which} reach {number(spread.mean, place.measure)}{worse}")
    return "; ".join(parts) + "."


def ranking_sentence(audit: SubsetAudit) -> str:
    """Return the pairs of runs that a subset reverses, and what becomes of the best runs."""
    ranking, halves, random = audit.ranking, audit.halves, audit.random_halves
    said = f"{ranking.in_words}. "
    if halves.share_reversed is not None and random.share_reversed is not None:
        said += (
            f"On random halves of the runs {100 * halves.share_reversed.mean:.1f} % are reversed, and the best run "
            f"stays best on {100 * halves.top_kept:.0f} % of the halves; with random subsets "
            f"{100 * random.share_reversed.mean:.1f} % and {100 * random.top_kept:.0f} %. "
        )
    top, instead = (" and ".join(runs[:_FEW_NAMED]) for runs in (ranking.top, ranking.top_on_subset))
    said += (
        f"The best run, {top}, stays best"
        if ranking.top_kept
        else f"The best run is {instead} instead of {top}"
    )
    if audit.n_systems > FIRST:
        said += f", and {ranking.n_first_kept:,} of the first {ranking.n_first:,} stay among them"
    largest = ranking.largest_reversal
    if largest is None:
        return f"{said}."
    return (
        f"{said}. The largest reversed difference: {largest['better']} is {largest['difference']:.4f} better than "
        f"{largest['worse']}, and {-largest['difference_on_subset']:.4f} worse on these topics."
    )


def text(audit: SubsetAudit) -> list[str]:
    """Return an audit as lines of a terminal."""
    return [
        "",
        f"{audit.cardinality:,} topics among sets of that size, {audit.scores}; on halves of the runs next to "
        "random sets and sets that a search chooses on the other half:",
        *PLACE.text(audit.goodness),
        "",
        *RANKS.text(audit.ranking.changes[:_MOST_RUNS]),
        "",
    ]


QUESTION: Question[AuditRequest, SubsetAudit] = Question(
    slug="subset-audit",
    description="A list of topics, such as those of a small benchmark, among all subsets of that size.",
    takes="matrix",
    request=AuditRequest,
    compute=audit_subset,
    finish=lambda audit, request: replace(audit, request=request),
    preview=lambda *_: None,
    noun=lambda request: f"Evaluation of {len(request.topics):,} topics",
    report=report,
    text=text,
    # The answer calls these "scores", the record calls their contents "scores".
    details=lambda audit: {"details": {"scores": report(audit).record()["scores"]}},
)
