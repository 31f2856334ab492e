"""Random halves: disjoint, complete, equal, teams kept together, the same whatever else is asked."""

import itertools
from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.held_out.splits import (
    FEWEST_IN_HALF,
    FEWEST_UNITS,
    BothScores,
    checked_units,
    materials_of,
    split_number,
    split_of,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest, HoldOut
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

OF_FIVE = ScoreMatrix(
    scores=np.random.default_rng(1).uniform(size=(5, 6)),
    topics=tuple("12345"),
    systems=tuple("abcdef"),
    measure="AP",
    name="scores",
)


@pytest.mark.parametrize("hold_out", ["runs", "topics"])
@pytest.mark.parametrize("n", [6, 7, 50])
def test_halves_are_disjoint_complete_and_equal(hold_out: HoldOut, n: int) -> None:
    for number in range(20):
        split = split_of(range(n), hold_out, seed=3, number=number)
        assert sorted([*split.chosen_on, *split.evaluated_on]) == list(range(n))
        assert list(split.chosen_on) == sorted(split.chosen_on)
        assert (len(split.chosen_on), len(split.evaluated_on)) == (n // 2, n - n // 2)


def test_runs_of_a_unit_stay_together_and_halves_nearly_equal() -> None:
    teams = "aaabbbbccdefffffgg"
    largest = max(Counter(teams).values())
    for number in range(50):
        split = split_of(teams, "runs", seed=1, number=number)
        here, there = ({teams[place] for place in half} for half in (split.chosen_on, split.evaluated_on))
        assert not here & there
        assert len(split.chosen_on) + len(split.evaluated_on) == len(teams)
        # The half with less takes the next team, so they never differ by more than the largest team.
        assert abs(len(split.chosen_on) - len(split.evaluated_on)) <= largest


def test_any_two_units_are_together_at_the_expected_rate() -> None:
    # Of 8 in halves of 4, two are together in 3/7 of the splits; 4000 splits know it to a standard error of
    # .0078, and one pair of 28 is beyond 4.5 of these with probability 28 x 7e-6 = 2e-4.
    together = np.zeros((8, 8))
    for number in range(4000):
        split = split_of(range(8), "runs", seed=0, number=number)
        for half in (split.chosen_on, split.evaluated_on):
            for i, j in itertools.combinations(half.tolist(), 2):
                together[i, j] += 1
    result = together[np.triu_indices(8, 1)] / 4000
    assert np.abs(result - 3 / 7).max() < 4.5 * 0.0078


def test_a_split_depends_on_seed_number_and_units() -> None:
    def halves(hold_out: HoldOut, seed: int, number: int) -> tuple[int, ...]:
        return tuple(split_of(range(30), hold_out, seed, number).chosen_on.tolist())

    assert halves("runs", 5, 2) == halves("runs", 5, 2)
    others = {halves("runs", 5, 2), halves("topics", 5, 2), halves("runs", 6, 2), halves("runs", 5, 3)}
    assert len(others) == 4


def test_too_few_units_are_refused() -> None:
    matrix = random_matrix(12, 9, seed=1)
    assert checked_units(matrix, [0, 0, 1, 2, 3, 3, 4, 5, 5]) == (0, 0, 1, 2, 3, 3, 4, 5, 5)
    with pytest.raises(InputError) as caught:
        checked_units(matrix, [0, 0, 1, 2, 3, 3, 4, 4, 4])
    assert (caught.value.parameter, caught.value.value) == ("systems", 5)
    assert numbers_in(caught.value.rule)[0] == 6


@given(st.lists(st.integers(1, 40), min_size=FEWEST_UNITS, max_size=12), st.integers(0, 999))
def test_six_units_leave_three_runs_in_each_half_however_large_one_is(sizes: list[int], number: int) -> None:
    split = split_of(np.repeat(np.arange(len(sizes)), sizes).tolist(), "runs", seed=0, number=number)
    assert min(len(split.chosen_on), len(split.evaluated_on)) >= FEWEST_IN_HALF


@pytest.mark.parametrize(
    ("hold_out", "chosen_on"),
    [
        ("runs", ("a", "b")),  # fewer than three
        ("runs", tuple("abcd")),  # leaves two
        ("runs", ("a", "b", "nobody")),
        ("topics", ("1",)),
        ("topics", ("1", "2", "1")),
    ],
)
def test_a_given_split_is_refused(hold_out: HoldOut, chosen_on: tuple[str, ...]) -> None:
    with pytest.raises(InputError) as caught:
        materials_of(BothScores(OF_FIVE), HeldOutRequest(hold_out=hold_out, chosen_on=chosen_on))
    assert caught.value.parameter == "chosen_on"


def test_a_given_split_takes_the_named_half() -> None:
    request = HeldOutRequest(hold_out="topics", goodness="pearson", chosen_on=("4", "2", "5"))
    split = split_number(materials_of(BothScores(OF_FIVE), request), 0)
    assert (split.chosen_on.tolist(), split.evaluated_on.tolist()) == ([1, 3, 4], [0, 2])
    assert request.sizes(5) == (1, 2, 3)
    assert request.record()["chosen_on"] == ("4", "2", "5")
