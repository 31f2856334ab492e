"""Reads the tables next to this file."""

import csv
from pathlib import Path

HERE = Path(__file__).parent


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of ``name``.csv as written; lines that start with # state their sources."""
    with (HERE / f"{name}.csv").open(newline="", encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def numbers(name: str) -> list[dict[str, float]]:
    """Return the rows of a table in which every column is a number."""
    return [{column: float(cell) for column, cell in row.items()} for row in table(name)]
