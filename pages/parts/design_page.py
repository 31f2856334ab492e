"""Parts that every design page shows next to its form: number, charts, table, exports."""

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link
from pages.parts.computation import kept
from pages.parts.question import Chosen, Question
from topicset_core.analyses.achieved_power.significance_tests import TEST, test_of
from topicset_core.analyses.assurance import Assurance, AssuranceRequest, assurance, pilot_totals
from topicset_core.analyses.score_variance.uncertainty import VarianceUncertainty, variance_uncertainty
from topicset_core.analyses.sizing import Curves, curves_around, topics_rule
from topicset_core.analyses.sizing.curves import COMMON_SIZES, detectable_with
from topicset_core.analyses.sizing.report import (
    compares_designs,
    design_figures,
    design_report,
    symbol_of,
    topics_by_systems,
    totals_by_pilot,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import TradeOff, design_named, view_of
from topicset_core.designs.results import Method, PowerResult, WidthResult, rounded
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.figures import Figure, marked_as_sample
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    MARGIN,
    MAX_WIDTH,
    MIN_D,
    N_SYSTEMS,
    N_TOPICS,
    PILOT_TOPICS,
    RESIDUAL_VARIANCE,
    TOPICS,
    WITHIN_SYSTEM_VARIANCE,
)
from topicset_core.variance import (
    CONSERVATIVE_DIFFERENCE,
    MEAN_PAIR_DIFFERENCE,
    ONE_WAY,
    PAIR_PERCENTILE,
    TWO_WAY,
    Estimate,
    Weights,
)
from topicset_core.wording import joined

Result = PowerResult | WidthResult

PLANNED = "planned-test"
"""Name in the session: the test that a design page showed last, with its values."""

_PAIRED = {
    PAIR_PERCENTILE: "for 95 % of pairs",
    MEAN_PAIR_DIFFERENCE: "for the average pair",
    CONSERVATIVE_DIFFERENCE: "by Sakai's 2σ², which ignores that topics are shared",
}
"""Estimates of the variance of a difference, as in sentences."""


@dataclass(frozen=True)
class Answer:
    """A question with its answers and all that is drawn of them."""

    settings: Question
    exact: Result
    published: Result | str
    view: TradeOff
    curves: Curves


def solve(settings: Question, required_topics: Callable[[Method], Result]) -> Answer:
    """Answer by both methods, or explain why there is no answer and end the page."""
    # The values with the page and its choice of a design determine the answer.
    page, values = frame.current().name, (*settings.values.items(), *settings.further.items())
    try:
        exact = _answered(page, values, "exact", _required_topics=required_topics)
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.")
        if settings.variance.estimate is not None:
            data.warn([settings.measure])
        st.stop()
    try:
        is_published = design_named(exact.design).is_published
        published: Result | str = (
            _answered(page, values, "published", _required_topics=required_topics) if is_published else ""
        )
    except InputError as error:
        published = error.rule
    except NoSolution as error:
        published = str(error)
    curves = _curves_around(exact.design, tuple(settings.values.items()), exact.required_topics)
    return Answer(settings, exact, published, view_of(exact.requirements), curves)


@st.cache_resource(max_entries=300, show_spinner=False)
def _answered(
    page: str,  # noqa: ARG001 - the key
    values: tuple[tuple[str, float | str | None], ...],  # noqa: ARG001 - the key
    method: Method,
    *,
    _required_topics: Callable[[Method], Result],
) -> Result:
    """Return the answer by one method, shared by all users; a refusal is computed again."""
    return _required_topics(method)


