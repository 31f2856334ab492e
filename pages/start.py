"""The purpose of the app, its inputs, and one live answer."""

import streamlit as st

from pages.parts import data, frame, question, topics
from pages.parts.contents import PAGES, page_named
from pages.parts.form import Form
from topicset_core.designs import blocked_anova, one_way_anova
from topicset_core.errors import NoSolution
from topicset_core.parameters import MIN_D, N_SYSTEMS

frame.begin("start")

text, live = st.columns([1.1, 1], gap="large")

with text:
    st.markdown(
        """
A test collection with too few topics misses real differences between systems; one with too many wastes
judgments. **Topic set size design** (Sakai 2016) computes the smallest sufficient number of topics from:

- **α**: probability of reporting a difference between equal systems,
- **β**: probability of missing a true difference of minD,
- **minD**: smallest difference worth detecting, in units of your measure,
- **m**: number of systems to compare,
- **σ²**: variance of one system's scores over topics, estimated from past scores.

A simulated sample is loaded, so you can start at once. For your own task, upload scores of an earlier round or a
pilot (a table of topics and runs), or runs with relevance judgments.
"""
    )
    for page in PAGES:
        if page.link:
            frame.link_to(page.file, page.link)

with live, st.container(border=True):
    question.start([blocked_anova.DESIGN, one_way_anova.DESIGN])
    is_shared = Form(question.PAGE, ()).draw(question.SHARED) == "shared"
    design = blocked_anova.DESIGN if is_shared else one_way_anova.DESIGN
    side = topics.side_of(design)
    settings = question.ask(design, MIN_D, N_SYSTEMS)
    requirements = settings.plan.requirements
    try:
        needed = settings.plan.required_topics().required_topics
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference.")
    else:
        with st.container(key="answer"):
            st.markdown(f"## :primary[{needed:,} topics]")
            st.markdown(
                f"detect a difference of {requirements.min_d:g} {frame.plain(settings.measure)} between the "
                f"best and the worst of {requirements.n_systems} systems with {100 * (1 - requirements.beta):g} % "
                f"power at the {100 * requirements.alpha:g} % level by {side.named} "
                f"({frame.plain(settings.variance.source)})."
            )
        topics.show_other(design, settings)
        data.warn([settings.measure], (MIN_D.symbol, requirements.min_d))
        frame.link_to(page_named(side.page).file, "See how topics, difference and power depend on each other")
