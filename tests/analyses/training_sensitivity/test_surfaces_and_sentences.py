"""Functions of an experiment for pages: surfaces with chosen settings, biases, costs, the sentence."""

from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import simulated, trained
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import Request, cpu_seconds, level_facts, recommendation
from topicset_core.analyses.training_sensitivity.tables import surface
from topicset_core.errors import InputError


def test_a_surface_counts_every_choice_of_its_level() -> None:
    result = trained()
    for place, task in enumerate(result.tasks):
        for by, measure in enumerate(result.measures):
            one = surface(result, task.name, measure, result.levels[1])
            chosen = result.trained.chosen[1, :, place, by].tolist()
            assert one.times_chosen.tolist() == [
                chosen.count(setting) for setting in range(len(result.settings.systems))
            ]
            assert one.n_samples == result.request.n_samples
            assert one.chosen == int(np.argmax(one.complete))  # no ties in the sample
            assert one.sample.tolist() == result.trained.means[1, 0, place, by].tolist()
            samples = [result.trained.means[1, number, place, by] for number in range(one.n_samples)]
            assert one.mean == pytest.approx(sum(samples) / one.n_samples, rel=1e-12)  # another order of sums


@pytest.mark.parametrize(
    ("task", "measure", "level", "parameter"),
    [("none", "AP", 1.0, "task"), ("first half", "P@10", 1.0, "measure"), ("first half", "AP", 7.0, "level")],
    ids=["task", "measure", "level"],
)
def test_an_unknown_surface_is_refused(
    task: str, measure: str, level: float, parameter: str, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        surface(trained(), task, measure, level)
    assert caught.value.parameter == parameter
    assert str(caught.value) == golden


def test_infap_is_biased_on_samples_and_not_on_all_judgments() -> None:
    """On all judgments infAP is AP but for its small constant, 1e-5 in trec_eval's m_infap.c."""
    result = trained()
    biases = {one.level: one.bias_of("infAP", "AP", result.measures) for one in level_facts(result)}
    assert abs(biases[100.0]) < 1e-4
    assert abs(biases[1.0]) > 0.05


def test_costs_grow_with_the_amount_of_work() -> None:
    sweep = simulated()
    least = cpu_seconds(sweep, 2, Request(levels=(5.0,), n_samples=2))
    assert least > 0
    assert cpu_seconds(sweep, 2, Request(levels=(5.0, 10.0), n_samples=6)) == pytest.approx(
        6 * least, rel=1e-9
    )
    swept, annealed = (
        [cpu_seconds(sweep, n, Request(levels=(5.0,), n_samples=2, optimiser=how)) for n in (2, 4)]
        for how in ("sweep", "annealing")
    )
    assert least == swept[0] < swept[1]
    assert annealed[1] - swept[1] == pytest.approx(2 * (annealed[0] - swept[0]), rel=1e-9)
    other = Request(measures=("Q",), levels=(5.0,), n_samples=2)
    assert cpu_seconds(sweep, 2, other) > least  # no kernel scores it next to the others


def test_the_sentence_reports_levels_where_the_choice_makes_no_difference(golden: SnapshotAssertion) -> None:
    result = trained()
    high = [place for place, level in enumerate(result.levels) if level > 10]
    chosen = result.trained.chosen.copy()
    chosen[high] = chosen[high][..., :1]  # every measure chooses what AP does
    resampled = result.trained.resampled.copy()
    resampled[high] = resampled[high][..., :1]
    same = replace(result, trained=replace(result.trained, chosen=chosen, resampled=resampled))
    assert numbers_in(recommendation(same).sentence)[-2:] == [0, 0]  # the ends of the interval
    assert recommendation(same).sentence == golden
    assert recommendation(same).low == recommendation(result).low
