"""Scores on another scale: logarithms, where hard topics count as much as easy ones, and standardised scores.

The mean of log scores over topics is the logarithm of their geometric mean: with AP, that of GMAP.
A score of 0 has no logarithm; trec_eval counts every score below 0.00001 as 0.00001
(``MIN_GEO_MEAN`` in ``trec_eval.h``), and so does this. The floor matters: of a table with many zeros
it makes most of the variance, which is why the record counts the scores it raised.

Standardised, topics count equally, however hard they are and however far they spread the runs. Each score is
measured against those of reference runs on the same topic (Webber et al. 2008)::

    z = (score - mean of the reference runs) / their standard deviation

with the unbiased standard deviation, that is with n - 1. Sakai (2016) maps z linearly to the usual
scale, ``A z + B`` with A = 0.15 and B = 0.5, so that with normal scores 99.7 % (absolute z up to 3) fall
between 0.05 and 0.95; values below 0 or above 1 (absolute z beyond 3.33) are set to 0 or 1.

A topic on which all reference runs have the same score has no standard deviation to divide by. It
has no information about differences between runs, and is left out and named.

Standardised scores depend on the reference runs, so a variance estimated from them is valid for
collections whose scores are standardised the same way, and not for raw scores.

References
----------
S. Robertson. On GMAP: and other transformations. CIKM 2006, 78-83. doi:10.1145/1183614.1183630
E. M. Voorhees. Overview of the TREC 2004 robust retrieval track. TREC 2004.
W. Webber, A. Moffat, J. Zobel. Score standardization for inter-collection comparison of retrieval
systems. SIGIR 2008, 51-58. doi:10.1145/1390334.1390346
T. Sakai. A simple and effective approach to score standardisation. ICTIR 2016, 95-104.
doi:10.1145/2970398.2970399
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import compress
from typing import Literal

import numpy as np

from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

GMAP_FLOOR = 1e-5
"""Scores below it count as it, as in trec_eval."""


@dataclass(frozen=True, kw_only=True)
class LogTransformed:
    """What `log_transform` did."""

    floor: float  # scores below it were counted as it
    n_floored: int  # how many scores that were
    n_scores: int  # how many scores there are in all
    geometric_means: tuple[float, ...]  # for each run the geometric mean of its scores, after the floor

    @property
    def notes(self) -> tuple[str, ...]:
        """The transformation, in a sentence."""
        return (
            f"Scores were replaced by their natural logarithm; {self.n_floored:,} of {self.n_scores:,} lay below "
            f"the floor {self.floor:g} and were counted as the floor.",
        )


def log_transform(matrix: ScoreMatrix, floor: float = GMAP_FLOOR) -> tuple[ScoreMatrix, LogTransformed]:
    """Replace each score by the natural logarithm of it, or of the floor where that is higher."""
    if not 0 < floor < math.inf:
        raise InputError("log_floor", floor, "must be a number above 0")
    lowest = float(matrix.scores.min())
    if lowest < 0:
        raise InputError("scores", lowest, "must be 0 or more to have a logarithm")
    logarithms = np.log(np.maximum(matrix.scores, floor))
    record = LogTransformed(
        floor=floor,
        n_floored=int(np.count_nonzero(matrix.scores < floor)),
        n_scores=matrix.scores.size,
        geometric_means=tuple(np.exp(logarithms.mean(axis=0)).tolist()),
    )
    return replace(matrix, scores=logarithms, measure=f"log {matrix.measure}"), record


A, B = 0.15, 0.5
"""Slope and centre of std-AB, as Sakai (2016) sets them."""

METHODS = ("z", "std-AB")


@dataclass(frozen=True, kw_only=True)
class Standardised:
    """What `standardise` did."""

    method: Literal["z", "std-AB"]  # how scores were standardised
    reference: tuple[str, ...]  # the runs whose mean and standard deviation on each topic were used
    left_out_topics: tuple[str, ...]  # topics on which all reference runs have the same score
    n_clipped: int  # scores that std-AB set to 0 or 1
    n_beyond_3: int  # scores with an absolute z above 3
    n_topics_before: int
    n_topics_after: int

    @property
    def notes(self) -> tuple[str, ...]:
        """The standardisation, in sentences."""
        n_runs = len(self.reference)
        sentences = [
            f"Scores were standardised ({self.method}) by the mean and standard deviation of {n_runs} reference "
            "runs on each topic."
        ]
        if self.left_out_topics:
            sentences.append(
                "Topics left out, as all reference runs have the same score there: "
                f"{', '.join(self.left_out_topics)}; {self.n_topics_after} of {self.n_topics_before} topics "
                "are left."
            )
        sentences.append(f"{self.n_beyond_3:,} scores lie more than 3 standard deviations from the mean.")
        if self.method == "std-AB":
            sentences.append(f"{self.n_clipped:,} scores were set to 0 or 1, the ends of the scale.")
        return tuple(sentences)


def standardise(
    matrix: ScoreMatrix,
    method: Literal["z", "std-AB"] = "z",
    reference: Sequence[str] | None = None,
) -> tuple[ScoreMatrix, Standardised]:
    """Standardise scores by the mean and standard deviation of reference runs on each topic."""
    if method not in METHODS:
        raise InputError("method", method, f"must be one of {', '.join(METHODS)}")
    chosen = matrix.systems if reference is None else tuple(reference)
    columns = _columns(matrix, chosen)
    of_reference = matrix.scores[:, columns]
    # Equal scores are found by comparison: their standard deviation may differ from 0 in the last bit.
    differ = of_reference.max(axis=1) > of_reference.min(axis=1)
    if np.count_nonzero(differ) < 2:
        raise InputError("reference", chosen, "must be runs whose scores differ on at least 2 topics")
    means = of_reference[differ].mean(axis=1, keepdims=True)
    deviations = of_reference[differ].std(axis=1, ddof=1, keepdims=True)
    z = (matrix.scores[differ] - means) / deviations
    mapped = A * z + B
    scores = z if method == "z" else np.clip(mapped, 0.0, 1.0)
    kept = matrix.taken(np.flatnonzero(differ).tolist(), range(matrix.n_systems))
    prepared = replace(kept, scores=scores, measure=f"{method} {matrix.measure}")
    record = Standardised(
        method=method,
        reference=chosen,
        left_out_topics=tuple(compress(matrix.topics, ~differ)),
        n_clipped=int(np.count_nonzero((mapped < 0) | (mapped > 1))) if method == "std-AB" else 0,
        n_beyond_3=int(np.count_nonzero(np.abs(z) > 3)),
        n_topics_before=matrix.n_topics,
        n_topics_after=kept.n_topics,
    )
    return prepared, record


def _columns(matrix: ScoreMatrix, reference: tuple[str, ...]) -> list[int]:
    index = {system: column for column, system in enumerate(matrix.systems)}
    for system in reference:
        if system not in index:
            raise InputError("reference", system, "must be a run of the matrix")
    if len(set(reference)) < len(reference):
        raise InputError("reference", reference, "must name each run once")
    if len(reference) < 2:
        raise InputError(
            "reference", reference, "must be at least 2 runs: a single run has no standard deviation"
        )
    return [index[system] for system in reference]
