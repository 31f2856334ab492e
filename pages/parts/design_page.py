"""Parts that every design page shows next to its form: number, charts, table, exports."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

import numpy as np
import streamlit as st

from pages.parts import data, export_drawer, figure, frame, link, question, scenario, topics
from pages.parts.computation import once, shared
from pages.parts.form import Choice, Form
from pages.parts.planned import Settings
from pages.parts.scenario import Scenario
from topicset_core.analyses.achieved_power.significance_tests import TEST, test_of
from topicset_core.analyses.planning.assurance import pilot_totals
from topicset_core.analyses.planning.charts import (
    compares_designs,
    design_figures,
    topics_by_systems,
    totals_by_pilot,
)
from topicset_core.analyses.planning.curves import COMMON_SIZES, Curves, with_beside
from topicset_core.analyses.planning.grouped_report import grouped_figures, grouped_lines, topics_of
from topicset_core.analyses.planning.plan import Planned, variances_of_designs
from topicset_core.analyses.planning.report import (
    for_groups,
    for_scores_of_0_and_1,
    headline,
    report,
    sources,
)
from topicset_core.analyses.planning.spelled import call_of, command_of, of_similar
from topicset_core.analyses.score_variance.uncertainty import rankings_in_words
from topicset_core.designs import Design, Plan
from topicset_core.designs.grouped import GROUP_SIZE_CV, INTRACLASS_CORRELATION, GroupedPlan, average_size
from topicset_core.designs.results import Result
from topicset_core.designs.shares import SharesResult
from topicset_core.errors import NoSolution
from topicset_core.exports.figures import Figure, marked_as_sample
from topicset_core.parameters import ALPHA, BETA, CERTAINTY, MIN_D, N_SYSTEMS, N_TOPICS, TOPICS
from topicset_core.variance.estimates import has_groups
from topicset_core.wording import in_units, joined

PLANNED = "planned-test"
"""Name in the session: the test that a design page showed last, with its values."""


@dataclass(frozen=True)
class Drawn:
    """An answer with what its chart has beside it."""

    planned: Planned
    curves: Curves
    scenario: Scenario | None  # the pinned one
    key: tuple[Any, ...]  # of all plans that are drawn


def draw(
    name: str,
    *designs: Design,
    sentence: str | Callable[[Any], str],
    why: str = "",
    choice: Choice[str] | None = None,
    warn: Callable[[Settings, Any], None] | None = None,
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
        drawn = solve(settings)
        template = sentence if isinstance(sentence, str) else sentence(required)
        alpha = plan.values.get(ALPHA.name, 0.0)
        exact = drawn.planned.result
        power = exact.attained if drawn.planned.unknown == "power" else exact.target
        fields = {
            "effect_size": required.effect_size if design.takes_effects else 0.0,
            "power": _short(100 * power),
            "level": 100 * alpha,
            "confidence": 100 * (1 - alpha),
            "variance": plan.variance,
            "symbol": plan.variance_parameter.symbol,
            "measure": frame.plain(settings.measure),
            "source": frame.plain(drawn.planned.words),
        }
        in_use = (so_far or {}).get(design)
        _show(settings, drawn, template.format(**plan.values | fields), why, warn, in_use)
        frame.explain(name, **explained(required) if explained is not None else {})


def _short(value: float) -> float:
    """Return a number that is written with four digits."""
    return float(f"{value:.4g}")


def show_number(
    settings: Settings, drawn: Drawn, why: str = "", *, meaning: str = "", assumption: str = ""
) -> str:
    """Write what the topics do, which is returned, and the other numbers as tiles."""
    found = drawn.planned
    words = headline(found, frame.plain(settings.measure))
    if found.grouped is not None:
        page = frame.current()
        meaning = in_units(meaning or page.meaning, found.result.unit)
        sizes = "All groups have the same number of topics"
        if found.grouped.size_cv:
            sizes = f"Groups have {found.grouped.group_size:,} topics on average, and vary in size by CV"
        assumption = f"{assumption or page.assumption} {sizes}, and topics of one group correlate by ρ."
    frame.headline(f":primary[{found.counted}] {words}", meaning, assumption)
    frame.tiles(*_tiles(settings, drawn, why))
    return words


def show_check(found: Planned) -> None:
    """Add what the planned test does on the scores as tiles, which takes longer than number and curve."""
    if tiles := found.check_tiles:
        frame.tiles(*tiles)


def show_curve(settings: Settings, drawn: Drawn) -> Callable[..., Figure]:
    """Draw the topics against the difference, where a click sets it; return the function that makes each figure."""
    make = partial(_figure, drawn, settings.measure, on_sample=frame.on_sample())
    figure.show(
        make(place=0),
        is_marked=True,
        on_click=partial(question.set_difference, settings),
        before=_before(settings, drawn.planned),
    )
    return make


def solve(settings: Settings) -> Drawn:
    """Return the answer next to the pinned scenario, or explain why there is none and end the page."""
    found = settings.planned
    try:
        _ = found.result, found.published
        scenario.offer(settings)
        pinned = scenario.pinned(settings)
        beside: list[tuple[Plan, str]] = []
        if found.separate is not None:
            beside.append((found.separate.plan, f"{topics.other_word(settings.plan)} topics"))
        beside += [(one.plan, "95 % of pairs") for one in found.pairs if one.label.endswith("% of pairs")]
        beside += [] if pinned is None else [(pinned.plan, "A")]
        key = *settings.key, *(part for other, label in beside for part in (*other.key, label))
        keep = once if found.matrices else shared
        curves = keep(("beside", *key), lambda: _beside(found.curves, beside))
        return Drawn(found, curves, pinned, key)
    except NoSolution as error:
        frame.refuse(f"No answer: {error}. Allow a larger difference, or a larger α or β.", at_top=True)
        if found.matrices:
            data.warn([settings.measure])
        st.stop()


def _beside(curves: Curves, others: list[tuple[Plan, str]]) -> Curves:
    """Return the curves with those of other plans."""
    for plan, label in others:
        curves = with_beside(curves, plan, label)
    return curves


def _show(
    settings: Settings,
    drawn: Drawn,
    sentence: str,
    why: str,
    warn: Callable[[Settings, Any], None] | None,
    so_far: Callable[[Any], None] | None,
) -> None:
    """Show numbers and their curve, and below them the evidence, other charts and tables."""
    found = drawn.planned
    plan, exact, grouped = found.plan, found.result, found.grouped
    # A variance that was typed in, or is from the literature, does not depend on the simulated scores.
    st.session_state[frame.ON_SAMPLE] &= bool(found.matrices)
    show_number(settings, drawn, why)
    make = show_curve(settings, drawn)
    show_check(found)
    url = settings.url(**scenario.written())
    link.offer(url, saved="", commands=commands(found))
    if found.matrices:
        data.warn([settings.measure], (plan.symbol, plan.difference))
    parts: dict[str, Callable[[], None]] = {
        exact.name.rpartition(" ")[2].capitalize(): lambda: figure.show(make(place=1), is_marked=True),
        f"If {plan.in_doubt.symbol} is wrong": lambda: figure.show(make(place=2), is_marked=True),
    }
    if not plan.design.has_uncertain_variance:
        parts["Pilot"] = partial(_show_pilot, found)
    if compares_designs(plan) and variances_of_designs(found):
        others = variances_of_designs(found)
        parts["Number of systems"] = lambda: figure.show(topics_by_systems(exact, others))
    for label, drawing in grouped_figures(grouped, exact).items() if grouped is not None else ():
        parts[label] = partial(figure.show, drawing)
    evidence, *more, table = frame.tabs("Evidence", *(["Scores so far"] if so_far else []), *parts, "Table")
    with evidence, st.container(key="answer", gap="xsmall"):
        told = [f"**{found.counted}** {sentence}", exact.evidence_on_page]
        if grouped is not None:
            similar = found.variance is not None and found.variance.similar is not None
            lines = grouped_lines(grouped, exact, similar=similar)
            told += [f"{one[0].upper()}{frame.plain(one[1:])}." for one in lines]
        st.markdown("\n\n".join([*told, *_pairs_in_words(found)]))
        if warn is not None:
            warn(settings, exact)
        _beside_published(found, why)
        _show_uncertainty(found)
        if found.validity is not None:
            text = " ".join(found.validity.sentences)
            st.markdown(frame.plain(text), help=frame.plain(found.validity.basis))
        _show_assured(found)
        more_told = [*sources(found)]
        more_told += [rankings_in_words(found.rankings)] if grouped is None else []
        told = [frame.plain(one if one.endswith("?") else f"{one}.") for one in more_told if one]
        told += _detected(found)
        st.markdown("\n\n".join(told))
        if other := for_scores_of_0_and_1(found):
            st.markdown(f":material/warning: {frame.plain(other)}.")
            frame.link_to("pages/right_or_wrong.py", "Right or wrong")
        if other := for_groups(found):
            st.markdown(f":material/warning: {frame.plain(other)}.")
            frame.link_to("pages/paired_t.py", "Paired t test")
        _offer_check(settings, found)
    offer_exports(drawn, sentence, url, assured=True)
    if so_far is not None:
        with more.pop(0):
            so_far(exact)
    for tab, show in zip(more, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
    if frame.is_drawn(table):
        table.dataframe(
            {f"{plan.symbol} ({settings.measure})": drawn.curves.table[0].difference}
            | {curve.label: curve.topics for curve in drawn.curves.table},
            hide_index=True,
            width="content",
            alt=f"Required {exact.unit}s for several {plan.symbol}",
        )


def commands(found: Planned) -> tuple[str, str]:
    """Return the line for a terminal and the call in Python that give an answer."""
    return command_of(found), call_of(found)


def _detected(found: Planned) -> Iterator[str]:
    """Yield the differences that common numbers of topics detect."""
    plan, unit = found.plan, found.result.unit
    try:
        values = plan.detected(np.asarray(COMMON_SIZES))
    except NoSolution:  # with a tiny alpha the smallest of them has no power
        return
    verbs = [f" {plan.design.detects}", *[""] * (len(COMMON_SIZES) - 1)]
    sizes = zip(COMMON_SIZES, verbs, values, strict=True)
    yield f"{joined([f'{n} {unit}s{verb} {value:.3g}' for n, verb, value in sizes])}."


def offer_exports(drawn: Drawn, sentence: str, url: str, *, assured: bool = False) -> None:
    """Offer the exports of an answer; the sentence follows its number of topics."""
    pinned = "" if drawn.scenario is None else f" {drawn.scenario.sentence}"
    exported = report(
        drawn.planned, sentence=frame.unmarked(sentence) + pinned, assured=assured, curves=drawn.curves
    )
    export_drawer.draw(exported, link=url)


def _before(settings: Settings, found: Planned) -> tuple[float, float] | None:
    """Return the point of the last run of this page, where it was another one of the same measure and scores."""
    state, name = st.session_state, f"frame/point-{frame.current().name}"
    source = () if found.source is None else found.source.key
    now = (found.plan.difference, found.topics), (settings.measure, *source)
    before, state[name] = state.get(name), now
    if before is None or before[1] != now[1] or before[0] == now[0]:
        return None
    point: tuple[float, float] = before[0]
    return point


def _offer_check(settings: Settings, found: Planned) -> None:
    """Carry these values to the page that checks the test on scores, and link to it."""
    values, matrices, grouped = settings.plan.values, found.matrices, found.grouped
    test = test_of(settings.plan.design, values)
    if test is None or not matrices:
        return
    if test.is_of_shares and not all(one.is_binary for one in matrices):
        return
    if grouped is not None and not (grouped.found and grouped.group_size == average_size(matrices)):
        return  # groups of another size are not in the scores
    names = (ALPHA.name, BETA.name, MIN_D.name, N_SYSTEMS.name)
    numbers = {name: values[name] for name in names if name in values}
    words = {TEST.name: test.name, TOPICS.name: values.get(TOPICS.name, test.topics[0])}
    st.session_state[PLANNED] = (
        numbers | {N_TOPICS.name: found.topics} | words | {link.MEASURE: settings.measure}
    )
    frame.link_to("pages/achieved_power.py", "Check this on my scores")


def _tiles(settings: Settings, drawn: Drawn, why: str) -> list[frame.Tile]:
    """Return the numbers next to the headline: its interval, other estimates and designs, the variance."""
    found = drawn.planned
    plan, published, uncertain, symbol = settings.plan, found.published, found.uncertain, ""
    symbol = plan.variance_parameter.symbol
    tiles: list[frame.Tile] = []
    if uncertain is not None and found.ends is not None:
        what = f"{symbol} and ρ are" if found.counts_correlation else f"{symbol} is"
        words = uncertain.sentence if found.unknown == "topics" else uncertain.interval.sentence
        tiles.append(frame.Tile(f"if {what} uncertain", " to ".join(found.ends), f"{words}."))
    if found.is_guess and found.grouped is None and found.unknown == "topics":
        tiles.append(frame.Tile("at the estimate", f"{found.topics:,}", "Known too little to plan with."))
    tiles += [
        frame.Tile(one.label, f"{one.topics:,}", one.text) for one in found.pairs if "2σ" not in one.label
    ]
    if found.by_shares is not None:
        text = f"{frame.plain(for_scores_of_0_and_1(found))}."
        tiles.append(frame.Tile(found.by_shares.label, f"{found.by_shares.topics:,}", text))
    if isinstance(found.result, SharesResult):
        first, second = found.result.discordant_shares
        text = f"Only one system is right: {100 * first:.3g} % and {100 * second:.3g} % of the topics."
        tiles.append(frame.Tile("discordant topics", f"{100 * (first + second):.3g} %", text))
    if found.by_t is not None and found.by_t.power is not None:
        value = f"{found.by_t.topics:,}, {100 * found.by_t.power:.3g} % power"
        tiles.append(frame.Tile(found.by_t.label, value, found.by_t.text))
    if found.grouped is not None:
        tiles += _tiles_of_groups(found.grouped, found.result)
    elif published is not None:
        tiles.append(frame.Tile("Sakai's Excel tool", f"{published.required_topics:,}", why))
    if found.separate is not None:
        tiles.append(frame.Tile(found.separate.label, f"{found.separate.topics:,}", found.separate.text))
    if drawn.scenario is not None:
        before, now = drawn.scenario.topics, found.topics
        words = frame.plain(drawn.scenario.words)
        tiles.append(frame.Tile("scenario A", f"{before:,} ({now - before:+,} now)", words))
    if found.by_t is None:
        tiles.append(frame.Tile(symbol, f"{plan.variance:.4g}", frame.plain(found.words)))
    return tiles


def _tiles_of_groups(grouped: GroupedPlan, exact: Result) -> Iterator[frame.Tile]:
    """Yield the numbers that groups add."""
    yield frame.Tile(topics_of(grouped), f"{exact.required_topics * grouped.group_size:,}")
    yield frame.Tile(
        "if independent",
        f"{grouped.independent_topics:,}",
        "Topics that the design takes without groups, with the same variance of one topic.",
    )
    if grouped.best is not None:
        text = f"Cost {grouped.best.cost:,.6g}, the least of all numbers of topics per group."
        split = f"{grouped.best.n_groups:,} of {grouped.best.group_size:,}"
        yield frame.Tile("cheapest groups", split, text)
    rho, cv, value = INTRACLASS_CORRELATION, GROUP_SIZE_CV, f"{grouped.intraclass_correlation:.3g}"
    if grouped.size_cv:
        text = f"{rho.symbol}: {rho.help} {cv.symbol}: {cv.help}"
        yield frame.Tile(f"{rho.symbol} and {cv.symbol}", f"{value} and {grouped.size_cv:.3g}", text)
    else:
        yield frame.Tile(rho.symbol, value, rho.help)


def _pairs_in_words(found: Planned) -> Iterator[str]:
    """Yield the topics by the other estimates of a pair's variance from the same scores."""
    parts = [f"**{one.topics:,}** {one.label}" for one in found.pairs]
    if parts:
        yield f"From the same scores: {'; '.join(parts)}."


