"""Parts that every design page shows next to its form: number, charts, table, exports."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link, question, scenario, topics
from pages.parts.computation import once, shared
from pages.parts.form import Choice, Form
from pages.parts.question import Question
from pages.parts.scenario import Scenario
from pages.parts.variance_source import Chosen
from topicset_core.analyses.achieved_power.significance_tests import TEST, test_of
from topicset_core.analyses.assurance import Assurance, AssuranceRequest, assurance, pilot_totals
from topicset_core.analyses.score_variance.uncertainty import (
    Ranking,
    VarianceUncertainty,
    combination,
    disagreement_with,
    rankings,
    rankings_in_words,
    similar_uncertainty,
    uncertainty_in_groups,
    variance_uncertainty,
)
from topicset_core.analyses.sizing.curves import COMMON_SIZES, Curves, curves_around, with_beside
from topicset_core.analyses.sizing.grouped_report import grouped_figures, grouped_lines, topics_of
from topicset_core.analyses.sizing.report import (
    compares_designs,
    design_figures,
    design_report,
    headline,
    in_groups_instead,
    in_place_of,
    topics_by_systems,
    totals_by_pilot,
)
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import Design, Plan
from topicset_core.designs.grouped import INTRACLASS_CORRELATION, GroupedPlan, average_size
from topicset_core.designs.results import Result
from topicset_core.designs.search import Floats
from topicset_core.errors import InputError, NoSolution
from topicset_core.exports.figures import Figure, marked_as_sample
from topicset_core.parameters import (
    ALPHA,
    BETA,
    MIN_D,
    N_SYSTEMS,
    N_TOPICS,
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
)
from topicset_core.variance.atlas import SimilarTask
from topicset_core.variance.estimates import has_groups
from topicset_core.wording import in_units, joined

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
    """The answers of a plan by both methods, and all that is drawn of them."""

    exact: Result
    published: Result | None
    why_not: str  # why the published method has no answer; "" where there is no such method
    curves: Curves
    detected: Floats | None  # differences that common numbers of topics detect, or None
    scenario: Scenario | None = None  # the pinned one
    key: tuple[str | float | None, ...] = ()  # of all plans that are drawn
    grouped: GroupedPlan | None = None  # where it counts groups


def draw(
    name: str,
    *designs: Design,
    sentence: str | Callable[[Any], str],
    why: str = "",
    choice: Choice[str] | None = None,
    warn: Callable[[Question, Any], None] | None = None,
    so_far: Mapping[Design, Callable[[Any], None]] | None = None,
    explained: Callable[[Any], Mapping[str, str]] | None = None,
) -> None:
    """Draw the page of a design, or of several of which a choice with a word for each takes one.

    The sentence, or what it is for the requirements, has values of the plan in braces, {power} and {level} in per
    cent, {variance} and its {symbol}, and the texts {measure} and {source}.
    """
    frame.begin(name)
    is_asked = choice is not None and choice.name != TOPICS.name  # this one follows from the variance
    words = {choice.name: choice.offered()} if choice is not None and is_asked else None
    form, result = question.begin(*designs, words=words)
    scenario.take()
    with form:
        design, further, first = designs[0], {}, None if choice is None else st.container()
        if choice is not None:
            word = Form(question.PAGE, ()).draw(choice)
            design, further = designs[choice.offered().index(word)], {choice.name: word} if is_asked else {}
        elif topics.has_other(design):
            topics.go_to(design)
        settings = question.ask(design, further=further, first=first)
    plan, required = settings.plan, settings.plan.requirements
    with result:
        answer = solve(settings)
        template = sentence if isinstance(sentence, str) else sentence(required)
        alpha = plan.values.get(ALPHA.name, 0.0)
        fields = {
            "effect_size": required.effect_size if design.takes_effects else 0.0,
            "power": 100 * answer.exact.target,
            "level": 100 * alpha,
            "confidence": 100 * (1 - alpha),
            "variance": plan.variance,
            "symbol": plan.variance_parameter.symbol,
            "measure": frame.plain(settings.measure),
            "source": frame.plain(settings.variance.source),
        }
        in_use = (so_far or {}).get(design)
        _show(settings, answer, template.format(**plan.values | fields), why, warn, in_use)
        frame.explain(name, **explained(required) if explained is not None else {})


def show_number(
    settings: Question,
    answer: Answer,
    uncertain: VarianceUncertainty | None = None,
    why: str = "",
    *,
    meaning: str = "",
    assumption: str = "",
) -> str:
    """Write what the required topics do, which is returned, and the other numbers as tiles."""
    words = headline(answer.exact, frame.plain(settings.measure))
    if answer.grouped is not None:
        page = frame.current()
        meaning = in_units(meaning or page.meaning, answer.exact.unit)
        alike = "All groups have the same number of topics, and topics of one group correlate by ρ."
        assumption = f"{assumption or page.assumption} {alike}"
    frame.headline(
        f":primary[{answer.exact.required_topics:,} {answer.exact.units}] {words}", meaning, assumption
    )
    frame.tiles(*_tiles(settings, answer, why, uncertain))
    return words


def show_curve(settings: Question, answer: Answer) -> Callable[..., Figure]:
    """Draw the topics against the difference, where a click sets it; return the function that makes each figure."""
    plan = settings.plan
    drawn = partial(_figure, answer, settings.measure, on_sample=frame.on_sample())
    figure.show(
        drawn(place=0),
        is_marked=True,
        on_click=partial(question.set_difference, settings),
        before=_before(plan.difference, answer.exact.required_topics),
    )
    return drawn


def solve(settings: Question) -> Answer:
    """Answer by both methods, next to the pinned scenario, or explain why there is no answer and end the page."""
    try:
        plan = settings.counting
        result = shared(("answer", *plan.key), lambda: _answered(plan))
        scenario.offer(settings)
        pinned = scenario.pinned(settings)
        curves, other = result.curves, topics.other_plan(settings)
        beside = [] if other is None else [(other, f"{topics.other_word(settings.plan)} topics")]
        beside += [] if pinned is None else [(pinned.plan, "A")]
        key = *plan.key, *(one for other, label in beside for one in (*other.key, label))
        drawn = shared(("beside", *key), lambda: _beside(curves, beside))
        return replace(result, key=key, curves=drawn, scenario=pinned, grouped=settings.grouped)
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.")
        if settings.variance.estimate is not None:
            data.warn([settings.measure])
        st.stop()


def _beside(curves: Curves, others: Sequence[tuple[Plan, str]]) -> Curves:
    """Return the curves with those of other plans."""
    for plan, label in others:
        curves = with_beside(curves, plan, label)
    return curves


def _answered(plan: Plan) -> Answer:
    """Return the answer. A refusal is computed again."""
    exact, published, why_not, detected = plan.required_topics(), None, "", None
    if plan.design.is_published:
        try:
            published = replace(plan, method="published").required_topics()
        except InputError as error:
            why_not = error.rule
        except NoSolution as error:
            why_not = str(error)
    with suppress(NoSolution):  # with a tiny alpha the smallest of them has no power
        detected = plan.detected(np.asarray(COMMON_SIZES))
    return Answer(exact, published, why_not, curves_around(plan, exact.required_topics), detected)


def _show(
    settings: Question,
    answer: Answer,
    sentence: str,
    why: str,
    warn: Callable[[Question, Any], None] | None,
    so_far: Callable[[Any], None] | None,
) -> None:
    """Show numbers and their curve, and below them the evidence, other charts and tables."""
    plan, exact, grouped = settings.counting, answer.exact, answer.grouped
    is_estimated = settings.variance.estimate is not None
    # A variance that was typed in, or is from the literature, does not depend on the simulated scores.
    st.session_state[frame.ON_SAMPLE] &= is_estimated
    url = settings.url(**scenario.written())
    uncertain = _uncertainty(settings, _matrices(settings))
    result = _assured(settings, uncertain)
    show_number(settings, answer, uncertain, why)
    link.offer(url, saved="")
    drawn = show_curve(settings, answer)
    if is_estimated:
        data.warn([settings.measure], (plan.symbol, plan.difference))
    parts: dict[str, Callable[[], None]] = {
        exact.name.rpartition(" ")[2].capitalize(): lambda: figure.show(drawn(place=1), is_marked=True),
        f"If {plan.in_doubt.symbol} is wrong": lambda: figure.show(drawn(place=2), is_marked=True),
    }
    if not plan.design.has_uncertain_variance:
        parts["Pilot"] = partial(_show_pilot, exact, settings)
    if compares_designs(plan):
        others = _other_variances(settings.variance)
        parts["Number of systems"] = lambda: figure.show(topics_by_systems(exact, others))
    for label, drawing in grouped_figures(grouped, exact).items() if grouped is not None else ():
        parts[label] = partial(figure.show, drawing)
    evidence, *more, table = frame.tabs("Evidence", *(["Scores so far"] if so_far else []), *parts, "Table")
    with evidence, st.container(key="answer", gap="xsmall"):
        told = [f"**{exact.required_topics:,} {exact.units}** {sentence}", exact.evidence_on_page]
        if grouped is not None:
            lines = grouped_lines(grouped, exact, similar=settings.variance.similar is not None)
            told += [f"{one[0].upper()}{frame.plain(one[1:])}." for one in lines]
        st.markdown("\n\n".join([*told, *_other_estimates(settings)]))
        if warn is not None:
            warn(settings, exact)
        _beside_published(answer, why)
        if uncertain is not None:
            _show_uncertainty(uncertain, settings.variance.similar, _matrices(settings))
        _show_assured(result)
        more_told = [_together(settings)[0]]
        more_told += [rankings_in_words(_ranked(_matrices(settings)))] if grouped is None else []
        told = [f"{frame.plain(one)}." for one in more_told if one]
        if answer.detected is not None:
            verbs = [f" {plan.design.detects}", *[""] * (len(COMMON_SIZES) - 1)]
            sizes = zip(COMMON_SIZES, verbs, answer.detected, strict=True)
            told.append(f"{joined([f'{n} {exact.unit}s{verb} {value:.3g}' for n, verb, value in sizes])}.")
        st.markdown("\n\n".join(told))
        if other := in_place_of(plan, _matrices(settings)):
            st.markdown(f":material/warning: {frame.plain(other)}.")
            frame.link_to("pages/right_or_wrong.py", "Right or wrong")
        if other := in_groups_instead(plan, _matrices(settings)):
            st.markdown(f":material/warning: {frame.plain(other)}.")
            frame.link_to("pages/paired_t.py", "Paired t test")
        _offer_check(settings, exact)
    offer_exports(settings, answer, sentence, url, result)
    if so_far is not None:
        with more.pop(0):
            so_far(exact)
    for tab, show in zip(more, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
    if frame.is_drawn(table):
        table.dataframe(
            {f"{plan.symbol} ({settings.measure})": answer.curves.table[0].difference}
            | {curve.label: curve.topics for curve in answer.curves.table},
            hide_index=True,
            width="content",
            alt=f"Required {exact.unit}s for several {plan.symbol}",
        )


def offer_exports(
    settings: Question, answer: Answer, sentence: str, url: str, assured: Assurance | None = None
) -> None:
    """Offer the exports of an answer; the sentence follows its number of topics."""
    pinned = "" if answer.scenario is None else f" {answer.scenario.sentence}"
    matrices = _matrices(settings)
    report = design_report(
        answer.exact,
        answer.published,
        answer.curves,
        sentence=frame.unmarked(sentence) + pinned,
        measure=settings.measure,
        variance_source=settings.variance.source,
        matrices=matrices,
        others=_other_variances(settings.variance),
        assured=assured,
        grouped=answer.grouped,
        warning=" ".join(filter(None, (_together(settings)[1], *(one.caution for one in _ranked(matrices))))),
    )
    export_drawer.draw(report, link=url)


def _matrices(settings: Question) -> list[ScoreMatrix]:
    """Return the scores that the variance is estimated from."""
    return data.by_measure().get(settings.measure, []) if settings.variance.estimate is not None else []


def _before(difference: float, topics: int) -> tuple[float, float] | None:
    """Return the point of the last run of this page, where it was another one."""
    state, name = st.session_state, f"frame/point-{frame.current().name}"
    before, state[name] = state.get(name), (difference, topics)
    return None if before == (difference, topics) else before


def _offer_check(settings: Question, exact: Result) -> None:
    """Carry these values to the page that checks the test on scores, and link to it."""
    values = settings.plan.values
    test = test_of(settings.plan.design, values)
    if test is None or settings.variance.estimate is None:
        return
    matrices, grouped = _matrices(settings), settings.grouped
    if test.is_of_shares and not all(one.is_binary for one in matrices):
        return
    if grouped is not None and not (grouped.found and grouped.group_size == average_size(matrices)):
        return  # groups of another size are not in the scores
    names = (ALPHA.name, BETA.name, MIN_D.name, N_SYSTEMS.name)
    numbers = {name: values[name] for name in names if name in values}
    words = {TEST.name: test.name, TOPICS.name: values.get(TOPICS.name, test.topics[0])}
    st.session_state[PLANNED] = (
        numbers | {N_TOPICS.name: exact.required_topics} | words | {link.MEASURE: settings.measure}
    )
    frame.link_to("pages/achieved_power.py", "Check this on my scores")


def _other_variances(chosen: Chosen) -> dict[str, float]:
    """Return the variances that the same scores give for other designs, by parameter."""
    names = {WITHIN_SYSTEM_VARIANCE.name: ONE_WAY.name, RESIDUAL_VARIANCE.name: TWO_WAY.name}
    return {name: value for name, one in names.items() if (value := chosen.by_estimate.get(one))}


def _tiles(
    settings: Question, answer: Answer, why: str, uncertain: VarianceUncertainty | None
) -> list[frame.Tile]:
    """Return the numbers next to the headline: its interval, Sakai's number, other topics, the variance."""
    plan, published = settings.plan, answer.published
    result: list[frame.Tile] = []
    if uncertain is not None:
        what = "σ² and ρ are" if _gives_correlation(settings) else "σ² is"
        result.append(
            frame.Tile(f"if {what} uncertain", " to ".join(uncertain.ends), f"{uncertain.sentence}.")
        )
    if answer.grouped is not None:
        result += _tiles_of_groups(answer.grouped, answer.exact)
    if published is not None:
        result.append(frame.Tile("Sakai's Excel tool", f"{published.required_topics:,}", why))
    source = frame.plain(settings.variance.source)
    result += topics.tile(settings)
    if answer.scenario is not None:
        before, now = answer.scenario.topics, answer.exact.required_topics
        words = frame.plain(answer.scenario.words)
        result.append(frame.Tile("scenario A", f"{before:,} ({now - before:+,} now)", words))
    return [*result, frame.Tile(plan.variance_parameter.symbol, f"{plan.variance:.4g}", source)]


