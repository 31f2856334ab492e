"""Choices that change scores, made once for all measures of an evaluation: level, gains, xmax, denominator."""

from dataclasses import dataclass
from typing import Literal

import numpy as np

from topicset_core.collection.judged_runs import Grades
from topicset_core.errors import InputError
from topicset_core.inputs import Inputs, given
from topicset_core.measures.graded_runs import Ints
from topicset_core.parameters import LARGEST_GRADE, RELEVANCE_LEVEL, ChoiceParameter

Denominator = Literal["R", "min(md, R)"]

DENOMINATOR_IN_WORDS = {
    "R": "divided by the number R of relevant documents",
    "min(md, R)": "divided by R or the measurement depth, whichever is smaller (Sakai and Song 2011)",
}


def denominators(n_relevant: Ints, depth: int | None, denominator: Denominator) -> Ints:
    """Return the divisor of each topic: R, or min(md, R) as Sakai 2016, section 5; without a depth both are R."""
    if depth is None or denominator == "R":
        return n_relevant
    return np.minimum(n_relevant, depth)


Gains = Literal["linear", "exponential"]

LARGEST_EXPONENT = 30
"""Largest grade that may be an exponent: sums of these gains stay exact in 64 bits."""

GAIN_IN_WORDS = {"linear": "gain x for grade x", "exponential": "gain 2^x - 1 for grade x"}


def gains_of(grades: Grades, gains: Gains) -> Ints:
    """Return the gain of each grade, all of them above 0."""
    wide = grades.astype(np.int64)
    if gains == "linear":
        return wide
    check_exponent("gains", int(wide.max(initial=0)))
    return (1 << wide) - 1


def check_exponent(parameter: str, grade: int) -> None:
    """Refuse a grade that is too large for 2^x."""
    if grade > LARGEST_EXPONENT:
        raise InputError(
            parameter,
            f"2^{grade}",
            f"must not be powers of grades above {LARGEST_EXPONENT}; use linear gains",
        )


def check_depth(depth: int | None) -> None:
    """Refuse a measurement depth that is no rank."""
    if depth is not None and depth < 1:
        raise InputError("measurement_depth", depth, "must be at least 1")


def check_largest_grade(largest_grade: int | None) -> None:
    """Refuse an xmax that is no power to raise 2 to; None stands for the largest grade of the judgments."""
    if largest_grade is not None:
        LARGEST_GRADE.check(largest_grade)


GAINS = ChoiceParameter(
    name="gains",
    label="Gain of grade x in nDCG and Q",
    help="In nDCG and Q: x, or 2^x - 1 if exponential; D-nDCG and D#-nDCG take 2^x - 1 always.",
    options={"linear": "x, as trec_eval", "exponential": "2^x - 1, as Sakai 2016"},
    default="linear",
)

DENOMINATOR = ChoiceParameter(
    name="denominator",
    label="AP and Q with a cutoff are divided by",
    help="R: relevant documents; md: the cutoff.",
    options={"R": "R, as trec_eval", "min(md, R)": "min(md, R), as Sakai 2016"},
    default="R",
)


@dataclass(frozen=True, kw_only=True)
class Conventions(Inputs):
    """How grades become scores; the defaults are trec_eval's."""

    relevance_level: int = given(RELEVANCE_LEVEL)
    gains: Gains = given(GAINS)
    largest_grade: int | None = given(LARGEST_GRADE, unless="the largest grade in qrels")
    denominator: Denominator = given(DENOMINATOR)


TREC_EVAL = Conventions()
"""Grade 1 is relevant, gains are grades, AP is divided by R."""

SAKAI = Conventions(gains="exponential", denominator="min(md, R)")
"""Conventions of Sakai 2016, section 5: gains 2^x - 1, AP and Q divided by min(md, R)."""

NAMED_CONVENTIONS = {"trec_eval": TREC_EVAL, "Sakai 2016": SAKAI}
"""What forms and commands offer as a whole; of ERR and nERR both take the largest grade in the qrels as xmax."""


def level_in_words(relevance_level: int, largest_grade: int) -> str:
    """Return from which grade documents are relevant; "" where grades leave no choice."""
    if largest_grade < 2:
        return ""
    return f"Relevant from grade {relevance_level} of {largest_grade}; TREC Deep Learning uses 2."
