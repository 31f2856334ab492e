"""Fast samplers against drawing, sorting and scoring every document: the same distribution.

Each comparison is a Kolmogorov-Smirnov test on two samples, one of each kind, at the level
`ERROR / number of comparisons`: if all distributions are equal, some test of this file fails for less
than one seed in a thousand (less, as the scores are discrete). Seeds are fixed.
"""

from collections.abc import Sequence

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.plain_simulation import Floats, RankedList, random_list, simulated, track
from topicset_core.analyses.topic_variance import Settings, kernels
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.prepared import prepare
from topicset_core.progress import silently

ERROR = 1e-3
N_FAST, N_PLAIN = 10_000, 3_000
SIZES = (
    (1000, 1),
    (1000, 2),
    (1000, 8),
    (1000, 27),
    (1000, 29),
    (1000, 90),
    (1000, 200),
    (10, 1),
    (10, 4),
    (10, 9),
)
KINDS: list[tuple[str, int | None, bool]]
KINDS = [("AP", None, False), ("AP", None, True), ("AP", 20, False), ("P", 10, False), ("RR", None, False)]
KINDS += [("nDCG", None, False), ("nDCG", 10, False), ("recall", 50, False)]
N_COMPARISONS = 3 * 2 * len(SIZES) + 2 * len(SIZES) + 2 * len(KINDS)


def fast(
    lists: Sequence[RankedList], settings: Settings, counted: int | None = None, extra: int = 2
) -> Floats:
    """Draw cells of one run, (n_trials, n_cells).

    `counted` relevant documents, in place of the chosen number, have documents above them drawn one by one.
    """
    # Two equal runs and another topic, as there must be.
    padded: list[RankedList] = [*lists, (np.arange(3.0)[::-1], [1])]
    runs, judged = track([padded, padded], extra=[extra] * len(padded))
    cells = cells_of(judged, 1)
    arguments = [*prepare(cells, settings, runs, silently, None).arguments]
    if counted is not None:
        arguments[0][:-2, 5] = counted
    kinds = {"AP": 0, "P": 1, "recall": 2, "RR": 3, "nDCG": 4}
    cutoff = 2**62 if settings.depth is None else settings.depth
    measure = (kinds[settings.measure], cutoff, settings.denominator == "fixed")
    arguments += [measure, np.uint64(20180708), (0, settings.n_trials)]
    scores: Floats = kernels.simulate(*arguments)
    return scores[:, : 2 * len(lists) : 2]


def agree(first: Floats, second: Floats) -> None:
    # Values that both can take may be rounded otherwise, and are not to count as different.
    assert scipy.stats.ks_2samp(first.round(12), second.round(12)).pvalue > ERROR / N_COMPARISONS


def labels_of(scores: Floats, relevant: list[int]) -> np.ndarray:
    return np.isin(np.arange(scores.size) + 1, relevant)


# Every list is there twice, in both runs, so a topic has 2 r + 2 relevant documents.
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("depth", "r"), SIZES)
def test_bootstrap_against_every_document(depth: int, r: int, ties: bool) -> None:
    rng = np.random.default_rng((1, depth, r, ties))
    scores, relevant = random_list(rng, depth, r, ties=ties)
    settings = Settings(model="bst", n_trials=N_FAST)
    plain = simulated(scores, labels_of(scores, relevant), 2 * r + 2, N_PLAIN, rng)
    for counted in (0, (r + 1) // 2, r):
        agree(fast([(scores, relevant)], settings, counted)[:, 0], plain)


@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(("depth", "r"), [size for size in SIZES if size[1] > 1 and size != (10, 9)])
def test_densities_against_every_document(depth: int, r: int, ties: bool) -> None:
    rng = np.random.default_rng((2, depth, r, ties))
    scores, relevant = random_list(rng, depth, r, ties=ties)
    drawn = fast([(scores, relevant)], Settings(model="kde", n_trials=N_FAST))[:, 0]
    agree(drawn, simulated(scores, labels_of(scores, relevant), 2 * r + 2, N_PLAIN, rng, model="kde"))


@pytest.mark.parametrize("model", ["bst", "kde"])
@pytest.mark.parametrize(("measure", "depth", "fixed"), KINDS)
def test_measures_and_denominators(model: str, measure: str, depth: int | None, fixed: bool) -> None:
    rng = np.random.default_rng(3)
    scores, relevant = random_list(rng, 300, 7)
    settings = Settings(
        model=model,  # type: ignore[arg-type]
        measure=measure,  # type: ignore[arg-type]
        depth=depth,
        denominator="fixed" if fixed else "drawn",
        n_trials=N_FAST,
    )
    plain = simulated(
        scores,
        labels_of(scores, relevant),
        16,
        N_PLAIN,
        rng,
        model=model,
        measure=measure,
        depth=depth,
        fixed=fixed,
    )
    agree(fast([(scores, relevant)], settings)[:, 0], plain)


def test_streams_of_trials_and_cells_are_not_correlated() -> None:
    """20 equal cells, 20,000 trials: correlations of different cells, and of a trial with the next."""
    rng = np.random.default_rng(4)
    one = random_list(rng, 100, 6)
    drawn = fast([one] * 20, Settings(model="bst", n_trials=20_000))
    between = np.asarray(np.corrcoef(drawn.T))[np.triu_indices(20, 1)]
    following = [np.corrcoef(drawn[1:, cell], drawn[:-1, cell])[0, 1] for cell in range(20)]
    # 210 correlations of independent samples: the largest is beyond 4.9 / sqrt(20,000) for one seed in 5,000.
    assert np.abs([*between, *following]).max() < 4.9 / np.sqrt(20_000)


def test_number_of_relevant_documents_is_poisson() -> None:
    """Recall with R fixed shows r_s / R: mean and variance r, here 130."""
    rng = np.random.default_rng(5)
    scores, relevant = random_list(rng, 1000, 130)
    settings = Settings(model="bst", measure="recall", denominator="fixed", n_trials=60_000)
    drawn = 262 * fast([(scores, relevant)], settings)[:, 0]
    assert drawn.mean() == pytest.approx(130, abs=4 * np.sqrt(130 / 60_000))  # four standard errors
    assert drawn.var() == pytest.approx(130, abs=4 * 130 * np.sqrt(2 / 60_000))