def _tiles_of_groups(grouped: GroupedPlan, exact: Result) -> Iterator[frame.Tile]:
    """Yield the numbers that groups add."""
    yield frame.Tile(topics_of(grouped), f"{exact.required_topics * grouped.group_size:,}")
    yield frame.Tile(
        "if topics were independent",
        f"{grouped.independent_topics:,}",
        "Topics that the design takes without groups, with the same variance of one topic.",
    )
    if grouped.best is not None:
        text = f"Cost {grouped.best.cost:,.6g}, the least of all numbers of topics per group."
        split = f"{grouped.best.n_groups:,} of {grouped.best.group_size:,}"
        yield frame.Tile("cheapest groups", split, text)
    rho = INTRACLASS_CORRELATION
    yield frame.Tile(rho.symbol, f"{grouped.intraclass_correlation:.3g}", rho.help)


def _other_estimates(settings: Question) -> Iterator[str]:
    """Tell the topics by the other estimates of a pair's variance from the same scores."""
    chosen, plan = settings.variance, settings.plan
    if plan.takes != "difference" or chosen.estimate is None or settings.grouped is not None:
        return
    parts = []
    for one, whose in _PAIRED.items():
        variance = chosen.by_estimate.get(one.name)
        if variance and one.name != chosen.estimate.name:  # no design can be planned with a variance of 0
            with suppress(NoSolution):
                parts.append(f"**{int(plan.topics(variance=variance)):,}** {whose}")
    if parts:
        yield f"From the same scores: {'; '.join(parts)}."


