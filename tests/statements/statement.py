"""A printed statement about how good a result is, and the test that it must pass.

A statement says, for instance, that intervals cover 79 to 97 %. Its test repeats, on several data, what a user
does, and counts how often the statement is true. A small version runs with the tests; `make statements` runs it in
full and keeps the results in docs/evidence/statements, from which docs/statements.md is made.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np


@dataclass(frozen=True, kw_only=True)
class Cell:
    """One setting of a test: data that nobody tuned the statement to."""

    name: str  # a row of the table, such as "Web 2012, ERR@20: 25 topics, 10 systems"
    population: Callable[[], Any]  # made once per cell: what trials draw from, with the true values
    small: bool = False  # part of the tests, too


@dataclass(frozen=True, kw_only=True)
class Statement:
    """What is printed, where, and how it is tested."""

    key: str  # name of its section and of its file of results: lower-case words with hyphens
    title: str
    text: str  # as printed: taken from the product, not typed again
    where: tuple[str, ...]  # pages and commands that print it
    test: str  # what a trial does and what is counted, in a few sentences
    quantity: str  # what `achieved` is: "coverage", "familywise Type I error", "power"
    stated: tuple[float, float]  # least and most of what is printed, as shares; taken from the product
    cells: tuple[Cell, ...]
    trial: Callable[[Any, np.random.Generator], float]  # of a population; NaN where nothing was printed
    trials: int  # of each cell in the full run
    few: int  # of each small cell in the tests
    seed: int = 0
    nominal: float | None = None  # what the method aims at, if that is not the stated range


class Achieved(NamedTuple):
    """Mean over the trials of a cell in which the statement was printed."""

    data: str
    n_trials: int
    value: float
    standard_error: float


def achieved(statement: Statement, place: int, n_trials: int) -> Achieved:
    """Return the mean over trials of one cell; trials draw from their own seeds."""
    cell = statement.cells[place]
    population = cell.population()
    seeds = np.random.SeedSequence((statement.seed, place)).spawn(n_trials)
    results = np.array([statement.trial(population, np.random.default_rng(seed)) for seed in seeds], float)
    counted = results[np.isfinite(results)]
    if counted.size < 2:
        return Achieved(cell.name, int(counted.size), math.nan, math.nan)
    # Of a share, the error that it would have with one more success and failure: 0 of 60 is not without error.
    least = math.sqrt(counted.size + 1) / (counted.size + 2) / math.sqrt(counted.size)
    error = max(float(np.std(counted, ddof=1)) / math.sqrt(counted.size), least)
    return Achieved(cell.name, int(counted.size), float(counted.mean()), error)


def holds(found: Achieved, stated: tuple[float, float], errors: float = 3.0, margin: float = 0.0) -> bool:
    """Return whether a value lies in the stated range, within a margin and so many standard errors."""
    reach = margin + errors * found.standard_error
    return stated[0] - reach <= found.value <= stated[1] + reach
