"""When may one look and stop, and how many topics follow a pilot?"""

import math
from typing import Any

import streamlit as st

from pages.parts import design_page, figure, frame
from pages.parts.form import Choice
from pages.parts.planned import Settings
from topicset_core.analyses.planning.charts import looks_figure
from topicset_core.analyses.running_evidence import Standing, standing
from topicset_core.designs import group_sequential, two_stage
from topicset_core.designs.group_sequential import Looks
from topicset_core.designs.two_stage import TwoStageResult
from topicset_core.errors import InputError, ParseError
from topicset_core.parameters import SPENDING
from topicset_core.parsing.numerals import read_differences

_ROUNDS = Choice(
    "rounds",
    "Topics come",
    {"looks": "with looks planned beforehand", "top-up": "as a pilot, then a top-up"},
    look="radio",
)

_PASTED = "looks/differences"


def _show_looks(plan: Looks) -> None:
    """Write the looks and their cost."""
    rows = [
        f"| {k} | {n:,} | {t:.3f} | {p:.2g} |"
        for k, (n, t, p) in enumerate(zip(plan.topics, plan.critical_t, plan.nominal_p, strict=True), 1)
    ]
    head = f"| look | {plan.unit}s | stop if \\|t\\| is at least | p at most |"
    st.markdown("\n".join([head, "|--:|--:|--:|--:|", *rows]))
    st.markdown(
        f"Expected {plan.unit}s: **{plan.expected_topics:.1f}** if the systems differ by minD, "
        f"{plan.expected_topics_null:.1f} if they are equal; one test at the end: {plan.fixed_topics:,}. "
        f"{plan.caution}"
    )


def _draw_more(plan: Looks) -> None:
    """Take the scores so far, and draw where they stand between the boundaries, which a simulation checks."""
    figure.show(looks_figure(plan, _ask_where(plan)))
    st.markdown(
        f"In {plan.n_trials:,} simulated evaluations the Type I error was {plan.simulated_alpha:.4f} (standard "
        f"error {plan.standard_error(plan.simulated_alpha):.4f}), the power {plan.simulated_power:.4f} "
        f"({plan.standard_error(plan.simulated_power):.4f}). {' '.join(plan.notes)}"
    )


def _show_top_up(result: TwoStageResult) -> None:
    """Write what to add to the pilot and how to test."""
    st.markdown(
        f"Score **{result.more_topics:,} more topics** after the pilot. Then the difference is significant if "
        f"√N times the absolute mean difference over all topics, divided by the standard deviation **of the pilot "
        f"alone**, is at least **{result.critical_t:.3f}**. If the pilot's variance is the true variance, "
        f"{result.expected_topics:.1f} topics would be expected before the pilot."
    )
    for note in result.notes:
        st.markdown(f":small[{note}]")


def _ask_where(plan: Looks) -> Standing | None:
    """Take scores, and return the state of the evaluation; None without scores."""
    difference = "mean difference" if plan.group_size else "difference"
    with st.container(key="where-am-i"):
        text = st.text_area(
            f"Scores so far, in the order in which {plan.unit}s were scored",
            key=_PASTED,
            height=140,
            placeholder=f"one {plan.unit} per line: the {difference}, or both scores\nq1 0.42 0.38\nq2 0.10 0.25",
        )
        if not text.strip():
            return None
        try:
            now = standing(plan, read_differences(text))
        except (ParseError, InputError) as error:
            frame.refuse(frame.plain(str(error)))
            return None
        with st.container(key="standing"):
            st.markdown(f"**{now.sentence}**")
        low, high = now.interval
        reached = math.log(1 / plan.requirements.alpha)
        e_value = f"{math.exp(now.log_e):.3g}" if now.log_e < 700 else "above 1e300"
        valid = "no bound yet" if math.isinf(low) else f"{low:.4f} to {high:.4f}"
        st.markdown(
            f"{now.n_topics:,} {plan.unit}s, mean difference {now.mean:.4f}. Valid at any time, without a plan: "
            f"e-value {e_value} ({'significant' if now.log_e >= reached else 'not significant'}; the bound is "
            f"{math.exp(reached):.3g}), interval of the difference {valid}. Decide by the plan or by the e-value, "
            "and choose which before you test."
        )
        return now


def _show(_: Settings, exact: Any) -> None:
    """Write the looks, or the top-up."""
    if isinstance(exact, Looks):
        _show_looks(exact)
    else:
        _show_top_up(exact)


def _sentence(required: Any) -> str:
    is_sequential = isinstance(required, group_sequential.Requirements)
    test = "a two-stage t test after a pilot of {pilot_topics:,} topics with this variance"
    if is_sequential:
        spending = frame.plain(f"({SPENDING.options[required.spending]})")
        test = f"a paired t test at {{looks}} looks {spending}"
    return (
        f"{'at most' if is_sequential else 'in all'}, to detect with {{power:g}} % power at the {{level:g}} % "
        f"level a difference of **{{min_d:.6g}}** or more in {{measure}} by {test}, when the variance of the "
        "per-topic difference is σₜ² = **{variance:.4g}** ({source})."
    )


design_page.draw(
    "looks",
    group_sequential.DESIGN,
    two_stage.DESIGN,
    choice=_ROUNDS,
    sentence=_sentence,
    warn=_show,
    so_far={group_sequential.DESIGN: _draw_more},
)
