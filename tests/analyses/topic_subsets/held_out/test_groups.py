"""Held-out topics that come in groups: a group stays in one half, and sizes are those of the smallest half."""

from dataclasses import replace

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.held_out.curve import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.report import QUESTION, how_counted
from topicset_core.analyses.topic_subsets.held_out.splits import (
    BothScores,
    materials_of,
    sizes_in_halves,
    split_number,
)
from topicset_core.analyses.topic_subsets.request import HeldOutRequest
from topicset_core.errors import InputError

GROUPS = "aaaabbbccdddde"  # 14 topics in five groups
MATRIX = random_matrix(14, 6, seed=4)
GROUPED = MATRIX.grouped(dict(zip(MATRIX.topics, GROUPS, strict=True)))
REQUEST = HeldOutRequest(hold_out="topics", n_splits=20, n_starts=1, n_trials=20, seed=2)


def test_groups_stay_in_one_half_and_sizes_fit_into_both() -> None:
    both = BothScores(GROUPED)
    materials = materials_of(both, REQUEST)
    halves = [split_number(materials, number) for number in range(20)]
    for one in halves:
        here, there = ({GROUPS[place] for place in half} for half in (one.chosen_on, one.evaluated_on))
        assert not here & there
        assert here | there == set(GROUPS)
    least = min(min(len(one.chosen_on), len(one.evaluated_on)) for one in halves)
    assert least < 7  # of 14
    assert sizes_in_halves(both, REQUEST) == tuple(range(1, least + 1))
    curve = QUESTION.answer(both, REQUEST)
    assert [point.cardinality for point in curve.points] == list(range(1, least + 1))
    assert "(5 groups of topics kept together)" in how_counted(curve)


def test_single_topics_as_groups_change_nothing() -> None:
    alone = replace(MATRIX, groups=MATRIX.topics)
    plain, found = (held_out_curve(one, REQUEST).points for one in (MATRIX, alone))
    assert plain == found


def test_halves_with_one_topic_are_refused() -> None:
    few = MATRIX.grouped({topic: "a" if place else "b" for place, topic in enumerate(MATRIX.topics)})
    with pytest.raises(InputError, match="at least 2 topics in each half"):
        QUESTION.answer(BothScores(few), REQUEST)
