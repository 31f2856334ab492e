"""What the variance of a plan is taken from: scores, a similar task, a paper, a link or the user."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, get_args

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from pages.parts import data, frame, link
from pages.parts.computation import once
from pages.parts.form import Choice, Form, Number
from topicset_core.analyses.planning import report
from topicset_core.analyses.planning.source import Scores, Similar, Source, Stated, of_pair
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.shares import RIGHT
from topicset_core.errors import InputError
from topicset_core.parameters import DIFFERENCE_VARIANCE, WITHIN_SYSTEM_VARIANCE, Parameter
from topicset_core.variance import CONSERVATIVE_DIFFERENCE, STATED_VARIANCES, Estimate, Weights
from topicset_core.variance.atlas import FAMILIES, SIMILAR_RUNS, Runs, SimilarTask, names, similar_task
from topicset_core.variance.estimates import conservative_difference_variance
from topicset_core.wording import joined

PAGE = data.PLANNING

LARGEST = "the largest of these measures"
TYPED, _FORMER_TYPED = "no scores: the numbers below", "no scores: a number typed below"
SHARES = "no scores: shares of topics"
LITERATURE = "no scores: a paper"
_ELSEWHERE = (data.SIMILAR, LITERATURE, TYPED)
WITHOUT_SCORES = (*_ELSEWHERE, SHARES)

SCORES, SOURCES, LAST = f"{PAGE}/scores", f"{PAGE}/sources", f"{PAGE}/last"
"""Names in the session: what was chosen, sources of linked or typed variances, values of the last answer."""
OF_SHARES = "frame/of-shares"
"""Name in the session: whether the page is for scores of 0 and 1, which has a choice of its own."""
UNNAMED, TYPED_IN, FROM_LINK = report.UNNAMED, "typed in", "from a link"

WEIGHTS: dict[Weights, str] = {"topics": "topics (the paper's)", "degrees-of-freedom": "degrees of freedom"}

NOT_GIVEN = "a start value"
_HELP = (
    "The variance of scores decides most. For a new task without scores, Sakai (2016, 6.1) "
    "advises the largest variance among the measures of a similar task."
)
_OF_SHARES_HELP = (
    "Uploaded scores are offered where all of them are 0 or 1. The shares of topics on which only one "
    "system is right decide most."
)
_PAIR, _PAIR_LABEL = "chosen-pair", "two runs to be named"
_STATED = {f"σ² = {one.variance:g}: {one.measure}, {one.task}": one for one in STATED_VARIANCES}
_ALONE = "my scores alone"
_RUNS_IN_WORDS: Mapping[Runs, str] = {one: SIMILAR_RUNS.options[one] for one in get_args(Runs)}
_ASK = "choose a measure"
_MEASURE = f"{PAGE}/similar-measure"
"""Name in the session: the measure of the similar task that was planned with last."""


def _measures_of(family: str) -> list[str]:
    """Return the measures that the atlas has for a family."""
    return [name.partition(":")[2] for name in names() if name.startswith(f"{family}:")]


def _keep_measure() -> None:
    """Where another task is chosen, keep the measure; ask for one where the task does not have it."""
    state = st.session_state
    family, measure = state[f"{PAGE}/{_FAMILY.name}"], state.get(_MEASURE, "")
    kept = measure if measure in _measures_of(family) else _ASK
    state[f"{PAGE}/{_similar_measure(family).name}"] = kept


_TASKS: Mapping[str, str] = FAMILIES | {
    "dl-passage-grade2": "TREC Deep Learning, grade 2 and above",
    "dl-passage-gpt4": "TREC Deep Learning, GPT-4 as judge",
}
"""The similar tasks as a field of the form shows them in full."""

_FAMILY = Choice(
    "similar-task",
    "Similar task",
    _TASKS,
    help="The median variance of public collections; in SynDL, GPT-4 judged other topics of TREC Deep Learning. "
    "How far a new one may differ was measured on collections that were left out in turn; it enters the "
    "interval of n and the assurance.",
    then=_keep_measure,
)
_RUNS: Choice[Runs] = Choice(
    SIMILAR_RUNS.name, SIMILAR_RUNS.label, _RUNS_IN_WORDS, look="segments", help=SIMILAR_RUNS.help
)


@dataclass(frozen=True)
class Chosen:
    """What a user plans with: a source, or what a source is made of once its numbers are read."""

    source: Source | None  # None of numbers that are typed
    measure: str
    words: str
    is_shares: bool = False
    place: DeltaGenerator | None = (
        None  # of the note on a similar task, which the number of systems completes
    )

    def stated(self, values: Mapping[str, float], effective_df: float | None) -> Stated:
        """Return the source of numbers that are typed, or from a link, which tells more about them."""
        state, given = st.session_state, sources()
        linked: Mapping[str, Any] = state.get(f"{SOURCES}/more", {})
        is_linked = any(given.get(name, TYPED_IN) != TYPED_IN for name in values)
        return Stated(
            values=values,
            measure=self.measure,
            words=self.words,
            effective_df=effective_df,
            **(linked if is_linked else {}),
        )


def source_key() -> str:
    """Return the name in the session of what was chosen on pages like this one."""
    return f"{SCORES}-of-0-and-1" if st.session_state.get(OF_SHARES) else SCORES


def _options() -> list[str]:
    groups = data.by_measure()
    if st.session_state.get(OF_SHARES):
        binary = [name for name, group in groups.items() if all(one.is_binary for one in group)]
        return [*binary, SHARES, TYPED]
    return [*groups, *([LARGEST] if len(groups) > 1 else []), *_ELSEWHERE]


def chosen_scores() -> str:
    """Return the source of the variance."""
    chosen, options = st.session_state.get(source_key()), _options()
    chosen = TYPED if chosen == _FORMER_TYPED else chosen  # in work that was saved before
    if chosen in options:
        return str(chosen)
    return data.SIMILAR if data.is_sample() and data.SIMILAR in options else options[0]


def pooling() -> Weights:
    """Return how matrices are pooled."""
    chosen = st.session_state.get(f"{PAGE}/weights")
    return next((weights for weights in WEIGHTS if weights == chosen), "topics")


def sources() -> dict[str, str]:
    """Return where each variance is from that was linked or typed, by its name."""
    result: dict[str, str] = st.session_state.get(SOURCES, {})
    return result


def measure_typed() -> str:
    """Return the measure of a variance that was linked or typed."""
    result: str = st.session_state.get(f"{SOURCES}/measure", UNNAMED)
    return result or UNNAMED


def matrices_now() -> Sequence[ScoreMatrix]:
    """Return the scores that are planned with; none of other sources."""
    return data.by_measure().get(chosen_scores(), [])


def choose(form: Form, *variances: Parameter, is_short: bool = False) -> Chosen:
    """Draw what variances are taken from, with the ways to estimate them unless `is_short`; return it."""
    choice = form.draw(
        Choice(
            "scores",
            "Scores to plan with",
            _options,
            usual=chosen_scores(),
            help=_OF_SHARES_HELP if st.session_state.get(OF_SHARES) else _HELP,
            key=source_key().rpartition("/")[2],
        )
    )
    if choice == SHARES:
        return Chosen(None, RIGHT, "from shares of topics, typed in", is_shares=True)
    if choice == TYPED:
        return Chosen(None, measure_typed(), _start_typed(form, variances[0]))
    if choice == data.SIMILAR:
        return _from_similar(form, *variances)
    if choice == LITERATURE:
        return _from_literature(form)
    groups = data.by_measure()
    groups = groups if choice == LARGEST else {choice: groups[choice]}
    return _from_scores(form, variances, groups, is_short=is_short)


def by_measure(source: Source) -> dict[str, Source]:
    """Return the source of each measure in use, by the same estimates; of others than scores it alone."""
    if not isinstance(source, Scores):
        return {source.variance(WITHIN_SYSTEM_VARIANCE).measure: source}
    return {
        measure: _kept(
            replace(
                source,
                matrices=tuple(group),
                similar=source.similar if source.similar.partition(":")[2] == measure else "",
            )
        )
        for measure, group in data.by_measure().items()
    }


def _start_typed(form: Form, variance: Parameter) -> str:
    """Derive a variance that is not given from the other one; return its source, in words."""
    given = sources()
    if variance.name in given:
        return given[variance.name]
    value, source = variance.default, NOT_GIVEN
    with suppress(InputError):  # it may be from saved work
        value = link.number(variance, st.session_state.get(LAST, {}).get(variance.name, ""))
    if variance is DIFFERENCE_VARIANCE and WITHIN_SYSTEM_VARIANCE.name in given:
        value = conservative_difference_variance(float(form.last(Number(WITHIN_SYSTEM_VARIANCE)) or 0))
        source = f"{given[WITHIN_SYSTEM_VARIANCE.name]}; {CONSERVATIVE_DIFFERENCE.label}"
    if st.session_state.get(f"{PAGE}/{variance.name}") in (None, form.last(Number(variance))):
        form.keep({variance.name: value}, shown=True)
    return source


def _similar_measure(family: str) -> Choice[str]:
    """Return the choice of a measure that the atlas has for a family; of none until the user chooses one."""
    name, measures = f"measure-of-{family}", _measures_of(family)
    if st.session_state.get(f"{PAGE}/{name}") == _ASK:
        measures = [_ASK, *measures]
    return Choice(name, "Measure", measures, usual="nDCG@10")


def unit_now() -> str:
    """Return the measure that the form's numbers are in: of the scores, of a similar task, or as typed."""
    scores, state = chosen_scores(), st.session_state
    if scores != data.SIMILAR:
        return {TYPED: measure_typed(), SHARES: RIGHT}.get(scores, scores)
    family = state.get(f"{PAGE}/{_FAMILY.name}")
    choice = _similar_measure(family if family in FAMILIES else next(iter(FAMILIES)))
    measure, offered = state.get(f"{PAGE}/{choice.name}", choice.usual), choice.offered()
    measure = measure if measure in offered else offered[0]
    return UNNAMED if measure == _ASK else measure