def show(
    answer: Answer,
    *,
    sentence: str,
    why: str = "",
    warn: Callable[[Any], None] | None = None,
    below: Callable[[Any], None] | None = None,
) -> None:
    """Show number, evidence, link, charts, table and exports of an answer."""
    settings, exact = answer.settings, answer.exact
    # A variance that was typed in, or is from the literature, does not depend on the simulated scores.
    st.session_state[frame.ON_SAMPLE] &= settings.variance.estimate is not None
    with st.container(gap="xsmall"):
        _number(exact.required_topics, sentence)
        if settings.variance.estimate is not None:
            data.warn([settings.measure], (symbol_of(exact), exact.requirements.difference))
        _evidence(exact)
        _show_other_estimates(answer)
        if warn is not None:
            warn(exact)
        _beside_published(exact, answer.published, why)
        matrices = _matrices_of(settings.variance)
        uncertain = _uncertainty(exact, settings.values, settings.variance, matrices)
        if uncertain is not None:
            _show_uncertainty(uncertain)
        result = _assured(exact, settings, uncertain)
        _show_assured(result)
        given = {name: value for name, value in settings.values.items() if value is not None}
        url = link.write(
            given
            | dict(settings.further)
            | {link.MEASURE: settings.measure, link.SOURCE: settings.variance_source}
        )
        with st.container(key="sizes-and-link", horizontal=True, vertical_alignment="center"):
            _show_detectable(answer)
            link.offer(url)
            _offer_check(settings, exact)
    drawn = partial(
        _figure,
        exact.design,
        tuple(settings.values.items()),
        exact.required_topics,
        settings.measure,
        on_sample=frame.on_sample(),
        _exact=exact,
        _curves=answer.curves,
    )
    symbol = symbol_of(exact)
    figure.show(drawn(place=0), is_marked=True)
    report = design_report(
        exact,
        None if isinstance(answer.published, str) else answer.published,
        answer.curves,
        sentence=frame.unmarked(sentence),
        measure=settings.measure,
        variance_source=settings.variance_source,
        matrices=matrices,
        others=_other_variances(settings.variance),
        assured=result,
        link=url,
    )
    export_drawer.draw(report)
    if below is not None:
        below(exact)
    with st.expander(f"Required topics for other values of {symbol}"):
        st.dataframe(
            {f"{symbol} ({settings.measure})": answer.curves.table[0].difference}
            | {curve.label: curve.topics for curve in answer.curves.table},
            hide_index=True,
            width="content",
            alt=f"Required topics for several {symbol}",
        )
    for place, name, label in (
        (
            1,
            "sizes",
            f"{'Width' if isinstance(exact, WidthResult) else 'Power'} with other numbers of topics",
        ),
        (2, "equal", "How much an error in the variance matters"),
    ):
        with st.expander(label, on_change="rerun", key=name) as more:
            if more.open:
                figure.show(drawn(place=place), is_marked=True)
    _offer_pilot(exact, settings)
    if compares_designs(exact):
        label = "Required topics for other numbers of systems, by design"
        with st.expander(label, on_change="rerun", key="systems") as more:
            if more.open:
                others = _other_variances(settings.variance)
                figure.show(topics_by_systems(exact, others))


def _offer_check(settings: Question, exact: Result) -> None:
    """Carry these values to the page that checks the test on scores, and link to it."""
    test = test_of(design_named(exact.design), settings.values)
    if test is None or settings.variance.estimate is None:
        return
    names = (ALPHA.name, BETA.name, MIN_D.name, N_SYSTEMS.name)
    numbers = {name: settings.values[name] for name in names if name in settings.values}
    words = {TEST.name: test.name, TOPICS.name: settings.values.get(TOPICS.name, test.topics[0])}
    st.session_state[PLANNED] = (
        numbers | {N_TOPICS.name: exact.required_topics} | words | {link.MEASURE: settings.measure}
    )
    frame.link_to("pages/achieved_power.py", "Check this on my scores")


def _other_variances(chosen: Chosen) -> dict[str, float]:
    """Return the variances that the same scores give for other designs, by parameter."""
    names = {WITHIN_SYSTEM_VARIANCE.name: ONE_WAY.name, RESIDUAL_VARIANCE.name: TWO_WAY.name}
    return {name: value for name, one in names.items() if (value := chosen.by_estimate.get(one))}


def _number(topics: int, sentence: str) -> None:
    """Write the one large number of the page, in a sentence."""
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"You need :primary[{topics:,} topics]")
        st.markdown(sentence)


def _evidence(result: Result) -> None:
    """Write the power with one topic fewer."""
    requirements = result.requirements
    if isinstance(result, WidthResult):
        attained = f"an expected width of {_width(result.attained_width, requirements.max_width)}"
        fewer = result.width_one_topic_fewer
        with_fewer = "" if fewer is None else _width(fewer, requirements.max_width)
    else:
        attained = f"a power of {_per_cent(result.attained_power, 1 - requirements.beta)}"
        fewer = result.power_one_topic_fewer
        with_fewer = "" if fewer is None else _per_cent(fewer, 1 - requirements.beta)
    first = f"{result.required_topics:,} topics give {attained}"
    with st.container(key="evidence"):
        if not with_fewer and result.required_topics > 2:
            st.markdown(f"{first}.")
        elif result.required_topics == 2:
            st.markdown(f"{first}; with fewer than 2 topics the variance is undefined.")
        else:
            st.markdown(f"{first}; {result.required_topics - 1:,} would give {with_fewer}.")


