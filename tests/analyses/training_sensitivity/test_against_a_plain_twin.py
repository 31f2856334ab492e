"""The whole experiment on a tiny sweep, against a plain one: dicts, loops, measures of tests/measures."""

from dataclasses import replace
from itertools import combinations
from statistics import mean, stdev

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import tiny, tiny_sweep
from tests.measures.plain_measures import plain_score
from topicset_core.analyses.training_sensitivity import Request, TrainingSensitivity, training_sensitivity
from topicset_core.analyses.training_sensitivity.request import Task
from topicset_core.analyses.training_sensitivity.sampling import Sampler, stream
from topicset_core.analyses.training_sensitivity.tables import comparisons, stability
from topicset_core.measures import measure_named

LEVELS = (10.0, 40.0, 90.0)
N_SAMPLES = 4
SEED = 6
TASKS = (
    Task(name="one", training=("t0", "t1", "t2", "t3"), test=("t4", "t5", "t6", "t7")),
    Task(name="two", training=("t4", "t5", "t6", "t7"), test=("t0", "t1", "t2", "t3")),
)
NAMES = ("AP", "bpref", "infAP", "nDCG")
CLOSE = 1e-12  # other orders of sums


def _scores(ranked: list[str], grades: dict[str, int]) -> dict[str, float]:
    return {name: plain_score(measure_named(name), ranked, grades, 2) for name in NAMES}


@pytest.fixture(scope="module")
def sensitivity() -> TrainingSensitivity:
    request = Request(levels=LEVELS, n_samples=N_SAMPLES, seed=SEED)
    return training_sensitivity(tiny_sweep(), TASKS, request)


def _sampled(level: float, number: int) -> dict[str, dict[str, int]]:
    """The judgments of one sample, drawn by the one thing that the twin shares: the sampler."""
    _, judged, _ = tiny()
    sweep = tiny_sweep()
    grades = Sampler(sweep.runs.qrels, np.arange(8), 1, SEED, False).sample(level, number).tolist()
    return {topic: {document: grades.pop(0) for document in own} for topic, own in judged.items()}


def _means(judged: dict[str, dict[str, int]], topics: tuple[str, ...]) -> dict[str, list[float]]:
    runs, _, _ = tiny()
    scores = [[_scores(ranked[topic], judged[topic]) for topic in topics] for ranked in runs.values()]
    return {name: [mean(one[name] for one in of_run) for of_run in scores] for name in NAMES}


def _choice(means: list[float], draw: float) -> int:
    best = [run for run, score in enumerate(means) if score >= max(means) * (1 - 1e-12)]
    return best[int(draw * len(best))]


def test_trainings_choices_and_effectiveness(sensitivity: TrainingSensitivity) -> None:
    _, judged, _ = tiny()
    deviations = stability(sensitivity)
    for place, level in enumerate(LEVELS):
        draws = [stream(SEED, level, number, 1).random(2) for number in range(N_SAMPLES)]
        for at, task in enumerate(TASKS):
            tested = _means(judged, task.test)
            chosen: dict[str, list[int]] = {name: [] for name in NAMES}
            for number in range(N_SAMPLES):
                trained = _means(_sampled(level, number), task.training)
                for row, name in enumerate(NAMES):
                    ours = sensitivity.trained.means[place, number, at, row]
                    np.testing.assert_allclose(ours, trained[name], rtol=0, atol=CLOSE)
                    chosen[name].append(_choice(trained[name], draws[number][at]))
                    assert sensitivity.trained.chosen[place, number, at, row] == chosen[name][-1]
                    for x, by in enumerate(NAMES):
                        expected = tested[by][chosen[name][-1]]
                        effectiveness = sensitivity.effectiveness[place, number, at, x, row]
                        assert effectiveness == pytest.approx(expected, abs=CLOSE)
            for row, name in enumerate(NAMES):
                pairs = [one != other for one, other in combinations(chosen[name], 2)]
                assert deviations.disagreement[place, at, row] == pytest.approx(mean(pairs), abs=CLOSE)
                sigma = stdev(map(float, chosen[name]))  # the setting b of run i is i
                assert deviations.of_parameters[place, at, row, 0] == pytest.approx(sigma, abs=CLOSE)
            for row, name in enumerate(NAMES[1:]):
                for side, by in enumerate((name, "AP")):
                    differences = [
                        abs(tested[by][own] - tested[by][other])
                        for own, other in zip(chosen[name], chosen["AP"], strict=True)
                    ]
                    ours = deviations.of_differences[place, at, row, side]
                    assert ours == pytest.approx(stdev(differences), abs=CLOSE)
                    scale_free = deviations.scale_free[place, at, row, side]
                    assert scale_free == pytest.approx(stdev(differences) / stdev(tested[by]), abs=CLOSE)


def test_counts_of_the_sign_tests(sensitivity: TrainingSensitivity) -> None:
    deviations = stability(sensitivity)
    for cell in comparisons(sensitivity):
        row = NAMES.index(cell["measure"])
        both = {
            "sigma_opt": (deviations.of_parameters[..., row, 0], deviations.of_parameters[..., 0, 0]),
            "choice": (deviations.disagreement[..., row], deviations.disagreement[..., 0]),
            "sigma_diff": tuple(np.moveaxis(deviations.of_differences[..., row - 1, :], -1, 0)),
            "scale-free": tuple(np.moveaxis(deviations.scale_free[..., row - 1, :], -1, 0)),
        }["scale-free" if "scale" in cell["what"] else cell["what"].partition(" ")[0]]
        more = less = tied = zero = 0
        for place, level in enumerate(LEVELS):
            if cell["block"] == "all" or (cell["block"] == "low") == (level <= 10):
                for own, other in zip(both[0][place], both[1][place], strict=True):
                    equal = abs(own - other) <= 1e-9 * abs(other)
                    more, less, tied = (
                        more + (own < other and not equal),
                        less + (own > other and not equal),
                        tied + equal,
                    )
                    zero += min(own, other) == 0
        assert (cell["test"]["more"], cell["test"]["less"], cell["test"]["tied"], cell["n_zero"]) == (
            more,
            less,
            tied,
            zero,
        )
    assert len(comparisons(sensitivity)) == 4 * 3 * 3  # kinds, measures, blocks


def test_deviations_of_equal_values_are_exactly_zero(sensitivity: TrainingSensitivity) -> None:
    """The mean of ten .85 is not .85: their computed deviation is 1e-16, and one over it no stability."""
    same = np.full_like(sensitivity.trained.chosen, 2)
    n_samples = 10
    chosen = np.repeat(same[:, :1], n_samples, axis=1)
    settings = replace(sensitivity.settings, values=np.arange(15, 21)[:, None] / 20)
    assert settings.values[chosen].std(axis=1, ddof=1).max() > 0
    deviations = stability(
        replace(
            sensitivity, settings=settings, trained=replace(sensitivity.trained, chosen=chosen, n_tied=chosen)
        )
    )
    for one in (deviations.of_parameters, deviations.of_differences, deviations.scale_free):
        assert (one == 0).all()


def test_deviations_of_tiny_parameters_are_not_rounding_error(sensitivity: TrainingSensitivity) -> None:
    """Learning rates of 1e-14: their unit makes no difference to the sign tests."""
    settings = replace(sensitivity.settings, values=sensitivity.settings.values * 1e-14)
    tiny_values, whole = (comparisons(one) for one in (replace(sensitivity, settings=settings), sensitivity))
    assert tiny_values == whole
