"""How many topics for a narrow confidence interval of the difference of two systems?"""

from dataclasses import replace

import streamlit as st

from pages.parts import design_page, question
from topicset_core.designs import confidence_interval, two_sample_confidence_interval
from topicset_core.designs.interval_width import PUBLISHED_NOTE, IntervalRequirements
from topicset_core.parameters import DIFFERENCE_VARIANCE, WITHIN_SYSTEM_VARIANCE


def _sentence(required: IntervalRequirements) -> str:
    is_paired = required.variance_parameter is DIFFERENCE_VARIANCE
    what = "variance of the per-topic difference" if is_paired else "within-system variance"
    return (
        "so that the {confidence:g} % confidence interval of a difference of two systems is expected to be at "
        f"most **{{max_width:g}}** wide in {{measure}}, when the {what} is {{symbol}} = **{{variance:.4g}}** "
        "({source})."
    )


design_page.draw(
    "confidence_interval",
    confidence_interval.DESIGN,
    two_sample_confidence_interval.DESIGN,
    choice=replace(
        question.SHARED, usual="separate" if WITHIN_SYSTEM_VARIANCE.name in st.query_params else ""
    ),
    sentence=_sentence,
    why=PUBLISHED_NOTE,
)
