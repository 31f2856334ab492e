"""From grades to gains: the grade itself, or 2^x - 1."""

from typing import Literal

import numpy as np

from topicset_core.collection.judged_runs import Grades
from topicset_core.errors import InputError
from topicset_core.measures.ranked_documents import Ints

Gains = Literal["linear", "exponential"]

LARGEST_EXPONENT = 30
"""Largest grade that may stand in an exponent: sums of such gains stay exact in 64 bits."""

GAIN_IN_WORDS = {"linear": "gain x for grade x", "exponential": "gain 2^x - 1 for grade x"}


def gains_of(grades: Grades, gains: Gains) -> Ints:
    """Return the gain of each grade, all of them above 0.

    Raises
    ------
    InputError
        If gains are exponential and a grade is above `LARGEST_EXPONENT`.
    """
    wide = grades.astype(np.int64)
    if gains == "linear":
        return wide
    check_exponent("gains", int(wide.max(initial=0)))
    return (1 << wide) - 1


def check_exponent(parameter: str, grade: int) -> None:
    """Refuse a grade that is too large for 2^x.

    Raises
    ------
    InputError
        If it is above `LARGEST_EXPONENT`.
    """
    if grade > LARGEST_EXPONENT:
        raise InputError(
            parameter,
            f"2^{grade}",
            f"must not be powers of grades above {LARGEST_EXPONENT}; use linear gains",
        )
