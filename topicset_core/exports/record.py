"""The JSON record of an answer: what was asked, with what, and what came out."""

import json
import platform
from collections.abc import Iterable, Mapping
from importlib import metadata
from typing import Any

from topicset_core import __version__
from topicset_core.collection import ScoreMatrix

SCHEMA = 1
"""Version of the record's layout; goes up when a name in it changes or disappears."""

_PACKAGES = ("numpy", "scipy")


def record_of(
    results: Iterable[Mapping[str, Any]],
    *,
    measure: str,
    variance_source: str,
    matrices: Iterable[ScoreMatrix] = (),
    seed: int | None = None,
    link: str = "",
) -> dict[str, Any]:
    """Return a record from which the answer can be checked and computed again.

    Parameters
    ----------
    results : iterable of mapping
        What was found, as plain values: exact and published answer of a design, or that of an analysis.
    measure, variance_source : str
        What the variance was measured on.
    matrices : iterable of ScoreMatrix
        The scores it came from; their SHA-256 digests are recorded, not the scores.
    seed : int, optional
        Seed of whatever was drawn at random.
    link : str
        The full link.
    """
    return {
        "schema": SCHEMA,
        "made_by": {"name": "topicset", "version": __version__},
        "with": {"python": platform.python_version()} | {name: metadata.version(name) for name in _PACKAGES},
        "measure": measure,
        "variance_source": variance_source,
        "scores": [_scores(matrix) for matrix in matrices],
        "seed": seed,
        "results": list(results),
        "link": link,
    }


def written(record: Mapping[str, Any]) -> bytes:
    """Return a record as indented JSON."""
    return json.dumps(record, indent=2, ensure_ascii=False, allow_nan=False).encode()


def _scores(matrix: ScoreMatrix) -> dict[str, Any]:
    return {
        "name": matrix.name,
        "measure": matrix.measure,
        "n_topics": matrix.n_topics,
        "n_systems": matrix.n_systems,
        "sha256": matrix.digest,
    }
