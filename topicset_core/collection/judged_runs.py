"""Runs joined with judgments: which judged document each run returned at which rank.

All measures start from this. The join is made once; other judgments of the same documents (some
removed, some only pooled) are other grades over the same ranks, and need no other join.
"""

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import compress
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import Run
from topicset_core.errors import InputError

REMOVED = np.int16(np.iinfo(np.int16).min)
"""Grade of a document that is to count as if the qrels did not name it: not pooled, not judged."""

Grades = NDArray[np.int16]


class Unmatched(NamedTuple):
    """Topics of one run for which the qrels name none of its documents, with an example."""

    n_topics: int  # so many
    n_judged_topics: int  # of so many topics that the run shares with the qrels
    # The first of them: a document that the run returns, and one that the qrels name
    topic: str = ""
    returned: str = ""
    judged: str = ""


@dataclass(frozen=True, kw_only=True, eq=False)
class JudgedRuns:
    """Ranks of judged documents, for each topic of the qrels and each run.

    A cell is one topic and one run, numbered ``topic * n_systems + system``. Documents that the qrels
    do not name are not kept; that they were there shows as gaps between ranks.

    Parameters
    ----------
    qrels : Qrels
        The judgments. Their topics are the rows of every score matrix, whether or not a run has them.
    systems : tuple of str
        Tags of the runs, unique.
    starts : ndarray of int64, shape (n_topics * n_systems + 1,)
        A cell has the entries ``starts[cell]`` up to ``starts[cell + 1]``.
    ranks : ndarray of int32, shape (n_entries,)
        From 1, ascending within a cell.
    judgments : ndarray of int32, shape (n_entries,)
        Which document of the qrels is at that rank: an index into ``qrels.documents``.
    n_retrieved : ndarray of int32, shape (n_topics, n_systems)
        Documents that the run returned for the topic, judged or not; 0 where it misses the topic.
    unused_topics : tuple of tuple of str
        For each run, the topics that it has and the qrels have not; no measure sees them.
    n_tied : tuple of int
        For each run, `Run.n_tied`.
    unmatched : tuple of Unmatched
        For each run, its topics without a document of the qrels, over all topics; () where that is not known.
    """

    qrels: Qrels
    systems: tuple[str, ...]
    starts: NDArray[np.int64]
    ranks: NDArray[np.int32]
    judgments: NDArray[np.int32]
    n_retrieved: NDArray[np.int32]
    unused_topics: tuple[tuple[str, ...], ...]
    n_tied: tuple[int, ...]
    unmatched: tuple[Unmatched, ...] = ()

    @cached_property
    def digest(self) -> str:
        """SHA-256 of judgments and runs without names of files, as 64 hexadecimal digits."""
        state = hashlib.sha256(f"{self.n_topics} {self.n_systems}\n".encode())
        for text in (*self.topics, *self.systems):
            encoded = text.encode("utf-8", "surrogatepass")
            state.update(f"{len(encoded)}:".encode() + encoded)
        numbers = (self.starts, self.ranks, self.judgments, self.n_retrieved, self.qrels.starts)
        for array in (*numbers, self.qrels.grades):
            state.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        for document in self.qrels.documents.tolist():
            state.update(f"{len(document)}:".encode() + document)
        if self.qrels.intents is not None:
            intents = self.qrels.intents
            for array in (intents.starts, intents.judgments, intents.intents, intents.grades):
                state.update(np.ascontiguousarray(array, dtype="<i8").tobytes())
        return state.hexdigest()

    @property
    def topics(self) -> tuple[str, ...]:
        """Judged topics, in the order of the qrels."""
        return self.qrels.topics

    @property
    def n_topics(self) -> int:
        """Number of judged topics."""
        return self.qrels.n_topics

    @property
    def n_systems(self) -> int:
        """Number of runs."""
        return len(self.systems)

    @property
    def n_cells(self) -> int:
        """Number of topics times number of runs."""
        return self.n_topics * self.n_systems

    @cached_property
    def cells(self) -> NDArray[np.int32]:
        """Cell of each entry."""
        return np.repeat(np.arange(self.n_cells, dtype=np.int32), np.diff(self.starts))

    @property
    def missing_topics(self) -> tuple[tuple[str, ...], ...]:
        """For each run, the judged topics for which it returned nothing."""
        missing = self.n_retrieved.T == 0
        return tuple(tuple(compress(self.topics, of_run)) for of_run in missing)

    @cached_property
    def best_ranks(self) -> NDArray[np.int32]:
        """Best rank of each document in any run, 0 in none; it is in the pool of depth k if this is 1 to k."""
        unreturned = np.iinfo(np.int32).max
        best = np.full(self.qrels.grades.size, unreturned, dtype=np.int32)
        np.minimum.at(best, self.judgments, self.ranks)
        best[best == unreturned] = 0
        return best

    def taken(self, topics: Sequence[int], systems: Sequence[int]) -> "JudgedRuns":
        """Return some topics and runs by their places, ascending; `n_tied` and `unmatched` count all topics."""
        cells = np.ix_(topics, systems)
        is_kept = np.zeros(self.n_retrieved.shape, dtype=np.bool_)
        is_kept[cells] = True
        entries = is_kept.ravel()[self.cells]
        counts = np.diff(self.starts).reshape(self.n_retrieved.shape)[cells]
        place_of = np.cumsum(np.isin(self.qrels.topic_of, topics)) - 1
        return JudgedRuns(
            qrels=self.qrels.taken(topics),
            systems=tuple(self.systems[place] for place in systems),
            starts=np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
            ranks=self.ranks[entries],
            judgments=place_of[self.judgments[entries]].astype(np.int32),
            n_retrieved=self.n_retrieved[cells],
            unused_topics=tuple(self.unused_topics[place] for place in systems),
            n_tied=tuple(self.n_tied[place] for place in systems),
            unmatched=tuple(self.unmatched[place] for place in systems) if self.unmatched else (),
        )

    def unjudged_shares(self, depth: int = 10, grades: Grades | None = None) -> NDArray[np.float64]:
        """Return the share of unjudged documents among the first of each run, 0 for a run with no document."""
        used = self.qrels.grades if grades is None else grades
        counted = (self.ranks <= depth) & (used[self.judgments] >= 0)
        judged = np.bincount(self.cells[counted] % self.n_systems, minlength=self.n_systems)
        evaluated = np.minimum(self.n_retrieved, depth).sum(axis=0)
        shares: NDArray[np.float64] = (evaluated - judged) / np.maximum(evaluated, 1)
        return shares


