"""Intervals, tests over topics, and topics against judgments, each against a second way."""

from dataclasses import replace

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, simulated, trained
from tests.words import numbers_in
from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.training_sensitivity import collection_facts
from topicset_core.analyses.training_sensitivity.designs import (
    CompletenessDesign,
    cheapest,
    cheapest_sentence,
    completeness_designs,
    plannable,
)
from topicset_core.analyses.training_sensitivity.sampling import Sampler
from topicset_core.analyses.training_sensitivity.tables import complete_comparisons, curves
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import paired_t
from topicset_core.errors import InputError, NoSolution
from topicset_core.measures import measure_named
from topicset_core.variance import one_way

TARGETS = 0.05


def _designs() -> dict[tuple[float, str], CompletenessDesign]:
    result = completeness_designs(
        trained(), lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), TARGETS
    )
    return {(one.level, one.measure): one for one in result}


def test_intervals_against_scipy() -> None:
    result = trained()
    for point in curves(result):
        if point.task or point.level == 100:
            continue
        level = result.levels.index(point.level)
        x, y = result.measures.index(point.evaluated_by), result.measures.index(point.trained_by)
        own, reference = (result.effectiveness[level, :, :, x, by].mean(axis=1) for by in (y, 0))
        for values, low, high in (
            (own, point.low, point.high),
            (own - reference, point.difference_low, point.difference_high),
        ):
            if values.std() > 0:
                expected = scipy.stats.t.interval(
                    0.95, values.size - 1, values.mean(), scipy.stats.sem(values)
                )
                assert (low, high) == pytest.approx(expected, rel=1e-9)
            else:
                assert low == high == values.mean()


def test_complete_comparisons_against_scipy() -> None:
    result = trained()
    for cell in complete_comparisons(result):
        task = [one.name for one in result.tasks].index(cell.task)
        x, y = result.measures.index(cell.evaluated_by), result.measures.index(cell.trained_by)
        chosen = result.complete.chosen[0, 0, task]
        scores = result.scores[x][result.test_rows[task]]
        differences = scores[:, chosen[y]] - scores[:, chosen[0]]
        assert cell.score - cell.reference_score == pytest.approx(differences.mean(), abs=1e-15)
        kept = differences[np.abs(differences) > 1e-12]
        assert cell.n_topics == kept.size
        if kept.size:
            # No ties among these: scipy counts all signs too.
            expected = scipy.stats.wilcoxon(kept, method="exact").pvalue
            assert cell.p_value == pytest.approx(expected, rel=1e-9)
        assert cell.mark == (">" if cell.p_value <= 0.05 else "")


def test_variances_of_samples_are_those_of_the_topics_left() -> None:
    sweep, result = simulated(), trained()
    design = _designs()[10.0, "infAP"]
    sampler = Sampler(sweep.runs.qrels, np.arange(60), 1, 0, False)
    variances = []
    for number in range(5):
        grades = sampler.sample(10.0, number)
        left = np.bincount(sweep.runs.qrels.topic_of[grades >= 1], minlength=60) > 0
        scores = measure_named("infAP").scores(sweep.runs, grades)[left]
        topics = tuple(topic for topic, kept in zip(sweep.runs.topics, left, strict=True) if kept)
        variances.append(
            one_way(
                ScoreMatrix(scores=scores, topics=topics, systems=sweep.runs.systems, measure="m", name="n")
            )
        )
    assert design.within_system_variance == pytest.approx(np.mean(variances), rel=1e-12)
    assert design.lost_share == pytest.approx(result.trained.n_lost[1].mean() / 60)


def test_all_judgments_need_the_topics_of_the_design() -> None:
    for measure in trained().measures:
        design = _designs()[100.0, measure]
        assert design.slope == pytest.approx(1.0, abs=1e-12)
        assert design.within_system_variance is not None
        delta = paired_t.min_delta_of(TARGETS, 2 * design.within_system_variance)
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
    for one in designs.values():
        needed, judged = one.required_topics_same_systems, one.topics_to_judge
        if needed is not None and judged is not None:
            assert judged * (1 - one.lost_share) >= needed - 1e-6
            assert (judged - 1) * (1 - one.lost_share) < needed


def test_a_difference_of_zero_is_refused() -> None:
    with pytest.raises(InputError, match="min_d"):
        completeness_designs(trained(), lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), 0.0)


def test_the_row_of_table_1() -> None:
    result = trained()
    facts = collection_facts(result, 18_000)
    grades = simulated().runs.qrels.grades
    assert facts.relevant_per_topic == pytest.approx((grades >= 1).sum() / 60)
    assert facts.judged_per_topic == pytest.approx(grades.size / 60)
    assert facts.relevant_share == pytest.approx((grades >= 1).sum() / 60 / 18_000)
    assert collection_facts(result).relevant_share is None
    with pytest.raises(InputError, match="n_documents"):
        collection_facts(result, 10)


def test_the_cheapest_design_is_reported_next_to_whole_pools(golden: SnapshotAssertion) -> None:
    designs = completeness_designs(
        trained(), lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), TARGETS
    )
    for measure in trained().measures:
        (whole,) = (one for one in designs if one.measure == measure and one.level == 100)
        least = cheapest(designs, measure)
        assert least in plannable(designs, measure)
        assert least is not None
        for one in plannable(
            designs, measure
        ):  # any other is more expensive, or perhaps not cheaper than whole pools
            ends = one.likely_judgments or (0, whole.total_judgments or 0)
            assert (one.total_judgments or 0) >= (least.total_judgments or 0) or ends[1] >= (
                whole.total_judgments or 0
            )
        text = cheapest_sentence(designs, measure, TARGETS)
        assert f" {TARGETS:g} {measure} " in text
        result = numbers_in(text)
        for one in (least, whole):
            numbers = [one.topics_to_judge, float(f"{one.judged_per_topic:.3g}"), one.total_judgments]
            assert numbers in [result[place : place + 3] for place in range(len(result))]
        assert text == golden
    none = [replace(one, required_topics_same_systems=None) for one in designs]
    assert cheapest(none, "AP") is None
    assert cheapest_sentence(none, "AP", 0.1) == golden


def test_variances_that_need_too_many_topics_have_no_number() -> None:
    """Only those of small slopes are beyond ten million topics; each of the others is computed one by one."""
    target = 4e-4
    rule = topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=target)
    result = completeness_designs(trained(), lambda _: rule, target)
    n_beyond = 0
    for one in result:
        assert one.within_system_variance
        assert one.slope
        variance = 2 * one.within_system_variance / one.slope**2
        try:
            expected: int | None = int(rule.topics([variance])[0])
        except NoSolution:
            expected, n_beyond = None, n_beyond + 1
        assert one.required_topics_same_systems == expected
    assert 0 < n_beyond < len(result)
