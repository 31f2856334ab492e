"""Which sizes a curve is evaluated at: all of few topics, log-spaced sizes of many, requested sizes."""

from itertools import pairwise

import numpy as np
import pytest

from tests.variance.matrices import of
from topicset_core.analyses.error_rate.experiment import curve_sizes, error_rates, exponential_fits
from topicset_core.execution.sizes import RATIO, default_sizes, log_spaced, sizes_in_words, stands_for


@pytest.mark.parametrize("n_topics", [1, 2, 50, 99, 100])
def test_every_size_of_up_to_a_hundred_topics(n_topics: int) -> None:
    assert default_sizes(n_topics, n_topics) == tuple(range(1, n_topics + 1))
    assert curve_sizes(n_topics) == tuple(range(1, n_topics // 2 + 1))


@pytest.mark.parametrize("n_topics", [101, 249, 1153, 7000, 50_000])
def test_above_a_hundred_topics_sizes_differ_by_at_most_a_tenth(n_topics: int) -> None:
    sizes = default_sizes(n_topics, n_topics, always=(23, n_topics + 1, 0))
    assert sizes[:20] == tuple(range(1, 21))
    assert sizes[-5:] == tuple(range(n_topics - 4, n_topics + 1))
    assert 23 in sizes
    assert all(later <= max(sooner + 1, RATIO * sooner) for sooner, later in pairwise(sizes))
    # 20 + log(50,000 / 20) / log(1.1) = 102, as the floor makes steps a little shorter
    assert len(sizes) <= 120


def test_a_note_only_if_topicset_thinned_the_sizes() -> None:
    text = sizes_in_words(log_spaced(3500, RATIO), 3500)
    assert text.startswith(
        f"Evaluated at {len(log_spaced(3500, RATIO))} of 3,500 sizes, in steps of one topic"
    )
    assert sizes_in_words(range(1, 51), 50) == ""
    assert sizes_in_words((5, 10, 25), 3500) == ""  # these were requested


def test_represented_sizes_add_up() -> None:
    sizes = default_sizes(3500, 7000, always=(23,))
    assert stands_for(sizes).sum() == 3500  # halves are exact
    assert stands_for(range(1, 51)).tolist() == [1.0] * 50
    assert stands_for((6, 1, 2)).tolist() == [2.5, 1.0, 2.5]  # 3, 4 and 5 between 2 and 6; order as given


def test_fits_of_thinned_sizes_are_those_of_every_size() -> None:
    rng = np.random.default_rng(5)
    scores = np.round(rng.normal(0.3, 0.05, 12) + rng.normal(0, 0.1, (240, 12)), 4)
    matrix = of(scores)
    thinned = error_rates(matrix, n_trials=400)
    assert (len(thinned.cardinalities), thinned.sizes_in_words[:12]) == (45, "Evaluated at")
    every = error_rates(matrix, n_trials=400, cardinalities=range(1, 121))
    shared = [every.cardinalities.index(size) for size in thinned.cardinalities]
    assert (every.counts[shared] == thinned.counts).all()  # each size draws from its own seeds
    # Rates are smooth over sizes; 400 trials of correlated pairs leave about a hundredth of noise.
    few, all_ = ([(one.b1, one.b2) for one in exponential_fits(of)[:5] if one] for of in (thinned, every))
    assert np.array(few) == pytest.approx(np.array(all_), rel=0.02)
    assert len(few) == 5
