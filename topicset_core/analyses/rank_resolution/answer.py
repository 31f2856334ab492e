"""The whole analysis of one leaderboard: ranks, the top, and what more topics would resolve."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from topicset_core.analyses.rank_resolution.outlook import Outlook, outlook
from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Request, Resolution, resolve
from topicset_core.analyses.rank_resolution.top import Verification, chance_of_best, verify_top
from topicset_core.analyses.rank_resolution.two_systems import TwoSystems, two_systems
from topicset_core.collection import ScoreMatrix
from topicset_core.progress import ReportProgress, silently


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaderboard:
    """All that was found for one matrix."""

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
        return replace(self.with_top(request.top_k), two=two)

    def with_top(self, k: int | None) -> "Leaderboard":
        """Return the same with the test of the top k, from 1 to n_systems - 1; without it for None."""
        return replace(self, top=None if k is None else verify_top(self.resolution, k))


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
        outlook=outlook(result),
        chances=chance_of_best(result.upright, seed=result.request.seed),
    )


def leaderboard(
    matrix: ScoreMatrix,
    request: Request | None = None,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Leaderboard:
    """Analyse a leaderboard."""
    request = Request() if request is None else request
    found = compute(matrix, request, report_progress=report_progress, executor=executor)
    return found.read_off(request)
