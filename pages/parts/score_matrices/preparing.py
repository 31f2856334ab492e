"""Preparation of scores before their variance is estimated, with the variance before and after."""

import streamlit as st

from pages.parts import data, frame
from pages.parts.data import Upload
from topicset_core.analyses.score_variance.preparation_effect import STANDARD_QUESTION, preparation_effect
from topicset_core.errors import InputError
from topicset_core.preparation import GMAP_FLOOR, METHODS, Steps, fraction_of, prepare

_KEY = "score_matrices/prepare"
_LEAVE = "leave unchanged"
_THIS = "this matrix"
_SPOKEN = {
    "topics =": f"{data.SELECTIONS[0][0]} =",
    "systems =": f"{data.SELECTIONS[1][0]} =",
    "max_zero_topics": "Zero topics allowed",
    "worst_percent": "Worst runs, %",
    "worst_fraction": "Worst runs, %",
    "worst_count": "Worst runs, number",
    "floor =": "Floor of the logarithm =",
    "reference =": "Runs to standardise by =",
}


def draw(upload: Upload) -> None:
    """Draw the form, its result, and the way back."""
    same_measure = [other for other in data.own() if other.matrix.measure == upload.matrix.measure]
    with st.form(f"{_KEY}/form", border=False):
        data.ask_selection(_KEY)
        _draw_runs()
        _draw_scales(upload)
        targets = [_THIS]
        if len(same_measure) > 1:
            targets.append(f"all {len(same_measure)} matrices of {upload.matrix.measure}")
        st.selectbox("Apply to", targets, key=f"{_KEY}/target")
        st.form_submit_button(
            "Apply", key=f"{_KEY}/apply", on_click=_apply, args=(upload, same_measure), type="primary"
        )
    complaint = st.session_state.pop(f"{_KEY}/complaint", "")
    if complaint:
        st.error(frame.plain(complaint))
    _show_effects(upload)


def _draw_runs() -> None:
    zeros, percent, count = st.columns(3, vertical_alignment="bottom")
    zeros.number_input(
        "Drop runs with more zero topics than",
        value=None,
        min_value=0,
        step=1,
        key=f"{_KEY}/zeros",
        placeholder="any number",
    )
    percent.number_input(
        "then the worst, % of runs", value=None, min_value=0.0, key=f"{_KEY}/percent", placeholder="none"
    )
    count.number_input(
        "or the worst, number of runs",
        value=None,
        min_value=0,
        step=1,
        key=f"{_KEY}/count",
        placeholder="none",
    )


def _draw_scales(upload: Upload) -> None:
    log, floor, standard = st.columns(3)
    log.selectbox("Logarithms (as GMAP)", [_LEAVE, "take logarithms"], key=f"{_KEY}/log")
    floor.number_input(
        "Floor of the logarithm",
        value=GMAP_FLOOR,
        format="%g",
        step=GMAP_FLOOR,
        key=f"{_KEY}/floor",
        help="Lower scores count as this; trec_eval takes 0.00001.",
    )
    standard.selectbox("Standardise by topic", [_LEAVE, *METHODS], key=f"{_KEY}/standardise")
    st.multiselect(
        "Runs to standardise by",
        upload.matrix.systems,
        key=f"{_KEY}/reference",
        placeholder="all runs that are left",
    )


def _steps() -> Steps:
    state = st.session_state
    method = state[f"{_KEY}/standardise"]
    return Steps(
        topics=_chosen("topics"),
        systems=_chosen("systems"),
        max_zero_topics=state[f"{_KEY}/zeros"],
        worst_fraction=fraction_of(state[f"{_KEY}/percent"]),
        worst_count=state[f"{_KEY}/count"],
        log_floor=None if state[f"{_KEY}/log"] == _LEAVE else state[f"{_KEY}/floor"],
        standardise=None if method == _LEAVE else method,
        reference=tuple(state[f"{_KEY}/reference"]) or None,
    )


def _chosen(kind: str) -> tuple[str, ...] | None:
    text = st.session_state[f"{_KEY}/{kind}"].strip()
    return (text,) if text else None


def _apply(this: Upload, same_measure: list[Upload]) -> None:
    """Prepare the matrix, or all of its measure; if one refuses, no matrix is changed."""
    targets = [this] if st.session_state[f"{_KEY}/target"] == _THIS else same_measure
    refused = ""
    done = []
    try:
        steps = _steps()
        for upload in targets:
            refused = f" ({upload.label})"
            done.append((upload, prepare(upload.matrix, steps)))
    except InputError as error:
        complaint = f"{error.parameter} = {error.value}: {error.rule}{refused}. Nothing changed."
        for name, spoken in _SPOKEN.items():
            complaint = complaint.replace(name, spoken)
        st.session_state[f"{_KEY}/complaint"] = complaint
        return
    if steps.does_nothing:
        st.session_state[f"{_KEY}/complaint"] = "No change was chosen, so the scores are as before."
        return
    for upload, prepared in done:
        effect = preparation_effect(upload.matrix, prepared.matrix, changes_scale=steps.changes_scale)
        sentences = (*prepared.notes, effect.sentence)
        data.change(upload, prepared.matrix, sentences, steps.summary, rescaled=steps.changes_scale)
    for name in ("topics", "systems"):
        st.session_state[f"{_KEY}/{name}"] = ""
    for name in ("zeros", "percent", "count"):
        st.session_state[f"{_KEY}/{name}"] = None
    for name in ("log", "standardise"):
        st.session_state[f"{_KEY}/{name}"] = _LEAVE
    st.session_state[f"{_KEY}/reference"] = []


def _show_effects(this: Upload) -> None:
    """Show every changed matrix as read and as it is now, and the way back for this one."""
    rows = [
        (upload, preparation_effect(upload.original, upload.matrix, changes_scale=upload.rescaled))
        for upload in data.own()
        if upload.original is not None
    ]
    if not rows:
        return
    effects = [effect for _, effect in rows]
    precise = st.column_config.NumberColumn(format="%.5g")
    st.markdown("**As read, and as it is now**")
    st.dataframe(
        {
            "matrix": [upload.label for upload, _ in rows],
            "topics": [f"{effect.topics_before:,} → {effect.topics_after:,}" for effect in effects],
            "runs": [f"{effect.systems_before:,} → {effect.systems_after:,}" for effect in effects],
            "σ², read": [effect.variance_before for effect in effects],
            "σ², now": [effect.variance_after for effect in effects],
            "n, read": [effect.required_before for effect in effects],
            "n, now": [effect.required_after for effect in effects],
        },
        hide_index=True,
        column_config={"σ², read": precise, "σ², now": precise},
        placeholder="–",
        alt="Variance and required topics of each changed matrix, as read and now",
    )
    st.markdown(
        f":small[n: required topics for {STANDARD_QUESTION}. If scores now have another scale, minD has "
        "another meaning, so n cannot be compared: choose a minD in the new unit.]"
    )
    if this.original is not None:
        st.button(
            f"Undo all changes of {this.label}",
            key=f"{_KEY}/undo",
            on_click=data.restore,
            args=(this.number,),
        )
