"""How many topics to find which of m systems differ, pair by pair or from a baseline?"""

import streamlit as st

from pages.parts import design_page, frame, question
from pages.parts.form import Choice, Form
from topicset_core.designs import against_baseline, all_pairs, paired_t
from topicset_core.designs.pairwise import PairwiseRequirements, PairwiseResult
from topicset_core.errors import NoSolution

_DESIGNS = {"pairs": all_pairs.DESIGN, "baseline": against_baseline.DESIGN}
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


def _warn(exact: PairwiseResult) -> None:
    """Describe the comparisons, the simulated quantities, and the topics by paired t tests with Bonferroni."""
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
        own = paired_t.required_topics(
            paired_t.Requirements(
                alpha=requirements.alpha / exact.comparisons,
                beta=requirements.beta,
                min_d=requirements.min_d,
                difference_variance=2 * (requirements.residual_variance or 0.0),
            )
        ).required_topics
    except NoSolution:
        return
    st.markdown(
        "Paired t tests with Bonferroni's or Holm's correction, each pair with its own variance, need "
        f"**{own:,} topics** for a pair with the mean variance."
    )


frame.begin("every_pair")
form, result = question.begin(*_DESIGNS.values(), words={_COMPARED.name: list(_DESIGNS)})
with form:
    compared = Form(question.PAGE, ()).draw(_COMPARED)
    design = _DESIGNS[compared]
    settings = question.ask(design, further={_COMPARED.name: compared})
requirements: PairwiseRequirements = design.requirements(**settings.values)
questions = requirements.questions

with result:
    answer = design_page.solve(settings, lambda method: questions.required_topics(requirements, method))
    symbol = requirements.variance_parameter.symbol
    against = "" if compared == "pairs" else ", one of them the baseline,"
    design_page.show(
        answer,
        sentence=f"per system, to detect with {100 * (1 - requirements.beta):g} % power "
        f"{_FOUND[requirements.detect]} of "
        f"**{requirements.n_systems} systems**{against} that differs by **{requirements.min_d:g}** in "
        f"{frame.plain(settings.measure)}, at a familywise error rate of {100 * requirements.alpha:g} %, "
        f"when {symbol} = **{requirements.variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        warn=_warn,
    )
    frame.explain("every_pair")
