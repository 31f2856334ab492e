"""The first number and its curve, and the way to everything else."""

from dataclasses import replace

import streamlit as st

from pages.parts import data, design_page, export_drawer, frame, link, question, scenario, topics
from pages.parts.contents import PAGES, page_named
from pages.parts.form import Form
from pages.parts.score_matrices import reading
from topicset_core.designs import Design, blocked_anova, mcnemar, one_way_anova
from topicset_core.parameters import MIN_D, N_SYSTEMS

frame.begin("start")
DESIGNS = [blocked_anova.DESIGN, one_way_anova.DESIGN, mcnemar.DESIGN]
question.show_data_in_use(DESIGNS, invites=False)
form, answer = frame.form_and_answer()

with form:
    if not data.own():
        st.markdown(
            ":small[Plan a test collection: how many topics, how deep to judge, how far to trust results.]"
        )
    reading.draw_any()
    frame.link_to("pages/score_matrices.py", "Change scores" if data.own() else "Paste scores")
    question.start(DESIGNS)
    is_shared = Form(question.PAGE, ()).draw(question.SHARED) == "shared"
    design: Design = blocked_anova.DESIGN if is_shared else one_way_anova.DESIGN
    if is_shared and question.are_two_right_or_wrong():
        design = mcnemar.DESIGN
    two = {N_SYSTEMS.name: "2"} if design is mcnemar.DESIGN else {}
    settings = question.ask(design, MIN_D, N_SYSTEMS, further=two)

with answer:
    planned = settings.planned
    st.session_state[frame.ON_SAMPLE] &= bool(planned.matrices)
    page = page_named(topics.page_of(design))
    drawn = design_page.solve(settings)
    exported, _ = design_page.show_first(
        settings, drawn, meaning=page.meaning, assumption=page.assumption, assured=False
    )
    url = settings.url(**scenario.written())
    link.offer(url, saved="", commands=design_page.commands(planned))
    # The page of the design has the sentences.
    export_drawer.draw(
        replace(exported, findings=[finding.off("page") for finding in exported.findings]), link=url
    )
    data.warn([settings.measure], (MIN_D.symbol, settings.plan.difference))
    with st.container(horizontal=True, gap="small"):
        frame.link_to(page.file, "Power and evidence")
        for one in PAGES:
            if one.link:
                frame.link_to(one.file, one.link)
