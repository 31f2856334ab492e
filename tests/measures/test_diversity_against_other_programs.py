"""Measures of diversity on generated collections: D-nDCG against NTCIREVAL (pyNTCIREVAL), others against ndeval.

pyndeval breaks ties by ascending document id where trec_eval and we take descending: it is handed runs
whose scores are the ranks that we give.
"""

from collections.abc import Mapping

import numpy as np
import pytest

from tests.measures.plain_intents import ByIntent, joined_by_intent
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import Conventions, measure_named
from topicset_core.measures.by_intent import ERRIA, AlphaNDCG

NAMES = {name: name for name in ("alpha-nDCG", "nERR-IA", "alpha-DCG", "ERR-IA")} | {"strec": "I-rec"}
DEPTHS = (1, 2, 5, 10, 20)  # ndeval stops at 20
SAME = 1e-12  # sums of at most 160 terms in another order, and two logarithms instead of one
N_RUNS, N_TOPICS = 6, 12


def generated(seed: int) -> tuple[list[dict[str, list[str]]], dict[str, ByIntent]]:
    """Runs in order, and judgments in which documents often gain the same."""
    rng = np.random.default_rng(seed)
    judged: dict[str, ByIntent] = {}
    rankings: list[dict[str, list[str]]] = [{} for _ in range(N_RUNS)]
    for number in range(1, N_TOPICS + 1):
        # From topics with fewer documents than ndeval evaluates to topics with more.
        documents = [f"d{place:03d}" for place in range(int(rng.choice([3, 12, 60])))]
        n_intents = int(rng.integers(1, 9))
        share = rng.uniform(0.02, 0.6, n_intents)
        judged[str(number)] = {
            str(intent): {
                document: int(rng.integers(1, 4)) if rng.random() < share[intent - 1] else 0
                for document in documents
                if rng.random() < 0.9
            }
            for intent in range(1, n_intents + 1)
        }
        for ranking in rankings:
            unjudged = [f"x{place}" for place in range(8)]
            drawn = rng.permutation(documents + unjudged)[: int(rng.integers(1, 40))]
            ranking[str(number)] = drawn.tolist()
    return rankings, judged


def theirs(
    rankings: list[dict[str, list[str]]],
    judged: Mapping[str, ByIntent],
    name: str,
    *,
    level: int = 1,
    alpha: float = 0.5,
) -> np.ndarray:
    """The table of pyndeval's scores; topics that nothing is relevant to are 0, as it has no score for them."""
    import pyndeval

    # Intents are numbered as they first appear, and gains are summed in the order of these numbers.
    judgments = [
        (topic, intent, document, grade)
        for topic, intents in judged.items()
        for intent in sorted(intents)
        for document, grade in intents[intent].items()
    ]
    judgments.sort(key=lambda judgment: judgment[1])
    table = np.zeros((len(judged), len(rankings)))
    evaluator = pyndeval.RelevanceEvaluator(judgments, [name], relevance_level=level, alpha=alpha)
    for column, ranking in enumerate(rankings):
        run = [(topic, d, -float(rank)) for topic, result in ranking.items() for rank, d in enumerate(result)]
        scores = evaluator.evaluate(run)
        for row, topic in enumerate(judged):
            table[row, column] = scores.get(topic, {}).get(name, 0.0)
    return table


@pytest.fixture(scope="module", params=range(4))
def case(
    request: pytest.FixtureRequest,
) -> tuple[JudgedRuns, list[dict[str, list[str]]], dict[str, ByIntent]]:
    rankings, judged = generated(request.param)
    return joined_by_intent(rankings, judged), rankings, judged


@pytest.mark.parametrize("depth", DEPTHS)
@pytest.mark.parametrize("name", NAMES)
def test_generated_collections(case, name: str, depth: int) -> None:
    together, rankings, judged = case
    ours = measure_named(f"{NAMES[name]}@{depth}").scores(together)
    expected = theirs(rankings, judged, f"{name}@{depth}")
    if depth == 1 and name in ("alpha-DCG", "ERR-IA"):
        # Its normalisation begins at the second rank.
        n_intents = np.diff(together.qrels.intents.starts)
        expected /= np.maximum(n_intents, 1)[:, None]
    assert ours == pytest.approx(expected, abs=SAME, rel=0)
    assert ours.max() > 0.1


