"""What one system returned for each topic, best document first."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Run:
    """Ranked documents of one system.

    Documents stand in trec_eval's order: score descending, then document id descending, whatever a rank
    column says. `topicset_core.parsing` makes runs from files.

    Parameters
    ----------
    tag : str
        Name of the run, as its file gives it.
    topics : tuple of str
        Topics that the run returns documents for, unique, in the order of the file.
    starts : ndarray of int64, shape (n_topics + 1,)
        Documents of topic i are ``documents[starts[i]:starts[i + 1]]``; each topic has at least one.
    documents : ndarray of bytes, shape (n_documents,)
        Document ids in UTF-8, best first within a topic, none repeated there.
    n_tied : int
        Documents whose score is that of another document of the same topic: their order is that of
        their ids and not the system's.
    """

    tag: str
    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: NDArray[np.bytes_]
    n_tied: int = 0

    def __post_init__(self) -> None:
        if not self.tag.strip():
            raise InputError("tag", self.tag, "must be a name")
        _check_layout(self.topics, self.starts, self.documents)

    @property
    def depths(self) -> NDArray[np.int64]:
        """Number of documents returned for each topic."""
        return np.diff(self.starts)


def _check_layout(topics: Sequence[str], starts: NDArray[np.int64], documents: NDArray[np.bytes_]) -> None:
    """Refuse arrays that do not fit together; what they hold is the parser's to check."""
    if not topics or len(set(topics)) != len(topics):
        raise InputError("topics", len(topics), "must be at least 1 topic, none of them repeated")
    if starts.shape != (len(topics) + 1,) or starts[0] != 0 or (np.diff(starts) < 1).any():
        raise InputError("starts", starts.shape, "must rise from 0, one more than topics")
    if documents.dtype.kind != "S" or documents.shape != (int(starts[-1]),):
        raise InputError("documents", documents.shape, "must be bytes, as many as starts says")
