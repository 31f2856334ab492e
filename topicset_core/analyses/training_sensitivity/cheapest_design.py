"""Fewer judgments a topic, or fewer topics: which costs less, in a sentence."""

from collections.abc import Sequence

from topicset_core.analyses.training_sensitivity.designs import CompletenessDesign
from topicset_core.analyses.training_sensitivity.request import COMPLETE
from topicset_core.wording import counted

_WHOLE_FROM = 100


def cheapest(designs: Sequence[CompletenessDesign], measure: str) -> CompletenessDesign | None:
    """Return the design with the fewest judgments; of equals the most complete, None where none has a number."""
    answered = [one for one in designs if one.measure == measure and one.total_judgments is not None]
    return min(answered, key=lambda one: (one.total_judgments or 0, -one.level), default=None)


def cheapest_sentence(designs: Sequence[CompletenessDesign], measure: str, difference: float) -> str:
    """Return what the cheapest design of a measure costs, beside the one with all judgments.

    Parameters
    ----------
    designs : sequence of CompletenessDesign
        Of all levels, as `completeness_designs` returns them.
    measure : str
        What systems are compared by.
    difference : float
        The difference by all judgments that they were asked for.
    """
    least = cheapest(designs, measure)
    whole = next(one for one in designs if one.measure == measure and one.level == COMPLETE)
    pair = f"To tell apart two systems that differ by {difference:g} {measure} on all judgments"
    if least is None:
        return f"{pair}, no number of topics within the limits is enough at any level."
    if least is whole:
        return (
            f"{pair}, judge whole pools: {_design(whole)}. Every sparser level takes more judgments in all, as its "
            "scores are noisier."
        )
    beside = "with whole pools no number of topics within the limits is enough"
    if whole.total_judgments is not None:
        beside = f"whole pools take {_design(whole)}"
    said = f"{pair}, judging {least.level:g} % of each pool costs least: {_design(least)}"
    if least.likely_judgments is None:
        return f"{said}; {beside}. How sure that is these samples of judgments do not say."
    low, high = least.likely_judgments
    said = f"{said} (95 % interval over samples of judgments: {low:,} to {high:,}); {beside}."
    if whole.total_judgments is not None and high >= whole.total_judgments:
        said += " So that it costs less may be chance."
    return said


def _design(one: CompletenessDesign) -> str:
    return (
        f"{counted(one.topics_to_judge or 0, 'topic')} with about {documents_said(one)} judged documents each, "
        f"{one.total_judgments:,} judgments in all"
    )


def documents_said(one: CompletenessDesign) -> str:
    """Write judged documents a topic: in three digits, or whole where there are more."""
    documents = one.judged_per_topic
    return f"{documents:,.0f}" if documents >= _WHOLE_FROM else f"{documents:.3g}"
