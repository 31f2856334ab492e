"""Every public matrix turned into every other shape comes back as it was."""

import gzip
import json
from collections.abc import Callable

import numpy as np
import pytest

from tests.parsing.packed import workbook, zipped
from tests.parsing.test_read_public_matrices import MATRICES
from tests.parsing.test_read_what_was_written import long, wide
from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import Choices, read_scores


def transposed(matrix: ScoreMatrix, corner: str) -> str:
    lines = [[corner, *matrix.topics]]
    for system, column in zip(matrix.systems, matrix.scores.T.tolist(), strict=True):
        lines.append([system, *map(repr, column)])
    return "\n".join(map(",".join, lines))


def records(matrix: ScoreMatrix) -> str:
    return "\n".join(
        json.dumps({"system": system, "score": score, "query_id": topic})
        for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True)
        for system, score in zip(matrix.systems, row, strict=True)
    )


def outputs(matrix: ScoreMatrix) -> bytes:
    """A zip of one trec_eval -q output a run."""
    files: dict[str, str | bytes] = {}
    for system, column in zip(matrix.systems, matrix.scores.T.tolist(), strict=True):
        lines = [f"map\t{topic}\t{score!r}" for topic, score in zip(matrix.topics, column, strict=True)]
        files[f"{system}.txt"] = "\n".join([*lines, f"runid\tall\t{system}", "map\tall\t0.1"])
    return zipped(files)


def sheet(matrix: ScoreMatrix) -> bytes:
    rows = [["topic", *matrix.systems]]
    rows += [[topic, *row] for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True)]  # type: ignore[list-item]
    return workbook({"scores": rows})


LONG_NAMES = {"t": "topic", "r": "run", "s": "score"}
SHAPES: dict[str, tuple[str, Callable[[ScoreMatrix], str | bytes]]] = {
    "runs by topics, named": ("x.csv", lambda matrix: transposed(matrix, "run")),
    "wide, gz": ("x.csv.gz", lambda matrix: gzip.compress(wide(matrix, ",").encode())),
    "long": ("x.csv", lambda matrix: long(matrix, ";", LONG_NAMES, "srt")),
    "JSON records": ("x.jsonl", records),
    "outputs of trec_eval": ("x.zip", outputs),
    "zip": ("x.zip", lambda matrix: zipped({"x.tsv": wide(matrix, "\t")})),
}
NAMES = [row[0] for row in MATRICES]


@pytest.mark.reference_data
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("shape", SHAPES)
def test_public_matrix_in_another_shape(name: str, shape: str) -> None:
    matrix = reference_matrix(name)
    file, write = SHAPES[shape]
    read = read_scores(write(matrix), file, "AP")
    (found,) = read.matrices
    assert found.digest == matrix.digest


@pytest.mark.reference_data
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corner", ["AP", "", "Web"])
def test_public_matrix_as_newbestsub_writes_it(name: str, corner: str) -> None:
    """Runs by topics with any text in the first cell; where names leave it open the user says so."""
    matrix = reference_matrix(name)
    text = transposed(matrix, corner)
    chosen = read_scores(text, "x.csv", "AP", Choices(orientation="runs-by-topics"))
    assert chosen.matrices[0].digest == matrix.digest
    automatic = read_scores(text, "x.csv", "AP")
    if automatic.matrices[0].digest != matrix.digest:
        assert any("choose that orientation" in sentence for sentence in automatic.recognised)
        assert np.array_equal(automatic.matrices[0].scores, matrix.scores.T)


@pytest.mark.reference_data
@pytest.mark.parametrize("name", NAMES)
def test_public_matrix_as_plain_numbers(name: str) -> None:
    matrix = reference_matrix(name)
    text = "\n".join(" ".join(f"{score:.7f}" for score in row) for row in matrix.scores.tolist())
    (found,) = read_scores(text, "x.mat").matrices
    assert found.scores == pytest.approx(matrix.scores, abs=1e-7)  # the last digit written


@pytest.mark.reference_data
@pytest.mark.parametrize(
    "name", ["sakai_20x3", "brennan_synthetic4", "trec8_adhoc_ap", "mq2007_top26_statap"]
)
def test_public_matrix_as_a_workbook(name: str) -> None:
    matrix = reference_matrix(name)
    (found,) = read_scores(sheet(matrix), "x.xlsx", "AP").matrices
    assert found.digest == matrix.digest
