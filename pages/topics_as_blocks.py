"""How many topics for a two-way ANOVA over m systems, with topics as blocks?"""

from typing import Any

from pages.parts import design_page, frame
from topicset_core.designs import blocked_anova


def _show_more(_: Any) -> None:
    frame.link_to("pages/every_pair.py", "Find which systems differ, with these values: Every pair")


design_page.draw("topics_as_blocks", blocked_anova.DESIGN, show_more=_show_more)
