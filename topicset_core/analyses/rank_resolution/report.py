"""Leaderboards: findings, record and figures."""

from dataclasses import replace
from typing import Any

from topicset_core.analyses.rank_resolution.charts import (
    groups,
    rank_intervals,
    resolved_pairs,
    share_by_topics,
)
from topicset_core.analyses.rank_resolution.leaderboard import (
    Leaderboard,
    compute,
    latex_table,
    line_table,
    outlook_table,
    pair_table,
    paper_table,
    rank_columns,
    rank_rows,
)
from topicset_core.analyses.rank_resolution.outlook import (
    FORECAST_NOTE,
    LEVEL,
    MOST_EXPECTED_TOPICS,
    TARGET_SHARE,
    two_digits,
)
from topicset_core.analyses.rank_resolution.pairs import FEW_TOPICS
from topicset_core.analyses.rank_resolution.resolution import (
    FAMILYWISE_NOTE,
    Request,
    Resolution,
    affordable_flips,
    seconds_of_flips,
)
from topicset_core.exports.citing import CITATION
from topicset_core.exports.columns import aligned
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.preparation.means import ESTIMANDS, OTHER, estimand, mean_of, system_means
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.preparation.whole_groups import size_in_words
from topicset_core.question import Question
from topicset_core.references import MOGSTAD_2024, ROMANO_WOLF_2005, TUSHER_2001
from topicset_core.version import __version__
from topicset_core.wording import counted, first_few, joined, percent

_NAMED, _NAMED_FEW = 5, 3


def report(leaderboard: Leaderboard) -> Report:
    """Return the answer with all its exports."""
    resolution = leaderboard.resolution
    matrix = resolution.matrix
    tables = [
        ReportTable(
            "ranks", lambda: rank_columns(resolution).table(rank_rows(leaderboard)), "Ranks", "ranks"
        ),
        ReportTable("paper", lambda: paper_table(leaderboard), "Table for a paper", "ranks-for-a-paper"),
        ReportTable("pairs", lambda: pair_table(resolution), "Pairs", "pairs"),
        ReportTable("groups", lambda: line_table(resolution)),
        ReportTable(f"more {resolution.unit}s", lambda: outlook_table(leaderboard)),
    ]
    return Report(
        name="leaderboard",
        title=f"Leaderboard: {matrix.measure}, {matrix.name}",
        findings=findings(leaderboard),
        works=[
            MOGSTAD_2024,
            ROMANO_WOLF_2005,
            *([TUSHER_2001] if resolution.request.floor else []),
        ],
        latex_table=latex_table(leaderboard),
        tables=tables,
        page_table=lambda: paper_table(leaderboard),
        results=lambda: [record(leaderboard)],
        figures=lambda: figures(leaderboard),
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix.by_group()],
        request=leaderboard.request.settings,
    )


MORE_TOPICS = "More topics"
"""The tab of the page with the outlook."""


def findings(leaderboard: Leaderboard) -> list[Finding]:
    """Return the findings: pairs resolved, candidates for first, top k, two systems, warnings, more topics."""
    resolution, two, ahead = leaderboard.resolution, leaderboard.two, _outlook(leaderboard)
    matrix, alpha = resolution.matrix, resolution.request.alpha
    caution, (before, value, after) = caution_on_constant_runs(matrix), _resolved(resolution)
    several = resolution.n_resolved and resolution.n_pairs > 1
    share = f" ({percent(resolution.n_resolved / resolution.n_pairs)})" if several else ""
    by = f"{matrix.measure} on {size_in_words(resolution.upright)}"
    if matrix.groups is not None:
        by = f"{matrix.measure} ({estimand(matrix, resolution.request.mean)})"
    said = [
        headline(before, value, f"{after}. {caution}" if caution else after),
        tile("systems that may be the best", f"{len(resolution.candidates(1)):,}"),
        tile(
            f"{resolution.unit}s for {percent(TARGET_SHARE)} of the pairs",
            _topics_in_short(leaderboard),
            ahead,
        ),
        Finding(_method(resolution), "paper"),
        Finding(f"{before}{value}{share}{after} by {by}, at a familywise error rate of {percent(alpha)}."),
        Finding(caution, "export terminal"),
        Finding(_candidates(resolution)),
        *map(Finding, _warnings(resolution)),
        Finding(_top(leaderboard)),
        Finding("" if two is None else two.sentence),
        Finding(ahead, "page export terminal", tab=MORE_TOPICS),
        Finding(f"Rank intervals are simultaneous for all systems (Topicset {__version__}).", "paper"),
    ]
    return [finding for finding in said if finding.text or finding.value]


