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
    shown, difference = "that two systems differ by less than **{margin:g}**", required.true_difference
    condition = f"if they truly differ by {abs(difference):g}"
    if not required.design.is_two_sided:
        shown = "that a system is not worse than another by **{margin:g}** or more"
        condition = f"if it is truly {'better' if difference > 0 else 'worse'} by {abs(difference):g}"
    if difference == 0:
        condition = "if they are truly equal"
    each = "" if required.topics == "shared" else "for each of the two systems, "
    return (
        f"{each}to show with {{power:g}} % power at the {{level:g}} % level, one-sided, {shown} in {{measure}}, "
        f"{condition}, when {{symbol}} = **{{variance:.4g}}** ({{source}})."
    )


design_page.draw(
    "at_least_as_good", non_inferiority.DESIGN, equivalence.DESIGN, choice=_CLAIM, sentence=_sentence
)
