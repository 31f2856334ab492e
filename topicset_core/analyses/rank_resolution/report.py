"""The analysis of one leaderboard: ranks, the top, what more topics would resolve; and its exports."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

from topicset_core.analyses.rank_resolution.charts import (
    drawn_intervals,
    groups,
    rank_intervals,
    resolved_pairs,
    share_by_topics,
)
from topicset_core.analyses.rank_resolution.chosen_systems import (
    TwoSystems,
    Verification,
    chance_of_best,
    two_systems,
    verify_top,
)
from topicset_core.analyses.rank_resolution.outlook import (
    FORECAST_NOTE,
    LEVEL,
    MOST_EXPECTED_TOPICS,
    TARGET_SHARE,
    Outlook,
    outlook,
    two_digits,
)
from topicset_core.analyses.rank_resolution.pairs import FEW_TOPICS, Floats
from topicset_core.analyses.rank_resolution.resolution import (
    FAMILYWISE_NOTE,
    Request,
    Resolution,
    affordable_flips,
    resolve,
    seconds_of_flips,
)
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.citing import CITATION, escaped
from topicset_core.exports.colours import Mode
from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row, Table, rows_of
from topicset_core.preparation.means import ESTIMANDS, OTHER, estimand, mean_of, system_means
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.preparation.whole_groups import size_in_words
from topicset_core.progress import ReportProgress, silently
from topicset_core.question import Question
from topicset_core.references import MOGSTAD_2024, ROMANO_WOLF_2005, TUSHER_2001
from topicset_core.version import __version__
from topicset_core.wording import counted, first_few, joined, percent

_NAMED, _NAMED_FEW = 5, 3
_DIGITS = 4


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaderboard:
    """All that was found for one matrix."""

    request: Request
    resolution: Resolution  # ranks and pairs
    outlook: Outlook  # what more topics would resolve
    # (n_systems,): share of Bayesian bootstrap resamples in which each system is the best
    chances: Floats = field(repr=False)
    # Whether the observed top k are the true ones, for a k chosen before the scores were known
    top: Verification | None = None
    two: TwoSystems | None = None  # the two systems that were named

    def read_off(self, request: Request) -> "Leaderboard":
        """Return the same with what a request asks of the ranks: the test of the top k, and two systems by name."""
        two = None if request.pair is None else two_systems(self.resolution, *request.pair)
        top = None if request.top_k is None else verify_top(self.resolution, request.top_k)
        return replace(self, request=self.request.reading(request), top=top, two=two)


def compute(
    matrix: ScoreMatrix,
    request: Request,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Leaderboard:
    """Analyse a leaderboard, but for what is read off it."""
    result = resolve(matrix, request, report_progress=report_progress, executor=executor)
    return Leaderboard(
        resolution=result,
        request=result.request,
        outlook=outlook(result),
        chances=chance_of_best(result.upright, seed=result.request.seed),
    )


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
    """Return what is said: pairs resolved, candidates for first, top k, two systems, warnings, more topics."""
    resolution, two, ahead = leaderboard.resolution, leaderboard.two, _outlook(leaderboard)
    caution = caution_on_constant_runs(resolution.matrix)
    rate = f"at a familywise error rate of {percent(resolution.request.alpha)}"
    said = [
        _headline(resolution, f". {caution}" if caution else ""),
        tile("systems that may be the best", f"{len(resolution.candidates(1)):,}"),
        tile("pairs in a resolved order", f"{resolution.n_resolved:,} of {resolution.n_pairs:,}"),
        tile(
            f"{resolution.unit}s for {percent(TARGET_SHARE)} of the pairs",
            _topics_in_short(leaderboard),
            ahead,
        ),
        Finding(_method(resolution), "paper"),
        Finding(f"{_resolved(resolution)} by {_by(resolution)}, {rate}."),
        Finding(caution, "export terminal"),
        Finding(_candidates(resolution)),
        Finding(_top(leaderboard)),
        Finding("" if two is None else two.sentence),
        *map(Finding, _warnings(resolution)),
        Finding(ahead, "page export terminal", tab=MORE_TOPICS),
        Finding(f"Rank intervals are simultaneous for all systems (Topicset {__version__}).", "paper"),
    ]
    return [finding for finding in said if finding.text or finding.value]


def _headline(resolution: Resolution, after: str) -> Finding:
    """Return which pairs are resolved, in large letters."""
    n_resolved, n_pairs = resolution.n_resolved, resolution.n_pairs
    if n_pairs == 1:
        return headline(
            "The order of the two systems is ", "resolved" if n_resolved else "not resolved", after
        )
    if n_resolved == 0:
        return headline("", "No pair", f" of {resolution.matrix.n_systems:,} systems is resolved{after}")
    return headline("The order of ", f"{n_resolved:,} of {n_pairs:,} pairs", f" is resolved{after}")


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


def _by(resolution: Resolution) -> str:
    """Return by what systems are compared: the measure, and of topics in groups which mean."""
    matrix = resolution.matrix
    if matrix.groups is None:
        return f"{matrix.measure} on {size_in_words(resolution.upright)}"
    return f"{matrix.measure} ({estimand(matrix, resolution.request.mean)})"


def _mean(resolution: Resolution) -> str:
    """Return what tables call the mean of a system."""
    of_groups = resolution.request.mean == "groups"
    return f"{'mean of group means,' if of_groups else 'mean'} {resolution.matrix.measure}"


def _resolved(resolution: Resolution) -> str:
    if resolution.n_pairs == 1:
        return f"The order of the two systems is {'resolved' if resolution.n_resolved else 'not resolved'}"
    if resolution.n_resolved == 0:
        return (
            f"None of the {resolution.n_pairs:,} pairs of {resolution.matrix.n_systems:,} systems is resolved"
        )
    share = percent(resolution.n_resolved / resolution.n_pairs)
    return (
        f"The order of {resolution.n_resolved:,} of {counted(resolution.n_pairs, 'pair')} of "
        f"{resolution.matrix.n_systems:,} systems ({share}) is resolved"
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
    topics, (fewest, most) = _topics_for(ahead, TARGET_SHARE), ahead.interval
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
    topics, (low, high) = _topics_for(ahead, TARGET_SHARE), ahead.interval
    if topics is None:
        return "no estimate"
    return f"{topics:,} ({low:,} {'or more' if high is None else f'to {high:,}'})"


def _topics_for(ahead: Outlook, share: float) -> int | None:
    topics = ahead.topics_for(share) if ahead.can_tell else None
    return None if topics is None else int(two_digits(topics))


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
    few = ["{better} and {worse} (about {topics:.0f})".format_map(one) for one in resolution.rests_on_few]
    if few:
        notes.append(
            f"{counted(len(few), 'resolved pair')} {'rests' if len(few) == 1 else 'rest'} on fewer "
            f"than {FEW_TOPICS} "
            f"{unit}s, too few for any test: {first_few(few, _NAMED_FEW)}."
        )
    if resolution.tied:
        equal = [f"{one} and {other}" for one, other in resolution.tied]
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
            "topics": _topics_for(ahead, TARGET_SHARE),
            "interval": ahead.interval if can_tell else None,
            "level": LEVEL,
            "share_at_twice_the_topics": two_digits(ahead.share(twice)) if can_tell else None,
            "share_interval": [two_digits(one) for one in ahead.share_interval(twice)] if can_tell else None,
        },
        **of_top,
        **({} if leaderboard.two is None else {"two_systems": leaderboard.two}),
    }


def rank_rows(leaderboard: Leaderboard) -> list[Row]:
    """Return one row per system, the best first."""
    resolution, letters = leaderboard.resolution, leaderboard.resolution.letters
    of_ranks = ("lower", "upper", "marginal_lower", "marginal_upper")
    return rows_of(
        {
            "system": resolution.systems,
            "mean": resolution.means.tolist(),
            "rank": resolution.ranks.tolist(),
            **{name: getattr(resolution, name).tolist() for name in of_ranks},
            "chance_of_best": leaderboard.chances.tolist(),
            **({} if letters is None else {"letters": letters}),
        }
    )


def shown_ranks(leaderboard: Leaderboard, mode: Mode) -> list[Row]:
    """Return the same rows with the interval of each mean, as a text and drawn."""
    resolution = leaderboard.resolution
    of_runs = run_means(resolution.matrix, 1 - resolution.request.alpha, resolution.request.mean)
    # Lower may be better: then the best system has the lowest mean.
    at = [of_runs.systems.index(name) for name in resolution.systems]
    means, low, high = (ends[at] for ends in (of_runs.means, of_runs.lower, of_runs.upper))
    intervals = [f"{start:.3f}–{end:.3f}" for start, end in zip(low, high, strict=True)]
    return [
        row | {"interval": interval, "drawn": drawn}
        for row, interval, drawn in zip(
            rank_rows(leaderboard), intervals, drawn_intervals(low, means, high, mode), strict=True
        )
    ]


def rank_columns(resolution: Resolution) -> Columns[Row]:
    """Return the columns of ranks in files and on screen."""
    return Columns(
        Column("place", "rank", "rank", on="s"),
        Column("system"),
        Column("mean", heading=_mean(resolution), form=".4f"),
        Column("interval", heading=f"{_level(resolution)} interval", on="s"),
        Column("drawn", form="image", on="s"),
        Column("rank", on="f"),
        Column("possible", _possible, "possible ranks", on="s"),
        Column("lower", on="f"),
        Column("upper", on="f"),
        Column("marginal_lower", on="f"),
        Column("marginal_upper", on="f"),
        Column("chance_of_best", on="f"),
        *([] if resolution.letters is None else [Column[Row]("letters")]),
    )


def _possible(row: Row) -> str:
    return f"{row['lower']}–{row['upper']}"


def _level(resolution: Resolution) -> str:
    return percent(1 - resolution.request.alpha, ".12g")


def paper_table(leaderboard: Leaderboard) -> Table:
    """Return ranks as a paper prints them: system, mean, rank, interval, and letters where there are at most 26."""
    resolution = leaderboard.resolution
    mean = _mean(resolution)
    columns = Columns[Row](
        Column("Rank", "rank"),
        Column("System", "system"),
        Column(f"{mean[0].upper()}{mean[1:]}", lambda row: f"{row['mean']:.{_DIGITS}f}"),
        Column(f"{_level(resolution)} interval of the rank", _possible),
        *([] if resolution.letters is None else [Column[Row]("Letters", "letters")]),
    )
    return columns.table(rank_rows(leaderboard))


def latex_table(leaderboard: Leaderboard) -> str:
    """Return the table for a paper in LaTeX, in the style of the package booktabs."""
    columns = paper_table(leaderboard)
    looks = "".join("l" if name in ("System", "Letters") else "r" for name in columns)
    head = " & ".join(escaped(name) for name in columns)
    rows = [
        " & ".join(escaped(str(cell)).replace("–", "--") for cell in row) + r" \\"
        for row in zip(*columns.values(), strict=True)
    ]
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{looks}}}",
            r"\toprule",
            rf"{head} \\",
            r"\midrule",
            *rows,
            r"\bottomrule",
            r"\end{tabular}",
        ]
    )


def pair_table(resolution: Resolution) -> Table:
    """Return one row per pair, the better system first."""
    pairs, names = resolution.pairs, resolution.systems
    return {
        "better": [names[place] for place in pairs.first],
        "worse": [names[place] for place in pairs.second],
        "difference": pairs.difference.tolist(),
        "statistic": resolution.statistic.tolist(),
        "adjusted_p": resolution.adjusted_p.tolist(),
        "resolved": ["yes" if one else "no" for one in resolution.is_resolved],
        f"rests_on_{resolution.unit}s": pairs.concentration.tolist(),
    }


def line_table(resolution: Resolution) -> Table:
    """Return one row per group of systems that are not resolved."""
    names, lines = resolution.systems, resolution.lines
    return {
        "group": list(range(1, len(lines) + 1)),
        "first_place": [first for first, _ in lines],
        "last_place": [last for _, last in lines],
        "first_system": [names[first - 1] for first, _ in lines],
        "last_system": [names[last - 1] for _, last in lines],
        "systems": [last - first + 1 for first, last in lines],
    }


def outlook_table(leaderboard: Leaderboard) -> Table:
    """Return the topics that are expected to resolve shares of the pairs."""
    shares = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    ahead = leaderboard.outlook
    return {
        "share of pairs resolved": list(shares),
        f"{leaderboard.resolution.unit}s": [_topics_for(ahead, share) for share in shares],
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
    is_whole=lambda found, request: (
        found.resolution.enumerated or found.resolution.n_flips == request.n_trials
    ),
)