def _beside_published(found: Planned, why: str) -> None:
    """Write the number of Sakai's Excel tool, and why it differs."""
    exact, published = found.result, found.published
    if published is None:
        if found.why_not_published:
            st.markdown(f"Sakai's Excel tool has no answer here: {found.why_not_published}.")
        return
    difference = exact.required_topics - published.required_topics
    text = f"Sakai's Excel tool also gives **{published.required_topics:,}**."
    if difference != 0:
        direction = "fewer" if difference > 0 else "more"
        text = f"Sakai's Excel tool gives **{published.required_topics:,}**, {abs(difference):,} {direction}."
    st.markdown(text, help=why)


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
    "The variance of these systems on a new collection would be from {low:.4g} to {high:.4g}, by a chi-square "
    "distribution with {df:.3g} degrees of freedom: those of similar tasks follow from collections that were left "
    "out in turn, and from how much the variance of a few runs of a collection varies; scores of your own add "
    "theirs. The simulation left out each collection of the atlas and drew systems from its runs; the coverage is "
    "from the least to the most of any setting."
)


_STATED = (
    "The true variance would be from {low:.4g} to {high:.4g}, by a chi-square distribution with the stated "
    "{df:.3g} degrees of freedom."
)


def _show_uncertainty(found: Planned) -> None:
    """Write the interval of n in a sentence, with what to think of it."""
    uncertain = found.uncertain
    if uncertain is None:
        return
    interval, text = uncertain.interval, _STATED
    if found.matrices:
        text = _JACKKNIFE_OF_GROUPS if any(map(has_groups, found.matrices)) else _JACKKNIFE
    if of_similar(found):
        text = _SIMILAR
    words = uncertain.sentence if found.unknown == "topics" else interval.sentence
    st.markdown(
        frame.with_tests(f"The variance is an estimate: {words}."),
        help=text.format(low=interval.low, high=interval.high, df=interval.effective_df),
    )


