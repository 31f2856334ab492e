"""How many topics for a one-way ANOVA over m systems?"""

from typing import Any

from pages.parts import design_page
from topicset_core.designs import one_way_anova
from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs


def _explained(required: Any) -> dict[str, str]:
    return {
        "n_pairs": f"{n_pairs(required.n_systems):,}",
        "m": f"{required.n_systems}",
        "alpha": f"{required.alpha:g}",
        "error": f"{familywise_error_rate(required.alpha, required.n_systems):.3g}",
    }


design_page.draw("one_way_anova", one_way_anova.DESIGN, explained=_explained)
