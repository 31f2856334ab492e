"""success@k on rankings made by hand, against trec_eval and ir_measures, and by its other names."""

import numpy as np
import pytest

from tests.measures.plain_reader import joined
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import Conventions, measure_named
from topicset_core.measures.registry import offered_names
from topicset_core.parsing import read_scores
from topicset_core.parsing.measure_names import measure_name

JUDGED = {
    "1": {"a": 2, "b": 0, "c": 1},
    "2": {"a": 0, "b": 1, "c": -1},
    "3": {"a": 0, "b": 0},  # no relevant document
    "4": {"a": 3},
}
RUNS = [
    {"1": ["b", "c", "a"], "2": ["x", "y", "z", "a", "b"], "3": ["a", "b"], "4": ["a"]},
    {"1": ["x", "b"], "2": ["c", "b"], "3": ["x"]},  # topic 4 is missing
]
# The rank of the first document of grade 1 or more, and of grade 2 or more; 0 where there is none.
FIRST = {1: [[2, 0], [5, 2], [0, 0], [1, 0]], 2: [[3, 0], [0, 0], [0, 0], [1, 0]]}


@pytest.fixture(scope="module")
def together() -> JudgedRuns:
    return joined(RUNS, JUDGED)


@pytest.mark.parametrize("level", FIRST)
@pytest.mark.parametrize("depth", [1, 2, 3, 4, 5, 10])
def test_success_is_1_from_the_rank_of_the_first_relevant_document(
    together: JudgedRuns, level: int, depth: int
) -> None:
    measure = measure_named(f"success@{depth}", Conventions(relevance_level=level))
    expected = [[float(0 < rank <= depth) for rank in ranks] for ranks in FIRST[level]]
    assert measure.scores(together).tolist() == expected


@pytest.mark.parametrize("level", FIRST)
def test_success_against_pytrec_eval_and_ir_measures(together: JudgedRuns, level: int) -> None:
    import pytrec_eval
    from ir_measures import Success, iter_calc

    depths = (1, 5, 10)
    cuts = [Success(rel=level) @ depth for depth in depths]
    ours = {
        depth: measure_named(f"success@{depth}", Conventions(relevance_level=level)).scores(together)
        for depth in depths
    }
    for column, run in enumerate(RUNS):
        scored = {
            topic: {document: -float(rank) for rank, document in enumerate(ranking)}
            for topic, ranking in run.items()
        }
        evaluator = pytrec_eval.RelevanceEvaluator(JUDGED, {"success"}, relevance_level=level)
        of_trec_eval = evaluator.evaluate(scored)
        of_ir_measures = {
            (one.query_id, str(one.measure)): one.value for one in iter_calc(cuts, JUDGED, scored)
        }
        for row, topic in enumerate(together.topics):
            for depth, cut in zip(depths, cuts, strict=True):
                score = ours[depth][row, column]
                # Both leave out the topics that a run does not have; Topicset counts them as 0.
                assert score == of_trec_eval.get(topic, {}).get(f"success_{depth}", 0)
                assert score == of_ir_measures.get((topic, str(cut)), 0)


def test_success_is_whether_recall_and_reciprocal_rank_are_above_0() -> None:
    rng = np.random.default_rng(5)
    documents = [f"d{number:02d}" for number in range(40)]
    judged = {
        str(t): dict(zip(documents, (rng.random(40) < 0.1).astype(int).tolist(), strict=True))
        for t in range(20)
    }
    together = joined([{t: rng.permutation(documents).tolist() for t in judged} for _ in range(3)], judged)
    success = measure_named("success@7").scores(together)
    assert 0 < success.mean() < 1
    for name in ("recall@7", "RR@7", "P@7"):
        assert np.array_equal(success, measure_named(name).scores(together) > 0)


# trec_eval, ir_measures, NTCIREVAL, ranx and RecBole, papers.
SPELLINGS = ("success_5", "Success@5", "Hit@0005", "hit@5", "hit_rate@5", "HitRate@5", "HR@5")


def test_columns_of_the_same_measure_agree_in_name() -> None:
    for written in SPELLINGS:
        assert measure_name(written) == "success@5"
        text = f"topic,run,{written},map\n1,A,1,.5\n1,B,0,.25\n2,A,1,.125\n2,B,1,.75\n"
        by_measure = {matrix.measure: matrix for matrix in read_scores(text.encode(), "scores.csv").matrices}
        assert by_measure.keys() == {"success@5", "AP"}
        assert by_measure["success@5"].scores.tolist() == [[1, 0], [1, 1]]


def test_hits_are_a_count_in_ranx_and_stay_another_measure() -> None:
    """ranx's hits@5 is the number of relevant documents among the first 5, not whether there is one."""
    assert measure_name("hits@5") == "hits@5"


def test_forms_offer_success() -> None:
    assert "success@10" in offered_names(by_intent=False)
