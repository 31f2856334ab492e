"""Cranfield and NPL: near the figures that come with the collections, and the expectations from the paper.

docs/reference_data.md gives, for a plain BM25 with Porter stems and a list of 33 stop words, k1 = 1.2
and b = .75, Cranfield MAP .295, P@10 .229, nDCG@10 .359, NPL MAP .285, P@10 .348, and asks for figures near
these. Tolerance .01: with a list of 33 stop words in place of ours, MAP is .293 and .286 here, so the
list alone moves it by .008 and .004.
"""

import pytest

from tests.retrieval.searching import public_collection
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import join
from topicset_core.collection.text_collection import TextCollection
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.retrieval import (
    BM25,
    PL2,
    SWEEP_OF_B,
    SWEEP_OF_C,
    Expansion,
)

pytestmark = pytest.mark.reference_data

NEAR = 0.01


def means(collection: TextCollection, runs: list[Run], measure: str) -> list[float]:
    assert collection.qrels is not None
    graded = GradedRuns(join(runs, collection.qrels))
    result: list[float] = measure_named(measure).scores_of(graded).mean(axis=0).tolist()
    return result


def test_cranfield_near_the_known_figures() -> None:
    collection, search = public_collection("cranfield")
    run = search.run(BM25(b=0.75))
    assert run.n_topics == 225
    assert means(collection, [run], "AP") == pytest.approx([0.295], abs=NEAR)
    assert means(collection, [run], "P@10") == pytest.approx([0.229], abs=NEAR)
    assert means(collection, [run], "nDCG@10") == pytest.approx([0.359], abs=NEAR)


def test_npl_near_the_known_figures() -> None:
    collection, search = public_collection("npl")
    run = search.run(BM25(b=0.75))
    assert run.n_topics == 93
    assert run.depths.max() == 1000
    assert means(collection, [run], "AP") == pytest.approx([0.285], abs=NEAR)
    assert means(collection, [run], "P@10") == pytest.approx([0.348], abs=NEAR)


def some(sweep: tuple[float, ...]) -> list[float]:
    """Both ends of a sweep and every third setting between them."""
    return [sweep[0], *sweep[1:-1:3], sweep[-1]]


@pytest.mark.parametrize("name", ["cranfield", "npl"])
def test_pl2_at_its_best_is_as_good_as_bm25_as_in_the_paper(name: str) -> None:
    """Tables 2 and 3 without expansion: MAP(MAP) of the two models differ by at most .0126 (TREC 6, full)."""
    collection, search = public_collection(name)
    bm25 = means(collection, [search.run(BM25(b=b)) for b in some(SWEEP_OF_B)], "AP")
    pl2 = means(collection, [search.run(PL2(c=c)) for c in some(SWEEP_OF_C)], "AP")
    assert max(pl2) == pytest.approx(max(bm25), abs=0.0126)
    # No model is best at an end of its sweep: the grids contain the optimum.
    for result in (bm25, pl2):
        assert 0 < result.index(max(result)) < len(result) - 1


@pytest.mark.parametrize("model", [BM25(b=0.75), PL2(c=1)], ids=["bm25", "pl2"])
def test_expansion_helps_on_cranfield_as_in_the_paper(model: BM25 | PL2) -> None:
    """Tables 2 and 3: expansion raises MAP(MAP) in 15 of 16 cases, by .0024 to .0595."""
    collection, search = public_collection("cranfield")
    plain, expanded = means(
        collection, [search.run(model), search.run(model, Expansion(documents=3, terms=40))], "AP"
    )
    assert 0.0024 <= expanded - plain <= 0.0595
