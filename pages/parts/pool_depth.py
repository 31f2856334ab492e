"""The page on pool depth: its form, the study as a job, and pools without a team."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pandas as pd
import streamlit as st

from pages.parts import conventions, data, export_drawer, figure, frame, link, runs_data
from pages.parts import question as planning
from pages.parts.computation import Computation
from pages.parts.data import MeasureVariance
from pages.parts.form import Choice, Form, Number, Switch, Text, switched
from pages.parts.runs_data import BY_INTENT, HELP_BY_INTENT, are_by_intent, offered
from topicset_core.analyses.pool_depth import (
    MIN_JUDGED_SHARE,
    DepthDesign,
    DepthStudy,
    LeftOut,
    LostTopics,
    Request,
    depth_study,
    guessed_teams,
    hardest_hit,
    leave_teams_out,
)
from topicset_core.analyses.pool_depth.charts import change_of_left_out
from topicset_core.analyses.pool_depth.report import LEFT_OUT
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.collection.run import Run
from topicset_core.designs import DESIGNS, Plan, one_way_anova
from topicset_core.errors import InputError
from topicset_core.measures import TREC_EVAL, Conventions, Measure, measure_named
from topicset_core.parameters import (
    BUDGET,
    WITHIN_SYSTEM_VARIANCE,
    Parameter,
)
from topicset_core.progress import ReportProgress
from topicset_core.variance import STATED_VARIANCES

PAGE = "pool"
OFFERED = {
    design.name: design for design in sorted(DESIGNS, key=lambda design: design is not one_way_anova.DESIGN)
}
"""The designs as the form lists them, ANOVA first, as in the study of Sakai (2016)."""

REQUESTED = f"{PAGE}/asked-for"
"""Key of the question that was asked last; without it the study is made again where it has no answer."""

_TYPED = "typed in below"
_DESIGN = Choice(
    "design",
    "Topics for",
    list(OFFERED),
    help="The test or interval that the collection is designed for.",
)
_LOST = Choice(
    "lost_topics",
    "Topics without relevant documents in the pool",
    {"zero": "keep, with their scores", "drop": "leave out"},
    key="lost",
)
_DEPTHS = Text("depths", "Pool depths", placeholder="10, 30, 50, ... down to the deepest judgments")
_BUDGET = Number(BUDGET, format="%.0f", empty="no budget: range of depths")
_SHARE = Number(MIN_JUDGED_SHARE)
_VARIANCE = Number(WITHIN_SYSTEM_VARIANCE, empty="σ² of similar runs")
FULL_POOL = Switch(
    "full_pool",
    "Cost of the pool of all runs (estimated)",
    "More runs than yours seem to have been pooled. This multiplies costs by the factor in the note.",
)
_FORM = Form(
    PAGE,
    (
        *map(Number, dict.fromkeys(one for design in DESIGNS for one in design.parameters)),
        *(runs_data.LEVEL, *conventions.FIELDS, _BUDGET, _SHARE, _VARIANCE, _DESIGN, _LOST, FULL_POOL),
    ),
    "pressed",
    texts=(link.MEASURE, link.SOURCE, _DEPTHS.name),
)
_STATE, _KIND, _SHOWN = f"{PAGE}/asked", f"{PAGE}/by-intent", f"{PAGE}/shown"


@dataclass(frozen=True)
class Question:
    """A complete question about pool depth."""

    measures: tuple[str, ...] = ("AP", "nDCG", "Q", "nERR")
    design: str = one_way_anova.NAME
    values: tuple[tuple[str, float], ...] = tuple(
        (p.name, p.default) for p in one_way_anova.DESIGN.parameters
    )
    depths: tuple[int, ...] | None = None
    conventions: Conventions = TREC_EVAL  # how grades become scores
    lost_topics: LostTopics = "zero"  # how topics without a relevant document are handled
    budget: float | None = None  # affordable judgments
    # Depths with a smaller judged share are not recommended
    min_judged_share: float = MIN_JUDGED_SHARE.default

    def rule(self) -> Plan:
        """Return the design without its variance."""
        return OFFERED[self.design].plan(**dict[str, Any](self.values))

    def request(self) -> Request:
        """Return the request to the core."""
        return Request(
            measures=self.scored_by(),
            rule=self.rule(),
            depths=self.depths,
            relevance_level=self.conventions.relevance_level,
            lost_topics=self.lost_topics,
        )

    def scored_by(self) -> list[Measure]:
        """Return the measures with their conventions."""
        return [measure_named(name, self.conventions) for name in self.measures]

    def study(self) -> "Question":
        """Return the question without the settings that do not change the study."""
        return replace(self, budget=None, min_judged_share=MIN_JUDGED_SHARE.default)

    def record(self) -> dict[str, Any]:
        """Return the question as plain values for JSON."""
        settings = {name: value for name, value in vars(self).items() if name != "conventions"}
        return settings | {"values": dict(self.values)} | vars(self.conventions)

    def url(self, *, full_pool: bool = False, variance: MeasureVariance | None = None) -> str:
        """Return the full link; runs and judgments are not in it."""
        measures = list(self.measures) if variance is None else [variance.measure]
        settings: dict[str, link.Value] = {link.MEASURE: measures, "design": self.design}
        settings |= dict(self.values)
        settings |= {name: value for name, value in vars(self.conventions).items() if value is not None}
        settings |= {"lost_topics": self.lost_topics, "min_judged_share": self.min_judged_share}
        if self.depths is not None:
            settings["depths"] = _written(self.depths)
        if self.budget is not None:
            settings["budget"] = self.budget
        if full_pool:
            settings[FULL_POOL.name] = switched(full_pool)
        if variance is not None:
            settings |= {_VARIANCE.name: variance.value, link.SOURCE: variance.source}
        if runs_data.judged():
            settings[link.DATA] = str(runs_data.stamp())
        return link.write(settings)


def ask() -> Question:
    """Draw the form and return the last valid question."""
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _from_link()
        if any(one.name in st.query_params for one in OFFERED[st.session_state[_STATE].design].parameters):
            _share(st.session_state[_STATE])
    by_intent = are_by_intent(runs_data.judged())
    if st.session_state.get(_KIND) != by_intent:
        if _KIND in st.session_state or link.MEASURE not in st.query_params:
            st.session_state[_STATE] = _suited(st.session_state[_STATE], by_intent=by_intent)
        st.session_state[_KIND] = by_intent
    question: Question = _planned(st.session_state[_STATE])
    st.session_state[_STATE] = question
    _keep(question)
    design = _FORM.draw(_DESIGN)
    _FORM.draw(_BUDGET)
    parameters, values = OFFERED[design].parameters, dict(question.values)
    if design != question.design:
        values |= _of_design_pages(parameters, question.measures[0])
    _FORM.keep({one.name: values.get(one.name, one.default) for one in parameters})
    st.multiselect(
        "Measures (the largest n counts)",
        list(dict.fromkeys((*question.measures, *offered(runs_data.judged())))),
        default=question.measures,
        accept_new_options=True,
        wrap=True,
        key=f"{PAGE}/{_measures_key(by_intent=by_intent)}",
        help=HELP_BY_INTENT if by_intent else None,
    )
    planning.draw(_FORM, [Number(one, is_short=True) for one in parameters])
    with st.expander("Depths and conventions"):
        _FORM.draw(_DEPTHS)
        _FORM.draw(_SHARE)
        conventions.draw(_FORM)
        _FORM.draw(_LOST)
    drawn = _drawn(parameters, by_intent=by_intent)
    typed = {key: st.session_state[f"{PAGE}/{key}"] for key in drawn}
    shown = {key: tuple(one) if isinstance(one, list) else one for key, one in typed.items()}
    if shown != st.session_state.get(_SHOWN):  # a refused value is not refused again in each run
        st.session_state[_SHOWN] = shown
        if design != question.design or any(_FORM.kept(key) != value for key, value in shown.items()):
            _take(drawn)
    conventions.presets(_FORM, lambda: _take([*conventions.KEYS]))
    _FORM.values()
    result: Question = st.session_state[_STATE]
    return result


def _of_design_pages(parameters: Sequence[Parameter], measure: str) -> dict[str, float]:
    """Return the values of the last answer of the design pages by name; empty without an answer."""
    last: Mapping[str, float] = st.session_state.get(f"{planning.PAGE}/valid", {})
    keys = {one.name: planning.number(one, measure).key for one in parameters}
    return {name: last[key] for name, key in keys.items() if last.get(key) is not None}


def _planned(question: Question) -> Question:
    """Return the question with the relevance level of all pages, and what the design pages share with it."""
    level = replace(question.conventions, relevance_level=runs_data.relevance_level())
    question = replace(question, conventions=level)
    values = _of_design_pages(OFFERED[question.design].parameters, question.measures[0])
    changed = replace(
        question, values=tuple((name, values.get(name, value)) for name, value in question.values)
    )
    try:
        _check(changed)
    except InputError:  # they do not go together here
        return question
    return changed


def _share(question: Question) -> None:
    """Plan with these requirements on the design pages, too."""
    state, values = st.session_state, dict(question.values)
    state.setdefault(f"{planning.PAGE}/valid", {})
    state.setdefault(f"{planning.PAGE}/complaints", ())
    fields = {
        planning.number(one, question.measures[0]).key: values[one.name]
        for one in OFFERED[question.design].parameters
    }
    Form(planning.PAGE, ()).keep(fields, shown=True)


def full_pool() -> bool:
    """Draw the switch that plans with the pool of all runs, and return whether it is on."""
    return _FORM.draw(FULL_POOL)


def ask_variance() -> MeasureVariance | None:
    """Let the user choose the variance of runs without judgments; None until they have."""
    if _STATE not in st.session_state:
        st.session_state[_STATE] = _from_link()
    own = [] if data.is_sample() else data.variances()
    stated = [
        MeasureVariance(one.measure, one.variance, f"Sakai 2016, {one.place}: {one.task}")
        for one in STATED_VARIANCES
    ]
    known = {f"{one.value:.4g}: {one.measure}, {one.source}": one for one in (*own, *stated)}
    key = f"{PAGE}/variance-from"
    is_linked = _FORM.kept(_VARIANCE.name) is not None
    choice = st.selectbox(
        "σ² of scores to plan with",
        [*known, _TYPED],
        index=len(known) if is_linked else None,
        placeholder="Choose a variance",
        key=key,
        help="Your runs have no judgments, so they have no scores. Use the variance of similar runs on a similar "
        "task: from your own score matrices (upload them under Score matrices), from a paper, or typed in.",
    )
    if choice != _TYPED:
        return known.get(choice or "")
    value = _FORM.draw(_VARIANCE)
    try:
        checked = _VARIANCE.parameter.check(value)
    except InputError as error:
        if value is not None:
            sentence = f"{_VARIANCE.parameter.label}: {value:g} {error.rule}."
            link.complain([link.Complaint(sentence, error.parameter)], key=None)
        return None
    measures = link.texts(link.MEASURE)
    measure = link.shortened(measures[0]) if is_linked and measures else "the measure"
    source = link.text(link.SOURCE) if is_linked else ""
    return MeasureVariance(measure, checked, source or f"σ² = {checked:g}, typed in")


def _drawn(parameters: Any, *, by_intent: bool) -> list[str]:
    """Return the keys of the fields that are drawn."""
    numbers = [one.name for one in (*parameters, BUDGET, MIN_JUDGED_SHARE)]
    others = [_DESIGN.name, _DEPTHS.name, _LOST.key, *conventions.KEYS]
    return [_measures_key(by_intent=by_intent), *numbers, *others]


def _take(keys: list[str]) -> None:
    """Answer for the values in these fields, if they are valid."""
    taken = _FORM.take(keys, _question)
    if taken is not None:
        st.session_state[_STATE] = taken
        st.session_state.pop(REQUESTED, None)
        _share(taken)


def _keep(question: Question) -> None:
    """Show the question in fields that are drawn again."""
    _FORM.keep(
        {
            _DESIGN.name: question.design,
            _LOST.key: question.lost_topics,
            _DEPTHS.name: _written(question.depths or ()),
            BUDGET.name: question.budget,
            MIN_JUDGED_SHARE.name: question.min_judged_share,
            _measures_key(by_intent=are_by_intent(runs_data.judged())): question.measures,
            **{name: getattr(question.conventions, name) for name in conventions.KEYS},
        }
    )


def _question(values: dict[str, Any]) -> Question:
    """Return what these values ask for."""
    design, budget = values[_DESIGN.name], values[BUDGET.name]
    question = Question(
        measures=tuple(values[_measures_key(by_intent=are_by_intent(runs_data.judged()))]),
        design=design,
        values=tuple((one.name, one.check(values[one.name])) for one in OFFERED[design].parameters),
        depths=_depths_of(values[_DEPTHS.name]),
        conventions=conventions.of(values),
        lost_topics=values[_LOST.key],
        budget=None if budget is None else BUDGET.check(budget),
        min_judged_share=MIN_JUDGED_SHARE.check(values[MIN_JUDGED_SHARE.name]),
    )
    _check(question)
    return question


def _check(question: Question) -> None:
    """Raise for values that contradict each other."""
    question.rule()
    if not question.measures:
        raise InputError("measures", 0, "must be at least one")
    names = [measure.name for measure in question.scored_by()]
    if len(set(names)) < len(names):
        raise InputError("measures", ", ".join(names), "must be named once each")


def _suited(question: Question, *, by_intent: bool) -> Question:
    """Return the question with the default measures for these judgments, if it had the default of other ones."""
    own, other = (BY_INTENT, Question.measures) if by_intent else (Question.measures, BY_INTENT)
    return replace(question, measures=own) if question.measures == other else question


def _measures_key(*, by_intent: bool) -> str:
    """Return the key of the choice of measures; each kind of judgments has its own."""
    return "measures-by-intent" if by_intent else "measures"


def _from_link() -> Question:
    """Start from the values in the address, if they are valid."""
    _FORM.start()
    design = _FORM.kept(_DESIGN.name)
    start = Question(
        design=design,
        values=tuple((one.name, _FORM.kept(one.name)) for one in OFFERED[design].parameters),
        budget=_FORM.kept(BUDGET.name),
        min_judged_share=_FORM.kept(MIN_JUDGED_SHARE.name),
        conventions=conventions.of({name: _FORM.kept(name) for name in conventions.KEYS}),
        lost_topics=_FORM.kept(_LOST.key),
    )
    measures = link.texts(link.MEASURE)
    is_variance = _FORM.kept(_VARIANCE.name) is not None  # then the measure is what that was measured on
    linked: list[Callable[[], dict[str, Any]]] = [
        lambda: {"measures": tuple(measures)} if measures and not is_variance else {},
        lambda: {_DEPTHS.name: _depths_of(st.query_params.get(_DEPTHS.name, ""))},
    ]
    for change in linked:
        try:
            changed = replace(start, **change())
            _check(changed)
        except InputError as error:
            sentence = f"The values in this link were not used: {link.shortened(str(error))}."
            _FORM.complain(link.Complaint(sentence, error.parameter))
        else:
            start = changed
    try:
        _check(start)
    except InputError:
        start = Question()
    return start


def _depths_of(text: str) -> tuple[int, ...] | None:
    """Return the depths of a text; None for an empty one."""
    parts = text.replace(",", " ").split()
    whole = [int(part) for part in parts if part.isascii() and part.isdigit() and len(part) < 6]
    if len(whole) < len(parts) or len(whole) > 50 or any(not 1 <= depth <= 10_000 for depth in whole):
        raise InputError("depths", link.shortened(text), "must be whole numbers from 1 to 10,000, at most 50")
    return tuple(sorted(set(whole))) or None


def _written(depths: tuple[int, ...]) -> str:
    """Write depths as a link and the form have them."""
    return ", ".join(map(str, depths))


@dataclass(frozen=True, eq=False)
class Studied:
    """A study, and its question and data."""

    question: Question
    collections: tuple[JudgedRuns, ...]
    study: DepthStudy


STUDY: Computation[Studied] = Computation("pool/study")
_LATEST = "latest"  # one answer is kept, as it holds the user's runs


def studied(question: Question) -> Studied | None:
    """Return the study of these runs for this question; while it runs, the last one, or None."""
    collections, runs = runs_data.judged(), [one.run for one in runs_data.in_use().runs]
    question_and_data = question.study(), collections
    if (
        not _answers(STUDY.latest(), *question_and_data)
        and st.session_state.get(REQUESTED) != question_and_data
    ):
        STUDY.start(
            _LATEST,
            "Scoring runs depth by depth",
            lambda run: _study(question, collections, runs, run.report_progress),
        )
        st.session_state[REQUESTED] = question_and_data
    STUDY.follow()
    result = STUDY.latest()
    if result is None or result.collections is not collections:
        return None
    if not _answers(result, *question_and_data) and not STUDY.is_running():
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


def _answers(result: Studied | None, question: Question, collections: tuple[JudgedRuns, ...]) -> bool:
    return result is not None and result.collections is collections and result.question.study() == question


def _study(
    question: Question, collections: tuple[JudgedRuns, ...], runs: list[Run], report: ReportProgress
) -> Studied:
    result = depth_study(collections, runs, question.request(), report_progress=report)
    return Studied(question, collections, result)


Studies = tuple[tuple[Studied, JudgedRuns, tuple[str, ...]], tuple[LeftOut, ...]]
"""The question, and the runs left out."""

LEAVING_OUT: Computation[Studies] = Computation("pool/new-systems")


def draw(studied: Studied, designs: tuple[DepthDesign, ...]) -> None:
    """Draw the table of teams, the button and the results, for one collection at a time."""
    with frame.folded(
        "Is the pool fair to new systems?",
        "leave out each team and compare ranks",
        key="pool/new-systems-open",
        lazy=True,
    ) as more:
        if not more.open:
            return
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
        measure = studied.question.scored_by()[0]
        level = studied.question.conventions.relevance_level
        st.button(
            "Leave each team out",
            on_click=LEAVING_OUT.start,
            args=(
                "latest",
                "Scoring without each team",
                lambda run: (
                    (studied, runs, teams),
                    leave_teams_out(
                        runs,
                        teams,
                        depths,
                        measure,
                        relevance_level=level,
                        report_progress=run.report_progress,
                    ),
                ),
            ),
            key="pool/leave-out",
        )
        LEAVING_OUT.follow()
        result = LEAVING_OUT.latest()
        if result is None:
            return
        inputs, left_out = result
        if inputs[0] is studied and inputs[1] is runs:
            if inputs[2] != teams:
                st.warning("Teams have changed. Press “Leave each team out” to update the results.")
            _show(left_out, designs, measure.name)


def _collection(studied: Studied) -> JudgedRuns:
    """Return the collection whose teams are left out; the user's choice where there are several."""
    if len(studied.collections) == 1:
        return studied.collections[0]
    place: int = st.selectbox(
        "Judgments",
        range(len(studied.collections)),
        format_func=lambda at: studied.collections[at].qrels.name,
        help="Teams are left out of one collection at a time. The chart counts documents per topic "
        "over all collections.",
        key="pool/new-systems-collection",
    )
    return studied.collections[place]


