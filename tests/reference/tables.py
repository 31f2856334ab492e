"""Reads and writes the tables next to this file."""

import csv
from collections.abc import Iterable, Sequence
from pathlib import Path

HERE = Path(__file__).parent


def table(name: str) -> list[dict[str, str]]:
    """Return the rows of ``name``.csv as written; lines that start with # state their sources."""
    with (HERE / f"{name}.csv").open(newline="", encoding="ascii") as file:
        return list(csv.DictReader(line for line in file if not line.startswith("#")))


def write(name: str, what: str, made: str, columns: str, rows: Iterable[Sequence[object]]) -> None:
    """Write one table under a comment that states the source of its numbers."""
    with (HERE / f"{name}.csv").open("w", newline="") as file:
        file.write(f"# {what}\n# Made by {made}.\n")
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(columns.split())
        writer.writerows(rows)


def numbers(name: str) -> list[dict[str, float]]:
    """Return the rows of a table in which every column is a number."""
    return [{column: float(cell) for column, cell in row.items()} for row in table(name)]