def _beside_published(answer: Answer, why: str) -> None:
    """Write the number of Sakai's Excel tool, and why it differs."""
    exact, published = answer.exact, answer.published
    if published is None:
        if answer.why_not:
            st.markdown(f"Sakai's Excel tool has no answer here: {answer.why_not}.")
        return
    difference = exact.required_topics - published.required_topics
    text = f"Sakai's Excel tool also gives **{published.required_topics:,}**."
    if difference != 0:
        direction = "fewer" if difference > 0 else "more"
        text = f"Sakai's Excel tool gives **{published.required_topics:,}**, {abs(difference):,} {direction}."
    st.markdown(text, help=why)


def _uncertainty(settings: Question, matrices: Sequence[ScoreMatrix]) -> VarianceUncertainty | None:
    """Return the interval of the variance and of the topics; None where it is not known."""
    similar, found = settings.variance.similar, _pilot(settings, matrices)
    if similar is not None:
        found = similar_uncertainty(similar, settings.plan.without_variance, found)
    grouped, of_groups = settings.grouped, matrices if _gives_correlation(settings) else ()
    if grouped is None or found is None:
        return found
    weights, interval = settings.variance.weights, found.interval
    known = found.variance, interval.low, interval.effective_df, found.estimate.label, weights
    key = "in-groups", settings.counting.key, *known, *(one.digest for one in of_groups)
    return once(key, lambda: uncertainty_in_groups(found, grouped, of_groups, weights))


