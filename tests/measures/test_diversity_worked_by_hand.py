"""One topic with three intents, worked out by hand for every measure of diversity.

    grade for intent  1  2  3    gain 2^x - 1, P = .5 .3 .2    global gain
    d1                2  .  .         3                          1.5
    d2                1  1  .         1 1                         .8
    d3                .  .  3             7                      1.4
    d4                0  .  .                                     0
    d5                .  2  .           3                         .9

The run is d4 d2 d9 d1 d3; d9 is not judged. Ideal by global gain: d1 d3 d5 d2.
"""

from math import log2

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_intents import joined_by_intent
from tests.measures.plain_reader import joined
from tests.refusals import refused
from tests.words import numbers_in
from topicset_core.collection.judged_runs import REMOVED, JudgedRuns
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.measures.by_intent import ERRIA, AlphaNDCG
from topicset_core.measures.graded import ERR
from topicset_core.measures.registry import BY_INTENT

JUDGED = {"t": {"1": {"d1": 2, "d2": 1, "d4": 0}, "2": {"d2": 1, "d5": 2}, "3": {"d3": 3}}}
LIKELY = {"t": {"1": 0.5, "2": 0.3, "3": 0.2}}
RUN = {"t": ["d4", "d2", "d9", "d1", "d3"]}
ROUNDING = 1e-14  # a handful of operations on numbers below 10

D_IDEAL_5 = 1.5 + 1.4 / log2(3) + 0.9 / log2(4) + 0.8 / log2(5)
D_5 = (0.8 / log2(3) + 1.5 / log2(5) + 1.4 / log2(6)) / D_IDEAL_5
# Graded, xmax 3: grade 1, 2, 3 satisfies with 1/8, 3/8, 7/8. d2: .5/8 + .3/8 = .1; d1 below it:
# .5 x 3/8 x 7/8; d3: .2 x 7/8. Alone d1 has .1875, d3 .175, d5 .1125, d2 .1: greedily d1 d3 d5 d2,
# and d2 then has .5/8 x 5/8 + .3/8 x 5/8.
GRADED_IA = 0.1 / 2 + 0.5 * 3 / 8 * 7 / 8 / 4 + 0.2 * 7 / 8 / 5
LAST = (0.5 + 0.3) / 8 * 5 / 8
GRADED_IA_IDEAL = 0.1875 + 0.175 / 2 + 0.1125 / 3 + LAST / 4
GRADED_ALPHA = 0.1 / log2(3) + 0.5 * 3 / 8 * 7 / 8 / log2(5) + 0.2 * 7 / 8 / log2(6)
GRADED_ALPHA_IDEAL = 0.1875 + 0.175 / log2(3) + 0.1125 / log2(4) + LAST / log2(5)


@pytest.fixture(scope="module")
def one_topic() -> JudgedRuns:
    return joined_by_intent([RUN], JUDGED, LIKELY)


@pytest.mark.parametrize(
    ("name", "worked"),
    [
        ("D-nDCG@5", D_5),
        ("D#-nDCG@5", (1 + D_5) / 2),
        ("graded-nERR-IA@5", GRADED_IA / GRADED_IA_IDEAL),
        ("graded-ERR-IA@5", GRADED_IA),
        ("graded-alpha-nDCG@5", GRADED_ALPHA / GRADED_ALPHA_IDEAL),
        ("graded-alpha-DCG@5", GRADED_ALPHA),
    ],
)
def test_worked_by_hand(one_topic: JudgedRuns, name: str, worked: float) -> None:
    """Those that no other program has; binary forms are compared with ndeval."""
    assert measure_named(name).scores(one_topic)[0, 0] == pytest.approx(worked, abs=ROUNDING)


@pytest.mark.parametrize("grade", [REMOVED, -1, 0])
def test_removed_documents_are_unjudged_for_all_intents(one_topic: JudgedRuns, grade: int) -> None:
    """Without d2 and d3 no document serves intent 3: of the other two the run serves one, by d1."""
    grades = one_topic.qrels.grades.copy()
    documents = [document.decode() for document in one_topic.qrels.documents.tolist()]
    grades[[documents.index("d2"), documents.index("d3")]] = grade
    assert measure_named("I-rec@5").scores(one_topic, grades)[0, 0] == 1 / 2
    expected = (1.5 / log2(5)) / (1.5 + 0.9 / log2(3))
    assert measure_named("D-nDCG@5").scores(one_topic, grades)[0, 0] == pytest.approx(expected, abs=ROUNDING)


def test_gains_that_differ_by_rounding_are_equal() -> None:
    """All three gain half of 3/16 at rank 1, and z has the last id; but .11 + .19 + .2 comes out above .5.

    Below z, a gains .3 + .2 x 13/16 of 3/16, and c less; below a, c would gain .5 of it.
    """
    judged = {
        "t": {"1": {"a": 2}, "2": {"a": 2}, "3": {"c": 2, "z": 2}, "4": {"a": 2, "z": 2}, "5": {"c": 2}}
    }
    likely = {"t": {"1": 0.11, "2": 0.19, "3": 0.3, "4": 0.2, "5": 0.2}}
    together = joined_by_intent([{"t": ["z"]}], judged, likely)
    result = ERRIA(depth=2, graded=True, largest_grade=4).scores(together)[0, 0]
    assert result == pytest.approx(0.5 / (0.5 + (0.3 + 0.2 * 13 / 16) / 2), abs=ROUNDING)


@pytest.mark.parametrize("name", BY_INTENT)
def test_a_measure_does_not_depend_on_earlier_depths(one_topic: JudgedRuns, name: str) -> None:
    graded = GradedRuns(one_topic)
    for depth in (1, 2, 5, 3):
        measure = measure_named(f"{name}@{depth}")
        assert measure.scores_of(graded).tolist() == measure.scores(one_topic).tolist()


def test_a_missing_largest_grade_is_set_where_it_counts() -> None:
    assert AlphaNDCG(depth=5).with_largest_grade(4) == AlphaNDCG(depth=5)  # binary: there is no xmax
    open_ended = ERRIA(depth=5, graded=True)
    assert open_ended.with_largest_grade(4) == ERRIA(depth=5, graded=True, largest_grade=4)
    fixed = ERRIA(depth=5, graded=True, largest_grade=6)
    assert fixed.with_largest_grade(4) == fixed
    assert ERR(largest_grade=6).with_largest_grade(4) == ERR(largest_grade=6)


@pytest.mark.parametrize("changed", [False, True], ids=["grades of the qrels", "replaced grades"])
@pytest.mark.parametrize(
    "measure",
    [ERR(largest_grade=2), ERRIA(depth=5, graded=True, largest_grade=2)],
    ids=lambda measure: measure.name,
)
def test_a_grade_above_the_largest_is_refused(
    one_topic: JudgedRuns, measure: ERR | ERRIA, changed: bool, golden: SnapshotAssertion
) -> None:
    grades = one_topic.qrels.grades.copy()
    grades[int(np.argmax(grades))] += changed
    error = refused(measure.scores, one_topic, grades if changed else None)
    assert (error.parameter, error.value) == ("largest_grade", 2)
    assert numbers_in(error.rule) == [4 if changed else 3]
    assert str(error) == golden


@pytest.mark.parametrize("name", BY_INTENT)
def test_judgments_without_intents_are_refused(name: str, golden: SnapshotAssertion) -> None:
    measure = measure_named(f"{name}@10")
    error = refused(measure.scores, joined([RUN], {"t": {"d1": 1}}))
    assert error.value == measure.name
    assert str(error) == golden
