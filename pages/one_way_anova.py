"""How many topics for a one-way ANOVA over m systems?"""

import streamlit as st

from pages.parts import design_page, frame, question, topics
from topicset_core.designs import one_way_anova
from topicset_core.designs.one_way_anova import familywise_error_rate, n_pairs


def _show_shared_topics(exact: one_way_anova.AnovaResult) -> None:
    """Write the topics of a two-way ANOVA, and the power of this F test on shared topics."""
    if exact.shared_topics is None or settings.variance.estimate is None:
        st.markdown(frame.plain(one_way_anova.shared_topics_note(exact.shared_topics)))
        return
    power = one_way_anova.in_per_cent(exact.shared_topics.power_of_one_way_f)
    topics.show_other(
        one_way_anova.DESIGN,
        settings,
        f"; on {exact.required_topics:,} shared topics this F test has {power} power",
    )


frame.begin("one_way_anova")
form, result = question.begin(one_way_anova.DESIGN)
with form:
    topics.go_to(one_way_anova.DESIGN)
    settings = question.ask(one_way_anova.DESIGN)
requirements = one_way_anova.Requirements(**settings.values)

with result:
    solved = design_page.solve(
        settings,
        lambda method: one_way_anova.required_topics(requirements, method=method),
    )
    design_page.show(
        solved,
        sentence=f"for each system, to detect with {100 * (1 - requirements.beta):g} % power at the "
        f"{100 * requirements.alpha:g} % level a difference of **{requirements.min_d:g}** or more in "
        f"{frame.plain(settings.measure)} between the best and the worst of **{requirements.n_systems} "
        f"systems**, when the within-system variance is σ² = **{requirements.within_system_variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why=one_way_anova.PUBLISHED_NOTE,
        warn=_show_shared_topics,
    )
    frame.explain(
        "one_way_anova",
        n_pairs=f"{n_pairs(requirements.n_systems):,}",
        m=f"{requirements.n_systems}",
        alpha=f"{requirements.alpha:g}",
        error=f"{familywise_error_rate(requirements.alpha, requirements.n_systems):.3g}",
    )
