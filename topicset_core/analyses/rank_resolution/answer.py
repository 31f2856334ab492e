"""The whole analysis of one leaderboard: ranks, the top, and what more topics would resolve."""

from concurrent.futures import Executor
from dataclasses import dataclass, field

from topicset_core.analyses.rank_resolution.outlook import Outlook, outlook
from topicset_core.analyses.rank_resolution.pairs import Floats
from topicset_core.analyses.rank_resolution.resolution import Request, Resolution, checked_k, resolve
from topicset_core.analyses.rank_resolution.top import Verification, chance_of_best, verify_top
from topicset_core.collection import ScoreMatrix
from topicset_core.parameters import Parameter
from topicset_core.progress import Report, silently

TOP_K = Parameter(
    name="k",
    symbol="k",
    label="k, systems at the top",
    help="The observed top k is tested against all other systems. Choose k before you know the ranking.",
    lower=1,
    upper=1000,
    default=1,
    integer=True,
)

TARGET_SHARE = 0.8
"""Share of pairs for which topics are given."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Leaderboard:
    """All that was found for one matrix.

    Parameters
    ----------
    resolution : Resolution
        Ranks and pairs.
    top : Verification
        Whether the observed top k are the true ones.
    outlook : Outlook
        What more topics would resolve.
    chances : ndarray of float64, shape (n_systems,)
        Share of Bayesian bootstrap resamples in which each system is the best.
    """

    resolution: Resolution
    top: Verification
    outlook: Outlook
    chances: Floats = field(repr=False)


def leaderboard(
    matrix: ScoreMatrix,
    request: Request | None = None,
    *,
    k: int = 1,
    report_progress: Report = silently,
    executor: Executor | None = None,
) -> Leaderboard:
    """Analyse a leaderboard.

    Parameters
    ----------
    matrix : ScoreMatrix
        At least 2 systems.
    request : Request, optional
        As of `resolve`.
    k : int
        Systems at the top, named in advance, from 1 to one less than there are.
    report_progress, executor
        As of `resolve`.

    Raises
    ------
    InputError
        If there are fewer than 2 systems, or k breaks its rule.
    """
    if matrix.n_systems > 1:
        checked_k(matrix, k, matrix.n_systems - 1)
    result = resolve(matrix, request, report_progress=report_progress, executor=executor)
    return Leaderboard(
        resolution=result,
        top=verify_top(result, k),
        outlook=outlook(result),
        chances=chance_of_best(result.upright, seed=result.request.seed),
    )
