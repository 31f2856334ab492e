"""What is this, what do I need, and one live answer."""

import streamlit as st

from pages.parts import frame, question
from pages.parts.contents import CONTENTS
from topicset_core.designs import one_way_anova
from topicset_core.errors import NoSolution
from topicset_core.parameters import MIN_D, N_SYSTEMS

frame.begin("start")

text, live = st.columns([1.1, 1], gap="large")

with text:
    st.markdown(
        """
A test collection with too few topics misses real differences between systems; one with too many wastes
judgments. **Topic set size design** (Sakai 2016) finds the number between, from what you demand and from how
much scores vary:

- **α**: how often a test may find a difference that is not there,
- **β**: how often it may miss one that is,
- **minD**: the smallest difference worth detecting, in units of your measure,
- **m**: how many systems will be compared,
- **σ²**: how much one system's scores vary from topic to topic, which past scores tell.

You need nothing to begin: a simulated sample is loaded. For your own task bring a table of scores, topics by
runs, of any earlier round or pilot, or the runs themselves with their relevance judgments.
"""
    )
    for page in CONTENTS:
        if page.link:
            frame.link_to(page.file, page.link)

with live, st.container(border=True):
    question.start([one_way_anova.DESIGN])
    asked = question.ask(one_way_anova.DESIGN, MIN_D, N_SYSTEMS)
    wanted = one_way_anova.Requirements(**asked.values)
    try:
        topics = one_way_anova.required_topics(wanted).required_topics
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference.")
    else:
        with st.container(key="answer"):
            st.markdown(f"## :primary[{topics:,} topics]")
            st.markdown(
                f"find a difference of {wanted.min_d:g} {frame.plain(asked.measure)} between the best and the "
                f"worst of {wanted.n_systems} systems in {100 * (1 - wanted.beta):g} of 100 cases, at the "
                f"{100 * wanted.alpha:g} % level ({frame.plain(asked.variance_source)})."
            )
        frame.link_to("pages/one_way_anova.py", "See the whole trade-off")