def _gives_correlation(settings: Question) -> bool:
    """Return whether the scores alone give the correlation within groups, so that its uncertainty is counted."""
    grouped = settings.grouped
    return grouped is not None and bool(grouped.found) and settings.variance.similar is None


def _pilot(settings: Question, matrices: Sequence[ScoreMatrix]) -> VarianceUncertainty | None:
    """Return what the user's scores alone tell; None without scores."""
    chosen, plan = settings.variance, settings.plan.without_variance
    if chosen.estimate is None or not matrices:
        return None
    estimate, weights = chosen.estimate, chosen.weights
    key = "interval", plan.key, estimate.label, weights, tuple(matrix.digest for matrix in matrices)
    return once(key, lambda: variance_uncertainty(matrices, plan, estimate=estimate, weights=weights))


def _together(settings: Question) -> tuple[str, str]:
    """Return how scores and a similar task go together, and a warning where they disagree; "" without both."""
    similar, pilot = settings.variance.similar, _pilot(settings, _matrices(settings))
    if similar is None or pilot is None:
        return "", ""
    return combination(similar, pilot), disagreement_with(similar, pilot)


_JACKKNIFE = (
    "On other topics the variance would be another: from {low:.4g} to {high:.4g}, by a chi-square distribution "
    "with {df:.3g} degrees of freedom. These follow from the variance without each topic in turn (jackknife). The "
    "simulation drew pilots of 5 to 100 topics from 16 TREC matrices; the coverage is from the least to the most "
    "of any matrix."
)
_JACKKNIFE_OF_GROUPS = (
    "With other groups the variance would be another: from {low:.4g} to {high:.4g}, by a chi-square distribution "
    "with {df:.3g} degrees of freedom. These follow from the variance without each group in turn (jackknife). The "
    "simulation drew 5 to 50 groups of 1 to 30 topics from 4 TREC matrices; the coverage is from the least to the "
    "most of any setting."
)
_SIMILAR = (
    "The variance of a new collection would be from {low:.4g} to {high:.4g}, by a chi-square distribution with "
    "{df:.3g} degrees of freedom: those of similar tasks follow from collections that were left out in turn; "
    "scores of your own add theirs."
)


