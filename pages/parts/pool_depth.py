"""The page on pool depth: its form and tiles, the study as a job, hours and money, and pools without a team."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import conventions, data, export_drawer, figure, frame, link, runs_data
from pages.parts import question as planning
from pages.parts.computation import Computation, Job
from pages.parts.data import MeasureVariance
from pages.parts.form import USUAL, Choice, Form, Number, Text, Together, fields_of, switched
from pages.parts.runs_data import BY_INTENT, HELP_BY_INTENT, are_by_intent, offered
from topicset_core.analyses.pool_depth import DepthDesign, DepthStudy, depth_study
from topicset_core.analyses.pool_depth.charts import change_of_left_out
from topicset_core.analyses.pool_depth.designs import HOURS
from topicset_core.analyses.pool_depth.pools import hardest_hit, leave_teams_out
from topicset_core.analyses.pool_depth.report import LEFT_OUT, Answer, effort_columns
from topicset_core.analyses.pool_depth.request import (
    FULL_POOL,
    MEASURES_AT_FIRST,
    NO_BUDGET,
    POOL_DEPTH,
    Asked,
    check_measures,
    depths_of,
)
from topicset_core.analyses.pool_depth.study import LOST_TOPICS
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.collection.units import guessed_teams
from topicset_core.designs import DESIGNS, Design, blocked_anova
from topicset_core.errors import InputError
from topicset_core.exports.tables import Row
from topicset_core.parameters import BUDGET, WITHIN_SYSTEM_VARIANCE
from topicset_core.variance import STATED_VARIANCES

PAGE = "pool"
OFFERED = {
    design.name: design for design in sorted(DESIGNS, key=lambda design: design is not blocked_anova.DESIGN)
}
"""The designs as the form lists them, first the one for systems that share the topics."""

REQUESTED = f"{PAGE}/asked-for"
"""Key of the question that was asked last; without it the study is made again where it has no answer."""

_TYPED = "typed in below"
_DESIGN = Choice(
    "design",
    "Topics for",
    list(OFFERED),
    help="The test or interval that the collection is designed for.",
)
_DEPTHS = Text(
    "depths",
    "Pool depths",
    placeholder="10, 30, 50, ... down to the deepest judgments",
    check=depths_of,
)
_VARIANCE = Number(WITHIN_SYSTEM_VARIANCE, empty="σ² of similar runs")
_DEPTH: Choice[str] = Choice(
    POOL_DEPTH.name, POOL_DEPTH.label, help=POOL_DEPTH.help, usual=USUAL
)  # the study has the options


@dataclass(frozen=True)
class _Measures:
    """The measures in a link, until the field shows them; with a variance they are what that was measured on."""

    name: str = link.MEASURE

    def read(self) -> tuple[list[str], Sequence[link.Complaint]]:
        """Return the measures in the link, and the complaint."""
        names = [] if _VARIANCE.name in st.query_params else link.texts(self.name)
        try:
            return list(check_measures(names) if names else ()), ()
        except InputError as error:
            return [], [link.refused(error)]

    def draw(self, key: str, **_: Any) -> list[str]:
        """Return and forget them."""
        return st.session_state.pop(key, None) or []


_PARAMETERS = tuple(dict.fromkeys(one for design in DESIGNS for one in design.parameters))
_FORM = Form(
    PAGE,
    (
        *(Number(one, is_short=True) for one in _PARAMETERS),
        *fields_of(
            Asked,
            *(Number(one, format="%.0f", empty=NO_BUDGET, is_short=True) for one in (BUDGET, HOURS)),
            _DEPTH,
            is_short=True,
        ),
        *(runs_data.LEVEL, *conventions.FIELDS, _VARIANCE, _DESIGN, _DEPTHS, _Measures()),
    ),
    together=Together([one.name for one in _PARAMETERS], lambda values: _design().check(values)),
    texts=(link.SOURCE,),
)
_PLANNED, _LINKED_VARIANCE = f"{PAGE}/planned", f"{PAGE}/linked-variance"
_LINKED = f"{PAGE}/linked"


def _design() -> Design:
    """Return the design that is chosen."""
    return OFFERED[st.session_state[f"{PAGE}/{_DESIGN.name}"]]


def _begin() -> None:
    """Take the values in the link."""
    linked, state = _FORM.start(), st.session_state
    if linked is None:
        return
    state[_LINKED] = any(one.name in linked.values for one in _design().parameters)
    state[_LINKED_VARIANCE] = _VARIANCE.name in linked.values


def ask() -> tuple[Asked, DeltaGenerator]:
    """Draw the form; return the last valid question, and the place of what is chosen once the study is there."""
    _begin()
    state, judged = st.session_state, runs_data.judged()
    complaints: list[link.Complaint] = []

    design = OFFERED[_FORM.draw(_DESIGN)]
    _FORM.ask(BUDGET, HOURS)
    with st.expander("Minutes and floors"):
        _FORM.ask_rest(Asked, BUDGET, HOURS, LOST_TOPICS, POOL_DEPTH, FULL_POOL)
    place = st.container()
    by_intent = are_by_intent(judged)
    key = f"{PAGE}/measures-by-intent" if by_intent else f"{PAGE}/measures"
    if key not in state:  # each kind of judgments has its own
        state[key] = _FORM.draw(_Measures()) or list(BY_INTENT if by_intent else MEASURES_AT_FIRST)
    typed = st.multiselect(
        "Measures (the largest n counts)",
        list(dict.fromkeys((*state[key], *offered(judged)))),
        accept_new_options=True,
        wrap=True,
        key=key,
        help=HELP_BY_INTENT if by_intent else None,
        persist_state="session",
    )
    try:
        _FORM.keep({f"{key}-valid": check_measures(typed)})
    except InputError as error:
        text = f"{error}. The answer shown is still the last one."
        complaints.append(link.Complaint(text, error.parameter))
    measures = _FORM.kept(f"{key}-valid")
    planned = {one.name: planning.number(one, measures[0]).key for one in design.parameters}
    last: Mapping[str, Any] = state.get(f"{planning.PAGE}/valid", {})
    if not state.pop(_LINKED, False):  # what has changed on the design pages
        before = state.get(_PLANNED, {})
        known = {name: last[key] for name, key in planned.items() if last.get(key) is not None}
        _FORM.keep({name: one for name, one in known.items() if before.get(name) != one}, shown=True)
    planning.draw(_FORM, [Number(one, is_short=True) for one in design.parameters])
    with st.expander("Depths and conventions"):
        _FORM.draw(_DEPTHS)
        conventions.draw(_FORM)
        _FORM.ask(LOST_TOPICS)
    conventions.presets(_FORM)
    values = _FORM.values(*complaints)
    state[_PLANNED] = {one.name: values[one.name] for one in design.parameters}
    _plan_with({planned[one.name]: (values[one.name], one.default) for one in design.parameters}, last)
    asked = _FORM.request(
        Asked,
        values,
        measures=measures,
        design=design.name,
        planned=tuple(state[_PLANNED].items()),
        depths=depths_of(_FORM.kept(_DEPTHS.name)),
        conventions=conventions.of(_FORM),
        pool_depth=None,
        full_pool=False,
    )
    return asked, place


def choose_depth(study: DepthStudy, asked: Asked) -> Asked:
    """Draw the depth at which the budget is spent, and the switch that plans with the pool of all runs."""
    depths = [str(one.pool_depth) for one in study.planned_by(asked.rule).most_demanding]
    chosen = _FORM.draw(replace(_DEPTH, options={USUAL: "recommended"} | {one: one for one in depths}))
    is_full = False
    if study.full_pool_factor is not None:
        _FORM.ask(FULL_POOL)
        is_full = st.session_state[f"{PAGE}/{FULL_POOL.name}"]
    return replace(asked, pool_depth=None if chosen == USUAL else int(chosen), full_pool=is_full)


def set_depth(depth: float) -> None:
    """Spend the budget at this depth."""
    st.session_state[f"{PAGE}/{_DEPTH.name}"] = f"{depth:.0f}"


def show_hours(answer: Answer) -> None:
    """Draw the field of the price, and what the topics of each depth take of hours and money."""
    price = st.number_input("Price per hour", min_value=0.0, value=25.0, step=1.0, key="pool/price")
    effort = replace(answer.asked.effort, price_per_hour=price)
    if not answer.purchases:
        st.markdown("Enter a budget to see the hours and the price of what it buys at each depth.")
        return
    if answer.bought is not None:
        size = answer.bought.n_topics, answer.bought.total_judgments
        st.markdown(
            f"**{effort.hours(*size):,.0f} hours** at depth {answer.bought.pool_depth}: {effort.price(*size):,.0f} "
            f"at {price:g} per hour."
        )
    rows = [answer.at(depth)[0] for depth in dict.fromkeys(one.pool_depth for one in answer.purchases)]
    frame.table(*effort_columns(effort).screen(rows), alt="Hours and price at each depth")


def _plan_with(values: Mapping[str, tuple[float, float]], last: Mapping[str, Any]) -> None:
    """Plan with these requirements, each next to its default, on the design pages, too."""
    new = {key: value for key, (value, usual) in values.items() if last.get(key, usual) != value}
    if new:
        st.session_state.setdefault(f"{planning.PAGE}/valid", {})
        st.session_state.setdefault(f"{planning.PAGE}/complaints", ())
        Form(planning.PAGE, ()).keep(new, shown=True)


def url(asked: Asked, variance: MeasureVariance | None = None) -> str:
    """Return the full link; runs and judgments are not in it."""
    settings = asked.record()
    more: dict[str, link.Value | None] = {
        link.MEASURE: settings.pop("measures") if variance is None else [variance.measure],
        _DEPTHS.name: None if asked.depths is None else ", ".join(map(str, asked.depths)),
        FULL_POOL.name: switched(True) if asked.full_pool else None,
    }
    if variance is not None:
        more |= {_VARIANCE.name: variance.value, link.SOURCE: variance.source}
    if runs_data.judged():
        more[link.DATA] = str(runs_data.stamp())
    values = settings | settings.pop("values") | more
    names = {*(one.name for one in _FORM.fields), *more}
    return link.write({name: one for name, one in values.items() if name in names and one is not None})


def choose_variance() -> MeasureVariance | None:
    """Let the user choose the variance of runs without judgments; None where they type it, or until they chose."""
    _begin()
    own = [] if data.is_sample() else data.variances()
    stated = [
        MeasureVariance(one.measure, one.variance, f"Sakai 2016, {one.place}: {one.task}")
        for one in STATED_VARIANCES
    ]
    known = {f"{one.value:.4g}: {one.measure}, {one.source}": one for one in (*own, *stated)}
    choice = st.selectbox(
        "σ² of scores to plan with",
        [*known, _TYPED],
        index=len(known) if st.session_state.get(_LINKED_VARIANCE) else None,
        placeholder="Choose a variance",
        key=f"{PAGE}/variance-from",
        help="Your runs have no judgments, so they have no scores. Use the variance of similar runs on a similar "
        "task: from your own score matrices (upload them under Score matrices), from a paper, or typed in.",
    )
    if choice == _TYPED:
        _FORM.draw(_VARIANCE)
    return known.get(choice or "")


def typed_variance() -> MeasureVariance | None:
    """Return the variance that is typed in or linked; None without one."""
    value = _FORM.kept(_VARIANCE.name)
    if value is None or st.session_state.get(f"{PAGE}/variance-from") != _TYPED:
        return None
    is_linked, measures = st.session_state.get(_LINKED_VARIANCE), link.texts(link.MEASURE)
    measure = link.shortened(measures[0]) if is_linked and measures else "the measure"
    source = link.text(link.SOURCE) if is_linked else ""
    return MeasureVariance(measure, value, source or f"σ² = {value:g}, typed in")


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, and its question and data."""

    question: Asked
    collections: tuple[JudgedRuns, ...]
    study: DepthStudy


