"""Numbers of tables by a second way, and cases at the edge: rounding, ties, missing topics."""

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import rule, simulated, tiny, tiny_sweep, trained
from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.pool_depth import grades_at
from topicset_core.analyses.training_sensitivity import (
    Request,
    recommendation,
    split,
    sweep_of,
    tables,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.designs import completeness_designs
from topicset_core.analyses.training_sensitivity.experiment import shallow_trainings
from topicset_core.analyses.training_sensitivity.optimisers import best_settings
from topicset_core.analyses.training_sensitivity.sampling import Sampler, Scorer
from topicset_core.analyses.training_sensitivity.significance import doubled_ranks
from topicset_core.analyses.training_sensitivity.tables import (
    agreements,
    comparisons,
    complete_comparisons,
    curves,
    stability,
)
from topicset_core.collection.run import Settings, without_parameters
from topicset_core.designs import one_way_anova
from topicset_core.measures import measure_named


def test_agreements_are_means_of_rank_correlations_against_scipy() -> None:
    result = trained()
    surfaces = dict(zip(result.levels, result.trained.means, strict=True))
    surfaces[100.0] = result.complete.means[0]
    points = agreements(result)
    assert len(points) == 3 * 4
    for point in points:
        place = result.measures.index(point["measure"])
        # Values that differ by rounding only are tied, unlike in scipy.
        rhos = [
            scipy.stats.spearmanr(training[0].round(12), training[place].round(12)).statistic
            for sample in surfaces[point["level"]]
            for training in sample
        ]
        assert point["rho"] == pytest.approx(np.mean(rhos), rel=1e-12)
        assert (point["lowest"], point["highest"]) == pytest.approx((min(rhos), max(rhos)), rel=1e-12)
        assert point["n_undefined"] == 0


def test_p_values_and_intervals_of_curves_against_scipy() -> None:
    result = trained()
    tested = 0
    for point in curves(result):
        level = result.levels.index(point["level"])
        x, y = result.measures.index(point["evaluated_by"]), result.measures.index(point["trained_by"])
        tasks = [task.name for task in result.tasks]
        cells = result.effectiveness[level, :, :, x]
        of_task = cells.mean(axis=1) if not point["task"] else cells[:, tasks.index(point["task"])]
        own, differences = of_task[:, y], of_task[:, y] - of_task[:, 0]
        kept = differences[np.abs(differences) > 1e-12]
        if kept.size and np.unique(np.abs(kept)).size == kept.size:
            expected = scipy.stats.wilcoxon(kept, method="exact").pvalue
            assert point["p_value"] == pytest.approx(expected, rel=1e-9)
            tested += 1
        elif not kept.size:
            assert point["p_value"] == 1.0
        ends = (point["difference_low"], point["difference_high"])
        for values, interval in ((own, (point["low"], point["high"])), (differences, ends)):
            if not point["task"] and point["level"] < 100:
                error = scipy.stats.sem(values)
                away = scipy.stats.t.isf(0.025, values.size - 1) * error
                assert interval == pytest.approx((values.mean() - away, values.mean() + away), rel=1e-9)
    assert tested > 10


def test_slopes_are_sums_over_samples_or_undefined() -> None:
    result = trained()
    for design in completeness_designs(result, rule(0.05)):
        if design.level < 100:
            parts = result.trained.slope_parts[
                result.levels.index(design.level), :, result.measures.index(design.measure)
            ]
            assert design.slope == pytest.approx(parts[:, 0].sum() / parts[:, 1].sum(), rel=1e-14)
    for covariance, spread, slope in ((0.0, 0.5, 0.0), (-0.1, 0.5, -0.2), (0.0, 0.0, None)):
        parts = np.broadcast_to(np.array([covariance, spread]), result.trained.slope_parts.shape)
        flat = replace(result, trained=replace(result.trained, slope_parts=parts))
        for design in completeness_designs(flat, rule(0.05))[:4]:
            assert design.slope == pytest.approx(slope)
            assert design.required_topics_same_systems is None
            assert design.total_judgments is None
            assert design.required_topics is not None


def test_a_design_for_the_within_system_variance_takes_it_unchanged() -> None:
    """ANOVA of m systems takes sigma^2, and not the 2 sigma^2 of a difference."""
    needs: dict[str, Any] = {"alpha": 0.05, "beta": 0.2, "min_d": 0.1, "n_systems": 10}
    for design in completeness_designs(trained(), one_way_anova.DESIGN.plan(**needs)):
        variance = design.within_system_variance
        requirements = one_way_anova.Requirements(**needs, within_system_variance=variance)
        assert design.required_topics == one_way_anova.required_topics(requirements).required_topics


def test_settings_that_differ_a_little_do_not_tie() -> None:
    """Of a thousand topics one may differ in the fifth decimal: that is 1e-8 of the mean."""
    means = np.array([[0.3 * (1 - 1e-8), 0.3, 0.3 * (1 + 1e-8)]])
    chosen, n_tied = best_settings(means[None], np.array([0.0]))
    assert (chosen.tolist(), n_tied.tolist()) == ([[2]], [[1]])


def test_judgments_of_excluded_topics_are_not_sampled() -> None:
    qrels = tiny_sweep().runs.qrels
    counted = np.isin(qrels.topic_of, [1, 4, 6])
    grades = Sampler(qrels, np.array([1, 4, 6]), 1, 3, False).sample(30.0, 0)
    assert grades[~counted].tolist() == qrels.grades[~counted].tolist()
    assert set(grades[grades != qrels.grades].tolist()) == {-1}  # so unjudged documents stay unjudged
    # Unjudged documents (-1) are not among the documents of which 30 percent stay.
    for kind in (qrels.grades >= 1, qrels.grades == 0):
        n = int((kind & counted).sum())
        assert ((grades >= 0) & kind & counted).sum() == int(0.3 * n + 0.5)
    assert (qrels.grades[counted] == -1).any()


def test_values_that_differ_by_rounding_share_a_rank() -> None:
    assert doubled_ranks(np.array([0.3, 0.1 + 0.2, 0.5, 0.3 + 1e-9])).tolist() == [3, 3, 8, 6]


def test_deviations_that_differ_by_rounding_tie() -> None:
    """Each alternative next to a reference of .5: a millionth less is more stable, a billionth of that is not."""
    result = trained()
    spreads = stability(result)
    apart = np.array([1.0, 1 - 1e-6, 1 - 1e-12, 1 + 1e-6])
    disagreement = np.broadcast_to(0.5 * apart, spreads.disagreement.shape)
    cells = {
        cell["measure"]: cell["test"]
        for cell in comparisons(result, replace(spreads, disagreement=disagreement))
        if cell["what"] == "choice" and cell["block"] == "all"
    }
    counts = [tuple(cells[measure].values()) for measure in result.alternatives]
    assert counts == [(8, 0, 0), (0, 0, 8), (0, 8, 0)]  # 4 levels of 2 tasks


def test_deviations_are_in_the_unit_of_the_scores() -> None:
    """Differences of a thousandth of a thousandth are no rounding; powers of 2 scale without any."""
    result, unit = trained(), 2.0**-20
    whole, small = stability(result), stability(replace(result, scores=result.scores * unit))
    assert (small.of_differences == whole.of_differences * unit).all()
    assert (whole.of_differences > 0).any()
    assert small.scale_free == pytest.approx(whole.scale_free, rel=1e-14)


def test_an_ideal_list_may_be_longer_than_any_run() -> None:
    """Two documents returned and 30 relevant: the ideal gain goes on to rank 30."""
    judged = {"t": {f"d{number:02}": 1 for number in range(30)}}
    runs = [run_of({"t": ["d00", "d01"]}, "one"), run_of({"t": ["x", "d01"]}, "other")]
    sweep = sweep_of(runs, qrels_of(judged), without_parameters(["one", "other"]), assumed_pool="never")
    scorer = Scorer(sweep.runs, np.arange(1), (measure_named("nDCG"),), 1, "linear")
    ideal = sum(1 / math.log2(rank + 1) for rank in range(1, 31))
    gained = [1 + 1 / math.log2(3), 1 / math.log2(3)]
    result = scorer.scores(sweep.runs.qrels.grades)[0, 0].tolist()
    assert result == pytest.approx([gain / ideal for gain in gained], rel=1e-13)


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
        assert (cell["test"]["more"], cell["test"]["less"]) == (0, 0)
        if cell["what"].startswith("sigma_diff"):
            assert cell["n_zero"] == cell["test"]["tied"]
    for point in agreements(result):
        n_trainings = 2 if point["level"] == 100 else 2 * 3
        assert (point["rho"], point["lowest"], point["highest"], point["n_undefined"]) == (
            None,
            None,
            None,
            n_trainings,
        )
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


def test_marks_of_tables_2_and_3_are_at_five_percent(monkeypatch: pytest.MonkeyPatch) -> None:
    for p, mark in ((0.01, ">"), (0.05, ">"), (0.051, "")):
        monkeypatch.setattr(tables, "signed_rank", lambda _, p=p: (9, p))
        assert {(cell["p_value"], cell["mark"]) for cell in complete_comparisons(trained())} == {(p, mark)}


def test_shallow_trainings_count_included_topics_and_are_tested_by_all_judgments() -> None:
    sweep = simulated()
    topics = usable_topics(sweep.runs)[:20]
    result = training_sensitivity(sweep, split(topics, 0), Request(levels=(50.0,), n_samples=2))
    names = [task.name for task in result.tasks]
    qrels, grades = sweep.runs.qrels, grades_at(sweep.runs, 1)
    relevant = {qrels.topics[topic] for topic in qrels.topic_of[grades >= 1].tolist()}
    assert not relevant.issuperset(topics)
    first = sweep.runs.judgments[sweep.runs.ranks == 1]  # all of these documents are judged
    n_first = np.unique(first[qrels.topic_of[first] < 20]).size
    for one in shallow_trainings(sweep, result, (1,)):
        assert one["level"] == pytest.approx(100 * n_first / (qrels.topic_of < 20).sum(), rel=1e-12)
        assert one["n_lost"] == len(set(result.tasks[names.index(one["task"])].training) - relevant)
        task, by = names.index(one["task"]), result.measures.index(one["trained_by"])
        setting = [result.settings.text(place) for place in range(21)].index(one["setting"])
        assert one["reference_score"] == result.test_means[task, 0, setting]
        assert one["own_score"] == result.test_means[task, by, setting]


def test_runs_without_parameters_have_choices_and_no_deviations_of_parameters() -> None:
    result = replace(trained(), settings=without_parameters(trained().settings.systems))
    assert stability(result).of_parameters.shape[-1] == 0
    assert list(dict.fromkeys(cell["what"].partition(",")[0] for cell in comparisons(result))) == [
        "choice",
        "sigma_diff",
    ]
    assert len({cell["what"] for cell in comparisons(result)}) == 3  # the last two, and by the scale