def _resolved(resolution: Resolution) -> tuple[str, str, str]:
    """Return which pairs are resolved, in words, as what is before a value, the value, and what is after it."""
    n_resolved, n_pairs = resolution.n_resolved, resolution.n_pairs
    if n_pairs == 1:
        return "The order of the two systems is ", "resolved" if n_resolved else "not resolved", ""
    if n_resolved == 0:
        return "", "No pair", f" of {resolution.matrix.n_systems:,} systems is resolved"
    return "The order of ", f"{n_resolved:,} of {n_pairs:,} pairs", " is resolved"


def _method(resolution: Resolution) -> str:
    """Return the scores, and how ranks were resolved."""
    matrix, request, units = resolution.matrix, resolution.request, f"{resolution.unit}s"
    flips = f"{resolution.n_flips:,} random sign flips of the {units} (seed {request.seed})"
    if resolution.enumerated:
        flips = f"all {resolution.n_flips:,} sign flips of the {units}"
    floor = (
        f", with a floor of {request.floor:g} times the mean variance in its denominator"
        if request.floor
        else ""
    )
    return (
        f"Ranks were resolved {CITATION} from the {matrix.measure} scores of {matrix.n_systems} systems "
        f"({matrix.name}): all pairs were compared by a paired t statistic{floor}, against {flips}, step-down."
    )


def _top(leaderboard: Leaderboard) -> str:
    """Return whether the observed top k are the true ones, and why the sign flips find otherwise; "" without k."""
    top, resolution = leaderboard.top, leaderboard.resolution
    if top is None:
        return ""
    which, best = ("system", "best") if top.k == 1 else (f"{top.k:,} systems", f"best {top.k:,}")
    text = (
        f"Another test, valid for k = {top.k:,} chosen before the scores were known, "
        f"{'verifies' if top.is_verified else 'does not verify'} the first {which} as the {best} (paired t tests "
        f"against every other system, largest p = {top.p_value:.2g})."
    )
    candidates = len(resolution.candidates(top.k))
    if top.is_verified == (candidates == top.k):
        return text
    text += f" The sign flips leave {counted(candidates, 'candidate')}"
    if resolution.n_pairs == 1:
        return f"{text}."
    n_pairs = f"{resolution.n_pairs:,} pairs"
    return f"{text}: they test all {n_pairs} at once, this test only the first {which} against the others."


def _candidates(resolution: Resolution) -> str:
    """Return which systems may be the best."""
    candidates = resolution.candidates(1)
    if len(candidates) == 1:
        return f"Only {candidates[0]} can be the best."
    if len(candidates) == len(resolution.systems):
        return f"Each of the {len(candidates):,} systems may be the best."
    listed = list(candidates[:_NAMED])
    if len(candidates) > _NAMED:
        listed.append(f"{len(candidates) - _NAMED:,} more")
    return f"{len(candidates):,} systems may be the best: {joined(listed)}."


