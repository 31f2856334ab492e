"""Real scores as files that a user uploads."""

import csv
from pathlib import Path

from topicset_core.collection import ScoreMatrix

DIGITS = 4  # those of the public matrices


def write(matrix: ScoreMatrix, folder: Path) -> Path:
    """Write a matrix as the table that a user would have."""
    path = folder / f"{matrix.name}.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(["topic", *matrix.systems])
        for topic, row in zip(matrix.topics, matrix.scores, strict=True):
            writer.writerow([topic, *(round(float(score), DIGITS) for score in row)])
    return path
