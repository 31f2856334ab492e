"""Vectorised measures of diversity against the plain ones, on random small collections, and their identities."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.measures.plain_intents import ByIntent, joined_by_intent, known, plain_score, qrels_by_intent
from tests.measures.plain_reader import run_of
from topicset_core.collection.judged_runs import REMOVED, join
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.measures.by_intent import DNDCG, ERRIA, AlphaNDCG, DSharpNDCG, IntentRecall
from topicset_core.measures.graded import NDCG
from topicset_core.measures.measure import IntentMeasure
from topicset_core.measures.registry import BY_INTENT, MEASURES

DEPTHS, LEVELS = st.integers(1, 12), st.integers(1, 3)
GAINS = st.sampled_from(["linear", "exponential"])
CASCADES = {
    "depth": DEPTHS,
    "relevance_level": LEVELS,
    "normalised": st.booleans(),
    "graded": st.booleans(),
    # Powers of these are exact in a float, so that equal gains are equal to both.
    "alpha": st.sampled_from([0.0, 0.5, 0.75]),
    "largest_grade": st.just(3),
}
ONE_OF_EACH: st.SearchStrategy[tuple[IntentMeasure, ...]] = st.tuples(
    st.builds(AlphaNDCG, **CASCADES),
    st.builds(ERRIA, **CASCADES),
    st.builds(DNDCG, depth=DEPTHS, gains=GAINS),
    st.builds(IntentRecall, depth=DEPTHS, relevance_level=LEVELS),
    st.builds(
        DSharpNDCG, depth=DEPTHS, relevance_level=LEVELS, gains=GAINS, gamma=st.sampled_from([0, 0.5, 1])
    ),
)
DOCUMENTS = [f"d{number}" for number in range(9)]
TOPICS = ["t1", "t2", "t3"]
RANKING = st.lists(st.sampled_from(DOCUMENTS), unique=True)
RUN = st.dictionaries(st.sampled_from(TOPICS), RANKING.filter(bool), min_size=1)
OF_TOPIC = st.dictionaries(
    st.sampled_from(["1", "2", "10", "x"]),
    st.dictionaries(st.sampled_from(DOCUMENTS), st.integers(-1, 3), min_size=1),
    min_size=1,
)
JUDGED = st.fixed_dictionaries({}, optional=dict.fromkeys(TOPICS, OF_TOPIC)).filter(bool)

CLOSE = 1e-12  # sums of at most 48 terms in another order


@pytest.mark.slow
@settings(max_examples=60)
@given(ONE_OF_EACH, st.lists(RUN, min_size=1, max_size=3), JUDGED, st.none() | st.integers(0, 99))
def test_scores_equal_plain_measures(
    measures: tuple[IntentMeasure, ...],
    rankings: list[dict[str, list[str]]],
    judged: dict[str, ByIntent],
    seed: int | None,
) -> None:
    """With a seed intents have probabilities, else they are equally likely."""
    rankings = [ranking for ranking in rankings if set(ranking) & set(judged)]
    if not rankings:
        return
    likely: dict[str, dict[str, float]] = {}
    if seed is not None and any(map(known, judged.values())):
        rng = np.random.default_rng(seed)
        for topic, names in ((topic, list(known(of_topic))) for topic, of_topic in judged.items()):
            drawn = rng.dirichlet(np.ones(len(names))).tolist() if names else []
            likely[topic] = dict(zip(names, drawn, strict=True))
    together = joined_by_intent(rankings, judged, likely)
    for measure in measures:
        scores = measure.scores(together)
        for column, ranking in enumerate(rankings):
            for row, (topic, of_topic) in enumerate(judged.items()):
                expected = plain_score(measure, ranking.get(topic, []), of_topic, likely.get(topic))
                assert abs(scores[row, column] - expected) <= CLOSE, measure


@pytest.mark.slow
@given(ONE_OF_EACH, RUN, JUDGED, st.sets(st.sampled_from(DOCUMENTS)))
@settings(max_examples=60)
def test_removed_documents_count_as_unjudged(
    measures: tuple[IntentMeasure, ...],
    ranking: dict[str, list[str]],
    judged: dict[str, ByIntent],
    gone: set[str],
) -> None:
    """What makes the judgments of a shallow pool: scores are those of qrels without these documents."""
    left = {
        topic: {
            intent: {d: g for d, g in grades.items() if d not in gone} | {"kept": 0}
            for intent, grades in of_topic.items()
        }
        for topic, of_topic in judged.items()
    }
    run = run_of(ranking | {next(iter(judged)): ["d0", "d3"]}, "run")
    whole, cut = join([run], qrels_by_intent(judged)), join([run], qrels_by_intent(left))
    grades = whole.qrels.grades.copy()
    grades[np.isin(whole.qrels.documents, [document.encode() for document in gone])] = REMOVED
    for measure in measures:
        assert measure.scores(whole, grades) == pytest.approx(measure.scores(cut), abs=CLOSE), measure


def test_one_intent_is_ad_hoc_retrieval() -> None:
    """With one intent a topic, D-nDCG is nDCG, and graded nERR-IA is nERR; I-rec is success."""
    rng = np.random.default_rng(3)
    documents = [f"d{number:02d}" for number in range(30)]
    judged = {
        str(topic): {"1": dict(zip(documents, rng.integers(0, 4, 30).tolist(), strict=True))}
        for topic in range(8)
    }
    rankings = [{str(topic): rng.permutation(documents).tolist() for topic in range(8)} for _ in range(4)]
    together = joined_by_intent(rankings, judged)
    ndcg = NDCG(depth=10, gains="exponential").scores(together)
    assert DNDCG(depth=10).scores(together) == pytest.approx(ndcg, abs=CLOSE)
    nerr = measure_named("nERR@10").scores(together)
    assert measure_named("graded-nERR-IA@10").scores(together) == pytest.approx(nerr, abs=CLOSE)
    err = measure_named("ERR@10").scores(together)
    assert measure_named("graded-ERR-IA@10").scores(together) == pytest.approx(err, abs=CLOSE)
    assert (IntentRecall(depth=30).scores(together) == 1).all()


def test_no_topic_with_a_relevant_document() -> None:
    together = joined_by_intent([{"1": ["a"]}], {"1": {"1": {"a": 0}}})
    for name in BY_INTENT:
        assert measure_named(f"{name}@5").scores(together).tolist() == [[0.0]]


def test_measures_of_one_evaluation_share_their_ideal_lists() -> None:
    together = joined_by_intent([{"1": ["a"]}], {"1": {"1": {"a": 1}}})
    graded = GradedRuns(together)
    assert graded.by_intent is not None
    assert graded.by_intent is graded.by_intent
    assert graded.by_intent.lists(1, 10) is graded.by_intent.lists(1, 10)


def test_no_measure_is_left_out() -> None:
    tried = {AlphaNDCG, ERRIA, DNDCG, IntentRecall, DSharpNDCG}
    assert tried == {measure for measure in MEASURES if issubclass(measure, IntentMeasure)}
    assert tried == {type(measure_named(f"{name}@5")) for name in BY_INTENT}
