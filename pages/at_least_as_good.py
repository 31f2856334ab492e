"""How many topics to show that a system is at least as good as another, or that two are equally good?"""

from pages.parts import design_page
from pages.parts.form import Choice
from topicset_core.designs import equivalence, non_inferiority

_CLAIM = Choice(
    "claim",
    "Show that",
    {
        "as-good": "it is at least as good, within the margin",
        "equal": "the two differ by less than the margin",
    },
    look="radio",
)


design_page.draw("at_least_as_good", non_inferiority.DESIGN, equivalence.DESIGN, choice=_CLAIM)
