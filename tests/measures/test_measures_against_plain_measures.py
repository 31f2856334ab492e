"""Vectorised measures against the plain ones, on random small collections."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.plain_measures import plain_score, residual
from tests.measures.plain_reader import joined, qrels_of, run_of
from topicset_core.collection.judged_runs import REMOVED, JudgedRuns, join
from topicset_core.measures import Measure
from topicset_core.measures.binary import (
    AP,
    RBP,
    BPref,
    InfAP,
    Precision,
    QMeasure,
    Recall,
    ReciprocalRank,
    RPrecision,
    Success,
)
from topicset_core.measures.graded import ERR, NDCG
from topicset_core.measures.measure import IntentMeasure
from topicset_core.measures.registry import MEASURES

DEPTHS = st.none() | st.integers(1, 12)
LEVELS = st.integers(1, 4)
GAINS = st.sampled_from(["linear", "exponential"])
DENOMINATORS = st.sampled_from(["R", "min(md, R)"])
EVERY_MEASURE: tuple[st.SearchStrategy[Measure], ...] = (
    st.builds(AP, depth=DEPTHS, relevance_level=LEVELS, denominator=DENOMINATORS),
    st.builds(
        QMeasure,
        depth=DEPTHS,
        relevance_level=LEVELS,
        gains=GAINS,
        beta=st.sampled_from([0.0, 0.5, 1.0, 10.0]),
        denominator=DENOMINATORS,
    ),
    st.builds(NDCG, depth=DEPTHS, gains=GAINS),
    st.builds(ERR, depth=DEPTHS, largest_grade=st.sampled_from([None, 3, 5]), normalised=st.booleans()),
    st.builds(Precision, depth=st.integers(1, 12), relevance_level=LEVELS),
    st.builds(Recall, depth=st.integers(1, 12), relevance_level=LEVELS),
    st.builds(Success, depth=st.integers(1, 12), relevance_level=LEVELS),
    st.builds(RPrecision, relevance_level=LEVELS),
    st.builds(ReciprocalRank, depth=DEPTHS, relevance_level=LEVELS),
    st.builds(RBP, persistence=st.sampled_from([0.5, 0.8, 0.95]), relevance_level=LEVELS),
    st.builds(BPref, relevance_level=LEVELS),
    st.builds(InfAP, relevance_level=LEVELS),
)
ONE_OF_EACH = st.tuples(*EVERY_MEASURE)
# Few documents, so that rankings and judgments meet; prefixes of each other, of up to 3 words of 8 bytes.
DOCUMENTS = [f"{letter * length}" for letter in "ab" for length in (1, 2, 7, 8, 9, 16, 17)]
GRADES = st.integers(-2, 3)
TOPICS = ["t1", "t2", "t3"]
RANKING = st.lists(st.sampled_from(DOCUMENTS), unique=True)
RUN = st.dictionaries(st.sampled_from(TOPICS), RANKING.filter(bool), min_size=1)
JUDGED = st.dictionaries(st.sampled_from(DOCUMENTS), GRADES, min_size=1)

# Sums of at most 14 terms in another order of operations: a few units in the last place of 1.
LAST_DIGITS = 1e-14


@pytest.mark.slow
@given(st.lists(RUN, min_size=1, max_size=3), st.tuples(JUDGED, JUDGED, JUDGED), ONE_OF_EACH)
def test_scores_against_plain_measures(
    runs: list[dict[str, list[str]]], judgments: tuple[dict[str, int], ...], measures: tuple[Measure, ...]
) -> None:
    judged = dict(zip(TOPICS, judgments, strict=True))
    largest = max(max(grades.values()) for grades in judgments)
    together = joined(runs, judged)
    for measure in measures:
        expected = [
            [plain_score(measure, run.get(topic, ()), judged[topic], largest) for run in runs]
            for topic in TOPICS
        ]
        np.testing.assert_allclose(
            measure.scores(together),
            expected,
            rtol=0,
            atol=LAST_DIGITS,
            equal_nan=False,
            err_msg=str(measure),
        )
        if isinstance(measure, RBP):
            left = [
                [residual(measure, run.get(topic, ()), judged[topic]) for run in runs] for topic in TOPICS
            ]
            assert measure.residuals(together) == pytest.approx(np.array(left), abs=LAST_DIGITS)


@settings(max_examples=60)
@given(
    st.lists(RUN, min_size=1, max_size=3),
    st.tuples(JUDGED, JUDGED, JUDGED),
    st.lists(GRADES | st.none(), min_size=3 * len(DOCUMENTS), max_size=3 * len(DOCUMENTS)),
    ONE_OF_EACH,
)
def test_other_grades_score_as_qrels_that_were_cut_before_joining(
    runs: list[dict[str, list[str]]],
    judgments: tuple[dict[str, int], ...],
    others: list[int | None],
    measures: tuple[Measure, ...],
) -> None:
    """None is a removed judgment; a topic that loses all of them keeps its row, of zeros."""
    judged = dict(zip(TOPICS, judgments, strict=True))
    pairs = [(topic, document) for topic in TOPICS for document in judged[topic]]
    grades = [others[number] for number in range(len(pairs))]
    # The largest grade of the qrels is xmax of ERR, so it must be the same in the cut qrels.
    pairs.append(("t4", "unseen"))
    grades.append(3)
    judged["t4"] = {"unseen": 3}
    cut: dict[str, dict[str, int]] = {}
    for (topic, document), grade in zip(pairs, grades, strict=True):
        if grade is not None:
            cut.setdefault(topic, {})[document] = grade
    runs = [{"t4": ["other"], **run} for run in runs]
    whole, shortened = joined(runs, judged), joined(runs, cut)
    new_grades = np.array([REMOVED if grade is None else grade for grade in grades], np.int16)
    nothing = np.zeros(len(runs))
    for measure in measures:
        scored = dict(zip(cut, measure.scores(shortened), strict=True))
        expected = np.array([scored.get(topic, nothing) for topic in judged])
        assert np.array_equal(measure.scores(whole, new_grades), expected), measure


def test_no_measure_is_left_out() -> None:
    new: set[type[Measure]] = set()
    for strategy in EVERY_MEASURE:

        @settings(max_examples=1, database=None)
        @given(strategy)
        def look(measure: Measure) -> None:
            new.add(type(measure))

        look()
    # Those of diversity are in test_diversity_against_plain_measures.py.
    assert new == {measure for measure in MEASURES if not issubclass(measure, IntentMeasure)}


def test_runs_of_long_lists_are_cut_into_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """ERR multiplies down lists in blocks; with tiny blocks the result must be equal."""
    rng = np.random.default_rng(7)
    documents = [f"d{number}" for number in range(60)]
    judged = {topic: {d: int(rng.integers(0, 4)) for d in documents} for topic in TOPICS}
    runs = [{topic: list(rng.permutation(documents)) for topic in TOPICS} for _ in range(4)]
    together: JudgedRuns = join(
        (run_of(run, f"run{number}") for number, run in enumerate(runs)), qrels_of(judged)
    )
    measure = ERR(normalised=True)
    whole = measure.scores(together)
    monkeypatch.setattr("topicset_core.measures.graded.BLOCK", 100)
    assert np.array_equal(measure.scores(together), whole)
    expected = [[plain_score(measure, run[topic], judged[topic], 3) for run in runs] for topic in TOPICS]
    assert whole == pytest.approx(np.array(expected), abs=LAST_DIGITS)
