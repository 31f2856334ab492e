"""Which documents were judged for each topic, how relevant they are, and to which meaning (intent) of the topic."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.run import check_layout
from topicset_core.errors import InputError


@dataclass(frozen=True, kw_only=True, eq=False)
class Intents:
    """Intents of the topics of one collection, and grades of documents by intent.

    An intent (a subtopic, in TREC's words) is one of the needs that a topic may express. Only
    documents that are relevant to an intent have a pair here, and only intents that have one are kept:
    as in ndeval, an intent without relevant documents does not count for any run.

    Parameters
    ----------
    names : tuple of str
        Intents topic after topic, as the judgments number them.
    starts : ndarray of int64, shape (n_topics + 1,)
        Topic t has the intents ``starts[t]`` up to ``starts[t + 1]``; none where nothing is relevant.
    judgments : ndarray of int32, shape (n_pairs,)
        Which judgment of the qrels each pair belongs to; ascending.
    intents : ndarray of int32, shape (n_pairs,)
        Which intent of all topics; ascending within a judgment.
    grades : ndarray of int16, shape (n_pairs,)
        How relevant the document is to the intent, above 0.
    probabilities : ndarray of float64, shape (n_intents,), optional
        P(i|q), how likely each intent of a topic is; without them all of a topic are equally likely.
    source : str
        The file of the probabilities; "" without them.

    Raises
    ------
    InputError
        If the arrays do not fit together, or a number is out of its range.
    """

    names: tuple[str, ...]
    starts: NDArray[np.int64]
    judgments: NDArray[np.int32]
    intents: NDArray[np.int32]
    grades: NDArray[np.int16]
    probabilities: NDArray[np.float64] | None = None
    source: str = ""

    def __post_init__(self) -> None:
        n_intents = len(self.names)
        if self.starts[0] != 0 or self.starts[-1] != n_intents or (np.diff(self.starts) < 0).any():
            raise InputError("starts", self.starts.shape, "must rise from 0 to the number of intents")
        if not self.judgments.shape == self.intents.shape == self.grades.shape:
            raise InputError("judgments", self.judgments.shape, "must be as many as intents and grades")
        if self.grades.size and (self.grades.min() < 1 or self.judgments.min() < 0):
            raise InputError("grades", int(self.grades.min()), "must be above 0, one for each judgment")
        steps = np.diff(self.judgments)
        if ((steps < 0) | ((steps == 0) & (np.diff(self.intents) <= 0))).any():
            raise InputError("judgments", self.judgments.size, "must rise, and intents within a judgment")
        if np.unique(self.intents).tolist() != list(range(n_intents)):
            raise InputError("intents", n_intents, "must each have a relevant document")
        given = self.probabilities
        if given is not None and (given.shape != (n_intents,) or not ((given >= 0) & (given <= 1)).all()):
            raise InputError("probabilities", given.shape, "must be from 0 to 1, one per intent")

    @cached_property
    def topic_of(self) -> NDArray[np.int32]:
        """Index of the topic of each intent."""
        counts = np.diff(self.starts)
        return np.repeat(np.arange(counts.size, dtype=np.int32), counts)

    def of_topic(self, topic: int) -> tuple[str, ...]:
        """Return the intents of a topic."""
        return self.names[self.starts[topic] : self.starts[topic + 1]]

    @property
    def notes(self) -> str:
        """How many intents there are, and how likely each is, in a sentence."""
        counts = np.diff(self.starts)
        counts = counts[counts > 0]
        if not counts.size:
            return "No document is relevant to any intent."
        fewest, most = int(counts.min()), int(counts.max())
        span = f"{fewest}" if fewest == most else f"{fewest} to {most}"
        likely = (
            f"probabilities from {self.source}" if self.source else "all intents of a topic equally likely"
        )
        return (
            f"Intents with a relevant document: {span} per topic, {len(self.names):,} in all; {likely}. "
            "Measures without intents use the highest grade of a document."
        )


@dataclass(frozen=True, kw_only=True, eq=False)
class Qrels:
    """Relevance judgments of one collection.

    Parameters
    ----------
    name : str
        Name of the judgments, for example the file.
    topics : tuple of str
        Judged topics, unique, in the order of the file.
    starts : ndarray of int64, shape (n_topics + 1,)
        Judgments of topic i are ``documents[starts[i]:starts[i + 1]]``; each topic has at least one.
    documents : ndarray of bytes, shape (n_judgments,)
        Document ids in UTF-8, in the order of the file, unique within a topic.
    grades : ndarray of int16, shape (n_judgments,)
        0 not relevant, above 0 relevant, below 0 pooled but not judged (trec_eval's -1). Where documents
        were judged by intent, the highest grade that each has for any.
    intents : Intents, optional
        Grades by intent, where documents were judged so.

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
    intents: Intents | None = None

    def __post_init__(self) -> None:
        if not self.name.strip():
            raise InputError("name", self.name, "must be a name")
        check_layout(self.topics, self.starts, self.documents)
        if self.grades.shape != self.documents.shape:
            raise InputError("grades", self.grades.shape, "must be as many as documents")
        if self.grades.dtype.kind != "i":
            raise InputError("grades", str(self.grades.dtype), "must be whole numbers with a sign")
        if self.intents is not None:
            self._check_intents(self.intents)

    def _check_intents(self, intents: Intents) -> None:
        """Refuse intents of other topics, and grades by intent that do not match the grades of the documents."""
        if intents.starts.shape != self.starts.shape or (intents.judgments >= self.grades.size).any():
            raise InputError("intents", len(intents.names), "must have the topics of the judgments")
        if (self.topic_of[intents.judgments] != intents.topic_of[intents.intents]).any():
            raise InputError("intents", len(intents.names), "must belong to the topics of their documents")
        highest = np.zeros(self.grades.size, dtype=np.int16)
        np.maximum.at(highest, intents.judgments, intents.grades)
        if (np.maximum(self.grades, 0) != highest).any():
            raise InputError("intents", len(intents.names), "must have each document's grade as the highest")

    @property
    def n_topics(self) -> int:
        """Number of judged topics."""
        return len(self.topics)

    def taken(self, topics: Sequence[int]) -> "Qrels":
        """Return the judgments of some topics, by their places, ascending."""
        kept = np.isin(self.topic_of, topics)
        return replace(
            self,
            topics=tuple(self.topics[place] for place in topics),
            starts=_starts(np.diff(self.starts)[list(topics)]),
            documents=self.documents[kept],
            grades=self.grades[kept],
            intents=None if self.intents is None else _intents_taken(self.intents, topics, kept),
        )

    @cached_property
    def topic_of(self) -> NDArray[np.int32]:
        """Index of the topic of each judgment."""
        return np.repeat(np.arange(self.n_topics, dtype=np.int32), np.diff(self.starts))

    @cached_property
    def relevant_by_id(self) -> NDArray[np.int64]:
        """Judgments relevant to some intent by topic, last id first: so ndeval chooses between equal gains."""
        if self.intents is None:
            return np.empty(0, dtype=np.int64)
        judgments = np.unique(self.intents.judgments).astype(np.int64)
        last_first = np.lexsort((self.documents[judgments], -self.topic_of[judgments]))[::-1]
        return judgments[last_first]


def _starts(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    return np.concatenate(([0], np.cumsum(counts))).astype(np.int64)


def _intents_taken(intents: Intents, topics: Sequence[int], judgments: NDArray[np.bool_]) -> Intents:
    """Return the intents of some topics, whose judgments are marked."""
    own = np.isin(intents.topic_of, topics)
    pairs = judgments[intents.judgments]
    return replace(
        intents,
        names=tuple(compress(intents.names, own)),
        starts=_starts(np.diff(intents.starts)[list(topics)]),
        judgments=(np.cumsum(judgments) - 1)[intents.judgments[pairs]].astype(np.int32),
        intents=(np.cumsum(own) - 1)[intents.intents[pairs]].astype(np.int32),
        grades=intents.grades[pairs],
        probabilities=None if intents.probabilities is None else intents.probabilities[own],
    )
