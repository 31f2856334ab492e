"""How many topics for a one-way ANOVA over m systems?"""

from typing import Any

import streamlit as st

from pages.parts import design_page, frame, topics
from pages.parts.planned import Settings
from topicset_core.designs import one_way_anova
from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs


def _show_shared_topics(settings: Settings, exact: one_way_anova.AnovaResult) -> None:
    """Write the topics of a two-way ANOVA, and the power of this F test on shared topics."""
    if exact.shared_topics is None or not settings.planned.matrices:
        st.markdown(frame.plain(one_way_anova.shared_topics_note(exact.shared_topics)))
        return
    power = one_way_anova.in_per_cent(exact.shared_topics.power_of_one_way_f)
    more = f"; on {exact.required_topics:,} shared {exact.unit}s this F test has {power} power"
    topics.show_other(settings, more)


def _explained(required: Any) -> dict[str, str]:
    return {
        "n_pairs": f"{n_pairs(required.n_systems):,}",
        "m": f"{required.n_systems}",
        "alpha": f"{required.alpha:g}",
        "error": f"{familywise_error_rate(required.alpha, required.n_systems):.3g}",
    }


design_page.draw(
    "one_way_anova",
    one_way_anova.DESIGN,
    sentence="for each system, to detect with {power:g} % power at the {level:g} % level a difference of "
    "**{min_d:g}** or more in {measure} between the best and the worst of **{n_systems} systems**, when the "
    "within-system variance is σ² = **{variance:.4g}** ({source}).",
    why=one_way_anova.PUBLISHED_NOTE,
    warn=_show_shared_topics,
    explained=_explained,
)
