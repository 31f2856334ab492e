"""alpha-nDCG, nERR-IA, alpha-DCG, ERR-IA and I-rec against ndeval's code (pyndeval), on generated collections.

pyndeval breaks ties by ascending document id where trec_eval and we take descending: it is handed runs
whose scores are the ranks that we give.
"""

from collections.abc import Mapping

import numpy as np
import pytest

from tests.measures.plain_intents import ByIntent, joined_by_intent
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import ERRIA, AlphaNDCG, Conventions, measure_named

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
