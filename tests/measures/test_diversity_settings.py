"""Values that several scorings share: lists by depth, and the largest grade."""

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_intents import joined_by_intent
from tests.words import numbers_in
from topicset_core.errors import InputError
from topicset_core.measures import BY_INTENT, ERR, ERRIA, AlphaNDCG, GradedRuns, measure_named

JUDGED = {"t": {"1": {"a": 2, "b": 1, "e": 1}, "2": {"c": 1, "d": 3}, "3": {"e": 2, "f": 1}}}
TOGETHER = joined_by_intent([{"t": ["b", "x", "c", "a", "f", "d"]}, {"t": ["e", "d", "y", "b", "f"]}], JUDGED)


@pytest.mark.parametrize("name", BY_INTENT)
def test_a_measure_does_not_depend_on_earlier_depths(name: str) -> None:
    graded = GradedRuns(TOGETHER)
    for depth in (1, 2, 5, 3):
        measure = measure_named(f"{name}@{depth}")
        assert measure.scores_of(graded).tolist() == measure.scores(TOGETHER).tolist()


def test_a_missing_largest_grade_is_set_where_it_counts() -> None:
    assert AlphaNDCG(depth=5).with_largest_grade(4) == AlphaNDCG(depth=5)  # binary: there is no xmax
    open_ended = ERRIA(depth=5, graded=True)
    assert open_ended.with_largest_grade(4) == ERRIA(depth=5, graded=True, largest_grade=4)
    fixed = ERRIA(depth=5, graded=True, largest_grade=6)
    assert fixed.with_largest_grade(4) == fixed
    assert ERR(largest_grade=6).with_largest_grade(4) == ERR(largest_grade=6)


@pytest.mark.parametrize(
    "measure",
    [ERR(largest_grade=3), ERRIA(depth=5, graded=True, largest_grade=3)],
    ids=lambda measure: measure.name,
)
def test_replaced_grades_count_for_the_largest_grade(measure: ERR | ERRIA, golden: SnapshotAssertion) -> None:
    """From 3 to 4 in one document: the largest of the qrels would do, and that of the grades in use does not."""
    grades = TOGETHER.qrels.grades.copy()
    assert measure.scores(TOGETHER, grades).max() > 0
    grades[int(np.argmax(grades))] = 4
    with pytest.raises(InputError) as caught:
        measure.scores(TOGETHER, grades)
    assert (caught.value.parameter, caught.value.value) == ("largest_grade", 3)
    assert 4 in numbers_in(caught.value.rule)
    assert str(caught.value) == golden
