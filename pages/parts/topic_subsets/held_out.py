"""The hold-out view of the topic subsets page: do chosen subsets agree on other runs, on other topics?

A preview comes first, all splits run in the background. Keys of what is kept are scalars and the digests of the
scores.
"""

from dataclasses import dataclass, replace

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link
from pages.parts.computation import Computation, expected_time, kept, threads
from pages.parts.form import offer_link, show_preparation
from pages.parts.topic_subsets import form
from pages.parts.topic_subsets.form import GUIVER, PAGE
from topicset_core.analyses.topic_subsets.goodness import measure_of, reached
from topicset_core.analyses.topic_subsets.held_out import splits
from topicset_core.analyses.topic_subsets.held_out.curve import (
    HeldOutCurve,
    held_out_curve,
    preview_request,
    seconds_of_curve,
)
from topicset_core.analyses.topic_subsets.held_out.report import (
    held_out_goodness,
    held_out_sentence,
    held_out_table,
    how_counted,
    report,
    scores_in_title,
    size_sentence,
)
from topicset_core.analyses.topic_subsets.held_out.request import N_SPLITS, N_STARTS, HeldOutRequest
from topicset_core.analyses.topic_subsets.held_out.splits import MEANING
from topicset_core.analyses.topic_subsets.request import CARDINALITY
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import SEED
from topicset_core.wording import counted

_SIZE = replace(CARDINALITY, label="c, topics in a set", help="Size of the subsets in the headline.")
_OWN = -1  # evaluated by the scores that choose


@dataclass(frozen=True)
class HeldOutSettings:
    """A valid question about held-out runs or topics."""

    settings: form.Settings
    request: HeldOutRequest  # held-out half, goodness, number of splits
    evaluating: ScoreMatrix | None  # scores for the evaluation, if they differ from the scores for the choice

    @property
    def cardinality(self) -> int:
        """Size of the subsets in the headline."""
        if self.request.hold_out == "runs":
            return self.settings.cardinality
        half = (
            self.settings.matrix.n_topics // 2
        )  # a whole half is a subset, too: it differs from the reference
        return self.settings.size_below(half + 1) if half else 1

    @property
    def of_what(self) -> str:
        """Whose scores these are, for titles."""
        return scores_in_title(self.settings.matrix, self.evaluating)

    @property
    def url(self) -> str:
        """The full link."""
        more: dict[str, link.Value] = {
            form.HOLD_OUT.name: self.request.hold_out,
            form.CHOOSE_BY.name: self.request.choose_by or form.SAME,
        }
        return self.settings.url(
            "held-out",
            more | ({} if self.evaluating is None else {form.EVALUATING_MEASURE: self.evaluating.measure}),
        )


def ask(settings: form.Settings) -> HeldOutSettings:
    """Draw the choice of halves, in a row, and the rest in an expander."""
    halves, size = st.columns([3, 1])
    with halves:
        hold_out = form.FORM.draw(form.HOLD_OUT)
    with size:
        form.FORM.ask(_SIZE)
    with st.expander("Options of the hold-out experiment"):
        first, second = st.columns(2)
        with first:
            choose_by = form.FORM.draw(
                replace(
                    form.CHOOSE_BY,
                    shown=lambda key: (
                        f"{settings.measure.label}, as for the evaluation"
                        if key == form.SAME
                        else measure_of(key).label
                    ),
                )
            )
            evaluating = _ask_evaluating(settings)
        with second:
            form.FORM.ask(N_SPLITS, N_STARTS, form.SPLIT_TRIALS)
    request = HeldOutRequest(
        hold_out=hold_out,
        goodness=settings.measure.key,
        choose_by=None if choose_by == form.SAME else measure_of(choose_by).key,
        n_splits=int(settings.values[N_SPLITS.name]),
        n_starts=int(settings.values[N_STARTS.name]),
        n_trials=int(settings.values[form.SPLIT_TRIALS.name]),
        seed=int(settings.values[SEED.name]),
    )
    return HeldOutSettings(settings, request, evaluating)


