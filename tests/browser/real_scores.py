"""TREC robust 2003 new and 2004 new as Sakai 2016 planned with them, as files that a user uploads."""

import csv
from collections.abc import Collection
from pathlib import Path

import numpy as np

from tests.reference_data import reference_file, reference_matrix
from topicset_core.collection import ScoreMatrix

DIGITS = 4  # those of the public matrices


def trec03new() -> ScoreMatrix:
    """Topics 601-650 of robust 2003 (its rows t051-t100), 78 runs."""
    return _part(reference_matrix("robust2003_ap"), slice(50, None), (), "TREC03new_ap")


def trec04new() -> ScoreMatrix:
    """Topics 651-700 without 672 of robust 2004, the 78 of 110 runs that the paper keeps.

    The README of the reference data names the 32 that are left out.
    """
    readme = reference_file("README.md").read_text(encoding="utf-8")
    left_out = readme.partition("The 32: ")[2].partition(".\n")[0].replace("\n", " ").split(",")
    return _part(
        reference_matrix("robust2004_ap"),
        slice(200, None),
        [name.strip() for name in left_out],
        "TREC04new_ap",
    )


def write(matrix: ScoreMatrix, folder: Path) -> Path:
    """Write a matrix as the table that a user would have."""
    path = folder / f"{matrix.name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["topic", *matrix.systems])
        for topic, row in zip(matrix.topics, matrix.scores, strict=True):
            writer.writerow([topic, *(round(float(score), DIGITS) for score in row)])
    return path


def _part(matrix: ScoreMatrix, rows: slice, left_out: Collection[str], name: str) -> ScoreMatrix:
    keep = [system not in left_out for system in matrix.systems]
    return ScoreMatrix(
        scores=np.ascontiguousarray(matrix.scores[rows][:, keep]),
        topics=matrix.topics[rows],
        systems=tuple(system for system, kept in zip(matrix.systems, keep, strict=True) if kept),
        measure="AP",
        name=name,
    )
