"""The four comparisons of Yang, Zhang and Song (2018, table 1), as printed and repaired, with raw counterparts."""

from dataclasses import dataclass
from typing import Literal

from topicset_core.analyses.topic_variance import estimate
from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.findings import Findings

Reading = Literal["as printed", "repaired", "beside it"]
"""As the paper has it; as its source or its name would have it; what helps to read either."""

_RAW_SHARE = "pairs with a significant t test"
_RAW_LEVEL = "the same with topics alone resampled (Sakai 2006)"

_ROWS: tuple[tuple[str, str, Reading, str, str, str], ...] = (
    (
        "Order",
        "error rate over all bins: pairs in the other order",
        "as printed",
        "overall_error_rate",
        "",
        "",
    ),
    ("Order", "KRCC: mean Kendall's τ with the raw ranking", "as printed", "krcc", "", ""),
    (
        "Significance",
        "PCT(ASL < .05): pairs that are almost never significant, in under 5 % of the samples",
        "as printed",
        "almost_never_significant_share",
        "raw_significant_share",
        _RAW_SHARE,
    ),
    (
        "Significance",
        "pairs that are significant in a sample, on average",
        "beside it",
        "mean_rejection_rate",
        "raw_significant_share",
        _RAW_SHARE,
    ),
    (
        "Significance",
        "pairs that are significant in at least 50 % of the samples",
        "beside it",
        "half_significant_share",
        "raw_significant_share",
        _RAW_SHARE,
    ),
    (
        "Significance",
        "pairs that are significant in at least 95 % of the samples",
        "beside it",
        "almost_always_significant_share",
        "raw_significant_share",
        _RAW_SHARE,
    ),
    (
        "Significance",
        "pairs with an achieved level below α, topics and collection resampled together",
        "repaired",
        "significant_share_both",
        "significant_share_topics",
        _RAW_LEVEL,
    ),
    (
        "Difference",
        "ED: estimated difference, not shifted",
        "as printed",
        "estimated_difference",
        "",
        "the largest difference between two runs",
    ),
    (
        "Difference",
        "estimated difference, shifted to mean 0, topics and collection resampled together",
        "repaired",
        "estimated_difference_shifted",
        "estimated_difference_topics",
        _RAW_LEVEL,
    ),
)


@dataclass(frozen=True, kw_only=True)
class Comparison:
    """One number of the table.

    Parameters
    ----------
    question : {"Order", "Significance", "Difference"}
        What may change with the collection.
    what : str
        What is counted.
    reading : {"as printed", "repaired", "beside it"}
        Whose way of counting it is.
    value : Estimate
        From simulated collections.
    raw : Estimate or None
        Its counterpart on the scores as they are; None where that is a matter of course.
    raw_is : str
        What the counterpart is.
    """

    question: str
    what: str
    reading: Reading
    value: Estimate
    raw: Estimate | None
    raw_is: str


def comparisons(found: Findings) -> tuple[Comparison, ...]:
    """Return the rows of the table."""
    rows = []
    for question, what, reading, name, raw_name, raw_is in _ROWS:
        raw = found.estimate(raw_name) if raw_name else None
        if name == "estimated_difference":
            raw = estimate.raw(found.largest_difference)
        rows.append(
            Comparison(
                question=question,
                what=what,
                reading=reading,
                value=found.estimate(name),
                raw=raw,
                raw_is=raw_is,
            )
        )
    return tuple(rows)
