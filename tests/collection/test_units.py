"""Units of runs: average linkage against a plain twin, names, and duplicates that are kept together."""

import itertools

import numpy as np
import pytest

from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix, units_of
from topicset_core.collection.units import CUT, kept_together, teams_in_names


def matrix_of(scores: np.ndarray, runs: list[str] | None = None) -> ScoreMatrix:
    n, m = scores.shape
    topics = tuple(f"t{place}" for place in range(n))
    # Names without a common start, so that no team is guessed from them.
    names = runs or [f"{chr(97 + place // 26)}{chr(97 + place % 26)}" for place in range(m)]
    return ScoreMatrix(scores=scores, topics=topics, systems=tuple(names), measure="AP", name="made")


def families(seed: int, n_topics: int, sizes: list[int], share: float) -> np.ndarray:
    """Scores of runs whose noise correlates by the share within a family, and by 0 else."""
    rng = np.random.default_rng(seed)
    family = np.repeat(np.arange(len(sizes)), sizes)
    common = rng.normal(size=(n_topics, len(sizes)))[:, family]
    own = rng.normal(size=(n_topics, len(family)))
    means = 0.1 * rng.normal(size=len(family)) + rng.normal(size=(n_topics, 1))
    return np.asarray(means + np.sqrt(share) * common + np.sqrt(1 - share) * own)


def plain_units(scores: np.ndarray) -> list[set[int]]:
    """Join the two groups of the highest mean correlation while it exceeds the cut."""
    n, m = scores.shape
    residuals = np.array(
        [
            [scores[i, j] - scores[i].mean() - scores[:, j].mean() + scores.mean() for j in range(m)]
            for i in range(n)
        ]
    )
    correlations = np.corrcoef(residuals.T)
    groups = [{place} for place in range(m)]
    while len(groups) > 1:
        mean, first, second = max(
            (float(np.mean([correlations[i, j] for i in a for j in b])), first, second)
            for (first, a), (second, b) in itertools.combinations(enumerate(groups), 2)
        )
        if mean <= CUT:
            break
        groups[first] |= groups.pop(second)
    return groups


def as_sets(units: tuple[int, ...]) -> set[frozenset[int]]:
    return {frozenset(np.flatnonzero(np.array(units) == unit).tolist()) for unit in set(units)}


@pytest.mark.parametrize("seed", range(6))
def test_units_equal_plain_average_linkage(seed: int) -> None:
    scores = families(seed, 15, [5, 4, 1, 1, 3], 0.55)
    assert as_sets(units_of(matrix_of(scores))) == {frozenset(group) for group in plain_units(scores)}


def test_families_are_found_and_numbered_by_first_runs() -> None:
    # With 500 topics a correlation of 0 has a standard error of .045.
    assert units_of(matrix_of(families(1, 500, [3] * 5, 0.8))) == tuple(np.repeat(range(5), 3).tolist())
    assert units_of(matrix_of(families(2, 500, [1] * 30, 0.0))) == tuple(range(30))
    assert units_of(matrix_of(families(3, 500, [1], 0.0))) == (0,)


def test_independent_runs_stay_apart_next_to_a_large_family() -> None:
    # Three quarters of the topic means are the family's, so that residuals of the others correlate by
    # .75^2 / (1 + .75^2) = .36; with 2,000 topics the standard error is .02.
    units = units_of(matrix_of(families(4, 2000, [30, *[1] * 10], 0.99)))
    assert units == (0,) * 30 + tuple(range(1, 11))


def test_runs_of_a_team_are_together_by_their_names_and_near_duplicates_by_their_scores() -> None:
    scores = families(5, 500, [1] * 8, 0.0)
    names = ["aa-1", "aa-2", "bb-1", "bb-2", "cc-1", "cc-2", "dd-1", "ee-1"]
    assert teams_in_names(names) is not None
    assert teams_in_names([f"sys{number}" for number in range(1, 30)]) is None  # all begin alike
    assert units_of(matrix_of(scores, names)) == (0, 0, 1, 1, 2, 2, 3, 4)
    scores[:, 6] = scores[:, 0] + 0.3  # of another name, with another mean
    assert units_of(matrix_of(scores, names)) == (0, 0, 1, 1, 2, 2, 0, 3)


def test_runs_that_only_differ_by_a_constant_are_one_unit() -> None:
    scores = np.tile(np.linspace(0, 1, 9)[:, None], 4) + np.array([0, 0.1, 0.2, 0.3])
    assert units_of(matrix_of(scores)) == (0, 0, 0, 0)


def test_units_are_reported_unless_each_run_is_one() -> None:
    assert kept_together(5, 9) == " (5 units of similar runs kept together)"
    assert kept_together(9, 9) == kept_together(0, 9) == ""


@pytest.mark.reference_data
@pytest.mark.parametrize("name", ["robust2004_ap", "web2011_ap", "web2011_err20", "mq2007_top26_statap"])
def test_equal_runs_of_real_tracks_are_in_one_unit(name: str) -> None:
    matrix = reference_matrix(name)
    units = units_of(matrix)
    for first, second in itertools.combinations(range(matrix.n_systems), 2):
        if np.array_equal(matrix.scores[:, first], matrix.scores[:, second]):
            assert units[first] == units[second], (matrix.systems[first], matrix.systems[second])
    if name.startswith("web2011"):  # README of the data
        of = dict(zip(matrix.systems, units, strict=True))
        for pair in (("sys15", "sys45"), ("sys16", "sys47"), ("sys35", "sys60"), ("sys37", "sys61")):
            assert of[pair[0]] == of[pair[1]]
    assert 6 <= len(set(units)) < matrix.n_systems