def _ranked(matrices: Sequence[ScoreMatrix]) -> list[Ranking]:
    """Return the topics for a ranking of the systems, and how their scores differ from public ones."""
    key = "rankings", *((one.name, one.digest) for one in matrices)
    return once(key, lambda: rankings(matrices))


def _show_uncertainty(
    uncertain: VarianceUncertainty, similar: SimilarTask | None, matrices: Sequence[ScoreMatrix]
) -> None:
    """Write the interval of n in a sentence, with what to think of it."""
    interval, text = uncertain.interval, _JACKKNIFE if similar is None else _SIMILAR
    if similar is None and any(map(has_groups, matrices)):
        text = _JACKKNIFE_OF_GROUPS
    st.markdown(
        f"The variance is an estimate: {uncertain.sentence}.",
        help=text.format(low=interval.low, high=interval.high, df=interval.effective_df),
    )


def _figure(answer: Answer, measure: str, *, place: int, on_sample: bool) -> Figure:
    """Return one of the figures of an answer; it is kept."""

    def built() -> Figure:
        result = next(islice(design_figures(answer.exact, answer.curves, measure), place, None))
        return marked_as_sample(result) if on_sample else result

    return shared(("figure", *answer.key, measure, place, on_sample), built)


def _assured(settings: Question, uncertain: VarianceUncertainty | None) -> Assurance | None:
    """Return what topics do if the variance is an estimate; None where its uncertainty is not known."""
    plan = settings.counting
    if plan.design.has_uncertain_variance or (uncertain is None and settings.effective_df is None):
        return None
    if uncertain is not None:
        variance, df = uncertain.variance, uncertain.interval.effective_df
    else:
        variance, df = plan.variance, settings.effective_df or 1.0
    request = AssuranceRequest(
        plan=plan,
        variance=variance,
        effective_df=df,
        certainty=settings.certainty,
        holds=None if uncertain is None else uncertain.interval.holds,
    )
    key = "assurance", *plan.key, variance, df, settings.certainty, str(request.holds)
    return once(key, lambda: assurance(request))