def join(runs: Iterable[Run], qrels: Qrels) -> JudgedRuns:
    """Look up every document of every run in the judgments."""
    if (qrels.grades == REMOVED).any():
        raise InputError("grades", int(REMOVED), "must be above this, the lowest of 16 bits")
    index = JudgmentIndex(qrels)
    rows = {topic: row for row, topic in enumerate(qrels.topics)}
    parts: dict[str, _Part] = {}
    for run in runs:
        if run.tag in parts:
            raise InputError("runs", run.tag, "must be unique; two runs have this tag")
        parts[run.tag] = _joined(run, index, rows, qrels)
    if not parts:
        raise InputError("runs", 0, "must be at least 1 run")
    return _put_together(parts, qrels)


@dataclass(frozen=True, kw_only=True, eq=False)
class _Part:
    """Entries of one run, by topic of the qrels and then by rank."""

    counts: NDArray[np.int64]  # entries a topic
    ranks: NDArray[np.int32]
    judgments: NDArray[np.int32]
    n_retrieved: NDArray[np.int32]
    unused_topics: tuple[str, ...]
    n_tied: int
    unmatched: Unmatched


SEED = 20160601  # of the multipliers; no answer depends on it
ATTEMPTS = 8
"""Sets of multipliers that are tried. Two judgments share a key with a chance of about n^2 / 2^64."""

Words = NDArray[np.uint64]


class JudgmentIndex:
    """Judgments by a hash of topic and document id; matches are then compared as words of 64 bits."""

    def __init__(self, qrels: Qrels) -> None:
        self._topics = qrels.topic_of
        self._words = _words_of(qrels.documents)
        rng = np.random.default_rng(SEED)
        for _ in range(ATTEMPTS):
            # Odd, so that no bit of a word is lost. One for the topic, one for each word of an id;
            # ids of runs may be longer than those judged, but cannot match then.
            self._multipliers = rng.integers(0, 2**63, self._words.shape[1] + 1, dtype=np.uint64) * 2 + 1
            keys = self._keys(self._topics, self._words)
            self._order = np.argsort(keys)
            self._sorted = keys[self._order]
            if (self._sorted[1:] != self._sorted[:-1]).all():
                break
        else:
            raise InputError("qrels", qrels.name, "must contain each document once per topic")
        # Keys are looked up by their leading bits, in about two buckets per judgment.
        bits = max(1, int(keys.size - 1).bit_length() + 1)
        self._shift = np.uint64(64 - bits)
        buckets = np.arange(2**bits, dtype=np.uint64) << self._shift
        self._first = np.searchsorted(self._sorted, buckets).astype(np.int32)

    def find(self, documents: NDArray[np.bytes_], topics: NDArray[np.int32]) -> NDArray[np.int32]:
        """Return the judgment of each document."""
        words = _words_of(documents)
        width = self._words.shape[1]
        keys = self._keys(topics, words[:, :width])
        places = self._places(keys)
        result = np.where(places >= 0, self._order[places], -1).astype(np.int32)
        # The same key is no proof: topic and id must be the same too.
        hits = np.flatnonzero(result >= 0)
        same = self._topics[result[hits]] == topics[hits]
        for word in range(max(width, words.shape[1])):
            given = words[hits, word] if word < words.shape[1] else 0
            judged = self._words[result[hits], word] if word < width else 0
            same &= given == judged
        result[hits[~same]] = -1
        return result

    def _keys(self, topics: NDArray[np.int32], words: Words) -> Words:
        """Return the sum of words times multipliers, modulo 2^64."""
        keys: Words = topics.astype(np.uint64) * self._multipliers[0]
        for word in range(words.shape[1]):
            keys += words[:, word] * self._multipliers[word + 1]
        return keys

    def _places(self, keys: Words) -> NDArray[np.int32]:
        """Return the place of each key in the sorted ones, -1 where it is not there."""
        places = np.full(keys.size, -1, dtype=np.int32)
        last = self._sorted.size - 1
        active = np.arange(keys.size)
        at = np.minimum(self._first[keys >> self._shift], last)
        while active.size:
            standing = self._sorted[at]
            equal = standing == keys[active]
            places[active[equal]] = at[equal]
            further = (standing < keys[active]) & (at < last)
            active, at = active[further], at[further] + 1
        return places