def _outlook(leaderboard: Leaderboard) -> str:
    """Return how many topics would resolve most pairs."""
    ahead, target = leaderboard.outlook, f"{percent(TARGET_SHARE)} of the pairs"
    units = f"{leaderboard.resolution.unit}s"
    double, share = f"{2 * ahead.n_topics:,} {units}", _percents(ahead.share(2 * ahead.n_topics))
    if ahead.resolved == 1:
        return "All pairs are resolved already."
    if ahead.expected.signal <= 0:
        return (
            f"The estimated variance component of systems is 0 or less, so the number of {units} that resolves "
            f"{target} is undefined."
        )
    if not ahead.can_tell:
        return f"{ahead.n_topics:,} {units} are too few to tell how many would resolve {target}."
    low, high = map(_percents, ahead.share_interval(2 * ahead.n_topics))
    level = f"{100 * LEVEL:g} % interval"
    double_share = f"{double} would resolve about {share} ({level} {low} to {high})"
    note = f" {FORECAST_NOTE}" if leaderboard.resolution.matrix.groups is None else ""
    if ahead.resolved >= TARGET_SHARE:
        already = f"{percent(ahead.resolved)} of the pairs are resolved already"
        return f"{already}; {double_share}.{note}"
    if ahead.most < TARGET_SHARE:
        of = f"{len(leaderboard.resolution.tied):,} of {leaderboard.resolution.n_pairs:,}"
        return f"No number of {units} resolves {target}: {of} have equal scores. {double_share}.{note}"
    topics, (fewest, most) = ahead.stated_topics(TARGET_SHARE), ahead.interval
    number = f"More than {MOST_EXPECTED_TOPICS:,}" if topics is None else f"About {topics:,}"
    interval = f"{fewest:,} or more" if most is None else f"{fewest:,} to {most:,}"
    return (
        f"{number} {units} would resolve {target} ({level} {interval}); {double} about {share} ({low} to {high})."
        f"{note}"
    )


def _percents(share: float) -> str:
    """Return an expected share in two digits at most."""
    return f"{100 * share:{'.2g' if share < 0.095 else '.0f'}} %"


def _topics_in_short(leaderboard: Leaderboard) -> str:
    """Return how many topics would resolve most pairs, with the interval, for a tile."""
    ahead = leaderboard.outlook
    if ahead.resolved >= TARGET_SHARE:
        return "reached"
    topics, (low, high) = ahead.stated_topics(TARGET_SHARE), ahead.interval
    if topics is None:
        return "no estimate"
    return f"{topics:,} ({low:,} {'or more' if high is None else f'to {high:,}'})"


def _warnings(resolution: Resolution) -> list[str]:
    """Return how far α holds, and warnings about single results: few topics behind a difference, equal systems."""
    # Nothing was simulated of one pair, or of topics in groups.
    is_simulated = resolution.n_pairs > 1 and resolution.matrix.groups is None
    notes = [FAMILYWISE_NOTE] if is_simulated else []
    unit, alpha = resolution.unit, resolution.request.alpha
    topics = counted(resolution.pairs.n_topics, unit)
    if resolution.smallest_p > alpha:
        notes.append(
            f"With {topics} no p value is below {resolution.smallest_p:.3g}, so no pair can be resolved at "
            f"α = {alpha:g}."
        )
    few = [
        f"{row['better']} and {row['worse']} (about {row['topics']:.0f})" for row in resolution.rests_on_few
    ]
    if few:
        notes.append(
            f"{counted(len(few), 'resolved pair')} {'rests' if len(few) == 1 else 'rest'} on fewer "
            f"than {FEW_TOPICS} "
            f"{unit}s, too few for any test: {first_few(few, _NAMED_FEW)}."
        )
    if resolution.tied:
        equal = [f"{first} and {second}" for first, second in resolution.tied]
        notes.append(f"Equal scores on every topic: {first_few(equal, _NAMED)}.")
    return [*notes, _by_other_mean(resolution)]


