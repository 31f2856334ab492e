"""Topics as terms of an index."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from topicset_core.collection.topic import Topic, TopicFields
from topicset_core.retrieval.index import Index
from topicset_core.retrieval.postings import Floats, Indices
from topicset_core.retrieval.terms import terms_of


@dataclass(frozen=True, kw_only=True, eq=False)
class Queries:
    """Topics as terms of an index: one entry for each topic and term of it that the index has.

    Parameters
    ----------
    topics : tuple of str
        Topic ids.
    starts : ndarray of int32, shape (n_topics + 1,)
        Entries of topic i are ``starts[i]`` up to ``starts[i + 1]``; none where no document has a
        term of it.
    terms : ndarray of int32, shape (n_entries,)
        Number of the term in the index, ascending within a topic.
    qtf : ndarray of float64, shape (n_entries,)
        How often the term occurs in the query.
    largest_qtf : ndarray of float64, shape (n_topics,)
        The largest qtf among all terms of the query, also those that no document has.
    """

    topics: tuple[str, ...]
    starts: Indices
    terms: Indices
    qtf: Floats
    largest_qtf: Floats

    @cached_property
    def topic_of(self) -> Indices:
        """Topic of each entry."""
        return np.repeat(np.arange(len(self.topics), dtype=np.int32), np.diff(self.starts))


def build_queries(topics: Sequence[Topic], index: Index, fields: TopicFields = "title") -> Queries:
    """Turn topics into terms of an index.

    Parameters
    ----------
    topics : sequence of Topic
        Ids unique.
    index : Index
        Terms that it has not are left out: no document could score by them.
    fields : {"title", "full"}
        What of a topic is searched with.
    """
    terms: list[int] = []
    qtf: list[int] = []
    sizes: list[int] = []
    largest: list[int] = []
    for topic in topics:
        found = Counter(terms_of(topic.query(fields)))
        known = sorted((index.number_of[term], n) for term, n in found.items() if term in index.number_of)
        terms.extend(number for number, _ in known)
        qtf.extend(n for _, n in known)
        sizes.append(len(known))
        largest.append(max(found.values(), default=0))
    return Queries(
        topics=tuple(topic.id for topic in topics),
        starts=np.concatenate(([0], np.cumsum(sizes))).astype(np.int32),
        terms=np.array(terms, dtype=np.int32),
        qtf=np.array(qtf, dtype=np.float64),
        largest_qtf=np.array(largest, dtype=np.float64),
    )
