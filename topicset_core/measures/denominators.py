"""What AP and Q are divided by."""

from typing import Literal

import numpy as np

from topicset_core.measures.ranked_documents import Ints

Denominator = Literal["R", "min(md, R)"]

DENOMINATOR_IN_WORDS = {
    "R": "divided by the number R of relevant documents",
    "min(md, R)": "divided by R or the measurement depth, whichever is smaller (Sakai and Song 2011)",
}


def denominators(n_relevant: Ints, depth: int | None, denominator: Denominator) -> Ints:
    """Return what each topic is divided by.

    Sakai 2016, section 5: "we follow Sakai and Song (2011) and divide by min(md, R) rather than by R
    in order to properly handle small measurement depths". Without a depth both are R.
    """
    if depth is None or denominator == "R":
        return n_relevant
    return np.minimum(n_relevant, depth)
