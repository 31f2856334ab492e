"""One leaderboard: its ranks, the top, what more topics would resolve; and its tables."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from topicset_core.analyses.rank_resolution.charts import drawn_intervals
from topicset_core.analyses.rank_resolution.chosen_systems import (
    TwoSystems,
    Verification,
    chance_of_best,
    two_systems,
    verify_top,
)
from topicset_core.analyses.rank_resolution.outlook import Outlook, outlook
from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Request, Resolution, resolve
from topicset_core.analyses.score_variance.report import run_means
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.citing import escaped
from topicset_core.exports.colours import Mode
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.tables import Row, Table, rows_of
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import percent


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


_ENDS = "lower", "upper", "marginal_lower", "marginal_upper"  # of intervals of ranks


def rank_rows(leaderboard: Leaderboard) -> list[Row]:
    """Return one row per system, the best first."""
    resolution, letters = leaderboard.resolution, leaderboard.resolution.letters
    return rows_of(
        {
            "system": resolution.systems,
            "mean": resolution.means.tolist(),
            "rank": resolution.ranks.tolist(),
            **{name: getattr(resolution, name).tolist() for name in _ENDS},
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
        Column("rank, from", "lower", on="f"),
        Column("rank, to", "upper", on="f"),
        Column("rank of this system alone, from", "marginal_lower", on="f"),
        Column("rank of this system alone, to", "marginal_upper", on="f"),
        Column("best in resamples", "chance_of_best", on="f"),
        *([] if resolution.letters is None else [Column[Row]("letters")]),
    )


def _mean(resolution: Resolution) -> str:
    """Return what tables call the mean of a system."""
    of_groups = resolution.request.mean == "groups"
    return f"{'mean of group means,' if of_groups else 'mean'} {resolution.matrix.measure}"


def _possible(row: Row) -> str:
    low, high = row["lower"], row["upper"]
    return f"{low}" if low == high else f"{low}–{high}"


def _level(resolution: Resolution) -> str:
    return percent(1 - resolution.request.alpha, ".12g")


def paper_table(leaderboard: Leaderboard) -> Table:
    """Return ranks as a paper prints them: system, mean, rank, interval, and letters where there are at most 26."""
    resolution = leaderboard.resolution
    mean = _mean(resolution)
    columns = Columns[Row](
        Column("Rank", "rank"),
        Column("System", "system"),
        Column(f"{mean[0].upper()}{mean[1:]}", lambda row: f"{row['mean']:.4f}"),
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
        " & ".join(escaped(str(cell)) for cell in row) + r" \\" for row in zip(*columns.values(), strict=True)
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
        "adjusted p": resolution.adjusted_p.tolist(),
        "resolved": ["yes" if is_resolved else "no" for is_resolved in resolution.is_resolved],
        f"rests on {resolution.unit}s": pairs.concentration.tolist(),
    }


def line_table(resolution: Resolution) -> Table:
    """Return one row per group of systems that are not resolved."""
    names, lines = resolution.systems, resolution.lines
    return {
        "group": list(range(1, len(lines) + 1)),
        "first place": [first for first, _ in lines],
        "last place": [last for _, last in lines],
        "first system": [names[first - 1] for first, _ in lines],
        "last system": [names[last - 1] for _, last in lines],
        "systems": [last - first + 1 for first, last in lines],
    }


def outlook_table(leaderboard: Leaderboard) -> Table:
    """Return the topics that are expected to resolve shares of the pairs."""
    shares = (0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
    ahead = leaderboard.outlook
    return {
        "share of pairs resolved": list(shares),
        f"{leaderboard.resolution.unit}s": [ahead.stated_topics(share) for share in shares],
    }
