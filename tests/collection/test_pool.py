"""Pools: which documents have to be judged."""

from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from syrupy.assertion import SnapshotAssertion

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


RUN = _run("a", {"1": ["x"]})


@pytest.mark.parametrize(
    ("asking", "parameter", "value"),
    [
        pytest.param(lambda: pooled_documents([], 10), "runs", 0, id="no-runs"),
        pytest.param(lambda: pooled_documents([RUN], 0), "pool_depth", 0, id="depth-0"),
        pytest.param(
            lambda: pooled_documents([RUN], 3).documents_per_topic(4), "pool_depth", 4, id="below-the-pool"
        ),
    ],
)
def test_invalid_pools_are_refused(
    asking: Callable[[], object], parameter: str, value: object, golden: SnapshotAssertion
) -> None:
    with pytest.raises(InputError) as caught:
        asking()
    assert (caught.value.parameter, caught.value.value) == (parameter, value)
    assert str(caught.value) == golden
