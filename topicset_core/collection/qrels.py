"""Which documents were judged for each topic, and how relevant they are."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.layout import check_layout
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Qrels:
    """Relevance judgments of one collection.

    Parameters
    ----------
    name : str
        What the judgments are called, for example the file.
    topics : tuple of str
        Judged topics, unique, in the order of the file.
    starts : ndarray of int64, shape (n_topics + 1,)
        Judgments of topic i are ``documents[starts[i]:starts[i + 1]]``; each topic has at least one.
    documents : ndarray of bytes, shape (n_judgments,)
        Document ids in UTF-8, in the order of the file, none repeated within a topic.
    grades : ndarray of int16, shape (n_judgments,)
        0 not relevant, above 0 relevant, below 0 pooled but not judged (trec_eval's -1).

    Raises
    ------
    InputError
        If the name is blank, or the arrays do not fit together.
    """

    name: str
    topics: tuple[str, ...]
    starts: NDArray[np.int64]
    documents: NDArray[np.bytes_]
    grades: NDArray[np.int16]

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InputError("name", self.name, "must be a name")
        check_layout(self.topics, self.starts, self.documents)
        if self.grades.shape != self.documents.shape:
            raise InputError("grades", self.grades.shape, "must be as many as documents")
        if self.grades.dtype.kind != "i":
            raise InputError("grades", str(self.grades.dtype), "must be whole numbers with a sign")

    @property
    def n_topics(self) -> int:
        """Number of judged topics."""
        return len(self.topics)

    @cached_property
    def topic_of(self) -> NDArray[np.int32]:
        """Index of the topic of each judgment."""
        return np.repeat(np.arange(self.n_topics, dtype=np.int32), np.diff(self.starts))
