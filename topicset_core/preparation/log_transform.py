"""What if hard topics should count as much as easy ones? Then the logarithm of the scores is planned with.

The mean of log scores over topics is the logarithm of their geometric mean: with AP, that of GMAP.
A score of 0 has no logarithm; trec_eval counts every score below 0.00001 as 0.00001
(``MIN_GEO_MEAN`` in ``trec_eval.h``), and so does this. The floor matters: of a table with many zeros
it makes most of the variance, which is why the record counts the scores it raised.

References
----------
S. Robertson. On GMAP: and other transformations. CIKM 2006, 78-83. doi:10.1145/1183614.1183630
E. M. Voorhees. Overview of the TREC 2004 robust retrieval track. TREC 2004.
"""

import math
from dataclasses import dataclass, replace

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