def _from_similar(form: Form, *variances: Parameter) -> Chosen:
    """Offer the tasks of the atlas, and their measures; a single variance is shown."""
    family = form.draw(_FAMILY)
    measure = form.draw(_similar_measure(family))
    if measure == _ASK:
        lacks = f"{FAMILIES[family]} has no variance of {st.session_state.get(_MEASURE, 'this measure')}"
        known = joined(_measures_of(family))
        frame.prompt(f"{lacks}, but of {known}. Choose a measure in the form.")
        st.stop()
    st.session_state[_MEASURE] = measure
    source = Similar(name=f"{family}:{measure}", runs=form.draw(_RUNS))
    task = similar_task(source.name, variances[0], runs=source.runs)
    place = st.empty()
    if len(variances) == 1:
        show_similar(place, variances[0], task, [task.ratio_in_words])
    return Chosen(source, measure, task.source, place=place)


def show_similar(
    place: DeltaGenerator, variance: Parameter, task: SimilarTask, more: Sequence[str], help_text: str = ""
) -> None:
    """Write the variance of a similar task in a place, and what else to know of it."""
    line = "; ".join([f"{variance.symbol} = {task.median:.4g}", *filter(None, more)])
    place.markdown(f":small[{frame.plain(line)}.]", help=frame.with_tests(frame.plain(help_text)) or None)


