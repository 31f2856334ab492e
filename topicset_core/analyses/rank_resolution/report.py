"""The analysis of one leaderboard: ranks, the top, what more topics would resolve; and its exports."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from topicset_core.analyses.rank_resolution.charts import (
    asl_curves,
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
from topicset_core.analyses.rank_resolution.discriminative_power import (
    PowerRequest,
    Powers,
    affordable,
    by_power,
    powers_of,
    seconds_of_permutations,
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
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain, escaped
from topicset_core.exports.colours import Mode
from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table, rows_of
from topicset_core.preparation.means import ESTIMANDS, OTHER, estimand, mean_of, system_means
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.preparation.whole_groups import size_in_words
from topicset_core.progress import ReportProgress, silently
from topicset_core.question import Question
from topicset_core.references import (
    CARTERETTE_2012,
    MOGSTAD_2024,
    ROMANO_WOLF_2005,
    SAKAI_2006,
    TUSHER_2001,
)
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
        ReportTable("ranks", lambda: rank_table(leaderboard), "Ranks", "ranks"),
        ReportTable("paper", lambda: paper_table(resolution), "Table for a paper", "ranks-for-a-paper"),
        ReportTable("pairs", lambda: pair_table(resolution), "Pairs", "pairs"),
        ReportTable("groups", lambda: line_table(resolution)),
        ReportTable(f"more {resolution.unit}s", lambda: outlook_table(leaderboard)),
    ]
    plain, latex = paragraph(leaderboard)
    return Report(
        name="leaderboard",
        title=f"Leaderboard: {matrix.measure}, {matrix.name}",
        sentence=" ".join(sentences(leaderboard)),
        tables=tables,
        page_table=lambda: paper_table(resolution),
        results=lambda: [record(leaderboard)],
        text=(plain, f"{latex}\n\n{latex_table(resolution)}"),
        figures=lambda: figures(leaderboard),
        measure=matrix.measure,
        preparation=(),
        matrices=[matrix.by_group()],
        request=leaderboard.request.settings,
    )


def sentences(leaderboard: Leaderboard) -> list[str]:
    """Return the answer: pairs resolved, candidates for first."""
    resolution = leaderboard.resolution
    matrix, alpha = resolution.matrix, resolution.request.alpha
    return [
        f"{_resolved(resolution)} by {_by(resolution)}, at a familywise error rate of {percent(alpha)}. "
        f"{caution_on_constant_runs(matrix)}".rstrip(),
        first_sentence(resolution),
    ]


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


def top_sentence(leaderboard: Leaderboard) -> str:
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


def first_sentence(resolution: Resolution) -> str:
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


def outlook_sentence(leaderboard: Leaderboard) -> str:
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


def topics_in_short(leaderboard: Leaderboard) -> str:
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


def warnings(resolution: Resolution) -> list[str]:
    """Return how far α holds, and warnings about single results: few topics behind a difference, equal systems."""
    notes = [*filter(None, [_how_far(resolution).rstrip()])]
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
    return [*notes, *filter(None, [_by_other_mean(resolution)])]


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
        "systems": rows_of(rank_table(leaderboard)),
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


def _of(values: Sequence[object] | NDArray[Any]) -> Callable[[int], object]:
    listed = values.tolist() if isinstance(values, np.ndarray) else values
    return lambda place: listed[place]


def ranks(leaderboard: Leaderboard, mode: Mode = "light") -> Columns[int]:
    """Return the columns of a table of one row per system; a row is its place, 0 for the best."""
    resolution, letters = leaderboard.resolution, leaderboard.resolution.letters
    level = 1 - resolution.request.alpha
    of_runs = run_means(resolution.matrix, level, resolution.request.mean)
    # Lower may be better: then the best system has the lowest mean.
    at = [of_runs.systems.index(name) for name in resolution.systems]
    means, low, high = (ends[at] for ends in (of_runs.means, of_runs.lower, of_runs.upper))
    return Columns(
        Column("place", _of(resolution.ranks), "rank", on="s"),
        Column("system", _of(resolution.systems)),
        Column("mean", _of(resolution.means), _mean(resolution), ".4f"),
        Column(
            "interval",
            lambda place: f"{low[place]:.3f}–{high[place]:.3f}",
            f"{percent(level, '.12g')} interval",
            on="s",
        ),
        Column("drawn", _of(drawn_intervals(low, means, high, mode)), "drawn", "image", on="s"),
        Column("rank", _of(resolution.ranks), on="f"),
        Column(
            "possible",
            lambda place: f"{resolution.lower[place]}–{resolution.upper[place]}",
            "possible ranks",
            on="s",
        ),
        Column("lower", _of(resolution.lower), on="f"),
        Column("upper", _of(resolution.upper), on="f"),
        Column("marginal_lower", _of(resolution.marginal_lower), on="f"),
        Column("marginal_upper", _of(resolution.marginal_upper), on="f"),
        Column("chance_of_best", _of(leaderboard.chances), on="f"),
        *([] if letters is None else [Column("letters", _of(letters))]),
    )


def rank_table(leaderboard: Leaderboard) -> Table:
    """Return one row per system, the best first."""
    return ranks(leaderboard).table(range(len(leaderboard.resolution.systems)))


def paper_table(resolution: Resolution) -> Table:
    """Return ranks as a paper prints them: system, mean, rank, interval, and letters where there are at most 26."""
    level = f"{percent(1 - resolution.request.alpha, '.12g')} interval of the rank"
    table: dict[str, list[object]] = {
        "Rank": resolution.ranks.tolist(),
        "System": list(resolution.systems),
        f"{_mean(resolution)[:1].upper()}{_mean(resolution)[1:]}": [
            f"{mean:.{_DIGITS}f}" for mean in resolution.means
        ],
        level: [f"{low}–{high}" for low, high in zip(resolution.lower, resolution.upper, strict=True)],
    }
    return table | ({} if resolution.letters is None else {"Letters": list(resolution.letters)})


def latex_table(resolution: Resolution) -> str:
    """Return the table for a paper in LaTeX, in the style of the package booktabs."""
    columns = paper_table(resolution)
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


_OF_POWERS = "n_pairs n_significant share smallest_significant mean_asl n_by_tukey predicted"
POWERS = Columns[Powers](
    Column("measure", "matrix.measure"),
    Column("scores", "matrix.name"),
    Column("pairs", "n_pairs"),
    Column("randomised Tukey HSD", "n_significant"),
    Column("share", form=".4g"),
    Column("smallest significant difference", "smallest_significant", form=".4g"),
    Column("mean ASL", "mean_asl", form=".4g"),
    Column("Tukey HSD", "n_by_tukey"),
    Column("HSD", "tukey", form=".4g"),
)


def figures(leaderboard: Leaderboard) -> list[Figure]:
    """Return all figures: ranks, pairs, groups, more topics."""
    resolution, ahead = leaderboard.resolution, leaderboard.outlook
    return [
        rank_intervals(resolution),
        resolved_pairs(resolution),
        groups(resolution),
        *([share_by_topics(ahead, resolution.upright)] if ahead.can_tell else []),
    ]


def power_report(powers: Sequence[Powers]) -> Report:
    """Return the discriminative power of measures ready for export, without a leaderboard."""
    matrix, request, rows = powers[0].matrix, powers[0].request, [one.matrix.by_group() for one in powers]
    best = max(powers, key=lambda one: one.share)
    found = f"{best.matrix.measure} distinguishes {best.n_significant:,} of {counted(best.n_pairs, 'pair')}"
    listed = ", ".join(f"{one.matrix.measure} {percent(one.share)}" for one in powers)
    by = "" if matrix.groups is None else f", by the {estimand(matrix, request.mean)}"
    summary = (
        f"Discriminative power {CITATION} is the share of pairs of {matrix.n_systems} systems that differ by a "
        f"randomised Tukey HSD test on {size_in_words(rows[0])}{by} ({request.n_trials:,} permutations, seed "
        f"{request.seed}, significance level {request.alpha:g}): {listed} (Topicset {__version__})."
    )
    works = [SAKAI_2006, CARTERETTE_2012]
    return Report(
        name="discriminative-power",
        title="Discriminative power",
        sentence=f"{found} ({percent(best.share)}), by a randomised Tukey HSD test at level {request.alpha:g}{by}.",
        tables=[
            ReportTable(
                "discriminative power",
                lambda: POWERS.table(by_power(powers)),
                "Measures",
                "discriminative-power",
            )
        ],
        results=lambda: [
            attributes(one.matrix, "measure name") | attributes(one, _OF_POWERS) | {"tukey_hsd": one.tukey}
            for one in powers
        ],
        text=(cite_plain(summary, works), cite_latex(summary, works)),
        figures=lambda: [asl_curves(powers)],
        measure=joined([one.matrix.measure for one in powers]),
        matrices=rows,
        request=request.settings,
    )


def power_sentence(power: Powers, resolution: Resolution) -> str:
    """Return how many pairs Tukey's tests find, next to the sign flips of the same scores."""
    tukey = "" if power.n_by_tukey is None else f" and Tukey HSD {power.n_by_tukey:,}"
    return (
        f"randomised Tukey HSD finds {power.n_significant:,}{tukey} of {counted(power.n_pairs, 'pair')}, "
        f"sign flips {resolution.n_resolved:,}"
    )


