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

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.measures.plain_intents import joined_by_intent
from tests.measures.plain_reader import joined
from tests.words import numbers_in
from topicset_core.collection.judged_runs import REMOVED, JudgedRuns
from topicset_core.errors import InputError
from topicset_core.measures import BY_INTENT, DNDCG, ERRIA, AlphaNDCG, Conventions, DSharpNDCG, measure_named

JUDGED = {"t": {"1": {"d1": 2, "d2": 1, "d4": 0}, "2": {"d2": 1, "d5": 2}, "3": {"d3": 3}}}
LIKELY = {"t": {"1": 0.5, "2": 0.3, "3": 0.2}}
RUN = {"t": ["d4", "d2", "d9", "d1", "d3"]}
ROUNDING = 1e-14  # a handful of operations on numbers below 10

D_IDEAL_5 = 1.5 + 1.4 / log2(3) + 0.9 / log2(4) + 0.8 / log2(5)
D_5 = (0.8 / log2(3) + 1.5 / log2(5) + 1.4 / log2(6)) / D_IDEAL_5
D_2 = (0.8 / log2(3)) / (1.5 + 1.4 / log2(3))
# Binary: d2 newly serves 1 and 2, d1 serves 1 again for a half, d3 newly serves 3. Greedily, d2 comes first
# with 2; then d3 with 1; then d5 and d1 with .5 each.
ALPHA = 2 / log2(3) + 0.5 / log2(5) + 1 / log2(6)
ALPHA_IDEAL = 2 + 1 / log2(3) + 0.5 / log2(4) + 0.5 / log2(5)
IA = 2 / 2 + 0.5 / 4 + 1 / 5
IA_IDEAL = 2 + 1 / 2 + 0.5 / 3 + 0.5 / 4
EVERY = sum(3 * 0.5 ** (r - 1) / log2(r + 1) for r in range(1, 6))
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


WORKED = {
    "D-nDCG@5": D_5,
    "D-nDCG@2": D_2,
    "D-nDCG@1": 0.0,
    "I-rec@1": 0.0,
    "I-rec@2": 2 / 3,
    "I-rec@4": 2 / 3,
    "I-rec@5": 1.0,
    "D#-nDCG@5": (1 + D_5) / 2,
    "D#-nDCG@2": (2 / 3 + D_2) / 2,
    "alpha-nDCG@5": ALPHA / ALPHA_IDEAL,
    "alpha-nDCG@2": (2 / log2(3)) / (2 + 1 / log2(3)),
    "alpha-DCG@5": ALPHA / EVERY,
    "nERR-IA@5": IA / IA_IDEAL,
    "ERR-IA@2": (2 / 2) / (3 * (1 + 0.5 / 2)),
    "graded-nERR-IA@5": GRADED_IA / GRADED_IA_IDEAL,
    "graded-ERR-IA@5": GRADED_IA,
    "graded-alpha-nDCG@5": GRADED_ALPHA / GRADED_ALPHA_IDEAL,
    "graded-alpha-DCG@5": GRADED_ALPHA,
}


@pytest.mark.parametrize(("name", "worked"), WORKED.items())
def test_worked_by_hand(one_topic: JudgedRuns, name: str, worked: float) -> None:
    assert measure_named(name).scores(one_topic)[0, 0] == pytest.approx(worked, abs=ROUNDING)


def test_every_measure_of_diversity_is_worked() -> None:
    assert {name.partition("@")[0] for name in WORKED} == set(BY_INTENT)


def test_equally_likely_intents_without_probabilities() -> None:
    """Global gains are then thirds of 3, 2, 7, 0 and 3: the ideal is d3, d1, d5, d2."""
    together = joined_by_intent([RUN], JUDGED)
    ideal = 7 + 3 / log2(3) + 3 / log2(4) + 2 / log2(5)
    expected = (2 / log2(3) + 3 / log2(5) + 7 / log2(6)) / ideal
    assert measure_named("D-nDCG@5").scores(together)[0, 0] == pytest.approx(expected, abs=ROUNDING)


