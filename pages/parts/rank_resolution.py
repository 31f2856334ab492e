"""The leaderboard page: its form, and the sections of its answer."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts.computation import once
from pages.parts.form import SCORES, Choice, Form, Number, by_group, fields_of
from pages.parts.job import Answers
from topicset_core.analyses.rank_resolution import Request, charts
from topicset_core.analyses.rank_resolution.chosen_systems import TwoSystems, two_systems
from topicset_core.analyses.rank_resolution.discriminative_power import (
    PERMUTATIONS,
    POWER_QUESTION,
    POWERS,
    PowerRequest,
    Powers,
    asl_curves,
)
from topicset_core.analyses.rank_resolution.leaderboard import Leaderboard, rank_columns, shown_ranks
from topicset_core.analyses.rank_resolution.report import MORE_TOPICS, QUESTION
from topicset_core.analyses.rank_resolution.resolution import FAMILYWISE, TOP_K, Resolution
from topicset_core.analyses.sizing.replication import N_AGAIN
from topicset_core.analyses.stability import Request as StabilityRequest
from topicset_core.analyses.stability import stability
from topicset_core.analyses.stability.report import (
    COMPONENTS,
    coefficients,
    coefficients_by_topics,
    component_rows,
)
from topicset_core.analyses.stability.report import report as stability_report
from topicset_core.analyses.stability.result import N_TRIALS
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError
from topicset_core.parameters import LOWER_IS_BETTER, SEED
from topicset_core.preparation import MEAN, mean_of

PAGE = "leaderboard"


_PAIR = f"{PAGE}/system_a", f"{PAGE}/system_b"  # in the session: the two systems that are compared
_CHOSEN = f"{PAGE}/chosen"
_AMONG_WORDS = {"all": "of all systems", "half": "of the best half", "quarter": "of the best quarter"}
_SHARES = {"all": 1.0, "half": 0.5, "quarter": 0.25}
_AMONG = Choice(
    "among",
    "They are typical",
    _AMONG_WORDS,
    help="Expected differences shrink to those among these systems: good systems are closer to each other.",
)
# Links have names of their own for the trials of each question
_RESAMPLES = replace(N_TRIALS, name="n_resamples")
_PERMUTATIONS = replace(PERMUTATIONS, name="n_permutations")
_FORM = Form(
    PAGE,
    (
        *fields_of(Request, Number(TOP_K, empty="none chosen")),
        *(entry for entry in fields_of(StabilityRequest) if entry.name not in (SEED.name, N_TRIALS.name)),
        Number(_RESAMPLES),
        Number(_PERMUTATIONS),
        Number(N_AGAIN, usual=lambda: data.n_units(data.matrices()[0])),
        *(SCORES, Choice("system_a", "", data.systems), Choice("system_b", "", data.systems), _AMONG),
    ),
)
ANSWERS: Answers[Request, Leaderboard] = Answers(QUESTION, PAGE)
POWER: Answers[PowerRequest, list[Powers]] = Answers(POWER_QUESTION, f"{PAGE}-power")


@dataclass(frozen=True, kw_only=True)
class Settings:
    """The values of the form."""

    matrix: ScoreMatrix = field(repr=False)  # the scores in question
    request: Request  # how ranks are resolved
    pair: tuple[str, str]  # two systems, "" for the best ones
    n_again: int  # topics of a replication
    among: float  # share of the best systems that the two resemble
    stability: StabilityRequest
    power: PowerRequest
    url: str = field(repr=False)  # the full link


def ask() -> Settings:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    if matrix.groups is not None:
        _FORM.ask(MEAN)
    form = replace(_FORM, unit=matrix.by_group().unit)
    form.ask(LOWER_IS_BETTER, FAMILYWISE)
    with st.expander("Top k chosen beforehand"):
        form.ask(TOP_K)
    with st.expander("The test"):
        form.ask_rest(Request, MEAN, LOWER_IS_BETTER, FAMILYWISE, TOP_K)
    with st.expander("Stability"):
        form.ask_rest(StabilityRequest, SEED, N_TRIALS)
        form.ask(_RESAMPLES)
    values = form.values()
    first, second = (name if name in matrix.systems else "" for name in map(st.session_state.get, _PAIR))
    second = "" if second == first else second
    # Without groups there is one mean; a link names the one that is shown, as scores may be joined elsewhere.
    request = _FORM.request(Request, values, **({"mean": None} if matrix.groups is None else {}))
    mean = mean_of(matrix, request.mean)
    linked = None if matrix.groups is None else mean
    return Settings(
        matrix=matrix,
        request=request,
        pair=(first, second),
        n_again=int(values[N_AGAIN.name]),
        among=_SHARES[st.session_state[f"{PAGE}/{_AMONG.name}"]],
        stability=_FORM.request(StabilityRequest, values, n_trials=values[_RESAMPLES.name]),
        power=_FORM.request(PowerRequest, values, n_trials=values[_PERMUTATIONS.name], mean=mean),
        url=_FORM.url(values, system_a=first or None, system_b=second or None, mean=linked),
    )


def request_now() -> Request:
    """Return the request by the values that the form has, from any page."""
    return _FORM.request(Request, {}) if f"{PAGE}/valid" in st.session_state else Request()


def no_answer(error: InputError) -> str:
    """Return why there is no ranking, in a sentence."""
    return f"These scores cannot be ranked: {error.parameter} {error.rule}."


def _two_of(settings: Settings, result: Leaderboard) -> TwoSystems:
    """Return the facts about the two systems that were named, or about the two best."""
    resolution = result.resolution
    first = settings.pair[0] or next(name for name in resolution.systems if name != settings.pair[1])
    second = settings.pair[1] or next(name for name in resolution.systems if name != first)
    return two_systems(resolution, first, second, n_again=settings.n_again, among=settings.among)


class _Same(tuple[ScoreMatrix, ...]):
    """Scores of the same systems and topics, named as one."""

    __slots__ = ()
    name = ""

    @property
    def digest(self) -> str:
        """Names them all."""
        return " ".join(f"{matrix.digest} {matrix.name}" for matrix in self)


def _same_as(settings: Settings) -> _Same:
    """Return the scores in question and those of other measures on the same systems and topics."""
    layout = set(settings.matrix.systems), set(settings.matrix.topics)
    same = (matrix for matrix in data.matrices() if (set(matrix.systems), set(matrix.topics)) == layout)
    return _Same(matrix for matrix in same if settings.power.mean == "topics" or matrix.groups is not None)


def _choose(systems: Sequence[str]) -> None:
    """Compare the two systems that were chosen last in the table."""
    state = st.session_state
    chosen = [systems[row] for row in state[_CHOSEN]["selection"]["rows"]]
    before = [state[key] for key in _PAIR if state[key] in chosen]
    after = [*before, *(name for name in chosen if name not in before)][-2:]
    state.update(zip(_PAIR, [*after, "", ""], strict=False))


def show_ranks(settings: Settings, leaderboard: Leaderboard) -> None:
    """Write one row per system in the place of the main chart, and compare the two that were chosen."""
    resolution, state = leaderboard.resolution, st.session_state
    rows = sorted(resolution.systems.index(name) for name in settings.pair if name)
    if _CHOSEN not in state or state[_CHOSEN]["selection"]["rows"] != rows:
        state[_CHOSEN] = {"selection": {"rows": rows, "columns": [], "cells": []}}
    with frame.chart_place():
        frame.table(
            *rank_columns(resolution).screen(shown_ranks(leaderboard, frame.chart_mode())),
            alt="Systems with their means, possible ranks and groups; two rows that are chosen are compared",
            height=min(430, 36 * len(resolution.systems) + 40),  # pixels: at most as of a main chart
            key=_CHOSEN,
            on_select=partial(_choose, resolution.systems),
            selection_mode="multi-row",
        )
    with st.container(key="two-systems", gap="xxsmall"):
        st.markdown(frame.plain(_two_of(settings, leaderboard).comparison))
        if "" in settings.pair and len(resolution.systems) > 2:
            st.markdown(":small[:gray[Choose two rows of the table to compare other systems.]]")


def how_resolved(resolution: Resolution) -> str:
    """Return the basis of the numbers, in a sentence."""
    units = f"{resolution.unit}s"
    if resolution.enumerated:
        return f"All {resolution.n_flips:,} sign flips of {resolution.pairs.n_topics} {units}, enumerated."
    return f"{resolution.n_flips:,} sign flips of {units}, seed {resolution.request.seed}."


def _show_two(settings: Settings, leaderboard: Leaderboard) -> None:
    """Show whether the difference of the two systems was real."""
    left, right = st.columns(2)
    with left:
        _FORM.draw(_AMONG)
    with right:
        replace(_FORM, unit=leaderboard.resolution.unit).ask(N_AGAIN)
    two = _two_of(settings, leaderboard)
    st.markdown(frame.plain(two.replication))
    frame.table(two.table, {"value": ".4g"}, width="content", alt="Two systems in numbers")
    st.markdown(
        "On Robust 2004 (50 topics, then 50 others), differences with \\|t\\| from 2.0 to 2.5 were significant "
        "again in 54 % of cases, differences from 3 to 4 in 81 %. This formula predicts 52 and 81 %, “achieved "
        "power” 59 and 92 %."
    )


def _show_pairs(_: Settings, leaderboard: Leaderboard) -> None:
    """Show the matrix of pairs, and the groups as lines."""
    figure.show(charts.resolved_pairs(leaderboard.resolution), charts.groups(leaderboard.resolution), of=PAGE)
    st.markdown(
        "Systems that share a letter or a line are not resolved. Two systems without a common line may be "
        "unresolved, too: see the matrix of pairs."
    )


def _show_outlook(_: Settings, leaderboard: Leaderboard) -> None:
    """Show how many pairs more topics would resolve."""
    if leaderboard.outlook.can_tell:
        figure.show(charts.share_by_topics(leaderboard.outlook, leaderboard.resolution.upright), of=PAGE)


def _show_stability(settings: Settings, _: Leaderboard) -> None:
    """Show the generalizability study."""
    matrix = by_group(settings.matrix)[0]
    try:
        key = "stability", matrix.digest, matrix.name, settings.stability
        study = once(key, lambda: stability(matrix, settings.stability))
    except InputError as error:
        st.markdown(frame.plain(f"{error.parameter} {error.rule}"))
        return
    report = stability_report(study)
    frame.show_findings(report, key="stability")
    figure.show(coefficients_by_topics(study), of=PAGE)
    columns = coefficients(study.request.stability, study.matrix.unit)
    frame.table(*columns.screen((study.relative, study.absolute)), alt="Coefficients")
    frame.table(*COMPONENTS.screen(component_rows(study)), alt="Components")
    with st.container(horizontal=True, gap="xsmall"):
        for table in report.tables:
            export_drawer.csv(f"{table.label}, CSV", table.columns(), name=table.file)
    with st.container(key="stability-text"):
        st.markdown(f"**For a paper:** {frame.plain(report.text[0])}")


def _show_measures(settings: Settings, leaderboard: Leaderboard) -> None:
    """Show what Tukey's tests find, by measure."""
    known = POWER.best(_same_as(settings), settings.power)
    powers = known.answer
    form = replace(_FORM, unit=leaderboard.resolution.unit)
    with st.columns(2)[0]:
        form.ask_rest(PowerRequest, MEAN, SEED, FAMILYWISE, PERMUTATIONS)
        form.ask(_PERMUTATIONS)
    POWER.follow(known)
    if not known.is_whole:
        POWER.offer(known, f"Run all {POWER_QUESTION.noun(known.request)}")
    report = POWER_QUESTION.report(powers)
    frame.show_findings(report, key="discriminative-power")
    figure.show(asl_curves(powers), of=PAGE)
    frame.table(*POWERS.screen(powers), alt="Discriminative power by measure")
    for table in report.tables:
        export_drawer.csv("Discriminative power, CSV", table.columns(), name=table.file)


RANKS = "Ranks"
SECTIONS: Mapping[str, Callable[[Settings, Leaderboard], None]] = {
    RANKS: lambda _, leaderboard: figure.show(charts.rank_intervals(leaderboard.resolution), of=PAGE),
    "Two systems": _show_two,
    "Pairs": _show_pairs,
    MORE_TOPICS: _show_outlook,
    "Stability": _show_stability,
    "Discriminative power": _show_measures,
}
"""What each tab shows, drawn once it is open."""
