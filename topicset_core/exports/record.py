"""The JSON record of an answer: what was asked, with what, and what came out."""

import json
import platform
from collections.abc import Iterable
from importlib import metadata
from typing import Any, Protocol

from topicset_core import __version__
from topicset_core.collection import ScoreMatrix

SCHEMA = 1
"""Version of the record's layout; goes up when a name in it changes or disappears."""

_PACKAGES = ("numpy", "scipy")


class Recorded(Protocol):
    """An answer that can write itself down: results of designs, of comparisons, of audits."""

    def record(self) -> dict[str, Any]:
        """Return the answer as plain values for JSON."""


def json_record(
    results: Iterable[Recorded],
    *,
    measure: str,
    variance_source: str,
    matrices: Iterable[ScoreMatrix] = (),
    seed: int | None = None,
    link: str = "",
) -> bytes:
    """Return a record from which the answer can be checked and computed again, as indented JSON.

    Parameters
    ----------
    results : iterable of answers
        Those of a design, exact and published, or of an analysis.
    measure, variance_source : str
        What the variance was measured on.
    matrices : iterable of ScoreMatrix
        The scores it came from; their SHA-256 digests are recorded, not the scores.
    seed : int, optional
        Seed of whatever was drawn at random.
    link : str
        The full link.
    """
    record = {
        "schema": SCHEMA,
        "made_by": {"name": "topicset", "version": __version__},
        "with": {"python": platform.python_version()} | {name: metadata.version(name) for name in _PACKAGES},
        "measure": measure,
        "variance_source": variance_source,
        "scores": [_scores(matrix) for matrix in matrices],
        "seed": seed,
        "results": [result.record() for result in results],
        "link": link,
    }
    return json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False).encode()


def _scores(matrix: ScoreMatrix) -> dict[str, Any]:
    return {
        "name": matrix.name,
        "measure": matrix.measure,
        "n_topics": matrix.n_topics,
        "n_systems": matrix.n_systems,
        "sha256": matrix.digest,
    }
