"""The loaded matrices: the notes on each, one of them in detail, to be changed, and the rounds of a task."""

from collections.abc import Iterator
from contextlib import contextmanager

import pandas as pd
import streamlit as st
from streamlit.elements.lib.mutable_tab_container import TabContainer

from pages.parts import data, figure, frame, kept_work
from pages.parts.computation import once
from pages.parts.data import Upload
from topicset_core.analyses.score_variance.report import (
    rounds_table,
    run_means,
    run_means_table,
    scores_chart,
    variance_by_round,
)
from topicset_core.analyses.score_variance.uncertainty import (
    STANDARD_QUESTION,
    preparation_effect,
    rounds,
    standard_plan,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.preparation import GMAP_FLOOR, METHODS, Steps, fraction_of, prepare, transpose
from topicset_core.preparation.editing import edit

MOST_CARDS = 12
"""Up to this many matrices are shown at once; more are shown on demand, as each costs time to draw."""

MOST_CELLS = 2000
"""Scores that a table to edit may have."""

_MATRIX, _ORDER = "score_matrices/closer", "score_matrices/closer-order"
_CORRECT, _EDIT = "score_matrices/correct", "score_matrices/edit"
_ROUNDS = "score_matrices/rounds"
_PREPARE = "score_matrices/prepare"
_LEAVE = "leave unchanged"
_THIS = "this matrix"
_CHOSEN = ", as chosen"  # in notes on missing scores, after what was done with them
_SPOKEN = {
    "max_zero_topics": "Zero topics allowed",  # before the name that it ends in
    "topics =": f"{data.SELECTIONS[0][0]} =",
    "systems =": f"{data.SELECTIONS[1][0]} =",
    "worst_percent": "Worst runs, %",
    "worst_fraction": "Worst runs, %",
    "worst_count": "Worst runs, number",
    "floor =": "Floor of the logarithm =",
    "reference =": "Runs to standardise by =",
}


def draw_list() -> None:
    """Draw a card for each loaded matrix."""
    count = len(data.own())
    if count <= MOST_CARDS:
        _draw_cards()
    else:
        with st.expander(f"All {count} matrices", on_change="rerun", key="score_matrices/cards") as more:
            if more.open:
                _draw_cards()
    st.button("Remove all and use the sample", key="score_matrices/forget", on_click=data.forget_all)


def _draw_cards() -> None:
    for upload in data.own():
        with st.container(border=True):
            text, actions = st.columns([4, 1.3], vertical_alignment="center")
            name, measure = frame.plain(upload.matrix.name), frame.plain(upload.matrix.measure)
            text.markdown(f"**{name}** ({measure}): {frame.plain(' '.join(upload.recognised))}")
            if upload.done:
                text.markdown(f"**Done here:** {frame.plain(' '.join(upload.done))}")
            with actions:
                _draw_actions(upload)


def _draw_actions(upload: Upload) -> None:
    key = f"score_matrices/pool-{upload.number}"
    st.checkbox(
        "In the pool",
        value=upload.in_pool,
        key=key,
        on_change=lambda: data.pool(upload.number, st.session_state[key]),
        help="Whether the designs use these scores. Out of the pool they stay loaded.",
    )
    if upload.done:
        st.button(
            "Undo changes",
            key=f"score_matrices/restore-{upload.number}",
            on_click=data.restore,
            args=(upload.number,),
        )
    st.button(
        "Remove", key=f"score_matrices/remove-{upload.number}", on_click=data.remove, args=(upload.number,)
    )


def chosen() -> tuple[ScoreMatrix, Upload | None]:
    """Draw the choice of the matrix that is shown; return it, with what the user loaded where it is theirs."""
    own = data.own()
    matrices = [upload.matrix for upload in own] or list(data.matrices())
    numbers = [upload.number for upload in own] or list(range(len(matrices)))
    by_number = dict(zip(numbers, matrices, strict=True))

    def label(number: int) -> str:
        return f"{by_number[number].name} ({by_number[number].measure})"

    number: int = numbers[0]
    if len(numbers) > 1:
        number = st.selectbox(
            "Show", numbers, format_func=frame.labelled(_MATRIX, numbers, label), key=_MATRIX
        )
    return by_number[number], data.find(number) if own else None


def draw_scores(matrix: ScoreMatrix, upload: Upload | None) -> None:
    """Show every score with the means of runs, and in tiles how many there are and how they vary."""
    result, name = run_means(matrix), frame.plain(matrix.name)
    means = f"{result.means[-1]:.3f} to {result.means[0]:.3f}"
    treated = [
        note for note in (upload.recognised if upload else ()) if "missing" in note and _CHOSEN in note
    ]
    frame.tiles(
        frame.Tile("runs", f"{matrix.n_systems:,}", name),
        frame.Tile("topics", f"{matrix.n_topics:,}", name),
        frame.Tile(f"mean {frame.plain(matrix.measure)} of runs", means, f"{name}, worst to best run"),
        frame.Tile(
            "SD over topics",
            f"{result.pooled_deviation:.3f}",
            f"{name}: root of the variance of one run's scores",
        ),
        frame.Tile(
            "missing", treated[0].partition(_CHOSEN)[0] if treated else "0", frame.plain(" ".join(treated))
        ),
    )
    by_means = st.session_state.get(kept_work.switch(_ORDER), True)
    figure.show(scores_chart(matrix, by_means=by_means))


def draw_means(matrix: ScoreMatrix) -> None:
    """Show the mean of each run in a table, and choose the order of the chart."""
    result = run_means(matrix)
    st.toggle("Order the chart by means", value=True, key=kept_work.switch(_ORDER))
    frame.table(run_means_table(result), ".4f", alt="Mean and interval of each run")
    st.markdown(
        f":small[Each run's own {result.interval}. Runs share their topics, so intervals that overlap do not mean "
        "that two runs do not differ.]"
    )


def draw_changes(upload: Upload, prepare: TabContainer, edit: TabContainer) -> None:
    """Draw what can be done to a matrix, where it is opened."""
    if prepare.open:
        with prepare:
            _draw_preparation(upload)
    if edit.open:
        with edit:
            _draw_editor(upload)
            _draw_names(upload)


def _draw_names(upload: Upload) -> None:
    """Draw the names, to be changed, and the button that transposes the matrix."""
    number, matrix = upload.number, upload.matrix
    with st.form(f"{_CORRECT}/names-{number}", border=False):
        # Keys carry the present names, so that fields follow when these change elsewhere.
        name = st.text_input("Collection", matrix.name, key=f"{_CORRECT}/name-{number}-{matrix.name}")
        measure = st.text_input(
            "Measure", matrix.measure, key=f"{_CORRECT}/measure-{number}-{matrix.measure}"
        )
        pressed = st.form_submit_button("Rename", key=f"{_CORRECT}/rename-{number}")
    if pressed:
        with _changing():
            data.rename(number, name.strip(), measure.strip())
    st.markdown(
        f"Read as **{matrix.n_topics:,} topics** ({frame.plain(', '.join(matrix.topics[:2]))}, …) and "
        f"**{matrix.n_systems:,} runs** ({frame.plain(matrix.systems[0])}, …)."
    )
    if st.button("Transpose: exchange topics and runs", key=f"{_CORRECT}/swap-{number}"):
        with _changing():
            text = "The matrix was transposed: rows read as topics are runs."
            data.change(upload, transpose(matrix), (text,), "transposed", rescaled=False)


@contextmanager
def _changing(words: str = "{0.parameter} {0.rule}.") -> Iterator[None]:
    """Draw the page again with what is changed here; write why, in these words, where it is refused."""
    try:
        yield
    except InputError as error:
        st.error(frame.plain(words.format(error)))
    else:
        st.rerun()


def _draw_preparation(upload: Upload) -> None:
    """Draw the form, its result, and the way back."""
    same_measure = [other for other in data.own() if other.matrix.measure == upload.matrix.measure]
    with st.form(f"{_PREPARE}/form", border=False):
        data.ask_selection(_PREPARE)
        _draw_runs()
        _draw_scales(upload)
        targets = [_THIS]
        if len(same_measure) > 1:
            targets.append(f"all {len(same_measure)} matrices of {upload.matrix.measure}")
        st.selectbox("Apply to", targets, key=f"{_PREPARE}/target")
        st.form_submit_button(
            "Apply", key=f"{_PREPARE}/apply", on_click=_apply, args=(upload, same_measure), type="primary"
        )
    complaint = st.session_state.pop(f"{_PREPARE}/complaint", "")
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
        key=f"{_PREPARE}/zeros",
        placeholder="any number",
    )
    percent.number_input(
        "then the worst, % of runs", value=None, min_value=0.0, key=f"{_PREPARE}/percent", placeholder="none"
    )
    count.number_input(
        "or the worst, number of runs",
        value=None,
        min_value=0,
        step=1,
        key=f"{_PREPARE}/count",
        placeholder="none",
    )


