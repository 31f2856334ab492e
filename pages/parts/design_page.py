"""Parts that every design page shows next to its form: number, charts, table, exports."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from itertools import islice
from typing import Any

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
from topicset_core.analyses.planning.curves import Curves, with_beside
from topicset_core.analyses.planning.grouped_report import grouped_figures
from topicset_core.analyses.planning.plan import Planned, variances_of_designs
from topicset_core.analyses.planning.report import for_groups, for_scores_of_0_and_1, of_interval, report
from topicset_core.analyses.planning.spelled import call_of, command_of
from topicset_core.designs import Design, Plan
from topicset_core.designs.grouped import average_size
from topicset_core.errors import NoSolution
from topicset_core.exports.figures import Figure, marked_as_sample
from topicset_core.exports.findings import Finding, tile
from topicset_core.exports.report import Report
from topicset_core.parameters import ALPHA, BETA, CERTAINTY, MIN_D, N_SYSTEMS, N_TOPICS, TOPICS
from topicset_core.wording import in_units

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
    choice: Choice[str] | None = None,
    show_more: Callable[[Any], None] | None = None,
    so_far: Mapping[Design, Callable[[Any], None]] | None = None,
    explained: Callable[[Any], Mapping[str, str]] | None = None,
) -> None:
    """Draw the page of a design, or of several of which a choice with a word for each takes one."""
    frame.begin(name)
    is_asked = choice is not None and choice.name != TOPICS.name  # this one follows from the variance
    words = {choice.name: choice.offered()} if choice is not None and is_asked else None
    form, result = question.begin(*designs, words=words)
    scenario.take()
    with form:
        topics.ask_goal(name)
        design, further, first = designs[0], {}, None if choice is None else st.container()
        if choice is not None:
            word = Form(question.PAGE, ()).draw(choice)
            design, further = designs[choice.offered().index(word)], {choice.name: word} if is_asked else {}
        elif topics.has_other(design):
            topics.go_to(design)
        settings = question.ask(design, further=further, first=first)
    with result:
        _show(settings, solve(settings), show_more, (so_far or {}).get(design))
        required = settings.plan.requirements
        frame.explain(name, **explained(required) if explained is not None else {})


def show_first(
    settings: Settings, drawn: Drawn, *, meaning: str = "", assumption: str = "", assured: bool
) -> tuple[Report, Callable[..., Figure]]:
    """Show numbers and their curve, and what the test does on the scores, which takes longer than these.

    Return the report, and the function that makes each figure.
    """
    found, page = drawn.planned, frame.current()
    meaning = meaning or page.meaning
    if found.grouped is not None:
        meaning = in_units(meaning, found.result.unit)
        sizes = "All groups have the same number of topics"
        if found.grouped.size_cv:
            sizes = f"Groups have {found.grouped.group_size:,} topics on average, and vary in size by CV"
        assumption = f"{assumption or page.assumption} {sizes}, and topics of one group correlate by ρ."
    if interval := of_interval(found):
        meaning = f"{meaning}\n\n**Interval:** {frame.with_tests(frame.plain(interval))}"
    make_report = partial(report, found, assured=assured, curves=drawn.curves, more=_of_scenario(drawn))
    make_figure = _show_curve(settings, drawn)
    frame.show_answer(make_report(is_first=True), meaning, assumption)
    if found.check_tiles:
        frame.tiles(*found.check_tiles)
    return make_report(), make_figure


def _of_scenario(drawn: Drawn) -> list[Finding]:
    """Return the pinned scenario as a tile and a sentence of files."""
    if drawn.scenario is None:
        return []
    before, now = drawn.scenario.topics, drawn.planned.topics
    value = f"{before:,} ({now - before:+,} now)"
    return [tile("scenario A", value, drawn.scenario.words), Finding(drawn.scenario.sentence, "export")]


def _show_curve(settings: Settings, drawn: Drawn) -> Callable[..., Figure]:
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
    show_more: Callable[[Any], None] | None,
    so_far: Callable[[Any], None] | None,
) -> None:
    """Show numbers and their curve, and below them the evidence, other charts and tables."""
    found = drawn.planned
    plan, exact, grouped = found.plan, found.result, found.grouped
    # A variance that was typed in, or is from the literature, does not depend on the simulated scores.
    st.session_state[frame.ON_SAMPLE] &= bool(found.matrices)
    exported, make = show_first(settings, drawn, assured=True)
    url = settings.url(**scenario.written())
    link.offer(url, saved="", commands=commands(found))
    export_drawer.draw(exported, link=url)
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
    evidence, *more, table = frame.tabs("Answer", *(["Scores so far"] if so_far else []), *parts, "Table")
    with evidence:
        frame.show_findings(exported)
        if show_more is not None:
            show_more(exact)
        if for_scores_of_0_and_1(found):
            frame.link_to("pages/right_or_wrong.py", "Right or wrong")
        if for_groups(found):
            frame.link_to("pages/paired_t.py", "Paired t test")
        _offer_check(settings, found)
    if so_far is not None:
        with more.pop(0):
            so_far(exact)
    for tab, show in zip(more, parts.values(), strict=True):
        if tab.open:
            with tab:
                show()
    if frame.is_drawn(table):
        table.dataframe(
            exported.page_table() if exported.page_table is not None else {},
            hide_index=True,
            width="content",
            alt=f"Required {exact.unit}s for several {plan.symbol}",
        )


def commands(found: Planned) -> tuple[str, str]:
    """Return the line for a terminal and the call in Python that give an answer."""
    return command_of(found), call_of(found)


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


def _figure(drawn: Drawn, measure: str, *, place: int, on_sample: bool) -> Figure:
    """Return one of the figures of an answer; it is kept."""

    def built() -> Figure:
        figures = design_figures(drawn.planned.result, drawn.curves, measure)
        result = next(islice(figures, place, None))
        return marked_as_sample(result) if on_sample else result

    keep = once if drawn.planned.matrices else shared
    return keep(("figure", *drawn.key, measure, place, on_sample), built)


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