def _from_literature(form: Form) -> Chosen:
    """Offer the variances that papers state."""
    stated = _STATED[form.draw(Choice("literature", "Stated variance", list(_STATED)))]
    st.markdown(f":small[{frame.plain(stated.source)} {frame.plain(stated.place)}.]")
    source = Stated.in_paper(stated)
    return Chosen(source, source.measure, source.words)


def _kept(source: Scores) -> Scores:
    """Return the source, which computes each variance once."""
    return once(("source", *source.key), lambda: source)


def _from_scores(
    form: Form,
    variances: Sequence[Parameter],
    groups: Mapping[str, list[ScoreMatrix]],
    *,
    is_short: bool,
) -> Chosen:
    """Draw the estimates from these scores; return their source."""
    matrices = tuple(matrix for group in groups.values() for matrix in group)
    source = _kept(Scores(matrices=matrices, weights=pooling(), described=data.source_of))
    if not all(map(source.offered, variances)):
        frame.refuse(
            "These scores are of one run; this variance needs at least two runs. Type a variance instead.",
            at_top=True,
        )
        st.stop()
    estimates: dict[str, Estimate] = {}
    for variance in variances if not is_short else ():
        in_all = [run for run in matrices[0].systems if all(run in matrix.systems for matrix in matrices)]
        is_pair = variance is DIFFERENCE_VARIANCE and len(groups) == 1
        estimates |= _ask_estimate(form, source, variance, in_all if is_pair else [])
    source = _kept(replace(source, estimates=estimates))
    if len(variances) > 1:
        source = _as_combined(source, variances)
        return Chosen(source, source.variance(variances[0]).measure, "")
    (variance,) = variances
    pooled = source.variance(variance)
    notes = [pooled.estimate.advice] if pooled.estimate is not None and pooled.estimate.advice else []
    if len(groups) > 1:
        notes.append("Compare variances only between measures on one scale, for example from 0 to 1.")
    st.markdown(f":small[{variance.symbol} = {pooled.value:.4g}.]", help=frame.plain(" ".join(notes)) or None)
    if len(groups) == 1:
        source = _with_similar(form, source, variance)
    return Chosen(source, pooled.measure, source.variance(variance).words)


