"""How many topics for a narrow confidence interval of the difference of two systems?"""

from dataclasses import replace

import streamlit as st

from pages.parts import design_page, question
from topicset_core.designs import confidence_interval, two_sample_confidence_interval
from topicset_core.parameters import WITHIN_SYSTEM_VARIANCE

design_page.draw(
    "confidence_interval",
    confidence_interval.DESIGN,
    two_sample_confidence_interval.DESIGN,
    choice=replace(
        question.SHARED, usual="separate" if WITHIN_SYSTEM_VARIANCE.name in st.query_params else ""
    ),
)
