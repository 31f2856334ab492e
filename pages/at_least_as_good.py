"""How many topics to show that a system is at least as good as another, or that two are equally good?"""

from pages.parts import design_page
from pages.parts.form import Choice
from topicset_core.designs import equivalence, non_inferiority
from topicset_core.designs.margins import MarginRequirements

_CLAIM = Choice(
    "claim",
    "Show that",
    {
        "as-good": "it is at least as good, within the margin",
        "equal": "the two differ by less than the margin",
    },
    look="radio",
)


def _sentence(required: MarginRequirements) -> str:
    claim, difference = "equivalence", required.true_difference
    condition = f"the true means differ by {abs(difference):g}"
    if not required.design.is_two_sided:
        claim = "non-inferiority"
        condition = f"the true mean is {'better' if difference > 0 else 'worse'} by {abs(difference):g}"
    if difference == 0:
        condition = "the true means are equal"
    each = "" if required.topics == "shared" else "for each of the two systems, "
    return (
        f"{each}to show {claim} (margin **{{margin:g}}** {{measure}}, one-sided {{level:g}} % level, {{power:g}} % "
        f"power) if {condition} and {{symbol}} = **{{variance:.4g}}** ({{source}})."
    )


design_page.draw(
    "at_least_as_good", non_inferiority.DESIGN, equivalence.DESIGN, choice=_CLAIM, sentence=_sentence
)