def _figure(drawn: Drawn, measure: str, *, place: int, on_sample: bool) -> Figure:
    """Return one of the figures of an answer; it is kept."""

    def built() -> Figure:
        figures = design_figures(drawn.planned.result, drawn.curves, measure)
        result = next(islice(figures, place, None))
        return marked_as_sample(result) if on_sample else result

    keep = once if drawn.planned.matrices else shared
    return keep(("figure", *drawn.key, measure, place, on_sample), built)


def _show_assured(found: Planned) -> None:
    """Write the topics for expected power and for certainty, and their source."""
    result = found.assured
    if result is None:
        return
    is_measured = result.holds is not None or found.matrices
    source = "measured as for the interval" if is_measured else "as you state"
    st.markdown(
        frame.with_tests(f"{frame.plain(result.sentence)}."),
        help=f"The average is over $\\sigma^2\\nu/\\chi^2_\\nu$ with ν = {result.effective_df:.3g} degrees of "
        f"freedom, {source}. For normal scores the certainty is then exact. Runs share their topics: with "
        "$m(n-1)$ degrees of freedom a limit of 80 % was high enough in only 46 to 66 % of pilots from "
        "real scores.",
    )


def _show_pilot(found: Planned) -> None:
    """Show how large a pilot should be."""
    plan, exact, n = found.of_topics, found.result, found.topics
    sure = CERTAINTY.default if found.request.certainty is None else found.request.certainty
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