def paragraph(leaderboard: Leaderboard) -> tuple[str, str]:
    """Return method and result, in plain text and in LaTeX."""
    resolution = leaderboard.resolution
    matrix, request = resolution.matrix, resolution.request
    flips = (
        f"all {resolution.n_flips:,} sign flips of the {resolution.unit}s"
        if resolution.enumerated
        else f"{resolution.n_flips:,} random sign flips of the {resolution.unit}s (seed {request.seed})"
    )
    means = "" if matrix.groups is None else f" by the {estimand(matrix, request.mean)}"
    floor = (
        f", with a floor of {request.floor:g} times the mean variance in its denominator"
        if request.floor
        else ""
    )
    summary = (
        f"Ranks were resolved {CITATION} from the {matrix.measure} scores of {matrix.n_systems} systems on "
        f"{size_in_words(resolution.upright)} ({matrix.name}){means}: all pairs were compared by a paired t "
        f"statistic{floor}, against "
        f"{flips}, step-down, at a familywise error rate of {request.alpha:g}. "
        f"{_resolved(resolution)}. "
        f"{first_sentence(resolution)} Rank intervals are simultaneous for all systems (Topicset "
        f"{__version__}). {_how_far(resolution)}{top_sentence(leaderboard)}".rstrip()
    )
    works = [MOGSTAD_2024, ROMANO_WOLF_2005, *([TUSHER_2001] if request.floor else [])]
    return cite_plain(summary, works), cite_latex(summary, works)