def _ask_evaluating(settings: form.Settings) -> ScoreMatrix | None:
    """Let the user evaluate with another metric of the same runs and topics, if one is loaded."""
    others = [
        matrix
        for matrix in data.matrices()
        if matrix is not settings.upload and splits.same_runs_and_topics(settings.upload, matrix)
    ]
    if not others:
        st.markdown(
            ":small[:gray[To evaluate with another metric, load its scores for the same runs and topics.]]"
        )
        return None
    key = f"{form.PAGE}/{form.EVALUATING_MEASURE}"
    if key not in st.session_state:
        st.session_state[key] = _evaluating_of_link(others)
    if st.session_state[key] not in range(_OWN, len(others)):  # it was removed since
        st.session_state[key] = _OWN
    place = st.selectbox(
        "Evaluate with the scores",
        [_OWN, *range(len(others))],
        format_func=lambda at: (
            f"{settings.matrix.measure}, as for the choice"
            if at == _OWN
            else f"{others[at].measure}, {others[at].name}"
        ),
        key=key,
        persist_state="session",
        help="Another metric of the same runs and topics, as loaded.",
    )
    return None if place == _OWN else splits.select_runs(others[place], settings.matrix.systems)


def _evaluating_of_link(others: list[ScoreMatrix]) -> int:
    """Return the place of the scores that a link names by their measure."""
    named = st.query_params.get(form.EVALUATING_MEASURE)
    measures = [matrix.measure for matrix in others]
    if named and named not in measures:
        shown = link.shortened(named)
        text = f"{form.EVALUATING_MEASURE}={shown} in this link was ignored: no scores of this measure are loaded."
        link.complain([link.Complaint(text, form.EVALUATING_MEASURE)], key=None)
    return measures.index(named) if named in measures else _OWN


HELD: Computation[HeldOutCurve] = Computation(f"{PAGE}-held-out")

_QUICK_SECONDS = 0.4
_POLL_SECONDS = 1.0

Key = tuple[str, str, HeldOutRequest]


def key_of(held: HeldOutSettings, request: HeldOutRequest | None = None) -> Key:
    """Return the key of a question."""
    evaluating = "" if held.evaluating is None else held.evaluating.digest
    return held.settings.matrix.digest, evaluating, request or held.request


def preview(held: HeldOutSettings) -> HeldOutCurve | None:
    """Return a preview that takes a few tenths of a second; None if even that takes too long."""
    request = preview_request(
        held.settings.matrix, held.request, held.cardinality, _QUICK_SECONDS, evaluating=held.evaluating
    )
    if request is None:
        return None
    return _quick(
        key_of(held, request), _names(held), _matrix=held.settings.matrix, _evaluating=held.evaluating
    )


def start(held: HeldOutSettings) -> None:
    """Begin all splits and sizes; called by its button."""
    matrix, evaluating, key = held.settings.matrix, held.evaluating, key_of(held)
    HELD.start(
        key,
        f"{held.request.n_splits:,} random splits",
        lambda job: held_out_curve(
            matrix,
            key[2],
            evaluating=evaluating,
            report_progress=job.report_progress,
            executor=job.executor,
            show_partial=job.show_partial,
        ),
    )


@st.fragment(run_every=_POLL_SECONDS)
def watch(held: HeldOutSettings, seen: int) -> None:
    """Run the page again as soon as a running job has more than is on screen."""
    if progress(held) != seen:
        st.rerun()


def progress(held: HeldOutSettings) -> int:
    """Return how many splits the curve of a running job contains so far."""
    curve = HELD.partial(key_of(held))
    return 0 if curve is None else curve.request.n_splits


def _names(held: HeldOutSettings) -> tuple[str, ...]:
    """Return the measures and names of the scores that a result contains."""
    both = (held.settings.matrix, held.evaluating)
    return tuple(f"{matrix.measure} of {matrix.name}" for matrix in both if matrix is not None)


@kept(20, spinner="Running a hold-out preview (the first time: compiling)")
def _quick(
    key: Key,
    names: tuple[str, ...],  # noqa: ARG001 - part of the key
    *,
    _matrix: ScoreMatrix,
    _evaluating: ScoreMatrix | None,
) -> HeldOutCurve:
    with threads() as executor:
        return held_out_curve(_matrix, key[2], evaluating=_evaluating, executor=executor)


