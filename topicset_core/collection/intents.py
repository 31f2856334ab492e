"""The possible meanings (intents) of each topic, and which documents are relevant to which meaning."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

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