STUDY: Computation[Studied] = Computation("pool/study")


def studied(question: Asked) -> Studied | None:
    """Return the study of these runs for this question; while it runs, the last one, or None."""
    collections, runs = runs_data.judged(), [one.run for one in runs_data.in_use().runs]
    asked = question.computed(), collections

    def work(job: Job) -> Studied:
        study = depth_study(collections, runs, question.request(), report_progress=job.report_progress)
        return Studied(question, collections, study)

    def known() -> Studied | None:
        result = STUDY.latest()
        return result if result is not None and result.collections is collections else None

    before = known()
    if (before is None or before.question.computed() != asked[0]) and st.session_state.get(
        REQUESTED
    ) != asked:
        # One answer is kept, as it holds the user's runs.
        STUDY.start("latest", "Scoring runs depth by depth", work)
        st.session_state[REQUESTED] = asked
    STUDY.follow()
    result = known()
    if result is None:
        return None
    if result.question.computed() == asked[0]:  # what is read off needs no new study
        return replace(result, question=question)
    if not STUDY.is_running():
        st.warning("These results are for your previous settings.")
        offer_again()
    return result


def offer_again() -> None:
    """Offer to compute again after a cancel or a failure."""
    st.button("Compute again", key="pool/compute", on_click=lambda: st.session_state.pop(REQUESTED, None))