def _draw_scales(upload: Upload) -> None:
    log, floor, standard = st.columns(3)
    log.selectbox("Logarithms (as GMAP)", [_LEAVE, "take logarithms"], key=f"{_PREPARE}/log")
    floor.number_input(
        "Floor of the logarithm",
        value=GMAP_FLOOR,
        format="%g",
        step=GMAP_FLOOR,
        key=f"{_PREPARE}/floor",
        help="Lower scores count as this; trec_eval takes 0.00001.",
    )
    standard.selectbox("Standardise by topic", [_LEAVE, *METHODS], key=f"{_PREPARE}/standardise")
    st.multiselect(
        "Runs to standardise by",
        upload.matrix.systems,
        key=f"{_PREPARE}/reference",
        placeholder="all runs that are left",
    )


def _steps() -> Steps:
    state = st.session_state
    method = state[f"{_PREPARE}/standardise"]
    return Steps(
        topics=_chosen("topics"),
        systems=_chosen("systems"),
        max_zero_topics=state[f"{_PREPARE}/zeros"],
        worst_fraction=fraction_of(state[f"{_PREPARE}/percent"]),
        worst_count=state[f"{_PREPARE}/count"],
        log_floor=None if state[f"{_PREPARE}/log"] == _LEAVE else state[f"{_PREPARE}/floor"],
        standardise=None if method == _LEAVE else method,
        reference=tuple(state[f"{_PREPARE}/reference"]) or None,
    )