def _how_far(resolution: Resolution) -> str:
    """Return how far α holds, with a space after it; "" where nothing was simulated: one pair, topics in groups."""
    of_topics = resolution.n_pairs > 1 and resolution.matrix.groups is None
    return f"{FAMILYWISE_NOTE} " if of_topics else ""


def _text(leaderboard: Leaderboard) -> list[str]:
    """Return the lines of a terminal."""
    two = leaderboard.two
    return [
        *sentences(leaderboard),
        outlook_sentence(leaderboard),
        *warnings(leaderboard.resolution),
        *([two.sentence] if two else []),
        *([top_sentence(leaderboard)] if leaderboard.top else []),
        "",
        *aligned(paper_table(leaderboard.resolution)),
        "",
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
    text=_text,
    noun=lambda request: f"{request.n_trials:,} sign flips",
    seconds=lambda matrix, request: seconds_of_flips(matrix, request.n_trials),
    preview=lambda matrix, request, seconds: replace(
        request, n_trials=affordable_flips(matrix, request, seconds)
    ),
    is_whole=lambda found, request: (
        found.resolution.enumerated or found.resolution.n_flips == request.n_trials
    ),
)


def _power_line(one: Powers) -> str:
    tukey = "" if one.n_by_tukey is None else f"; Tukey HSD {one.n_by_tukey:,}"
    means = f" ({estimand(one.matrix, one.request.mean)})" if one.matrix.groups else ""
    return (
        f"{one.matrix.measure} of {one.matrix.name}{means}: {one.n_significant:,} of {one.n_pairs:,} pairs "
        f"({100 * one.share:.1f} %), smallest significant difference {one.smallest_significant:.4f}, mean ASL "
        f"{one.mean_asl:.4f}{tukey}"
    )


POWER_QUESTION = Question(
    slug="discriminative-power",
    description="The share of pairs of systems that differ significantly by a randomised Tukey HSD test (Sakai "
    "2006, Carterette 2012), one row per measure; all measures on the same systems and topics.",
    takes="matrices",
    request=PowerRequest,
    compute=powers_of,
    report=power_report,
    text=lambda powers: list(map(_power_line, powers)),
    noun=lambda request: f"{request.n_trials:,} permutations",
    seconds=seconds_of_permutations,
    preview=affordable,
    is_whole=lambda powers, request: powers[0].request.n_trials == request.n_trials,
)