def _ask_estimate(
    form: Form, source: Scores, variance: Parameter, runs: Sequence[str]
) -> Mapping[str, Estimate]:
    """Draw the estimates of a variance where there are several; return the chosen one by its parameter."""
    offered = {estimate.name: estimate for estimate in source.offered(variance)}
    labels = {name: estimate.label.partition(" (")[0] for name, estimate in offered.items()}
    labels |= {_PAIR: _PAIR_LABEL} if len(runs) > 2 else {}
    name = next(iter(labels))
    if len(labels) > 1:
        label = f"{variance.symbol} from these scores"
        name = form.draw(Choice(f"estimate-{variance.name}", label, labels))
    if name != _PAIR:
        return {variance.name: offered[name]}
    first = form.draw(Choice("first-run", "First run", runs))
    second = form.draw(Choice("second-run", "Second run", [run for run in runs if run != first]))
    return of_pair(first, second)


def _as_combined(source: Scores, variances: Sequence[Parameter]) -> Scores:
    """Return the source with the similar task that was chosen where one variance is planned with."""
    name = st.session_state.get(f"{PAGE}/combined-with", _ALONE)
    results = [source.variance(variance) for variance in variances]
    fits = name in names() and all(
        name.partition(":")[2] == one.measure and similar_task(name, one.parameter).estimate is one.estimate
        for one in results
    )
    chosen = st.session_state.get(f"{PAGE}/{_RUNS.name}")
    runs: Runs = next((one for one in get_args(Runs) if one == chosen), "all")
    return _kept(replace(source, similar=name, similar_runs=runs)) if fits else source


def _with_similar(form: Form, source: Scores, variance: Parameter) -> Scores:
    """Offer to use similar tasks next to one's scores; return what is to be planned with."""
    own = source.variance(variance)
    offered = [name for name in names() if name.partition(":")[2] == own.measure]
    if not offered or similar_task(offered[0], variance).estimate is not own.estimate:
        return source
    labels = {name: _TASKS[name.partition(":")[0]] for name in offered}
    name = form.draw(Choice("combined-with", "Combined with", {_ALONE: _ALONE} | labels))
    if name == _ALONE:
        return source
    source = _kept(replace(source, similar=name, similar_runs=form.draw(_RUNS)))
    st.markdown(f":small[{variance.symbol} = {source.variance(variance).value:.4g} together.]")
    return source
