"""Simulated annealing: known optima are found, no point is evaluated twice, the same seed goes the same way."""

from collections import Counter

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from topicset_core.analyses.training_sensitivity.optimisers import Point, maximise
from topicset_core.errors import InputError

SEEDS = range(40)


def test_the_top_of_a_smooth_curve_is_always_found() -> None:
    for seed in SEEDS:
        found = maximise(lambda point: -((point[0] - 17) ** 2) / 1000, (41,), seed=seed)
        assert found.point == (17,)
        assert found.value == 0


def test_the_top_of_a_curve_with_a_lower_top_is_nearly_always_found_too() -> None:
    """MAP against b often has a second, lower top; climbing from a random point ends on it."""
    height = np.array([*range(10), *range(9, 2, -1), *range(3, 12), *range(11, 4, -1)]) / 100
    climbed = sum(_climbed(height, seed) == 25 for seed in SEEDS)
    annealed = sum(
        maximise(lambda point: height[point[0]], (height.size,), seed=seed).point == (25,) for seed in SEEDS
    )
    assert int(np.argmax(height)) == 25
    assert climbed < 30  # the lower top holds about half of the points
    assert annealed >= 38  # a heuristic: over many seeds it finds 98 % of such tops


def _climbed(height: np.ndarray, seed: int) -> int:
    at = int(np.random.default_rng(seed).integers(height.size))
    while True:
        around = [p for p in (at - 1, at, at + 1) if 0 <= p < height.size]
        best = max(around, key=lambda point: height[point])
        if best == at:
            return at
        at = best


def test_a_surface_of_two_dimensions_is_searched_without_seeing_all_of_it() -> None:
    """exp_doc by exp_term has 8 x 19 points; a ridge like the paper's figure 1."""

    def objective(point: Point) -> float:
        documents, terms = point
        return 0.27 - 0.002 * (documents - 3) ** 2 - 0.0003 * (terms - documents - 8) ** 2

    found = [maximise(objective, (8, 19), seed=seed) for seed in SEEDS]
    assert {one.point for one in found} == {(3, 11)}
    assert all(one.n_evaluated < 8 * 19 for one in found)


def test_no_point_is_evaluated_twice_and_the_best_of_those_seen_is_returned() -> None:
    heights = np.random.default_rng(0).random((6, 7, 3))
    for seed in SEEDS:
        asked: Counter[Point] = Counter()

        def objective(point: Point, asked: Counter[Point] = asked) -> float:
            asked[point] += 1
            return float(heights[point])

        found = maximise(objective, heights.shape, seed=seed, n_steps=30)
        assert set(asked.values()) == {1}
        assert found.n_evaluated == len(asked)
        assert found.value == max(heights[point] for point in asked) == heights[found.point]


def test_the_same_seed_takes_the_same_steps_and_others_take_others() -> None:
    heights = np.random.default_rng(0).random(200)
    paths = []
    for seed in (3, 3, 4):
        path: list[Point] = []

        def objective(point: Point, path: list[Point] = path) -> float:
            path.append(point)
            return float(heights[point])

        maximise(objective, (200,), seed=seed, n_steps=50)
        paths.append(path)
    assert paths[0] == paths[1] != paths[2]


def test_a_losing_step_is_taken_more_often_while_it_is_hot() -> None:
    """From a plateau down into a valley: early steps go there, the last ones do not."""
    asked: list[list[int]] = []
    for seed in SEEDS:
        path: list[int] = []

        def objective(point: Point, path: list[int] = path) -> float:
            path.append(point[0])
            return -abs(point[0] - 500) / 500

        maximise(objective, (1001,), seed=seed, n_steps=400)
        asked.append(path)
    # New points are first asked for far out and at the end near the top, where it has cooled down.
    first = np.mean([np.abs(np.array(path[5:25]) - 500).mean() for path in asked])
    last = np.mean([np.abs(np.array(path[-10:]) - 500).mean() for path in asked])
    assert last < first / 5


@pytest.mark.parametrize(("shape", "point"), [((1,), (0,)), ((1, 1), (0, 0)), ((3, 1), (0, 0))])
def test_grids_with_nothing_to_choose_give_their_first_point(shape: tuple[int, ...], point: Point) -> None:
    found = maximise(lambda _: 0.5, shape, seed=1)
    assert (found.point, found.value) == (point, 0.5)


@pytest.mark.parametrize(
    ("arguments", "parameter", "value"),
    [
        pytest.param({"shape": ()}, "shape", "()", id="no dimension"),
        pytest.param({"shape": (3, 0)}, "shape", "(3, 0)", id="no value"),
        pytest.param({"n_steps": 0}, "n_steps", "0", id="no step"),
        pytest.param({"seed": -1}, "seed", "-1", id="seed"),
        pytest.param({"objective": lambda _: float("nan")}, "objective", "nan", id="objective"),
    ],
)
def test_what_cannot_be_searched_is_refused(
    arguments: dict[str, object], parameter: str, value: str, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        maximise(**({"objective": lambda _: 0.0, "shape": (5,), "seed": 0} | arguments))  # type: ignore[arg-type]
    assert (caught.value.parameter, repr(caught.value.value)) == (parameter, value)
    assert str(caught.value) == golden
