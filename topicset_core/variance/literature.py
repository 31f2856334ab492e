"""Within-system variances that are stated in the literature, for users without data.

Only numbers that the text of the paper states; its tables contain more, which are left
out. All are one-way estimates (Eq. 36), pooled over two collections where stated.
"""

from dataclasses import dataclass

SAKAI_2016 = (
    "T. Sakai. Topic set size design. Information Retrieval Journal 19, 256-283 (2016). "
    "https://doi.org/10.1007/s10791-015-9273-z"
)


@dataclass(frozen=True, kw_only=True)
class StatedVariance:
    """One variance with the place that states it.

    Parameters
    ----------
    task : str
        Task and collections.
    measure : str
        The measure, or its description in the text where that gives a range over measures.
    measurement_depth : int or None
        Documents that the measure evaluates; None where the sentence does not fix it.
    variance : float
        sigma^2 as printed.
    source : str
        Citation.
    place : str
        Section and table.
    """

    task: str
    measure: str
    measurement_depth: int | None
    variance: float
    source: str = SAKAI_2016
    place: str


# Web tasks have measurement depth 10 throughout, news tasks 1000 or 10 (section 5). The range of
# TREC 2012 diversity web is called pooled in the text although it names one collection; the text
# does not state which measure is at either end of it, so none is named here.
STATED_VARIANCES = (
    StatedVariance(
        task="ad hoc news, pooled over TREC03new and TREC04new",
        measure="AP",
        measurement_depth=1000,
        variance=0.0471,
        place="section 6.1, table 5",
    ),
    StatedVariance(
        task="ad hoc news, TREC03new (robust track 2003, 50 new topics)",
        measure="AP",
        measurement_depth=1000,
        variance=0.0479,
        place="section 6.1, table 5",
    ),
    StatedVariance(
        task="ad hoc news, TREC04new (robust track 2004, 49 new topics)",
        measure="AP",
        measurement_depth=1000,
        variance=0.0462,
        place="section 6.1, table 5",
    ),
    StatedVariance(
        task="ad hoc news, pooled over TREC03new and TREC04new",
        measure="AP",
        measurement_depth=10,
        variance=0.0835,
        place="section 6.1, table 5",
    ),
    StatedVariance(
        task="ad hoc web, pooled over TREC 2011 and 2012",
        measure="AP",
        measurement_depth=10,
        variance=0.0824,
        place="section 6.1, table 5",
    ),
    StatedVariance(
        task="ad hoc web, TREC 2011",
        measure="the most stable of AP, Q, nDCG, nERR",
        measurement_depth=10,
        variance=0.0477,
        place="section 6.1, table 5(b)",
    ),
    StatedVariance(
        task="ad hoc web, TREC 2011",
        measure="nERR, the least stable of AP, Q, nDCG, nERR",
        measurement_depth=10,
        variance=0.1006,
        place="section 6.1, table 5(b)",
    ),
    StatedVariance(
        task="diversity web, TREC 2012",
        measure="the most stable of the diversity measures",
        measurement_depth=10,
        variance=0.0301,
        place="section 6.1",
    ),
    StatedVariance(
        task="diversity web, TREC 2012",
        measure="the least stable of the diversity measures",
        measurement_depth=10,
        variance=0.0798,
        place="section 6.1",
    ),
    StatedVariance(
        task="all tasks of the paper",
        measure="the least stable of all measures",
        measurement_depth=None,
        variance=0.1206,
        place="section 6.2, figure 1, as the largest of table 5",
    ),
)
"""From the paper's running example outwards; the last is what to take where nothing is known."""
