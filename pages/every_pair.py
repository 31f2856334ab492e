"""How many topics to find which of m systems differ, pair by pair or from a baseline?"""

from pages.parts import design_page
from pages.parts.form import Choice
from topicset_core.designs import against_baseline, all_pairs

_COMPARED = Choice(
    "compared",
    "Compare",
    {"pairs": "every pair of systems", "baseline": "every system with a baseline"},
    look="radio",
)
design_page.draw("every_pair", all_pairs.DESIGN, against_baseline.DESIGN, choice=_COMPARED)
