"""How many topics to find which of m systems differ, pair by pair or from a baseline?"""

import streamlit as st

from pages.parts import design_page, frame
from pages.parts.form import Choice
from pages.parts.planned import Settings
from topicset_core.designs import against_baseline, all_pairs, paired_t
from topicset_core.designs.pairwise import PairwiseRequirements, PairwiseResult
from topicset_core.errors import NoSolution

_COMPARED = Choice(
    "compared",
    "Compare",
    {"pairs": "every pair of systems", "baseline": "every system with a baseline"},
    look="radio",
)
_FOUND = {
    "pair": "a pair",
    "any": "at least one of the pairs",
    "all": "every pair",
}


def _warn(_: Settings, exact: PairwiseResult) -> None:
    """Describe the comparisons, the simulated quantities, and the topics by paired t tests with Bonferroni."""
    requirements = exact.requirements
    st.markdown(frame.plain(f"{exact.in_words}."))
    for note in exact.notes:
        st.markdown(f":small[{frame.plain(note)}]")
    if requirements.topics == "separate":
        st.markdown(
            "If all systems share the topics, this number is on the safe side; *shared by all systems* needs fewer."
        )
        return
    if requirements.detect != "pair":
        return
    try:
        plan = paired_t.DESIGN.plan(
            alpha=requirements.alpha / exact.comparisons,
            beta=requirements.beta,
            min_d=requirements.min_d,
            difference_variance=2 * requirements.residual_variance,
        )
        own = plan.required_topics().required_topics
    except NoSolution:
        return
    st.markdown(
        "Paired t tests with Bonferroni's or Holm's correction, each pair with its own variance, need "
        f"**{own:,} {exact.unit}s** for a pair with the mean variance."
    )


def _sentence(required: PairwiseRequirements) -> str:
    against = "" if required.design.family == "pairs" else ", one of them the baseline,"
    return (
        f"per system, to detect with {{power:g}} % power {_FOUND[required.detect]} of **{{n_systems}} systems**"
        f"{against} that differs by **{{min_d:g}}** in {{measure}}, at a familywise error rate of {{level:g}} %, "
        "when {symbol} = **{variance:.4g}** ({source})."
    )


design_page.draw(
    "every_pair",
    all_pairs.DESIGN,
    against_baseline.DESIGN,
    choice=_COMPARED,
    sentence=_sentence,
    warn=_warn,
)
