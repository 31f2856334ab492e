"""The sign test of tables 4 and 5 of He, Macdonald and Ounis: exact, two-sided, ties left out."""

from dataclasses import dataclass
from functools import cached_property
from math import comb

SIGNIFICANT, HIGHLY_SIGNIFICANT = 0.05, 0.01
"""Levels of the paper's marks > and ≫."""


@dataclass(frozen=True)
class SignTest:
    """Cases that favour one of two sides.

    Parameters
    ----------
    more, less : int
        Cases for and against.
    tied : int
        Cases that favour neither; they say nothing about a sign, and are counted apart.
    """

    more: int
    less: int
    tied: int = 0

    @cached_property
    def p_value(self) -> float:
        """Probability of a split at least as uneven, were both signs equally likely; 1 without cases.

        All marks of the paper's tables follow from this two-sided test; one-sided the 17/7 of table 5
        would be marked.
        """
        n = self.more + self.less
        extreme = sum(comb(n, k) for k in range(min(self.more, self.less) + 1))
        return min(1.0, float(2 * extreme / 2**n))

    @property
    def mark(self) -> str:
        """As in the paper: ≫ at .01, > at .05, nothing otherwise; ≪ and < where fewer cases favour."""
        signs = ("≫", ">") if self.more > self.less else ("≪", "<")
        if self.p_value <= HIGHLY_SIGNIFICANT:
            return signs[0]
        return signs[1] if self.p_value <= SIGNIFICANT else ""

    @property
    def said(self) -> str:
        """As in the paper, "24/0 ≫"; with ties "20/3 (1 tied) ≫"."""
        tied = f" ({self.tied} tied)" if self.tied else ""
        return f"{self.more}/{self.less}{tied}{' ' + self.mark if self.mark else ''}"
