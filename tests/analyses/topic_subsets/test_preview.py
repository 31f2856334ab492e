"""Sizes of a preview: all where they are quick, else evenly fewer, and none where that takes too long."""

from itertools import pairwise

import pytest

from topicset_core.analyses.topic_subsets.request import PREVIEW_SECONDS, preview_cardinalities


def sizes(n_topics: int, seconds_of_each: float, cardinality: int = 12) -> tuple[int, ...] | None:
    return preview_cardinalities(lambda _: seconds_of_each, n_topics, cardinality)


def test_a_preview_covers_all_sizes_if_they_are_quick() -> None:
    assert sizes(50, PREVIEW_SECONDS / 50.1) == tuple(range(1, 51))
    many = sizes(249, 0.0)
    assert many is not None
    assert (many[:10], many[-5:]) == (tuple(range(1, 11)), tuple(range(245, 250)))


@pytest.mark.parametrize("seconds", [PREVIEW_SECONDS / 40, PREVIEW_SECONDS / 10])
def test_fewer_sizes_are_spread_over_the_whole_range(seconds: float) -> None:
    result = sizes(50, seconds, cardinality=13)
    assert result is not None
    assert len(result) < 50
    assert result[0] == 1
    assert result[-5:] == (46, 47, 48, 49, 50)
    assert 13 in result
    assert list(result) == sorted(set(result))
    assert all(later <= max(sooner + 1, 1.5 * sooner) for sooner, later in pairwise(result))


def test_a_coarse_preview_may_take_longer_up_to_a_limit() -> None:
    coarse = sizes(50, PREVIEW_SECONDS / 10)
    fine = sizes(50, PREVIEW_SECONDS / 40)
    assert coarse is not None
    assert fine is not None
    assert len(coarse) < len(fine)
    assert PREVIEW_SECONDS < len(coarse) * PREVIEW_SECONDS / 10 <= 4 * PREVIEW_SECONDS
    assert sizes(50, PREVIEW_SECONDS) is None
