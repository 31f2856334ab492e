"""The search on thousands of topics: right values, near the full search, bounded by the numbers of topics."""

import numpy as np
import pytest

from tests.analyses.topic_subsets.plain import plain_error_rate
from topicset_core.analyses.topic_subsets.by_measure import CorrelationCriterion, PairCriterion
from topicset_core.analyses.topic_subsets.criterion import (
    MOST_SWAPPED,
    Criterion,
    Floats,
    evaluations_of,
    fixed_stepwise,
    nearby,
)
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.collection import ScoreMatrix

N_TOPICS = MOST_SWAPPED + 100


def scores_of(n_topics: int, n_systems: int = 8) -> Floats:
    rng = np.random.default_rng(4)
    scores = np.clip(rng.normal(0.3, 0.1, (n_topics, n_systems)) + rng.normal(0, 0.03, n_systems), 0, 1)
    return np.asarray(np.round(scores, 4), dtype=np.float64)


CRITERIA = (
    pytest.param(lambda scores: CorrelationCriterion.of(scores, most_swapped=0), id="pearson"),
    pytest.param(lambda scores: PairCriterion.of(scores, error_rate=False), id="kendall"),
    pytest.param(lambda scores: PairCriterion.of(scores, error_rate=True), id="error rate"),
)


@pytest.mark.parametrize("make", CRITERIA)
def test_a_topic_more_or_less_is_the_value_of_that_set(make: object) -> None:
    criterion = make(scores_of(30))  # type: ignore[operator]
    inside = [2, 5, 11, 17]
    sums = criterion.rows[inside].sum(axis=0)
    more, less = criterion.with_one_changed(sums, less=False), criterion.with_one_changed(sums, less=True)
    for topic in (0, 20, 29):
        # Sums of rounded products: the last two of sixteen digits; single precision for pairs is exact.
        assert more[topic] == pytest.approx(criterion.value([*inside, topic]), abs=1e-13)
    for topic in inside:
        assert less[topic] == pytest.approx(
            criterion.value([one for one in inside if one != topic]), abs=1e-13
        )


@pytest.mark.parametrize("unit", [1.0, 0.123456789], ids=["single precision", "double precision"])
def test_every_way_to_evaluate_counts_a_tie_as_half_an_error(unit: float) -> None:
    rng = np.random.default_rng(0)
    scores = np.round(rng.integers(0, 2, (14, 7)) * unit, 9)
    criterion = PairCriterion.of(scores, error_rate=True)
    everything, inside = scores.sum(axis=0), [1, 4, 6, 9]

    def expected(topics: list[int]) -> float:
        return -plain_error_rate(scores[topics].sum(axis=0), everything)

    sums, rest = criterion.rows[inside].sum(axis=0), [one for one in range(14) if one not in inside]
    more, less = criterion.with_one_changed(sums, less=False), criterion.with_one_changed(sums, less=True)
    fewer = [[one for one in inside if one != topic] for topic in inside]
    # Whole numbers and one division: the last of sixteen digits.
    assert more[rest] == pytest.approx([expected([*inside, topic]) for topic in rest], abs=1e-15)
    assert less[inside] == pytest.approx([expected(topics) for topics in fewer], abs=1e-15)
    walked = criterion.walk(np.array([inside + rest]), np.arange(1, 15))[0]
    assert walked == pytest.approx([expected((inside + rest)[:size]) for size in range(1, 15)], abs=1e-15)
    swapped = criterion.neighbours(inside, 1)
    assert [one.value for one in swapped] == pytest.approx(
        [expected(list(one.topics)) for one in swapped], abs=1e-15
    )
    assert any(np.unique(scores[[*inside, topic]].sum(axis=0)).size < 7 for topic in rest)  # with ties


@pytest.mark.parametrize("make", CRITERIA)
@pytest.mark.parametrize("sign", [1, -1])
def test_single_topics_and_neighbours_are_the_best_there_are(make: object, sign: int) -> None:
    criterion = make(scores_of(30))  # type: ignore[operator]
    alone = [value for topic in range(30) if (value := criterion.value([topic])) is not None]
    chosen = criterion.value(fixed_stepwise(criterion, (), 1, sign))
    assert sign * chosen == pytest.approx(max(sign * value for value in alone))
    result = nearby(criterion, (3, 7), sign)  # of sets of two topics, both are tried to leave
    pairs = [
        criterion.value(sorted({kept, other}))
        for kept in (3, 7)
        for other in range(30)
        if other not in (3, 7)
    ]
    assert result[0].value * sign == pytest.approx(max(sign * value for value in pairs if value is not None))


@pytest.mark.parametrize("cardinality", [5, 20, 60])
def test_it_comes_close_to_the_search_of_all_exchanges(cardinality: int) -> None:
    scores = scores_of(120, 20)
    full, fast = (CorrelationCriterion.of(scores, most_swapped=most) for most in (MOST_SWAPPED, 0))
    starts = np.argsort(np.random.default_rng(1).random((20, 120)), axis=1)[:, :cardinality]
    best = max(one.value for one in full.local_search(starts, cardinality, 1))
    stepwise = max(
        fast.value(fixed_stepwise(fast, start, cardinality, 1)) or -1.0
        for start in ([], range(120), *starts.tolist())
    )
    # Of the way that is left to a perfect correlation, it misses a fifth at most.
    assert 1 - stepwise <= 1.2 * (1 - best) + 1e-9


def test_thousands_of_topics_need_no_table_of_topic_pairs() -> None:
    scores = scores_of(N_TOPICS)
    criterion: Criterion = CorrelationCriterion.of(scores)
    assert isinstance(criterion, CorrelationCriterion)
    assert criterion.cov.size == 0
    matrix = ScoreMatrix(
        measure="AP",
        name="many",
        topics=tuple(map(str, range(N_TOPICS))),
        systems=tuple(map(str, range(8))),
        scores=scores,
    )
    request = Request(
        goodness="pearson", cardinalities=(1, 5, 200, N_TOPICS - 1, N_TOPICS), n_trials=10, effort=0.1
    )
    curve = subset_curve(matrix, request)
    assert [len(point.ten_best) for point in curve.points] == [10, 10, 1, 1, 1]
    for point in curve.points:
        for one in (*point.ten_best, *point.ten_worst):
            topics = [int(topic) for topic in one.topics]
            assert len(topics) == len(set(topics)) == point.cardinality
            # NumPy's own correlation, from sums that it rounds.
            expected = np.corrcoef(scores[topics].sum(axis=0), scores.sum(axis=0))[0, 1]
            assert one.value == pytest.approx(expected, abs=1e-12)


def test_evaluations_grow_with_the_logarithm_of_the_size() -> None:
    assert evaluations_of(50_000, 25_000) - evaluations_of(50_000, 2500) < 130  # 50 ln 10 = 115 steps
    assert evaluations_of(50_000, 25_000) < 600