@pytest.mark.parametrize("name", ["alpha-nDCG", "nERR-IA", "strec"])
def test_higher_relevance_level(case, name: str) -> None:
    together, rankings, judged = case
    ours = measure_named(f"{NAMES[name]}@10", Conventions(relevance_level=2)).scores(together)
    assert ours == pytest.approx(theirs(rankings, judged, f"{name}@10", level=2), abs=SAME, rel=0)


@pytest.mark.parametrize("alpha", [0.0, 0.25, 0.75])
@pytest.mark.parametrize("kind", [AlphaNDCG, ERRIA])
def test_other_alphas(case, kind: type[AlphaNDCG] | type[ERRIA], alpha: float) -> None:
    """These alphas have powers that a float represents exactly, so that equal gains are equal to both."""
    together, rankings, judged = case
    measure = kind(depth=10, alpha=alpha)
    expected = theirs(rankings, judged, f"{measure.base_name}@10", alpha=alpha)
    assert measure.scores(together) == pytest.approx(expected, abs=SAME, rel=0)


def test_a_run_can_beat_the_greedy_list_as_in_ndeval() -> None:
    """All three gain 2 at rank 1; z has the last id, and either of the others gains 1.5 below it. But a and b
    together gain 2 at each rank."""
    judged = {"1": {"1": {"z": 1, "a": 1}, "2": {"z": 1, "b": 1}, "3": {"a": 1}, "4": {"b": 1}}}
    rankings = [{"1": ["a", "b", "z"]}]
    ours = measure_named("alpha-nDCG@2").scores(joined_by_intent(rankings, judged))[0, 0]
    assert ours == pytest.approx((2 + 2 / np.log2(3)) / (2 + 1.5 / np.log2(3)), abs=SAME)
    assert ours == pytest.approx(theirs(rankings, judged, "alpha-nDCG@2")[0, 0], abs=SAME)
    assert ours > 1


# Theirs multiply and add in another order: a few units in the last place of 1.
LAST_DIGITS = 1e-13


def global_gains(judged: dict[str, dict[str, int]], likely: dict[str, float]) -> dict[str, float]:
    """The sum over intents of P(i|q) (2^x - 1), of every judged document."""
    gains: dict[str, float] = {}
    for intent, grades in judged.items():
        for document, grade in grades.items():
            gains[document] = gains.get(document, 0.0) + likely.get(intent, 0.0) * (2**grade - 1)
    return gains


@pytest.mark.parametrize("depth", [1, 5, 10, 100])
@pytest.mark.parametrize("seed", range(3))
def test_d_ndcg_of_generated_collections(seed: int, depth: int) -> None:
    """As NTCIREVAL's own scripts do: nDCG is handed the global gain of each document as that of a level."""
    from pyNTCIREVAL import Labeler, metrics

    rankings, judged = generated(seed)
    rng = np.random.default_rng(seed)
    likely: dict[str, dict[str, float]] = {}
    for topic, intents in judged.items():
        known = [intent for intent, grades in intents.items() if max(grades.values(), default=0) > 0]
        likely[topic] = (
            dict(zip(known, rng.dirichlet(np.ones(len(known))).tolist(), strict=True)) if known else {}
        )
    ours = measure_named(f"D-nDCG@{depth}").scores(joined_by_intent(rankings, judged, likely))
    compared = 0
    for row, (topic, intents) in enumerate(judged.items()):
        gains = global_gains(intents, likely[topic])  # type: ignore[arg-type]
        levels = sorted({gain for gain in gains.values() if gain > 0})
        level_of = {0.0: 0} | {gain: place for place, gain in enumerate(levels, start=1)}
        labeler = Labeler({document: level_of[gain] for document, gain in gains.items()})
        counts = labeler.compute_per_level_doc_num(len(levels) + 1)
        for column, ranking in enumerate(rankings):
            if not levels:
                assert ours[row, column] == 0
                continue
            labelled = labeler.label(ranking[topic][:depth])
            theirs = metrics.MSnDCG(counts, levels, depth).compute(labelled)
            assert ours[row, column] == pytest.approx(theirs, abs=LAST_DIGITS)
            compared += theirs > 0
    assert compared > 10
