"""Finding, for millions of ranked documents, the judgment of each.

Documents are compared as numbers and not as texts: topic and document id are read as words of 64 bits,
and a multilinear hash of these words is the key that is looked up. Matches are compared word by
word, so an answer never rests on a hash.
"""

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection.qrels import Qrels
from topicset_core.errors import InputError

SEED = 20160601  # of the multipliers; no answer depends on it
ATTEMPTS = 8
"""Sets of multipliers that are tried. Two judgments share a key with a chance of about n^2 / 2^64."""

Words = NDArray[np.uint64]


class JudgmentIndex:
    """Judgments of one collection, to be looked up by topic and document."""

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