def waits_for_judgments() -> list[Run]:
    """Return the user's runs if they uploaded no judgments yet; nothing otherwise."""
    track = runs_data.own()
    return [one.run for one in track.runs] if track is not None and not track.qrels else []


Studies = tuple[tuple[DepthStudy, JudgedRuns, tuple[str, ...]], tuple[Row, ...]]
"""The study, collection and teams, and the runs left out."""

LEAVING_OUT: Computation[Studies] = Computation("pool/new-systems")


def leave_out(studied: Studied, designs: tuple[DepthDesign, ...]) -> None:
    """Draw the table of teams, the button and the results, for one collection at a time."""
    runs = _collection(studied)
    if runs.n_systems < 2:
        st.markdown("At least 2 runs are needed to leave out a team.")
        return
    st.markdown(
        "The runs of each team are scored without the judgments of its uniquely contributed documents, as "
        "if the team had not been pooled (Zobel 1998). Teams are guessed from run names; correct them here. "
        "A run without a team counts as a team."
    )
    edited = st.data_editor(
        pd.DataFrame({"run": runs.systems, "team": guessed_teams(runs.systems)}),
        hide_index=True,
        disabled=["run"],
        height=240,
        key=f"pool/teams-{hash((runs.qrels.name, runs.systems))}",
    )
    teams = named(runs.systems, list(edited["team"]))
    depths = [design.pool_depth for design in designs]
    measure = studied.question.scored_by[0]
    level = studied.question.conventions.relevance_level
    inputs = studied.study, runs, teams

    def work(job: Job) -> Studies:
        left_out = leave_teams_out(
            runs, teams, depths, measure, relevance_level=level, report_progress=job.report_progress
        )
        return inputs, left_out

    st.button(
        "Leave each team out",
        on_click=LEAVING_OUT.start,
        args=("latest", "Scoring without each team", work),
        key="pool/leave-out",
    )
    LEAVING_OUT.follow()
    result = LEAVING_OUT.latest()
    if result is None:
        return
    (study, left_from, with_teams), left_out = result
    if study is studied.study and left_from is runs:
        if with_teams != teams:
            st.warning("Teams have changed. Press “Leave each team out” to update the results.")
        _show(left_out, designs, measure.name)


