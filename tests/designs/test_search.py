"""The search for the smallest integer, by itself."""

import itertools

import numpy as np
import pytest

from topicset_core.designs.search import smallest_integers
from topicset_core.errors import NoSolution
from topicset_core.parameters import MOST_TOPICS


def test_search_finds_every_threshold_from_every_start() -> None:
    thresholds = np.array([2, 3, 4, 5, 17, 1000, MOST_TOPICS - 1, MOST_TOPICS])
    starts = [-np.inf, 0.0, 2.0, 2.5, 16.0, 17.0, 18.0, 999.5, 9_999_999.0, 1e7, 1e30, np.nan]
    cells = np.array(list(itertools.product(thresholds, range(len(starts)))))
    result = smallest_integers(
        lambda n, which: n >= cells[which, 0], np.array([starts[i] for i in cells[:, 1]])
    )
    np.testing.assert_array_equal(result, cells[:, 0])


def test_search_stays_within_its_limits_and_is_logarithmic() -> None:
    requested: list[int] = []

    def meets(n: np.ndarray, _cells: np.ndarray) -> np.ndarray:
        requested.extend(n.tolist())
        return n >= 1_234_567

    assert smallest_integers(meets, np.array([2.0])).tolist() == [1_234_567]
    assert min(requested) >= 2
    assert max(requested) <= MOST_TOPICS
    assert len(requested) < 50  # 21 doublings up, 20 halvings back


def test_search_without_an_answer_ends_in_no_solution() -> None:
    for start in (2.0, 1e7, np.nan):
        with pytest.raises(NoSolution, match="10,000,000"):
            smallest_integers(lambda n, _cells: np.zeros(n.shape, dtype=bool), np.array([50.0, start]))


def test_search_of_an_empty_array_is_empty() -> None:
    assert smallest_integers(lambda n, _cells: n > 0, np.array([])).size == 0
