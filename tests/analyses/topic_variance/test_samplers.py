"""Fast samplers against drawing, sorting and scoring every document: the same distribution.

Each comparison is a Kolmogorov-Smirnov test on two samples, one of each kind, at the level
`ERROR / number of comparisons`: if all distributions are equal, some test of this file fails for less
than one seed in a thousand (less, as the scores are discrete). Seeds are fixed.
"""

import math
from collections.abc import Sequence

import numpy as np
import pytest
import scipy

from tests.analyses.topic_variance.plain_simulation import Floats, RankedList, random_list, simulated, track
from tests.analyses.topic_variance.simulations import simulate_collections
from topicset_core.analyses.topic_variance import Request, kernels
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.prepared import prepare
from topicset_core.analyses.topic_variance.request import MeasureName, Model
from topicset_core.progress import silently

ERROR = 1e-3
N_FAST, N_PLAIN = 10_000, 2_000
SIZES = [*((1000, r) for r in (1, 2, 8, 27, 29, 90, 200)), (10, 1), (10, 4), (10, 9)]
KINDS: list[tuple[str, int | None, bool]]
KINDS = [("AP", None, False), ("AP", None, True), ("AP", 20, False), ("P", 10, False), ("RR", None, False)]
KINDS += [("nDCG", None, False), ("nDCG", 10, False), ("recall", 50, False)]
N_COMPARISONS = 3 * 2 * len(SIZES) + 2 * len(SIZES) + 2 * len(KINDS)


def fast(lists: Sequence[RankedList], request: Request, counted: int | None = None, extra: int = 2) -> Floats:
    """Draw cells of two equal runs, (n_trials, 2 n_topics).

    `counted` relevant documents, in place of the chosen number, have documents above them drawn one by one.
    """
    # Two equal runs and another topic, as there must be.
    padded: list[RankedList] = [*lists, (np.arange(3.0)[::-1], [1])]
    runs, judged = track([padded, padded], extra=[extra] * len(padded))
    cells = cells_of(judged, 1)
    arguments = [*prepare(cells, request, runs, silently, None).arguments]
    if counted is not None:
        arguments[0][:-2, 5] = counted
    kinds = {"AP": 0, "P": 1, "recall": 2, "RR": 3, "nDCG": 4}
    cutoff = 2**62 if request.depth is None else request.depth
    measure = (kinds[request.kind], cutoff, request.denominator == "fixed")
    arguments += [measure, np.uint64(20180708), (0, request.n_trials)]
    scores: Floats = kernels.simulate(*arguments)
    return scores[:, : 2 * len(lists)]


def agree(first: Floats, second: Floats) -> None:
    # Values that both can take may be rounded otherwise, and are not to count as different.
    assert scipy.stats.ks_2samp(first.round(12), second.round(12)).pvalue > ERROR / N_COMPARISONS


def labels_of(scores: Floats, relevant: list[int]) -> np.ndarray:
    return np.isin(np.arange(scores.size) + 1, relevant)


# Every list is there twice, in both runs, so a topic has 2 r + 2 relevant documents.
@pytest.mark.parametrize("ties", [False, True])
@pytest.mark.parametrize(
    ("depth", "r", "model"),
    [
        (*size, model)
        for size in SIZES
        for model in ("bst", "kde")
        if model == "bst" or (size[1] > 1 and size != (10, 9))  # no density of a single score
    ],
)
def test_average_precision_against_every_document(depth: int, r: int, ties: bool, model: Model) -> None:
    rng = np.random.default_rng((1, depth, r, ties))
    scores, relevant = random_list(rng, depth, r, ties=ties)
    request = Request(model=model, n_trials=N_FAST)
    plain = simulated(scores, labels_of(scores, relevant), 2 * r + 2, N_PLAIN, rng, model=model)
    for counted in (0, (r + 1) // 2, r) if model == "bst" else (None,):
        agree(fast([(scores, relevant)], request, counted)[:, 0], plain)


@pytest.mark.parametrize("model", ["bst", "kde"])
@pytest.mark.parametrize(("measure", "depth", "fixed"), KINDS)
def test_measures_and_denominators(model: str, measure: str, depth: int | None, fixed: bool) -> None:
    rng = np.random.default_rng(3)
    scores, relevant = random_list(rng, 300, 7)
    request = Request(
        model=model,  # type: ignore[arg-type]
        measure=measure if depth is None else f"{measure}@{depth}",
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
    agree(fast([(scores, relevant)], request)[:, 0], plain)


@pytest.mark.parametrize(("model", "n_trials"), [("bst", 20_000), ("kde", 2_000)])
def test_streams_of_trials_and_cells_are_not_correlated(model: Model, n_trials: int) -> None:
    """40 equal cells of two runs: correlations of different cells, and of a trial with the next."""
    one = random_list(np.random.default_rng(4), 100, 6)
    drawn = fast([one] * 20, Request(model=model, n_trials=n_trials))
    between = np.asarray(np.corrcoef(drawn.T))[np.triu_indices(40, 1)]
    following = [np.corrcoef(drawn[1:, cell], drawn[:-1, cell])[0, 1] for cell in range(40)]
    # 820 correlations of independent samples: the largest is beyond 4.9 / sqrt(n) for one seed in 1,250.
    assert np.abs([*between, *following]).max() < 4.9 / np.sqrt(n_trials)


BEST_2 = 1 + 1 / math.log2(3)


@pytest.mark.parametrize(
    ("measure", "depth", "scores"),
    [
        # Three documents, all relevant: r_s of 0, 1, 2, 3 and more are at the top. R is 7, so 4 + r_s in a trial.
        ("P", 2, (0, 1 / 2, 1, 1)),
        ("P", 3, (0, 1 / 3, 2 / 3, 1)),
        ("AP", 2, (0, 1 / 5, 2 / 6, 2 / 7)),
        ("AP", None, (0, 1 / 5, 2 / 6, 3 / 7)),
        ("recall", 2, (0, 1 / 5, 2 / 6, 2 / 7)),
        ("recall", 1, (0, 1 / 5, 1 / 6, 1 / 7)),
        ("RR", 1, (0, 1, 1, 1)),
        ("nDCG", 1, (0, 1, 1, 1)),
        ("nDCG", 2, (0, 1 / BEST_2, 1, 1)),
    ],
)
def test_cutoffs_count_their_own_rank(
    measure: MeasureName, depth: int | None, scores: tuple[float, ...]
) -> None:
    """Means of two topics are means of two of these scores, and every two of them occur.

    The rarest, 0 twice, has the chance exp(-6) = .0025: of 8,000 it is missing once in 500 million seeds.
    """
    three = ([3.0, 2.0, 1.0], [1, 2, 3])
    _, judged = track([[three, three], [three, three]], extra=[1, 1])
    simulation = simulate_collections(
        judged,
        Request(model="bst", measure=measure if depth is None else f"{measure}@{depth}", n_trials=4000),
    )
    expected = {round((one + other) / 2, 10) for one in scores for other in scores}
    assert set(simulation.means.round(10).ravel().tolist()) == expected


def test_a_topic_with_far_more_relevant_documents_than_are_returned() -> None:
    """One document each, and relevant: nDCG is 1 over the ideal gain of 500 in all trials that draw it."""
    one = ([1.0], [1])
    runs, judged = track([[one, one], [one, one]], extra=[498, 498])
    simulation = simulate_collections(
        judged, Request(model="bst", measure="nDCG", denominator="fixed", n_trials=60), runs
    )
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 501))
    assert set(np.round(simulation.means * ideal, 10).ravel()) == {0.0, 0.5, 1.0}
