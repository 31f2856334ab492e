"""Where the public matrices, runs and judgments are that some tests compare against.

They belong to others and are never copied into the project. The folder is named by the environment
variable TOPICSET_REFERENCE_DATA, otherwise the folder next to the repository is used; a test that
needs a file which is not there is skipped with that said.
"""

import csv
import os
from pathlib import Path

import numpy as np
import pytest

from topicset_core.collection import ScoreMatrix

VARIABLE = "TOPICSET_REFERENCE_DATA"
ABSENT = (
    f"the reference data are absent: docs/reference_data.md says what they are; {VARIABLE} names their folder"
)
"""One reason for all skips, so that a run reports them in one line."""

REPOSITORY = Path(__file__).resolve().parent.parent


def reference_data() -> Path:
    """The folder of the reference data, whether or not it exists."""
    given = os.environ.get(VARIABLE)
    return Path(given) if given else REPOSITORY.parent / "shared" / "data"


def reference_file(*parts: str) -> Path:
    """One file of the reference data; skips the calling test where it is absent."""
    path = reference_data().joinpath(*parts)
    if not path.is_file():
        pytest.skip(ABSENT)
    return path


def reference_matrix(name: str, measure: str = "AP") -> ScoreMatrix:
    """One file of matrices/ by its name without extension, read by the csv module alone.

    Tests of variances and designs use this, so that they do not depend on the project's own parsing.
    """
    with reference_file("matrices", f"{name}.csv").open(newline="", encoding="ascii") as file:
        header, *rows = csv.reader(file)
    return ScoreMatrix(
        scores=np.array([[float(cell) for cell in row[1:]] for row in rows]),
        topics=tuple(row[0] for row in rows),
        systems=tuple(header[1:]),
        measure=measure,
        name=name,
    )