def _collection(studied: Studied) -> JudgedRuns:
    """Return the collection whose teams are left out; the user's choice where there are several."""
    if len(studied.collections) == 1:
        return studied.collections[0]
    key, places = "pool/new-systems-collection", range(len(studied.collections))
    place: int = st.selectbox(
        "Judgments",
        places,
        format_func=frame.labelled(key, places, lambda at: studied.collections[at].qrels.name),
        help="Teams are left out of one collection at a time. The chart counts documents per topic "
        "over all collections.",
        key=key,
    )
    return studied.collections[place]


def named(systems: Sequence[str], teams: Sequence[object]) -> tuple[str, ...]:
    """Return the team of each run; the run itself if no team is given."""
    given = [team.strip() if isinstance(team, str) else "" for team in teams]
    return tuple(team or system for team, system in zip(given, systems, strict=True))


def _show(result: tuple[Row, ...], designs: tuple[DepthDesign, ...], measure: str) -> None:
    evaluated = dict.fromkeys((designs[0].pool_depth, designs[-1].pool_depth))
    text = " ".join(_worst(depth, hardest_hit(result, depth), measure) for depth in evaluated)
    st.markdown(frame.plain(text))
    figure.show(change_of_left_out(result, designs, measure=measure, alt=text))
    columns = LEFT_OUT.table(result)
    st.dataframe(columns, hide_index=True, height=280, alt="Each run with and without its team's judgments")
    export_drawer.csv("Teams left out, CSV", columns, name="teams-left-out")


def _worst(depth: int, one: Row, measure: str) -> str:
    if one["change"] >= 0:
        return f"At depth {depth}, no run loses."
    rank = (
        f"stays {one['rank']}"
        if one["rank"] == one["rank_left_out"]
        else f"goes from {one['rank']} to {one['rank_left_out']}"
    )
    return f"At depth {depth}, {one['system']} loses most: {-one['change']:.4f} {measure}; its rank {rank}."
