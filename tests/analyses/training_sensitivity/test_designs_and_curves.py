"""Tests over topics, topics against judgments and the uncertainty of their costs, each against a second way."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy

from tests.analyses.training_sensitivity.sweeps import LEVELS, rule, simulated, trained
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    cheapest_sentence,
    completeness_designs,
    cost_factor,
    plannable,
)
from topicset_core.analyses.training_sensitivity.report import designs_table
from topicset_core.analyses.training_sensitivity.sampling import Sampler
from topicset_core.analyses.training_sensitivity.tables import collection_facts, complete_comparisons
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.errors import NoSolution
from topicset_core.measures import measure_named
from topicset_core.variance import one_way

TARGETS = 0.05


def _designs() -> dict[tuple[float, str], CompletenessDesign]:
    return {(one.level, one.measure): one for one in completeness_designs(trained(), rule(TARGETS))}


def test_complete_comparisons_against_scipy() -> None:
    result = trained()
    for cell in complete_comparisons(result):
        task = [one.name for one in result.tasks].index(cell["task"])
        x, y = result.measures.index(cell["evaluated_by"]), result.measures.index(cell["trained_by"])
        chosen = result.complete.chosen[0, 0, task]
        scores = result.scores[x][result.test_rows[task]]
        differences = scores[:, chosen[y]] - scores[:, chosen[0]]
        assert cell["score"] - cell["reference_score"] == pytest.approx(differences.mean(), abs=1e-15)
        kept = differences[np.abs(differences) > 1e-12]
        assert cell["n_topics"] == kept.size
        if kept.size:
            # No ties among these: scipy counts all signs too.
            expected = scipy.stats.wilcoxon(kept, method="exact").pvalue
            assert cell["p_value"] == pytest.approx(expected, rel=1e-9)
        assert cell["mark"] == (">" if cell["p_value"] <= 0.05 else "")


def test_variances_and_slopes_of_samples_are_those_of_the_topics_left() -> None:
    """A slope is the regression of the means of runs on those by all judgments."""
    runs, result = simulated().runs, trained()
    sampler = Sampler(runs.qrels, np.arange(60), 1, 0, False)
    variances = []
    for number in range(5):
        grades = sampler.sample(10.0, number)
        left = np.bincount(runs.qrels.topic_of[grades >= 1], minlength=60) > 0
        assert not left.all()
        topics = tuple(topic for topic, kept in zip(runs.topics, left, strict=True) if kept)
        for place, measure in enumerate(result.measures):
            scores = measure_named(measure).scores(runs, grades)[left]
            slope, _ = np.polyfit(result.scores[place, left].mean(axis=0), scores.mean(axis=0), 1)
            covariance, variance = result.trained.slope_parts[1, number, place].tolist()
            assert covariance / variance == pytest.approx(slope, rel=1e-9)  # polyfit's least squares round
            matrix = ScoreMatrix(scores=scores, topics=topics, systems=runs.systems, measure="m", name="n")
            variances.append(one_way(matrix))
    for place, measure in enumerate(result.measures):
        design = _designs()[10.0, measure]
        assert design.within_system_variance == pytest.approx(np.mean(variances[place::4]), rel=1e-12)
        assert design.lost_share == pytest.approx(result.trained.n_lost[1].mean() / 60)


def test_all_judgments_need_the_topics_of_the_design() -> None:
    for measure in trained().measures:
        design = _designs()[100.0, measure]
        assert design.slope == pytest.approx(1.0, abs=1e-12)
        assert design.within_system_variance is not None
        delta = paired_t.DESIGN.min_delta_of(TARGETS, 2 * design.within_system_variance)
        expected = int(paired_t.required_topics_grid(delta, alpha=0.05, beta=0.2, method="exact"))
        assert design.required_topics == design.required_topics_same_systems == expected
        assert design.topics_to_judge == expected
        assert design.total_judgments == int(np.ceil(expected * design.judged_per_topic - 1e-9))


def test_incomplete_judgments_shrink_ap_and_so_its_differences() -> None:
    designs = _designs()
    ap = [designs[level, "AP"] for level in LEVELS]
    slopes = [one.slope or 0.0 for one in ap]
    assert slopes[0] < slopes[2] < slopes[3]
    # For the same difference in AP fewer topics would do with half the judgments; for the same systems more.
    half, whole = ap[2], ap[3]
    assert (
        (half.required_topics or 0) < (whole.required_topics or 0) < (half.required_topics_same_systems or 0)
    )


def test_the_row_of_table_1() -> None:
    result = trained()
    facts = collection_facts(result, 18_000)
    grades = simulated().runs.qrels.grades
    assert facts["relevant_per_topic"] == pytest.approx((grades >= 1).sum() / 60)
    assert facts["judged_per_topic"] == pytest.approx(grades.size / 60)
    assert facts["relevant_share"] == pytest.approx((grades >= 1).sum() / 60 / 18_000)
    assert collection_facts(result)["relevant_share"] is None


def test_variances_that_need_too_many_topics_have_no_number() -> None:
    """Only those of small slopes are beyond ten million topics; each of the others is computed one by one."""
    target = 4e-4
    result = completeness_designs(trained(), rule(target))
    n_beyond = 0
    for one in result:
        assert one.within_system_variance
        assert one.slope
        variance = 2 * one.within_system_variance / one.slope**2
        try:
            expected: int | None = int(rule(target).topics(variance=variance))
        except NoSolution:
            expected, n_beyond = None, n_beyond + 1
        assert one.required_topics_same_systems == expected
    assert 0 < n_beyond < len(result)


WHOLE = CompletenessDesign(
    level=100.0,
    measure="AP",
    judged_per_topic=100.0,
    relevant_per_topic=30.0,
    lost_share=0.0,
    within_system_variance=0.05,
    slope=1.0,
    required_topics=50,
    required_topics_same_systems=50,
)
SPARSE = replace(
    WHOLE,
    level=10.0,
    judged_per_topic=10.0,
    relevant_per_topic=3.0,
    required_topics_same_systems=200,
    cost_factor=2.0,
)


def test_the_factor_of_two_samples_by_hand() -> None:
    """Leaving one out leaves the other: logs 0 and 2, standard error 1; t(.975, 1 df) is 12.7062 (tables)."""
    variances, parts = np.array([1.0, math.exp(2)]), np.ones((2, 2))
    factor = cost_factor(variances, parts)
    assert factor is not None
    assert math.log(factor) == pytest.approx(12.7062, abs=5e-5)  # as many digits as the table has
    # A slope counts twice: those of exp(1) and 1 are as far apart as these variances.
    by_slope = cost_factor(np.ones(2), np.array([[math.e, 1.0], [1.0, 1.0]]))
    assert by_slope == pytest.approx(factor, rel=1e-12)
    assert cost_factor(np.ones(3), np.ones((3, 2))) == 1.0


def test_the_factor_against_the_delta_method() -> None:
    """Of -2 log(mean slope) the error is about 2 s / (mean sqrt(n)); t(.975, 99 df) is 1.98422 (tables)."""
    covariances = np.random.default_rng(3).normal(1.0, 0.1, 100)
    factor = cost_factor(np.full(100, 0.2), np.column_stack([covariances, np.ones(100)]))
    assert factor is not None
    error = 2 * covariances.std(ddof=1) / (covariances.mean() * 10)
    # The next term is of the order of (s / mean)^2 / n = 1e-4, relative.
    assert math.log(factor) / 1.98422 == pytest.approx(error, rel=1e-3)


def test_a_sample_without_variance_is_left_out() -> None:
    variances = np.array([1.0, np.nan, 3.0, 2.0])
    parts = np.array([[1.0, 2.0], [0.0, 0.0], [2.0, 2.0], [2.0, 3.0]])
    there = [0, 2, 3]
    assert cost_factor(variances, parts) == cost_factor(variances[there], parts[there])


@pytest.mark.parametrize(
    ("variances", "covariances"),
    [
        ((1.0,), (1.0,)),
        ((1.0, math.nan), (1.0, 0.0)),
        ((1.0, 2.0), (1.0, -0.5)),  # the second alone has a slope below 0
        ((0.0, 2.0), (1.0, 1.0)),  # and the first alone no variance
    ],
)
def test_too_few_samples_give_no_interval(
    variances: tuple[float, ...], covariances: tuple[float, ...]
) -> None:
    parts = np.column_stack([covariances, np.ones(len(covariances))])
    assert cost_factor(np.array(variances), parts) is None


def test_likely_judgments_are_within_a_factor_on_both_sides() -> None:
    assert SPARSE.total_judgments == 2_000
    assert SPARSE.likely_judgments == (1_000, 4_000)
    assert WHOLE.likely_judgments is None
    assert replace(SPARSE, cost_factor=1001.0).likely_judgments is None
    assert replace(SPARSE, required_topics_same_systems=None).likely_judgments is None
    table = designs_table([SPARSE, WHOLE])
    assert (table["judgments, low"], table["judgments, high"]) == ([1_000, None], [4_000, None])


@pytest.mark.parametrize(
    ("changed", "is_named"),
    [
        ({}, True),
        ({"required_topics_same_systems": 300}, False),  # up to 6,000 judgments; whole pools need 5,000
        ({"cost_factor": None}, False),
        ({"cost_factor": 2.1}, False),
        ({"judged_per_topic": 9.9}, False),
        ({"relevant_per_topic": 2.9}, False),
    ],
)
def test_a_level_is_the_cheapest_only_beyond_uncertainty(changed: dict[str, Any], is_named: bool) -> None:
    designs = [replace(SPARSE, **changed), WHOLE]
    assert cheapest(designs, "AP") is designs[0 if is_named else 1]
    numbers = numbers_in(cheapest_sentence(designs, "AP", 0.1))
    assert numbers.count(95) == is_named
    plan = designs[0 if is_named else 1]
    assert {0.1, plan.topics_to_judge, plan.judged_per_topic, plan.total_judgments} <= set(numbers)


@pytest.mark.parametrize(
    ("needed", "lost_share", "judged_per_topic", "topics", "judgments"),
    [
        (21, 3 / 10, 10.0, 30, 300),  # 21 / .7 is 30.000000000000004 in floats
        (27, 0.0, 14 / 3, 27, 126),  # 27 x 14 / 3 is 126.00000000000001
        (22, 3 / 10, 10.1, 32, 324),  # 31.43 topics, and 323.2 judgments of 32
    ],
)
def test_topics_and_judgments_are_rounded_up_except_for_floating_point_error(
    needed: int, lost_share: float, judged_per_topic: float, topics: int, judgments: int
) -> None:
    design = replace(
        SPARSE,
        judged_per_topic=judged_per_topic,
        lost_share=lost_share,
        required_topics_same_systems=needed,
    )
    assert (design.topics_to_judge, design.total_judgments) == (topics, judgments)


def test_designs_of_equal_cost_prefer_the_most_complete_judgments() -> None:
    one = replace(SPARSE, required_topics_same_systems=20, cost_factor=1.1)
    other = replace(one, level=20.0, judged_per_topic=20.0, required_topics_same_systems=10)
    assert one.total_judgments == other.total_judgments == 200
    assert cheapest([one, other], "AP") == cheapest([other, one], "AP") == other


def test_neighbours_that_contradict_a_level_leave_it_out() -> None:
    """1,000 to 4,000 judgments at 10 %; the next levels overlap, or cost at most twice as much, or do neither."""
    near = replace(SPARSE, level=20.0, judged_per_topic=20.0, relevant_per_topic=6.0, cost_factor=1.1)
    # 3,800 (from 3,455), 4,400 (from 4,000) and 4,600 (from 4,182) judgments
    for topics, agrees in ((190, True), (220, True), (230, False), (None, False)):
        neighbour = replace(near, required_topics_same_systems=topics)
        assert SPARSE.agrees_with(neighbour) == agrees
        assert topics is None or neighbour.agrees_with(SPARSE) == agrees
    far = replace(near, required_topics_same_systems=230)
    assert cheapest([SPARSE, far, WHOLE], "AP") is WHOLE
    # Without enough documents a neighbour has no effect.
    few = replace(far, level=5.0, relevant_per_topic=1.0)
    assert cheapest([few, SPARSE, WHOLE], "AP") is SPARSE
    assert plannable([few, SPARSE, WHOLE], "AP") == (SPARSE, WHOLE)
    assert cheapest([replace(WHOLE, required_topics_same_systems=None)], "AP") is None