def _chosen(kind: str) -> tuple[str, ...] | None:
    text = st.session_state[f"{_PREPARE}/{kind}"].strip()
    return (text,) if text else None


def _apply(this: Upload, same_measure: list[Upload]) -> None:
    """Prepare the matrix, or all of its measure; if one refuses, no matrix is changed."""
    targets = [this] if st.session_state[f"{_PREPARE}/target"] == _THIS else same_measure
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
        st.session_state[f"{_PREPARE}/complaint"] = complaint
        return
    if steps.does_nothing:
        st.session_state[f"{_PREPARE}/complaint"] = "No change was chosen, so the scores are as before."
        return
    for upload, prepared in done:
        effect = preparation_effect(upload.matrix, prepared.matrix, changes_scale=steps.changes_scale)
        sentences = (*prepared.notes, effect.sentence)
        data.change(upload, prepared.matrix, sentences, steps.summary, rescaled=steps.changes_scale)
    for name in ("topics", "systems"):
        st.session_state[f"{_PREPARE}/{name}"] = ""
    for name in ("zeros", "percent", "count"):
        st.session_state[f"{_PREPARE}/{name}"] = None
    for name in ("log", "standardise"):
        st.session_state[f"{_PREPARE}/{name}"] = _LEAVE
    st.session_state[f"{_PREPARE}/reference"] = []


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
            key=f"{_PREPARE}/undo",
            on_click=data.restore,
            args=(this.number,),
        )


def _draw_editor(upload: Upload) -> None:
    """Draw the table to edit, and the buttons that take the edits over or back."""
    matrix = upload.matrix
    if matrix.scores.size > MOST_CELLS:
        st.markdown(
            f"{matrix.scores.size:,} scores are too many to edit here; the limit is {MOST_CELLS:,}. Edit the file, "
            "and upload it again."
        )
        return
    resets = st.session_state.setdefault(f"{_EDIT}/resets", 0)
    # Columns are identified by their place, as a run may have any name; a changed matrix is a new table.
    places = [f"run {place}" for place in range(matrix.n_systems)]
    table = pd.DataFrame(matrix.scores, index=pd.Index(matrix.topics, name="topic"), columns=places)
    edited = st.data_editor(
        table,
        key=f"{_EDIT}/{upload.number}-{matrix.digest[:16]}-{resets}",
        column_config={"_index": st.column_config.TextColumn("topic", disabled=True)}
        | {
            place: st.column_config.NumberColumn(run, format="%.6g")
            for place, run in zip(places, matrix.systems, strict=True)
        },
        on_change="ignore",
        placeholder="empty",
        alt=f"Scores of {matrix.name}, to be edited",
    )
    with st.container(horizontal=True):
        use = st.button("Use the edited scores", key=f"{_EDIT}/use", type="primary")
        st.button("Reset", key=f"{_EDIT}/reset", on_click=_reset, help="Forget edits not yet used.")
    if use:
        with _changing("{0.parameter}, {0.value}: {0.rule}. Your edits are still there."):
            changed, record = edit(matrix, edited.to_numpy(dtype="float64"))
            data.change(upload, changed, record.notes, record.summary, rescaled=False)


def _reset() -> None:
    st.session_state[f"{_EDIT}/resets"] += 1


def draw_rounds() -> None:
    """Show how the pooled variance of a measure with several matrices converges."""
    measures = [measure for measure, group in data.by_measure().items() if len(group) > 1]
    measure = (
        st.selectbox("Measure", measures, key=f"{_ROUNDS}/measure") if len(measures) > 1 else measures[0]
    )
    group = data.by_measure()[measure]
    places = list(range(len(group)))
    name = f"{_ROUNDS}/order-{'-'.join(matrix.digest[:8] for matrix in group)}"
    order = st.multiselect(
        "Rounds, in their order",
        places,
        default=places,
        format_func=frame.labelled(name, places, lambda place: group[place].name),
        key=name,
        help="As loaded at first. Take a round out and put it back to move it to the end.",
    )
    if not order:
        st.markdown("Choose at least one round.")
        return
    matrices = [group[place] for place in order]
    key = "rounds", tuple((matrix.digest, matrix.name) for matrix in matrices)
    result = once(key, lambda: rounds(matrices, standard_plan()))
    last = result[-1].so_far
    count = "1 round" if len(result) == 1 else f"{len(result)} rounds"
    st.markdown(
        f"After {count} the pooled variance is **σ² = {last.variance:.4g}**, which requires {last.sentence} "
        f"({STANDARD_QUESTION})."
    )
    figure.show(variance_by_round(result))
    frame.table(
        rounds_table(result),
        ".5g",
        alt="Variance of each round and pooled so far, with the required topics",
    )
    st.markdown(
        f":small[Intervals: {100 * last.interval.level:g} %. Pooled with weights n − 1 (Sakai 2016, Eq. 38).]"
    )