def named(systems: Sequence[str], teams: Sequence[object]) -> tuple[str, ...]:
    """Return the team of each run; the run itself if no team is given."""
    given = [team.strip() if isinstance(team, str) else "" for team in teams]
    return tuple(team or system for team, system in zip(given, systems, strict=True))


def _show(result: tuple[LeftOut, ...], designs: tuple[DepthDesign, ...], measure: str) -> None:
    evaluated = dict.fromkeys((designs[0].pool_depth, designs[-1].pool_depth))
    text = " ".join(_worst(depth, hardest_hit(result, depth), measure) for depth in evaluated)
    st.markdown(frame.plain(text))
    figure.show(change_of_left_out(result, designs, measure=measure, alt=text))
    columns = LEFT_OUT.table(result)
    st.dataframe(columns, hide_index=True, height=280, alt="Each run with and without its team's judgments")
    export_drawer.csv("Teams left out, CSV", columns, name="teams-left-out", key="csv-left-out")


def _worst(depth: int, one: LeftOut, measure: str) -> str:
    if one.change >= 0:
        return f"At depth {depth}, no run loses."
    rank = (
        f"stays {one.rank}"
        if one.rank == one.rank_left_out
        else f"goes from {one.rank} to {one.rank_left_out}"
    )
    return f"At depth {depth}, {one.system} loses most: {-one.change:.4f} {measure}; its rank {rank}."
