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
_STATED = (
    ("ad hoc news, pooled over TREC03new and TREC04new", "AP", 1000, 0.0471, "section 6.1, table 5"),
    ("ad hoc news, TREC03new (robust track 2003, 50 new topics)", "AP", 1000, 0.0479, "section 6.1, table 5"),
    ("ad hoc news, TREC04new (robust track 2004, 49 new topics)", "AP", 1000, 0.0462, "section 6.1, table 5"),
    ("ad hoc news, pooled over TREC03new and TREC04new", "AP", 10, 0.0835, "section 6.1, table 5"),
    ("ad hoc web, pooled over TREC 2011 and 2012", "AP", 10, 0.0824, "section 6.1, table 5"),
    ("ad hoc web, TREC 2011", "the most stable of AP, Q, nDCG, nERR", 10, 0.0477, "section 6.1, table 5(b)"),
    (
        "ad hoc web, TREC 2011",
        "nERR, the least stable of AP, Q, nDCG, nERR",
        10,
        0.1006,
        "section 6.1, table 5(b)",
    ),
    ("diversity web, TREC 2012", "the most stable of the diversity measures", 10, 0.0301, "section 6.1"),
    ("diversity web, TREC 2012", "the least stable of the diversity measures", 10, 0.0798, "section 6.1"),
    (
        "all tasks of the paper",
        "the least stable of all measures",
        None,
        0.1206,
        "section 6.2, figure 1, as the largest of table 5",
    ),
)
STATED_VARIANCES = tuple(
    StatedVariance(task=task, measure=measure, measurement_depth=depth, variance=variance, place=place)
    for task, measure, depth, variance, place in _STATED
)
"""From the paper's running example outwards; the last is what to take where nothing is known."""
