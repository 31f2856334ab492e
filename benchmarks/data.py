"""The public data that some benchmarks run on; where they are absent, a line reports that in place of a result."""

from pathlib import Path

from benchmarks.timing import show
from tests.reference_data import VARIABLE, reference_data
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import read_scores


def public(*parts: str) -> Path | None:
    """Return a file or folder of the reference data; say that it is absent and return None where it is."""
    path = reference_data().joinpath(*parts)
    if path.exists():
        return path
    show(f"{path.name} is absent; {VARIABLE} names the folder of the reference data.")
    return None


def public_matrix(name: str) -> ScoreMatrix | None:
    """Return a score matrix by the name of its file without ending; None where it is absent."""
    path = public("matrices", f"{name}.csv")
    return read_scores(path.read_bytes(), path.name).matrices[0] if path else None
