"""Choices that change scores, made once for all measures of an evaluation."""

from dataclasses import dataclass
from typing import get_args

from topicset_core.errors import InputError
from topicset_core.measures.denominators import Denominator
from topicset_core.measures.gains import Gains, check_exponent
from topicset_core.measures.measure import check_level


@dataclass(frozen=True, kw_only=True)
class Conventions:
    """How grades become scores; the defaults are trec_eval's.

    Parameters
    ----------
    relevance_level : int
        Lowest grade that counts as relevant, for measures of binary relevance and for Q.
    gains : {"linear", "exponential"}
        Gain of grade x in nDCG and Q: x itself, or 2^x - 1.
    largest_grade : int, optional
        xmax of ERR and nERR; by default the largest grade in the qrels.
    denominator : {"R", "min(md, R)"}
        What AP and Q with a measurement depth md are divided by.
    """

    relevance_level: int = 1
    gains: Gains = "linear"
    largest_grade: int | None = None
    denominator: Denominator = "R"

    def __post_init__(self) -> None:
        check_level(self.relevance_level)
        if self.gains not in get_args(Gains):
            raise InputError("gains", self.gains, f"must be one of {', '.join(get_args(Gains))}")
        if self.denominator not in get_args(Denominator):
            raise InputError("denominator", self.denominator, f"must be one of {get_args(Denominator)}")
        if self.largest_grade is not None:
            if self.largest_grade < 1:
                raise InputError("largest_grade", self.largest_grade, "must be at least 1")
            check_exponent("largest_grade", self.largest_grade)


TREC_EVAL = Conventions()
"""Grade 1 is relevant, gains are grades, AP is divided by R."""

SAKAI = Conventions(gains="exponential", denominator="min(md, R)")
"""Those of Sakai 2016, section 5: gains 2^x - 1, AP and Q divided by min(md, R)."""
