"""Ranks of the scores in question: few sign flips at once if all take long, all of them in the background.

Keys of what is kept are scalars and the digest of the scores.
"""

from dataclasses import replace

from pages.parts import data
from pages.parts.computation import Computation, Job, kept
from pages.parts.rank_resolution.form import PAGE, Settings
from topicset_core.analyses.rank_resolution import Request
from topicset_core.analyses.rank_resolution.answer import Leaderboard, leaderboard
from topicset_core.analyses.rank_resolution.discriminative_power import Powers, discriminative_power
from topicset_core.analyses.rank_resolution.resolution import affordable_flips, seconds_of_flips
from topicset_core.analyses.rank_resolution.two_systems import TwoSystems, two_systems
from topicset_core.analyses.stability import Request as StabilityRequest
from topicset_core.analyses.stability import Stability, stability
from topicset_core.collection import ScoreMatrix

FLIPS: Computation[Leaderboard] = Computation(PAGE)

_QUICK_SECONDS = 0.4
_PERMUTED_SCORES = 100_000_000  # scores that are permuted at once: some .2 s

Key = tuple[str, float, int, int, float, bool]


def best_known(settings: Settings) -> Leaderboard:
    """Return the answer with as many flips as were asked for, or as many as .4 s allow."""
    result = FLIPS.result(_key(settings, settings.request))
    if result is None:
        n_flips = affordable_flips(settings.matrix, settings.request, _QUICK_SECONDS)
        key = _key(settings, replace(settings.request, n_trials=n_flips))
        result = _computed(key, settings.matrix.name, _matrix=settings.matrix)
    return result.with_top(settings.top_k)


def is_whole(settings: Settings, result: Leaderboard) -> bool:
    """Return whether all flips were computed."""
    return result.resolution.enumerated or result.resolution.n_flips == settings.request.n_trials


def seconds_of(settings: Settings) -> float:
    """Return about how many CPU seconds all flips take."""
    return seconds_of_flips(settings.matrix, settings.request.n_trials)


def start(settings: Settings) -> None:
    """Begin to compute all flips; called by its button."""
    matrix, request = settings.matrix, settings.request

    def work(job: Job) -> Leaderboard:
        return leaderboard(matrix, request, report_progress=job.report_progress, executor=job.executor)

    FLIPS.start(_key(settings, request), f"{request.n_trials:,} sign flips", work)


def two(settings: Settings, result: Leaderboard) -> TwoSystems:
    """Return the facts about the two systems that were named, or about the two best."""
    resolution = result.resolution
    first = settings.pair[0] or next(name for name in resolution.systems if name != settings.pair[1])
    second = settings.pair[1] or next(name for name in resolution.systems if name != first)
    return two_systems(resolution, first, second, n_again=settings.n_again, among=settings.among)


def powers(settings: Settings) -> list[Powers]:
    """Return the discriminative power of the measure in question, then of others on the same systems and topics."""
    there = [settings.matrix, *(one for one in data.matrices() if one.digest != settings.matrix.digest)]
    same = [one for one in there if _layout(one) == _layout(settings.matrix)]
    return [
        _power(one.digest, one.name, settings.request.alpha, settings.request.seed, _trials(one), _matrix=one)
        for one in same
    ]


def study(settings: Settings) -> Stability:
    """Return the generalizability study."""
    matrix = settings.matrix
    return _study(matrix.digest, matrix.name, settings.stability, settings.request.seed, _matrix=matrix)


def _layout(matrix: ScoreMatrix) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(matrix.systems), frozenset(matrix.topics)


def _trials(matrix: ScoreMatrix) -> int:
    return min(max(_PERMUTED_SCORES // matrix.scores.size, 500), 5000)


def _key(settings: Settings, request: Request) -> Key:
    values = (request.alpha, request.n_trials, request.seed, request.floor, request.lower_is_better)
    return (settings.matrix.digest, *values)


@kept(10, spinner="Resolving ranks")
def _computed(key: Key, name: str, *, _matrix: ScoreMatrix) -> Leaderboard:  # noqa: ARG001 - in the key
    _, alpha, n_trials, seed, floor, lower = key
    request = Request(alpha=alpha, n_trials=n_trials, seed=seed, floor=floor, lower_is_better=lower)
    return leaderboard(_matrix, request)


@kept(30, spinner="Permuting scores")
def _power(
    digest: str,  # noqa: ARG001 - the key
    name: str,  # noqa: ARG001 - in the key, as digests leave names out
    alpha: float,
    seed: int,
    n_trials: int,
    *,
    _matrix: ScoreMatrix,
) -> Powers:
    return discriminative_power(_matrix, alpha=alpha, n_trials=n_trials, seed=seed)


@kept(10)
def _study(
    digest: str,  # noqa: ARG001 - the key
    name: str,  # noqa: ARG001 - in the key, as digests leave names out
    target: float,
    seed: int,
    *,
    _matrix: ScoreMatrix,
) -> Stability:
    return stability(_matrix, StabilityRequest(stability=target, seed=seed))