def _show_other_estimates(answer: Answer) -> None:
    """Write the topics by the other estimates of a pair's variance from the same scores."""
    chosen, requirements = answer.settings.variance, answer.exact.requirements
    if requirements.variance_parameter is not DIFFERENCE_VARIANCE or chosen.estimate is None:
        return
    parts = []
    for one, whose in _PAIRED.items():
        variance = chosen.by_estimate.get(one.name)
        if variance and one.name != chosen.estimate.name:  # no design can be planned with a variance of 0
            with suppress(NoSolution):
                topics = int(answer.view.topics(requirements.difference, variance, "exact"))
                parts.append(f"**{topics:,}** {whose}")
    if parts:
        with st.container(key="other-estimates"):
            st.markdown(f"From the same scores: {'; '.join(parts)}.")


def _width(width: float, widest: float) -> str:
    return rounded(width, lambda one: one <= widest, digits=4, style="g")


def _per_cent(power: float, target: float) -> str:
    return f"{rounded(100 * power, lambda one: one >= 100 * target, digits=2, style='f')} %"


def _beside_published(exact: Result, published: Result | str, why: str) -> None:
    """Write the number of Sakai's Excel tool, and why it differs."""
    if published == "":
        return
    if isinstance(published, str):
        with st.container(key="published"):
            st.markdown(f"Sakai's Excel tool has no answer here: {published}.")
        return
    with st.container(key="published", horizontal=True, vertical_alignment="center"):
        difference = exact.required_topics - published.required_topics
        n = f"**{published.required_topics:,}**"
        if difference == 0:
            st.markdown(f"Sakai's Excel tool also gives {n}.", width="content")
        else:
            direction = "fewer" if difference > 0 else "more"
            st.markdown(f"Sakai's Excel tool gives {n}, {abs(difference):,} {direction}.", width="content")
        with st.popover("Why do they differ?" if difference else "When do they differ?"):
            st.markdown(why)


def _matrices_of(chosen: Chosen) -> Sequence[ScoreMatrix]:
    """Return the matrices that a variance was estimated from; empty for other sources."""
    return data.by_measure().get(chosen.measure, []) if chosen.estimate is not None else []


def _uncertainty(
    exact: Result,
    values: dict[str, Any],
    chosen: Chosen,
    matrices: Sequence[ScoreMatrix],
) -> VarianceUncertainty | None:
    """Return the interval of the variance and of the topics; None where the variance is not from scores."""
    if chosen.estimate is None or not matrices:
        return None
    variances = (WITHIN_SYSTEM_VARIANCE.name, RESIDUAL_VARIANCE.name, DIFFERENCE_VARIANCE.name)
    fixed = tuple((name, value) for name, value in values.items() if name not in variances)
    return _with_interval(
        exact.design,
        fixed,
        chosen.estimate.label,
        chosen.weights,
        tuple(matrix.digest for matrix in matrices),
        _estimate=chosen.estimate,
        _matrices=tuple(matrices),
    )


def _show_uncertainty(uncertain: VarianceUncertainty) -> None:
    """Write the interval of n in a sentence, with what to think of it."""
    with st.container(key="uncertainty", horizontal=True, vertical_alignment="center"):
        st.markdown(f"The variance is an estimate: {uncertain.sentence}.")
        with st.popover("Why?"):
            interval = uncertain.interval
            st.markdown(
                f"On other topics the variance would be another: from {interval.low:.4g} to {interval.high:.4g}, "
                f"by a chi-square distribution with {interval.effective_df:.3g} degrees of freedom. These follow "
                "from the variance without each topic in turn (jackknife). The simulation drew pilots of 5 to 100 "
                "topics from 16 TREC matrices; the coverage is from the least to the most of any matrix."
            )


@kept(50)
def _with_interval(
    design: str,
    fixed: tuple[tuple[str, float], ...],
    label: str,  # noqa: ARG001 - identifies the estimate in the key
    weights: Weights,
    digests: tuple[str, ...],  # noqa: ARG001 - identifies the scores in the key
    *,
    _estimate: Estimate,
    _matrices: tuple[ScoreMatrix, ...],
) -> VarianceUncertainty:
    values: dict[str, Any] = dict(fixed)
    rule = topics_rule(design, **values)
    return variance_uncertainty(_matrices, rule, estimate=_estimate, weights=weights)


def _show_detectable(answer: Answer) -> None:
    symbol = symbol_of(answer.exact)
    try:
        detected = _detected(
            answer.exact.design,
            tuple(answer.settings.values.items()),
            _requirements=answer.exact.requirements,
        )
    except NoSolution:  # with a tiny alpha the smallest of them has no power
        return
    sizes, values = joined([f"{n}" for n in COMMON_SIZES]), joined([f"{value:.3g}" for value in detected])
    does = {MAX_WIDTH.symbol: "give an expected width of", MARGIN.symbol: "are enough for margins of"}.get(
        symbol, f"detect {symbol} ="
    )
    st.markdown(f"{sizes} topics {does} {values}.")


