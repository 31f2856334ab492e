"""The rules of each step of annealing: where it starts, how far it goes, how hot it is."""

import numpy as np
import pytest

from topicset_core.analyses.training_sensitivity.optimisers import (
    Point,
    _neighbour,
    annealed_settings,
    maximise,
)

SEEDS = range(20)
HEIGHTS = np.random.default_rng(0).integers(0, 1024, (1000, 1000)) / 1024  # whole 1024ths: sums are exact


def path_of(seed: int, n_steps: int, plus: float = 0.0, times: float = 1.0) -> list[Point]:
    """New points in the order in which they are asked for."""
    path: list[Point] = []

    def objective(point: Point) -> float:
        path.append(point)
        return float(HEIGHTS[point]) * times + plus

    maximise(objective, HEIGHTS.shape, seed=seed, n_steps=n_steps)
    return path


def test_the_first_step_leaves_from_the_best_of_five_points() -> None:
    """Two points drawn at random share a coordinate once in 500; a step changes one of two."""
    for seed in SEEDS:
        *first, stepped = path_of(seed, 1)
        assert len(first) == 5
        shared = [sum(a == b for a, b in zip(stepped, point, strict=True)) for point in first]
        assert shared[int(np.argmax([HEIGHTS[point] for point in first]))] == 1
        assert sum(shared) == 1


@pytest.mark.parametrize(("plus", "times"), [(8.0, 1.0), (-8.0, 1.0), (0.0, 64.0)])
def test_how_hot_it_is_follows_the_range_of_the_first_values(plus: float, times: float) -> None:
    """Neither where values start nor the unit they are in makes a difference to any step."""
    for seed in SEEDS:
        assert path_of(seed, 60, plus, times) == path_of(seed, 60)


@pytest.mark.parametrize(("cooled", "reach"), [(0.0, 20), (0.5, 11), (1.0, 1)])
def test_steps_reach_from_half_of_the_grid_down_to_one(cooled: float, reach: int) -> None:
    """Of 41 places: 1 + 19.5 (1 - cooled), to the even one of two; from the edge all steps go inwards."""
    rng = np.random.default_rng(1)
    sizes, movable = np.array([41], dtype=np.int64), np.array([0], dtype=np.intp)
    # Each distance has a chance of 1 in 20 or more: 600 draws miss one of them once in 10^12.
    ends = {_neighbour((0,), sizes, movable, cooled, rng) for _ in range(600)}
    assert ends == {(distance,) for distance in range(1, reach + 1)}


def test_on_a_plain_it_walks_on() -> None:
    """Where all values are equal nothing is hot, and steps that do not lose are taken all the same."""
    n_seen = [maximise(lambda _: 0.5, (9, 9), seed=seed).n_evaluated for seed in SEEDS]
    assert min(n_seen) > 5 + 2 * 8  # the first points, and the row and column of one


def test_each_sample_and_task_has_a_seed_and_all_its_measures_share_it() -> None:
    means, seeds = HEIGHTS[:6, :200].reshape(3, 2, 200), np.array([4, 5, 6])
    chosen = annealed_settings(means, np.arange(200), seeds)
    for place, seed in enumerate(seeds.tolist()):
        for row in range(2):
            scores = means[place, row]
            expected = maximise(lambda point, scores=scores: float(scores[point[0]]), (200,), seed=seed)  # type: ignore[misc]
            assert chosen[place, row] == expected.point[0]
    assert chosen.tolist() != annealed_settings(means, np.arange(200), np.array([0, 0, 0])).tolist()