def _by_other_mean(resolution: Resolution) -> str:
    """Return how many pairs the other mean orders differently; "" where it is the same mean or order."""
    if len({*resolution.matrix.group_sizes.values()}) < 2:
        return ""
    other = OTHER[resolution.request.mean or ""]
    means = system_means(resolution.matrix, other)
    means = -means if resolution.request.lower_is_better else means
    pairs = resolution.pairs
    changed = int(((pairs.difference > 0) & (means[pairs.first] < means[pairs.second])).sum())
    if not changed:
        return ""
    best = resolution.systems[int(means.argmax())]
    if resolution.n_pairs == 1:
        return f"By the {ESTIMANDS[other]}, {best} is first."
    change = "changes" if changed == 1 else "change"
    of = f"{changed:,} of {resolution.n_pairs:,} pairs"
    return f"By the {ESTIMANDS[other]}, {of} {change} order and {best} is first."


def record(leaderboard: Leaderboard) -> dict[str, Any]:
    """Return the record of the result."""
    resolution, top, ahead = leaderboard.resolution, leaderboard.top, leaderboard.outlook
    twice, can_tell = 2 * ahead.n_topics, ahead.can_tell
    request, of_top = resolution.request, {}
    if top is not None:
        verdict = {"verified": top.is_verified, "candidates": list(resolution.candidates(top.k))}
        of_top = {"top": fields_of(top) | verdict}
    return {
        "analysis": "leaderboard",
        **attributes(resolution, "n_pairs n_resolved n_resolved_in_one_step n_flips tied"),
        "statistic": "t with a floor of the variance" if request.floor else "t",
        "critical_value": resolution.critical,
        "flips": "enumerated" if resolution.enumerated else "drawn",
        "systems": rank_rows(leaderboard),
        "candidates_for_first": resolution.candidates(1),
        **({} if resolution.matrix.groups is None else {"estimand": ESTIMANDS[request.mean or ""]}),
        **({"constant_runs": constant} if (constant := constant_runs(resolution.matrix)) else {}),
        "groups": resolution.lines,
        "resolved_on_few_topics": resolution.rests_on_few,
        "more_topics": {
            "share_wanted": TARGET_SHARE,
            "share_resolved": ahead.resolved,
            "topics": ahead.stated_topics(TARGET_SHARE),
            "interval": ahead.interval if can_tell else None,
            "level": LEVEL,
            "share_at_twice_the_topics": two_digits(ahead.share(twice)) if can_tell else None,
            "share_interval": [two_digits(end) for end in ahead.share_interval(twice)] if can_tell else None,
        },
        **of_top,
        **({} if leaderboard.two is None else {"two_systems": leaderboard.two}),
    }


def figures(leaderboard: Leaderboard) -> list[Figure]:
    """Return all figures: ranks, pairs, groups, more topics."""
    resolution, ahead = leaderboard.resolution, leaderboard.outlook
    return [
        rank_intervals(resolution),
        resolved_pairs(resolution),
        groups(resolution),
        *([share_by_topics(ahead, resolution.upright)] if ahead.can_tell else []),
    ]


QUESTION = Question(
    slug="leaderboard",
    description="Resolves the order of all pairs of systems of one score matrix with one error probability, by "
    "sign flips of whole topics, and gives every system the ranks that remain (Mogstad, Romano, Shaikh and "
    "Wilhelm 2024).",
    takes="matrix in groups",
    request=Request,
    compute=compute,
    complete=lambda matrix, request: replace(request, mean=mean_of(matrix, request.mean)),
    finish=Leaderboard.read_off,
    report=report,
    text=lambda leaderboard: ["", *aligned(paper_table(leaderboard)), ""],
    noun=lambda request: f"{request.n_trials:,} sign flips",
    seconds=lambda matrix, request: seconds_of_flips(matrix, request.n_trials),
    preview=lambda matrix, request, seconds: replace(
        request, n_trials=affordable_flips(matrix, request, seconds)
    ),
    is_whole=lambda board, request: (
        board.resolution.enumerated or board.resolution.n_flips == request.n_trials
    ),
)
