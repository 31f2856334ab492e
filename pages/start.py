"""What is this, what do I need, and one live answer."""

import streamlit as st

from pages.parts import data, frame
from pages.parts.contents import CONTENTS
from topicset_core.designs import one_way_anova
from topicset_core.errors import InputError
from topicset_core.parameters import ALPHA, BETA, MIN_D, N_SYSTEMS

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
    measured = {found.measure: found for found in data.variances()}
    measure = st.segmented_control(
        "Measure", list(measured), default=next(iter(measured)), required=True, key="start/measure"
    )
    min_d = st.number_input(
        MIN_D.label, value=MIN_D.default, step=MIN_D.step, format="%.6g", key="start/min_d"
    )
    systems = st.number_input(N_SYSTEMS.label, value=N_SYSTEMS.default, step=1, key="start/n_systems")
    found = measured[measure]
    try:
        wanted = one_way_anova.Requirements(
            alpha=ALPHA.default,
            beta=BETA.default,
            min_d=min_d,
            within_system_variance=found.value,
            n_systems=int(systems),
        )
        topics = one_way_anova.required_topics(wanted).required_topics
    except InputError as error:
        frame.refuse(str(error))
    else:
        with st.container(key="answer"):
            st.markdown(f"## :primary[{topics:,} topics]")
            st.markdown(
                f"find a difference of {min_d:g} {frame.plain(measure)} between the best and the worst of "
                f"{systems} systems four times out of five, at the 5 % level ({frame.plain(found.source)})."
            )
        frame.link_to("pages/one_way_anova.py", "See the whole trade-off")
