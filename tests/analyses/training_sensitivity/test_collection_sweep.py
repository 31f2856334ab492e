"""A sweep made of a small collection: its settings, and the runs of the search itself."""

import numpy as np
import pytest

from topicset_core.analyses.training_sensitivity.sweep import EXPANSIONS, sweep_collection
from topicset_core.collection.text_collection import Document, TextCollection, Topic
from topicset_core.errors import InputError
from topicset_core.retrieval import BM25, PL2, Expansion, Search, build_index, build_queries

WORDS = (
    "river bank water",
    "money bank bank",
    "water bird river river",
    "bird song",
    "money song bank water",
)


def _collection() -> TextCollection:
    return TextCollection(
        name="small",
        documents=tuple(Document(id=f"d{n}", title="", text=text) for n, text in enumerate(WORDS)),
        topics=(Topic(id="1", title="river water"), Topic(id="2", title="bank money")),
    )


def test_each_setting_is_a_run_of_the_search() -> None:
    collection = _collection()
    new = sweep_collection(collection, "bm25", values=(0.2, 0.9))
    index = build_index(collection.documents)
    search = Search(index, build_queries(collection.topics, index))
    assert new.settings.parameters == ("b",)
    assert new.settings.systems == ("bm25_b0.2", "bm25_b0.9")
    assert new.n_documents == 5
    for run, b in zip(new.runs, (0.2, 0.9), strict=True):
        np.testing.assert_array_equal(run.documents, search.run(BM25(b=b)).documents)


def test_defaults_are_21_values_of_b_and_30_of_c() -> None:
    fractions: list[float] = []
    assert len(sweep_collection(_collection(), "bm25", report_progress=fractions.append).runs) == 21
    assert fractions[-1] == 1.0
    assert len(fractions) == 21
    result = sweep_collection(_collection(), "pl2").settings
    assert (result.parameters, len(result.systems)) == (("c",), 30)


def test_expansions_are_swept_as_a_grid() -> None:
    assert len(EXPANSIONS) == 8 * 19
    pair = (Expansion(documents=2, terms=1), Expansion(documents=3, terms=1))
    new = sweep_collection(_collection(), "pl2", expansions=pair)
    assert new.settings.parameters == ("exp_doc",)
    assert new.settings.values.tolist() == [[2.0], [3.0]]
    index = build_index(_collection().documents)
    search = Search(index, build_queries(_collection().topics, index))
    np.testing.assert_array_equal(new.runs[1].documents, search.run(PL2(), pair[1]).documents)
    both = sweep_collection(_collection(), "pl2", values=(0.5, 2.0), expansions=pair).settings
    assert both.parameters == ("c", "exp_doc")
    assert both.values.tolist() == [[0.5, 2], [0.5, 3], [2, 2], [2, 3]]


def test_refusals() -> None:
    for model, values, parameter in (
        ("tfidf", None, "model"),
        ("bm25", (0.5,), "values"),
        ("bm25", (0.5, 2), "b"),
    ):
        with pytest.raises(InputError) as caught:
            sweep_collection(_collection(), model, values=values)
        assert caught.value.parameter == parameter
