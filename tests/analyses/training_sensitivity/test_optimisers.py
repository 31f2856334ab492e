"""Simulated annealing: known optima are found, each step obeys its rules, the same seed goes the same way."""

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import simulated
from topicset_core.analyses.training_sensitivity import (
    Request,
    experiment,
    optimisers,
    split,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.experiment import shallow_trainings
from topicset_core.analyses.training_sensitivity.optimisers import (
    Floats,
    Point,
    _neighbour,
    annealed,
    annealed_settings,
    grid_of,
)
from topicset_core.collection.run import Settings, without_parameters
from topicset_core.errors import InputError

SEEDS = range(40)
STEP_SEEDS = range(20)
HEIGHTS = np.random.default_rng(0).integers(0, 1024, (1000, 1000)) / 1024  # whole 1024ths: sums are exact


class Watched:
    """Scores of a grid, and the points in the order in which they are first asked for."""

    def __init__(self, scores: Floats) -> None:
        self.scores, self.shape = scores, scores.shape
        self.path: list[Point] = []

    def __getitem__(self, point: Point) -> float:
        if point not in self.path:
            self.path.append(point)
        return float(self.scores[point])


def path_of(scores: Floats, seed: int) -> list[Point]:
    watched = Watched(scores)
    annealed(watched, seed)  # type: ignore[arg-type]
    return watched.path


def _ridge() -> Floats:
    """exp_doc by exp_term has 8 x 19 points; a ridge like the paper's figure 1."""
    documents, terms = np.mgrid[:8, :19]
    return np.asarray(-0.002 * (documents - 3) ** 2 - 0.0003 * (terms - documents - 8) ** 2)


@pytest.mark.parametrize(
    ("scores", "top"), [(-((np.arange(41) - 17) ** 2) / 1000, (17,)), (_ridge(), (3, 11))]
)
def test_the_top_of_a_smooth_surface_is_always_found(scores: Floats, top: Point) -> None:
    assert {annealed(scores, seed) for seed in SEEDS} == {top}
    assert scores.ndim == 1 or all(len(path_of(scores, seed)) < scores.size for seed in SEEDS)


def test_the_top_of_a_curve_with_a_lower_top_is_nearly_always_found_too() -> None:
    """MAP against b often has a second, lower top, which contains about half of the points here."""
    height = np.array([*range(10), *range(9, 2, -1), *range(3, 12), *range(11, 4, -1)]) / 100
    found = [annealed(height, seed) for seed in SEEDS]
    assert found.count((25,)) >= 38  # a heuristic: over many seeds it finds 98 % of these tops


def test_the_best_point_seen_is_returned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(optimisers, "N_STEPS", 30)
    heights = np.random.default_rng(0).random((6, 7, 3))
    for seed in SEEDS:
        assert annealed(heights, seed) == max(path_of(heights, seed), key=lambda point: heights[point])


def test_worse_steps_are_accepted_more_often_at_high_temperature() -> None:
    """From a plateau down into a valley: early steps go there, the last ones do not."""
    requested = [
        [place for (place,) in path_of(-np.abs(np.arange(1001) - 500) / 500, seed)] for seed in SEEDS
    ]
    # New points are first requested far out and at the end near the top, where it has cooled down.
    first = np.mean([np.abs(np.array(path[5:25]) - 500).mean() for path in requested])
    last = np.mean([np.abs(np.array(path[-10:]) - 500).mean() for path in requested])
    assert last < first / 5


@pytest.mark.parametrize(("shape", "point"), [((1,), (0,)), ((1, 1), (0, 0)), ((3, 1), (0, 0))])
def test_constant_grids_give_their_first_point(shape: tuple[int, ...], point: Point) -> None:
    assert annealed(np.full(shape, 0.5), 1) == point


def test_the_first_step_leaves_from_the_best_of_five_points(monkeypatch: pytest.MonkeyPatch) -> None:
    """Two points drawn at random share a coordinate once in 500; a step changes one of two."""
    monkeypatch.setattr(optimisers, "N_STEPS", 1)
    for seed in STEP_SEEDS:
        *first, stepped = path_of(HEIGHTS, seed)
        assert len(first) == 5
        shared = [sum(a == b for a, b in zip(stepped, point, strict=True)) for point in first]
        assert shared[int(np.argmax([HEIGHTS[point] for point in first]))] == 1
        assert sum(shared) == 1


@pytest.mark.parametrize(("plus", "times"), [(8.0, 1.0), (-8.0, 1.0), (0.0, 64.0)])
def test_the_temperature_follows_the_range_of_the_first_values(
    plus: float, times: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither where values start nor the unit they are in makes a difference to any step."""
    monkeypatch.setattr(optimisers, "N_STEPS", 60)
    for seed in STEP_SEEDS:
        path = path_of(HEIGHTS, seed)
        assert path_of(HEIGHTS * times + plus, seed) == path != path_of(HEIGHTS, seed + 1)


@pytest.mark.parametrize(("cooled", "reach"), [(0.0, 20), (0.5, 11), (1.0, 1)])
def test_steps_reach_from_half_of_the_grid_down_to_one(cooled: float, reach: int) -> None:
    """Of 41 places: 1 + 19.5 (1 - cooled), to the even one of two; from the edge all steps go inwards."""
    rng = np.random.default_rng(1)
    # Each distance has a chance of 1 in 20 or more: 600 draws miss one of them once in 10^12.
    ends = {_neighbour((0,), (41,), [0], cooled, rng) for _ in range(600)}
    assert ends == {(distance,) for distance in range(1, reach + 1)}


def test_it_moves_on_over_equal_values() -> None:
    """Where all values are equal nothing is hot, and steps that do not lose are taken all the same."""
    n_seen = [len(path_of(np.full((9, 9), 0.5), seed)) for seed in STEP_SEEDS]
    assert min(n_seen) > 5 + 2 * 8  # the first points, and the row and column of one


def test_each_sample_and_task_has_a_seed_and_all_its_measures_share_it() -> None:
    means, seeds = HEIGHTS[:6, :200].reshape(3, 2, 200), np.array([4, 5, 6])
    chosen = annealed_settings(means, np.arange(200), seeds)
    expected = [
        [annealed(scores, seed)[0] for scores in of_seed]
        for of_seed, seed in zip(means, (4, 5, 6), strict=True)
    ]
    assert chosen.tolist() == expected
    assert chosen.tolist() != annealed_settings(means, np.arange(200), np.array([0, 0, 0])).tolist()


@pytest.mark.slow
def test_annealing_is_done_in_the_batches_and_in_shallow_pools_too(monkeypatch: pytest.MonkeyPatch) -> None:
    """Progress is reported after each batch, here of one sample; annealing may end below the top."""
    monkeypatch.setattr(experiment, "_BATCH_SECONDS", 0.0)
    sweep = simulated()
    tasks = split(usable_topics(sweep.runs), 0, n_splits=2)
    request = Request(levels=(5.0, 90.0), n_samples=3, optimiser="annealing")
    fractions: list[float] = []
    result = training_sensitivity(sweep, tasks, request, report_progress=fractions.append)
    assert fractions == pytest.approx([number / 6 for number in range(1, 7)])
    deepest = [
        one["setting"] for one in shallow_trainings(sweep, result, (50,))
    ]  # the sample is judged so deep
    assert deepest == [result.settings.text(one) for one in result.complete.chosen[0, 0].ravel().tolist()]


def test_annealing_on_a_grid_of_two_parameters() -> None:
    values = np.array([[b, k] for k in (2.0, 1.0, 3.0) for b in (0.5, 0.1)])
    settings = Settings(parameters=("b", "k"), systems=tuple("abcdef"), values=values)
    grid = grid_of(settings)
    assert [settings.systems[run] for run in grid.ravel().tolist()] == ["d", "b", "f", "c", "a", "e"]
    means = np.array([[0.1, 0.2, 0.3, 0.9, 0.1, 0.2]])
    assert annealed_settings(means[None], grid, np.array([7])).tolist() == [[3]]
    for broken in (
        without_parameters(["a", "b"]),
        Settings(parameters=("b", "k"), systems=("a", "b", "c"), values=np.array([[0.0, 1], [1, 1], [1, 2]])),
    ):
        with pytest.raises(InputError, match="optimiser"):
            grid_of(broken)
