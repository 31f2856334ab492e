"""Pools: which documents have to be judged."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from topicset_core.collection.pool import pooled_documents
from topicset_core.collection.run import Run
from topicset_core.errors import InputError


def _run(tag: str, ranked: dict[str, list[str]]) -> Run:
    lengths = [len(documents) for documents in ranked.values()]
    return Run(
        tag=tag,
        topics=tuple(ranked),
        starts=np.concatenate([[0], np.cumsum(lengths)]),
        documents=np.array([one.encode() for documents in ranked.values() for one in documents]),
    )


def test_a_document_counts_once_from_its_best_rank_on() -> None:
    runs = [_run("a", {"1": ["x", "y", "z"], "2": ["p"]}), _run("b", {"1": ["y", "w"]})]
    pool = pooled_documents(runs, 3)
    assert pool.topics == ("1", "2")
    assert pool.sizes.tolist() == [[2, 3, 4], [1, 1, 1]]  # x y, then w, then z
    assert pool.documents_per_topic(2) == 2.0


_LISTS = st.lists(
    st.lists(st.sampled_from("abcdefgh"), min_size=1, max_size=8, unique=True), min_size=1, max_size=5
)


@given(lists=_LISTS, depth=st.integers(1, 10))
def test_sizes_equal_those_of_plain_sets(lists: list[list[str]], depth: int) -> None:
    runs = [_run(f"run{place}", {"1": ranked}) for place, ranked in enumerate(lists)]
    sizes = pooled_documents(runs, depth).sizes[0].tolist()
    assert sizes == [len({one for ranked in lists for one in ranked[:k]}) for k in range(1, depth + 1)]


def test_what_is_no_pool_is_refused() -> None:
    with pytest.raises(InputError, match="at least 1 run"):
        pooled_documents([], 10)
    with pytest.raises(InputError, match="pool_depth = 0"):
        pooled_documents([_run("a", {"1": ["x"]})], 0)
    with pytest.raises(InputError, match="from 1 to 3"):
        pooled_documents([_run("a", {"1": ["x"]})], 3).documents_per_topic(4)
