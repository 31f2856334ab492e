"""The first number and its curve, and the way to everything else."""

import streamlit as st

from pages.parts import data, design_page, frame, link, question, scenario, topics
from pages.parts.contents import PAGES, page_named
from pages.parts.form import Form
from pages.parts.score_matrices import reading
from topicset_core.designs import blocked_anova, one_way_anova
from topicset_core.parameters import MIN_D, N_SYSTEMS

frame.begin("start")
question.show_data_in_use([blocked_anova.DESIGN, one_way_anova.DESIGN], invites=False)
form, answer = frame.form_and_answer()

with form:
    reading.draw_any()
    frame.link_to("pages/score_matrices.py", "Change scores" if data.own() else "Paste scores")
    question.start([blocked_anova.DESIGN, one_way_anova.DESIGN])
    is_shared = Form(question.PAGE, ()).draw(question.SHARED) == "shared"
    design = blocked_anova.DESIGN if is_shared else one_way_anova.DESIGN
    settings = question.ask(design, MIN_D, N_SYSTEMS)

with answer:
    st.session_state[frame.ON_SAMPLE] &= settings.variance.estimate is not None
    page = page_named(topics.side_of(design).page)
    found = design_page.solve(settings)
    words = design_page.show_number(settings, found, meaning=page.meaning, assumption=page.assumption)
    url = settings.url(**scenario.written())
    link.offer(url, saved="")
    design_page.show_curve(settings, found)
    design_page.offer_exports(settings, found, f"{words}.", url)
    data.warn([settings.measure], (MIN_D.symbol, settings.plan.difference))
    with st.container(horizontal=True, gap="small"):
        frame.link_to(page.file, "Power and evidence")
        for one in PAGES:
            if one.link:
                frame.link_to(one.file, one.link)
