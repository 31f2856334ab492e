"""Every public matrix turned into every other shape is read back unchanged: a part of each, and one as a whole."""

import gzip
import json
from collections.abc import Callable
from functools import cache

import numpy as np
import pytest

from tests.parsing.packed import workbook, zipped
from tests.parsing.scores.test_read_public_matrices import MATRICES
from tests.parsing.scores.test_round_trips import long, wide
from tests.reference_data import reference_matrix
from topicset_core.collection import ScoreMatrix
from topicset_core.parsing import Choices, read_scores

MOST = 30
"""Topics and runs of the part that is taken of a matrix."""


@cache
def part_of(name: str) -> ScoreMatrix:
    """Topics and runs from all over a public matrix, the first ones among them."""
    whole = reference_matrix(name)
    return whole.taken(*(range(0, n, -(-n // MOST)) for n in whole.scores.shape))


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
    rows += [[topic, *row] for topic, row in zip(matrix.topics, matrix.scores.tolist(), strict=True)]
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
@pytest.mark.parametrize("name", [*NAMES, pytest.param("", marks=pytest.mark.slow, id="a whole one")])
@pytest.mark.parametrize("shape", SHAPES)
def test_public_matrix_in_another_shape(name: str, shape: str) -> None:
    matrix = part_of(name) if name else reference_matrix("robust2004_ap")
    file, write = SHAPES[shape]
    (result,) = read_scores(write(matrix), file, "AP").matrices
    assert result.digest == matrix.digest


@pytest.mark.reference_data
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("corner", ["AP", "", "Web"])
def test_public_matrix_as_newbestsub_writes_it(name: str, corner: str) -> None:
    """Runs by topics with any text in the first cell; where names leave it open the user chooses."""
    matrix = part_of(name)
    text = transposed(matrix, corner)
    chosen = read_scores(text, "x.csv", "AP", Choices(orientation="runs-by-topics"))
    assert chosen.matrices[0].digest == matrix.digest
    automatic = read_scores(text, "x.csv", "AP")
    if automatic.matrices[0].digest != matrix.digest:
        # Read by topics, as if the user had chosen it, with one more sentence: the orientation may be reversed.
        by_topic = read_scores(text, "x.csv", "AP", Choices(orientation="topics-by-runs"))
        assert len(automatic.recognised) == len(by_topic.recognised)
        assert len({*automatic.recognised} - {*by_topic.recognised}) == 1
        assert np.array_equal(automatic.matrices[0].scores, matrix.scores.T)


@pytest.mark.reference_data
@pytest.mark.parametrize("name", NAMES)
def test_public_matrix_as_plain_numbers(name: str) -> None:
    matrix = part_of(name)
    text = "\n".join(" ".join(f"{score:.7f}" for score in row) for row in matrix.scores.tolist())
    (result,) = read_scores(text, "x.mat").matrices
    # The last digit written.
    np.testing.assert_allclose(result.scores, matrix.scores, rtol=0, atol=1e-7, equal_nan=False)


@pytest.mark.reference_data
@pytest.mark.parametrize(
    "name", ["sakai_20x3", "brennan_synthetic4", "trec8_adhoc_ap", "mq2007_top26_statap"]
)
def test_public_matrix_as_a_workbook(name: str) -> None:
    matrix = part_of(name)
    (result,) = read_scores(sheet(matrix), "x.xlsx", "AP").matrices
    assert result.digest == matrix.digest
