"""How documents stand topic after topic in one array, and what must fit together there."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError


def check_layout(topics: Sequence[str], starts: NDArray[np.int64], documents: NDArray[np.bytes_]) -> None:
    """Refuse arrays that do not fit together.

    That no document is repeated within a topic is the parser's to check: here it would cost as much
    as reading the file did.

    Parameters
    ----------
    topics : sequence of str
        Topic ids.
    starts : ndarray of int64, shape (n_topics + 1,)
        Documents of topic i are ``documents[starts[i]:starts[i + 1]]``.
    documents : ndarray of bytes, shape (n_documents,)
        Document ids.

    Raises
    ------
    InputError
        If there is no topic, a topic is repeated or has no document, or lengths or types disagree.
    """
    if not topics or len(set(topics)) != len(topics):
        raise InputError("topics", len(topics), "must be at least 1 topic, none of them repeated")
    if starts.shape != (len(topics) + 1,) or starts[0] != 0 or (np.diff(starts) < 1).any():
        raise InputError("starts", starts.shape, "must rise from 0, one more than topics")
    if documents.dtype.kind != "S" or documents.shape != (int(starts[-1]),):
        raise InputError("documents", documents.shape, "must be bytes, as many as starts says")
