"""Scores to rankings: in single precision, ties by place, and all of a tie at the last rank to choose from."""

import numpy as np
import pytest

from topicset_core.retrieval import SWEEP_OF_EXPAND_DOCUMENTS, SWEEP_OF_EXPAND_TERMS
from topicset_core.retrieval.bo1 import EXPAND_DOCUMENTS, EXPAND_TERMS
from topicset_core.retrieval.search import ranked


@pytest.mark.parametrize(
    ("away", "rows", "n_tied"),
    [
        (
            2.0**-30,
            [0, 1, 2],
            2,
        ),  # 1 + 2^-30 is 1 in single precision, as trec_eval reads it: the lower row first
        (2.0**-20, [1, 0, 2], 0),  # and 1 + 2^-20 is not
    ],
)
def test_scores_equal_in_single_precision_tie(away: float, rows: list[int], n_tied: int) -> None:
    from scipy.sparse import csr_array

    scores = csr_array(np.array([[1.0, 1.0 + away, 0.5]]))
    result = ranked(scores, 10)
    assert result.rows.tolist() == rows
    assert result.n_tied == n_tied
    assert ranked(scores, 1).rows.tolist() == rows[:1]


def test_expansions_begin_with_the_least_of_the_sweep() -> None:
    """Terrier's defaults, 3 documents and 10 terms, are also where the paper's sweep begins."""
    assert EXPAND_DOCUMENTS.default == SWEEP_OF_EXPAND_DOCUMENTS[0] == 3
    assert EXPAND_TERMS.default == SWEEP_OF_EXPAND_TERMS[0] == 10
