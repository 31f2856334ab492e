"""How many topics for a narrow confidence interval of the difference of two systems?"""

from dataclasses import replace

import streamlit as st

from pages.parts import design_page, frame, question
from pages.parts.form import Form
from topicset_core.designs import confidence_interval, two_sample_confidence_interval
from topicset_core.designs.interval_width import PUBLISHED_NOTE
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE

frame.begin("confidence_interval")
form, result = question.begin(confidence_interval.DESIGN, two_sample_confidence_interval.DESIGN)
with form:
    linked = "separate" if WITHIN_SYSTEM_VARIANCE.name in st.query_params else ""
    paired = Form(question.PAGE, ()).draw(replace(question.SHARED, usual=linked)) == "shared"
    design = confidence_interval if paired else two_sample_confidence_interval
    settings = question.ask(design.DESIGN)
requirements = design.Requirements(**settings.values)

with result:
    answer = design_page.solve(settings, lambda method: design.required_topics(requirements, method=method))
    what = "variance of the per-topic difference is" if paired else "within-system variance is"
    design_page.show(
        answer,
        sentence=f"so that the {100 * (1 - requirements.alpha):g} % confidence interval of a difference of "
        f"two systems is expected to be at most **{requirements.max_width:g}** {frame.plain(settings.measure)} "
        f"wide, when the {what} {design.DESIGN.variance.symbol} = **{requirements.variance:.4g}** "
        f"({frame.plain(settings.variance_source)}).",
        why=PUBLISHED_NOTE,
    )
    frame.explain("confidence_interval")