@st.cache_resource(max_entries=300, show_spinner=False)
def _detected(
    design: str,  # noqa: ARG001 - the key
    values: tuple[tuple[str, float | str | None], ...],  # noqa: ARG001 - the key
    *,
    _requirements: Any,
) -> Floats:
    """Return the differences that common numbers of topics detect, shared by all users: do not change them."""
    return detectable_with(view_of(_requirements), _requirements.variance)


@st.cache_resource(max_entries=300, show_spinner=False)  # building them takes most of a page's time
def _figure(
    design: str,  # noqa: ARG001 - the key
    values: tuple[tuple[str, float], ...],  # noqa: ARG001 - the key
    topics: int,  # noqa: ARG001 - the key
    measure: str,
    *,
    place: int,
    on_sample: bool,
    _exact: Result,
    _curves: Curves,
) -> Figure:
    """Return one of the figures of an answer, shared by all users: do not change it."""
    result = next(islice(design_figures(_exact, _curves, measure), place, None))
    return marked_as_sample(result) if on_sample else result


@st.cache_data(max_entries=200)  # of some ten kilobytes each
def _curves_around(design: str, values: tuple[tuple[str, float], ...], topics: int) -> Curves:
    """Return the curves around one answer."""
    return curves_around(design, dict(values), topics)


def _assured(exact: Result, settings: Question, uncertain: VarianceUncertainty | None) -> Assurance | None:
    """Return what topics do if the variance is an estimate; None where its uncertainty is not known."""
    if _sizes_itself(exact) or (uncertain is None and settings.effective_df is None):
        return None
    taken = exact.requirements.variance_parameter.name
    values = {
        name: value
        for name, value in settings.values.items()
        if not name.endswith("variance") and name != taken
    }
    rule = topics_rule(exact.design, **values)
    if uncertain is not None:
        variance, df = uncertain.variance, uncertain.interval.effective_df
    else:
        variance, df = exact.requirements.variance, settings.effective_df or 1.0
    request = AssuranceRequest(
        rule=rule,
        variance=variance,
        effective_df=df,
        certainty=settings.certainty,
        holds=None if uncertain is None else uncertain.interval.holds,
    )
    return assurance(request)


def _show_assured(result: Assurance | None) -> None:
    """Write the topics for expected power and for certainty, and their source."""
    if result is None:
        return
    with st.container(key="assurance", horizontal=True, vertical_alignment="center"):
        st.markdown(f"{frame.plain(result.sentence)}.")
        with st.popover("How is this computed?"):
            source = "as you state" if result.holds is None else "measured as for the interval"
            st.markdown(
                f"The average is over $\\sigma^2\\nu/\\chi^2_\\nu$ with ν = {result.effective_df:.3g} degrees of "
                f"freedom, {source}. For normal scores the certainty is then exact. Runs share their topics: with "
                "$m(n-1)$ degrees of freedom a limit of 80 % was high enough in only 46 to 66 % of pilots from "
                "real scores."
            )


def _offer_pilot(exact: Result, settings: Question) -> None:
    """Show how large a pilot should be, folded."""
    if _sizes_itself(exact):
        return
    requirements, n, sure = exact.requirements, exact.required_topics, settings.certainty
    curves = {f"{100 * sure:g} % certainty": pilot_totals(n, certainty=sure)}
    if isinstance(exact, PowerResult):
        curves["expected power"] = pilot_totals(n, alpha=requirements.alpha, beta=requirements.beta)
    best = curves[f"{100 * sure:g} % certainty"]
    low, high = best.nearly_best
    label = f"How large a pilot should be: about {best.best:,} topics"
    with st.expander(label, on_change="rerun", key="pilot") as more:
        if more.open:
            figure.show(totals_by_pilot(curves, topics=n))
            st.markdown(
                f"If n = {n:,} is right, but the variance is to be estimated from a pilot first: a pilot of "
                f"**{best.best:,} topics** makes the total of pilot and experiment smallest, "
                f"**{best.least:,.0f} topics**, when planned with {100 * sure:g} % certainty; {low:,} to {high:,} "
                "do as well, within 1 %. If the topics of the pilot stay in the collection, the total is the "
                "larger of the two numbers, and a larger pilot has no extra cost. One degree of freedom is "
                "counted per topic."
            )


def _sizes_itself(exact: Result) -> bool:
    """Return whether the design takes the uncertainty of a pilot into account itself."""
    return PILOT_TOPICS in design_named(exact.design).parameters