def show(settings: form.Settings) -> None:
    """Show the question, the answer, the curves, the numbers."""
    held = ask(settings)
    HELD.follow()
    seen, key = progress(held), key_of(held)
    try:
        whole = HELD.result(key)
        curve = whole or HELD.partial(key) or preview(held)
    except InputError as error:
        frame.refuse(
            frame.plain(f"These scores cannot be split for a hold-out experiment: {form.rule_of(error)}.")
        )
        return
    if curve is None:
        with st.container(key="waiting"):
            st.markdown(
                f"The experiment takes a while for {settings.matrix.n_topics:,} topics and "
                f"{settings.matrix.n_systems:,} runs with this measure. Press the button to start it."
            )
    else:
        _show_sentences(held, curve, is_preview=whole is None)
    if HELD.is_running():
        watch(held, seen)
    show_preparation(settings.notes)
    _offer_all(held, curve, is_whole=whole is not None)
    if curve is None:
        return
    drawn = held_out_goodness(
        curve,
        target=settings.target,
        cardinality=held.cardinality,
        of_what=held.of_what,
    )
    figure.show(drawn, of="topic-subsets")
    st.markdown(f":small[{frame.plain(f'Bands: 5th to 95th percentile over splits. {MEANING}')}]")
    exports = st.container()
    with frame.folded(
        "Numbers", f"{counted(len(curve.points), 'size')}, chosen and best on the held-out half"
    ):
        st.dataframe(
            held_out_table(curve), hide_index=True, alt="Agreement on held-out halves by subset size"
        )
    with exports:
        export_drawer.draw(
            report(
                curve,
                settings.matrix,
                target=settings.target,
                cardinality=held.cardinality,
                evaluating=held.evaluating,
                preparation=settings.notes,
                link=held.url,
            )
        )
    frame.explain("subsets_held_out", guiver=GUIVER)


def _show_sentences(held: HeldOutSettings, curve: HeldOutCurve, *, is_preview: bool) -> None:
    point = curve.nearest(held.cardinality)
    size = counted(point.cardinality, "topic")
    best = point.chosen.best
    answer = "no agreement" if best is None else reached(best.mean, curve.evaluated_by)
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(
            f"On other {held.request.hold_out}, the best {size} reach{'es' if point.cardinality == 1 else ''} "
            f":primary[{answer}]",
            f"The {held.request.hold_out} are split in random halves. The best subset is chosen on one half and "
            "evaluated on the other, so the value is not biased by the choice.",
            f"Other {held.request.hold_out} differ from yours as the two halves differ from each other.",
            is_preview=is_preview,
        )
        st.markdown(frame.plain(size_sentence(curve, held.cardinality)))
    st.markdown(frame.plain(held_out_sentence(curve, held.settings.target)))
    held.settings.show_size(held.cardinality)
    if curve.matched:
        st.markdown(f":small[{frame.plain(curve.matched)}.]")


def _offer_all(held: HeldOutSettings, curve: HeldOutCurve | None, *, is_whole: bool) -> None:
    with st.container(horizontal=True, vertical_alignment="center"):
        if curve is not None:
            text = "" if is_whole else _how_far(held)
            frame.show_basis(text + how_counted(curve), is_preview=not is_whole)
        if not is_whole and not HELD.is_about(key_of(held)):
            seconds = seconds_of_curve(held.settings.matrix, held.request, held.evaluating)
            st.button(
                f"Run all {held.request.n_splits:,} splits{expected_time(seconds)}",
                key=f"{HELD.name}/run",
                on_click=start,
                args=(held,),
                icon=":material/play_arrow:",
            )
        offer_link(held.url)


def _how_far(held: HeldOutSettings) -> str:
    """Return what kind of partial answer it is."""
    key = key_of(held)
    if HELD.partial(key) is None:
        return "Preview: "
    return "Result so far: " if HELD.is_about(key) else "Result so far, stopped: "
