"""Words that become terms, and the counts that an index keeps."""

import subprocess
import sys
from collections.abc import Callable

import numpy as np
import pytest

from tests.retrieval.searching import search_of
from topicset_core.collection.text_collection import Document, Topic
from topicset_core.errors import InputError
from topicset_core.retrieval import build_index, build_queries
from topicset_core.retrieval.index import terms_of


@pytest.mark.parametrize(
    ("text", "terms"),
    [
        # The examples of Porter's paper (Program 14(3), 1980), of steps 1a, 1b, 2, 3 and 4 in turn.
        ("caresses ponies cats", ["caress", "poni", "cat"]),
        ("plastered motoring conflated hopping", ["plaster", "motor", "conflat", "hop"]),
        ("relational conditional", ["relat", "condit"]),
        ("triplicate hopeful goodness", ["triplic", "hope", "good"]),
        ("revival allowance adjustment", ["reviv", "allow", "adjust"]),
        # Words.
        ("The boundary-layer's flows, at Mach 2.5!", ["boundari", "layer", "flow", "mach", "2", "5"]),
        ("BOUNDARY_LAYER DIGITAL COMPUTERS", ["boundari", "layer", "digit", "comput"]),
        ("the document’s Größe, naïve", ["document", "größe", "naïv"]),
        ("the S-curve's s, plans'", ["curv", "plan"]),
        ("it is of the", []),
        (" .,;\n", []),
        ("", []),
    ],
)
def test_text_to_terms(text: str, terms: list[str]) -> None:
    assert terms_of(text) == terms


def test_index_counts_title_and_text_and_a_repeated_title_once() -> None:
    documents = [
        Document(id="a", title="ox elk", text="ox elk . yak"),  # begins with its title
        Document(id="c", title="ox", text="elk ox"),
        Document(id="b", title="", text="yak yak"),
        Document(id="e", title="the", text=""),
    ]
    index = build_index(documents)
    assert index.documents.tolist() == [b"e", b"c", b"b", b"a"]
    assert index.terms == ("elk", "ox", "yak")
    postings = index.postings
    assert postings.lengths.tolist() == [0, 3, 2, 3]
    assert postings.average_length == 2
    assert postings.document_frequencies.tolist() == [2, 2, 2]
    assert postings.collection_frequencies.tolist() == [2, 3, 3]
    counts = postings.by_document.toarray()
    assert counts.tolist() == [[0, 0, 0], [1, 2, 0], [0, 0, 2], [1, 1, 1]]
    some = postings.only(np.array([2, 0], dtype=np.int32))
    assert some.collection_frequencies.tolist() == [3, 2]
    assert some.documents.tolist() == [2, 3, 1, 3]
    assert some.n_documents == 4


def test_queries_count_terms_of_the_requested_fields() -> None:
    index = build_index([Document(id="a", title="", text="ox elk yak")])
    topics = [
        Topic(id="1", title="ox", description="ox elk ox", narrative="emu emu emu emu"),
        Topic(id="2", title="emu"),
    ]
    title = build_queries(topics, index)
    assert (title.terms.tolist(), title.qtf.tolist(), title.largest_qtf.tolist()) == ([1], [1], [1, 1])
    full = build_queries(topics, index, "full")
    assert (full.terms.tolist(), full.qtf.tolist()) == ([0, 1], [1, 3])
    assert full.largest_qtf.tolist() == [4, 1]  # emu, though no document has it
    assert full.topic_of.tolist() == [0, 0]


@pytest.mark.parametrize(
    ("make", "parameter", "value"),
    [
        (lambda: build_index([Document(id="a", title="the", text="of")]), "documents", 1),
        (lambda: search_of({"a": "ox"}, {"1": "elk"}), "topics", 1),
        (lambda: search_of({"a": "ox"}, {}), "topics", 0),
    ],
)
def test_impossible_searches_are_refused(make: Callable[[], object], parameter: str, value: int) -> None:
    with pytest.raises(InputError) as caught:
        make()
    assert (caught.value.parameter, caught.value.value) == (parameter, value)


def test_importing_retrieval_loads_no_scipy_and_no_stemmer() -> None:
    code = (
        "import sys, topicset_core.retrieval; "
        "print([m for m in sys.modules if m.split('.')[0] in ('scipy', 'Stemmer', 'lunr')])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"
