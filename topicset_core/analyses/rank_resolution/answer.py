"""The whole analysis of one leaderboard: ranks, the top, and what more topics would resolve."""

from concurrent.futures import Executor
from dataclasses import dataclass, field, replace

from topicset_core.analyses.rank_resolution.outlook import Outlook, outlook
from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Request, Resolution, resolve
from topicset_core.analyses.rank_resolution.top import Verification, chance_of_best, verify_top
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import Parameter
from topicset_core.progress import ReportProgress, silently

TOP_K = Parameter(
    name="top_k",
    symbol="k",
    label="k, chosen before the scores were known",
    help="Another test: are the observed top k better than all other systems? Not valid for a k chosen afterwards.",
    lower=1,
    upper=1000,
    default=1,
    integer=True,
)


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaderboard:
    """All that was found for one matrix."""

    resolution: Resolution  # ranks and pairs
    outlook: Outlook  # what more topics would resolve
    # (n_systems,): share of Bayesian bootstrap resamples in which each system is the best
    chances: Floats = field(repr=False)
    # Whether the observed top k are the true ones, for a k chosen before the scores were known
    top: Verification | None = None

    def with_top(self, k: int | None) -> "Leaderboard":
        """Return the same with the test of the top k, from 1 to n_systems - 1; without it for None."""
        return replace(self, top=None if k is None else verify_top(self.resolution, k))


def leaderboard(
    matrix: ScoreMatrix,
    request: Request | None = None,
    *,
    report_progress: ReportProgress = silently,
    executor: Executor | None = None,
) -> Leaderboard:
    """Analyse a leaderboard."""
    result = resolve(matrix, request, report_progress=report_progress, executor=executor)
    return Leaderboard(
        resolution=result,
        outlook=outlook(result),
        chances=chance_of_best(result.upright, seed=result.request.seed),
    )