def _show_assured(result: Assurance | None) -> None:
    """Write the topics for expected power and for certainty, and their source."""
    if result is None:
        return
    source = "as you state" if result.holds is None else "measured as for the interval"
    st.markdown(
        f"{frame.plain(result.sentence)}.",
        help=f"The average is over $\\sigma^2\\nu/\\chi^2_\\nu$ with ν = {result.effective_df:.3g} degrees of "
        f"freedom, {source}. For normal scores the certainty is then exact. Runs share their topics: with "
        "$m(n-1)$ degrees of freedom a limit of 80 % was high enough in only 46 to 66 % of pilots from "
        "real scores.",
    )


def _show_pilot(exact: Result, settings: Question) -> None:
    """Show how large a pilot should be."""
    plan, n, sure = settings.plan, exact.required_topics, settings.certainty
    curves = {f"{100 * sure:g} % certainty": pilot_totals(n, certainty=sure)}
    if plan.design.has_power:
        levels = {one.name: plan.values[one.name] for one in (ALPHA, BETA)}
        curves["expected power"] = pilot_totals(n, **levels)
    best = curves[f"{100 * sure:g} % certainty"]
    low, high = best.nearly_best
    unit = exact.unit
    figure.show(totals_by_pilot(curves, topics=n, unit=unit))
    st.markdown(
        f"If n = {n:,} is right, but the variance is to be estimated from a pilot first: a pilot of "
        f"**{best.best:,} {unit}s** makes the total of pilot and experiment smallest, "
        f"**{best.least:,.0f} {unit}s**, when planned with {100 * sure:g} % certainty; {low:,} to {high:,} "
        f"do as well, within 1 %. If the {unit}s of the pilot stay in the collection, the total is the "
        "larger of the two numbers, and a larger pilot has no extra cost. One degree of freedom is "
        f"counted per {unit}."
    )