def test_other_weights_and_gains(one_topic: JudgedRuns) -> None:
    sharp = DSharpNDCG(depth=5, gamma=0.25).scores(one_topic)[0, 0]
    assert sharp == pytest.approx(0.25 + 0.75 * D_5, abs=ROUNDING)
    # Linear global gains: d1 1.0, d2 .8, d3 .6, d5 .6.
    linear = DNDCG(depth=2, gains="linear").scores(one_topic)[0, 0]
    assert linear == pytest.approx((0.8 / log2(3)) / (1 + 0.8 / log2(3)), abs=ROUNDING)


def test_relevance_level_leaves_out_documents_and_intents(one_topic: JudgedRuns) -> None:
    """From grade 2, d2 serves nothing: d1, d5 and d3 serve an intent each, and the run has two of these."""
    level = Conventions(relevance_level=2)
    assert measure_named("I-rec@5", level).scores(one_topic)[0, 0] == 2 / 3
    assert measure_named("I-rec@5", Conventions(relevance_level=3)).scores(one_topic)[0, 0] == 1.0
    alpha = measure_named("alpha-nDCG@5", level).scores(one_topic)[0, 0]
    assert alpha == pytest.approx((1 / log2(5) + 1 / log2(6)) / (1 + 1 / log2(3) + 1 / log2(4)), abs=ROUNDING)


@pytest.mark.parametrize("grade", [REMOVED, -1, 0])
def test_removed_documents_are_unjudged_for_all_intents(one_topic: JudgedRuns, grade: int) -> None:
    """Without d2 and d3 no document serves intent 3: of the other two the run serves one, by d1."""
    grades = one_topic.qrels.grades.copy()
    documents = [document.decode() for document in one_topic.qrels.documents.tolist()]
    grades[[documents.index("d2"), documents.index("d3")]] = grade
    assert measure_named("I-rec@5").scores(one_topic, grades)[0, 0] == 1 / 2
    expected = (1.5 / log2(5)) / (1.5 + 0.9 / log2(3))
    assert measure_named("D-nDCG@5").scores(one_topic, grades)[0, 0] == pytest.approx(expected, abs=ROUNDING)


def test_remaining_intents_are_equally_likely_without_probabilities() -> None:
    """Without d3 there are two intents, 1/2 each."""
    together = joined_by_intent([RUN], JUDGED)
    grades = together.qrels.grades.copy()
    grades[together.qrels.documents.tolist().index(b"d3")] = REMOVED
    expected = (0.5 / 8 + 0.5 / 8) / 2 + 0.5 * 3 / 8 * 7 / 8 / 4
    result = measure_named("graded-ERR-IA@5").scores(together, grades)[0, 0]
    assert result == pytest.approx(expected, abs=ROUNDING)


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
def test_judgments_without_intents_are_refused(name: str, golden: SnapshotAssertion) -> None:
    measure = measure_named(f"{name}@10")
    with pytest.raises(InputError) as caught:
        measure.scores(joined([RUN], {"t": {"d1": 1}}))
    assert caught.value.value == measure.name
    assert str(caught.value) == golden


@pytest.mark.parametrize(
    ("make", "parameter"),
    [
        (lambda: AlphaNDCG(depth=0), "measurement_depth"),
        (lambda: DNDCG(depth=10_001), "measurement_depth"),
        (lambda: AlphaNDCG(depth=10, alpha=1.0), "alpha"),
        (lambda: ERRIA(depth=10, alpha=-0.1), "alpha"),
        (lambda: ERRIA(depth=10, largest_grade=0), "largest_grade"),
        (lambda: ERRIA(depth=10, relevance_level=0), "relevance_level"),
        (lambda: DSharpNDCG(depth=10, gamma=1.1), "gamma"),
        (lambda: measure_named("I-rec"), "measure"),
        (lambda: measure_named("D-nDCG@0"), "measure"),
    ],
)
def test_conventions_out_of_range_are_refused(make, parameter: str) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert caught.value.parameter == parameter


def test_a_grade_above_the_largest_is_refused(one_topic: JudgedRuns, golden: SnapshotAssertion) -> None:
    with pytest.raises(InputError) as caught:
        ERRIA(depth=5, graded=True, largest_grade=2).scores(one_topic)
    assert (caught.value.parameter, caught.value.value) == ("largest_grade", 2)
    assert numbers_in(caught.value.rule) == [3]
    assert str(caught.value) == golden
