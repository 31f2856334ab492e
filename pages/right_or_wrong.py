"""How many topics for two systems, or for one, whose scores are 0 or 1?"""

from pages.parts import design_page
from pages.parts.form import Choice
from topicset_core.designs import (
    equivalent_shares,
    mcnemar,
    non_inferior_shares,
    paired_shares_interval,
    share_interval,
)

_AIM = Choice(
    "aim",
    "Aim",
    {
        "difference": "detect a difference of two systems",
        "as-good": "show that one is at least as good",
        "equal": "show that they are equally good",
        "interval": "estimate the difference",
        "one": "estimate the share of one system",
    },
    look="radio",
)
design_page.draw(
    "right_or_wrong",
    mcnemar.DESIGN,
    non_inferior_shares.DESIGN,
    equivalent_shares.DESIGN,
    paired_shares_interval.DESIGN,
    share_interval.DESIGN,
    choice=_AIM,
)
