"""Cases at the edge: identical settings, missing topics of runs, the exact recommendation."""

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import simulated, tiny, trained
from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.pool_depth import grades_at
from topicset_core.analyses.training_sensitivity import (
    Request,
    comparisons,
    recommendation,
    shallow_trainings,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.designs import CompletenessDesign, cheapest
from topicset_core.analyses.training_sensitivity.sampling import Sampler
from topicset_core.analyses.training_sensitivity.tables import (
    agreements,
    complete_comparisons,
    stability,
)
from topicset_core.collection.settings import Settings, without_parameters
from topicset_core.measures import measure_named


def test_identical_settings_tie_everywhere() -> None:
    """No spread, no rank correlation, no better measure: and no NaN."""
    runs, judged, _ = tiny()
    same = next(iter(runs.values()))
    settings = Settings(parameters=("b",), systems=("x", "y", "z"), values=np.array([[1.0], [2.0], [4.0]]))
    sweep = sweep_of([run_of(same, tag) for tag in "xyz"], qrels_of(judged), settings, assumed_pool="never")
    result = training_sensitivity(
        sweep, split(usable_topics(sweep.runs), 0), Request(levels=(20.0, 80.0), n_samples=3)
    )
    assert (result.trained.n_tied == 3).all()
    deviations = stability(result)
    assert (deviations.of_differences == 0).all()
    assert (deviations.scale_free == 0).all()
    for cell in comparisons(result):
        # All measures have the same draws.
        assert (cell.test.more, cell.test.less) == (0, 0)
        if cell.what.startswith("sigma_diff"):
            assert cell.n_zero == cell.test.tied
    for point in agreements(result):
        n_trainings = 2 if point.level == 100 else 2 * 3
        assert (point.rho, point.lowest, point.highest, point.n_undefined) == (None, None, None, n_trainings)
    assert recommendation(result).verdict == "no difference"
    assert all(one.low == one.high == 0 and one.p_value == 1 for one in recommendation(result).low or ())


def test_topics_without_runs_are_left_out_and_missing_topics_reported(golden: SnapshotAssertion) -> None:
    runs, judged, settings = tiny()
    kept = {
        tag: {t: ranked for t, ranked in of_run.items() if t != "t7" and (t, tag) != ("t2", "r_b3")}
        for tag, of_run in runs.items()
    }
    sweep = sweep_of(
        [run_of(ranked, tag) for tag, ranked in kept.items()],
        qrels_of(judged),
        settings,
        assumed_pool="never",
    )
    topics = usable_topics(sweep.runs)
    assert topics == tuple(f"t{number}" for number in range(7))
    result = training_sensitivity(sweep, split(topics, 0), Request(levels=(50.0,), n_samples=2))
    assert list(result.notes[:2]) == golden
    assert (result.scores[:, topics.index("t2"), result.settings.systems.index("r_b3")] == 0).all()


def test_marks_of_tables_2_and_3_are_at_five_percent() -> None:
    cell = complete_comparisons(trained())[0]
    assert [replace(cell, p_value=p).mark for p in (0.01, 0.05, 0.051)] == [">", ">", ""]


def test_shallow_trainings_are_tested_by_all_judgments() -> None:
    result = trained()
    names = [task.name for task in result.tasks]
    runs = simulated().runs
    grades = grades_at(runs, 1)
    relevant = {runs.topics[topic] for topic in runs.qrels.topic_of[grades >= 1].tolist()}
    assert len(relevant) < runs.n_topics
    for one in shallow_trainings(simulated(), result, (1,)):
        assert one.n_lost == len(set(result.tasks[names.index(one.task)].training) - relevant)
        task, by = names.index(one.task), result.measures.index(one.trained_by)
        assert one.reference_score == result.test_means[task, 0, one.chosen]
        assert one.own_score == result.test_means[task, by, one.chosen]
        assert one.setting == result.settings.text(one.chosen)


def test_designs_of_equal_cost_prefer_the_most_complete_judgments() -> None:
    one = CompletenessDesign(
        level=10.0,
        measure="AP",
        judged_per_topic=10.0,
        relevant_per_topic=3.0,
        lost_share=0.0,
        within_system_variance=0.1,
        slope=1.0,
        required_topics=20,
        required_topics_same_systems=20,
        cost_factor=1.1,
    )
    other = replace(one, level=20.0, judged_per_topic=20.0, required_topics_same_systems=10)
    assert one.total_judgments == other.total_judgments == 200
    assert cheapest([one, other], "AP") == cheapest([other, one], "AP") == other


def test_runs_without_parameters_have_choices_and_no_deviations_of_parameters() -> None:
    result = replace(trained(), settings=without_parameters(trained().settings.systems))
    assert stability(result).of_parameters.shape[-1] == 0
    assert list(dict.fromkeys(cell.what.partition(",")[0] for cell in comparisons(result))) == [
        "choice",
        "sigma_diff",
    ]
    assert len({cell.what for cell in comparisons(result)}) == 3  # the last two, and by the scale


def test_slopes_are_regressions_of_run_means_on_those_by_all_judgments() -> None:
    result = trained()
    sampler = Sampler(simulated().runs.qrels, np.arange(60), 1, 0, False)
    for number in range(2):
        grades = sampler.sample(10.0, number)
        left = np.bincount(sampler.qrels.topic_of[grades >= 1], minlength=60) > 0
        assert not left.all()
        for place, measure in enumerate(result.measures):
            means = measure_named(measure).scores(simulated().runs, grades)[left].mean(axis=0)
            slope, _ = np.polyfit(result.scores[place, left].mean(axis=0), means, 1)
            covariance, variance = result.trained.slope_parts[1, number, place].tolist()
            assert covariance / variance == pytest.approx(slope, rel=1e-9)  # polyfit's least squares round