def _words_of(documents: NDArray[np.bytes_]) -> Words:
    """Return ids as rows of 64-bit words, padded with zeros as NumPy pads texts."""
    n_words = max(1, -(-documents.dtype.itemsize // 8))
    padded = np.ascontiguousarray(documents, dtype=f"S{8 * n_words}")
    return padded.view("<u8").reshape(-1, n_words)


def _joined(run: Run, index: JudgmentIndex, rows: dict[str, int], qrels: Qrels) -> _Part:
    topics = np.array([rows.get(topic, -1) for topic in run.topics], dtype=np.int32)
    used = topics >= 0
    if not used.any():
        raise InputError(
            "runs",
            run.tag,
            f"must have topics of the qrels {qrels.name!r}: the run has {_some(run.topics)}, "
            f"the qrels have {_some(qrels.topics)}",
        )
    depths = run.depths
    topic_of = np.repeat(topics, depths)
    result = index.find(run.documents, topic_of)
    entries = np.flatnonzero(result >= 0)
    ranks = (entries - np.repeat(run.starts[:-1], depths)[entries] + 1).astype(np.int32)
    entry_topics = topic_of[entries]
    if (np.diff(topics[used]) < 0).any():  # topics of the run are in another order
        order = np.argsort(entry_topics, kind="stable")
        entries, ranks, entry_topics = entries[order], ranks[order], entry_topics[order]
    n_retrieved = np.zeros(qrels.n_topics, dtype=np.int32)
    n_retrieved[topics[used]] = depths[used]
    counts = np.bincount(entry_topics, minlength=qrels.n_topics)
    return _Part(
        counts=counts,
        ranks=ranks,
        judgments=result[entries],
        n_retrieved=n_retrieved,
        unused_topics=tuple(topic for topic in run.topics if topic not in rows),
        n_tied=run.n_tied,
        unmatched=_unmatched(run, topics, counts, qrels),
    )


def _unmatched(run: Run, topics: NDArray[np.int32], counts: NDArray[np.int64], qrels: Qrels) -> Unmatched:
    """Return the topics for which the run returns documents, but none of the qrels."""
    has_documents = (topics >= 0) & (run.depths > 0)
    places = np.flatnonzero(has_documents & (counts[topics] == 0))
    n_judged = int(np.count_nonzero(has_documents))
    if not places.size:
        return Unmatched(0, n_judged)
    first = int(places[0])
    return Unmatched(
        int(places.size),
        n_judged,
        run.topics[first],
        run.documents[run.starts[first]].decode(),
        qrels.documents[qrels.starts[topics[first]]].decode(),
    )


def _put_together(parts: dict[str, _Part], qrels: Qrels) -> JudgedRuns:
    """Lay the entries of all runs out by topic, then by run."""
    every = list(parts.values())
    counts = np.stack([part.counts for part in every], axis=1)
    starts = np.concatenate([[0], np.cumsum(counts)])
    ranks = np.empty(starts[-1], dtype=np.int32)
    judgments = np.empty(starts[-1], dtype=np.int32)
    cell_starts = starts[:-1].reshape(counts.shape)
    for system, part in enumerate(every):
        own_starts = np.cumsum(part.counts) - part.counts
        moved = np.repeat(cell_starts[:, system] - own_starts, part.counts)
        places = np.arange(part.ranks.size) + moved
        ranks[places], judgments[places] = part.ranks, part.judgments
    return JudgedRuns(
        qrels=qrels,
        systems=tuple(parts),
        starts=starts,
        ranks=ranks,
        judgments=judgments,
        n_retrieved=np.stack([part.n_retrieved for part in every], axis=1),
        unused_topics=tuple(part.unused_topics for part in every),
        n_tied=tuple(part.n_tied for part in every),
        unmatched=tuple(part.unmatched for part in every),
    )


def _some(topics: tuple[str, ...]) -> str:
    return ", ".join(map(repr, topics[:3])) + (", ..." if len(topics) > 3 else "")
