"""The leaderboard page: its form, and the sections of its answer."""

from dataclasses import dataclass, field, replace
from functools import partial

import streamlit as st

from pages.parts import data, export_drawer, figure, frame
from pages.parts.computation import once
from pages.parts.form import SCORES, Choice, Form, Number, fields_of
from pages.parts.job import Answers
from topicset_core.analyses.rank_resolution import Request, charts
from topicset_core.analyses.rank_resolution.chosen_systems import TwoSystems, two_systems
from topicset_core.analyses.rank_resolution.discriminative_power import (
    PowerRequest,
    Powers,
    by_power,
    discriminative_power,
)
from topicset_core.analyses.rank_resolution.report import (
    POWERS,
    QUESTION,
    Leaderboard,
    first_sentence,
    outlook_sentence,
    power_sentence,
    ranks,
    top_sentence,
    warnings,
)
from topicset_core.analyses.rank_resolution.resolution import (
    FAMILYWISE,
    LOWER_IS_BETTER,
    TOP_K,
    Resolution,
)
from topicset_core.analyses.sizing.replication import N_AGAIN
from topicset_core.analyses.stability import Request as StabilityRequest
from topicset_core.analyses.stability import Stability, stability
from topicset_core.analyses.stability.report import coefficients, coefficients_by_topics, component_table
from topicset_core.analyses.stability.report import report as stability_report
from topicset_core.analyses.stability.report import sentences as stability_sentences
from topicset_core.analyses.stability.result import STABILITY
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import InputError

PAGE = "leaderboard"


def _systems() -> list[str]:
    return list(dict.fromkeys(["", *(name for matrix in data.matrices() for name in matrix.systems)]))


_FIRST = Choice("system_a", "First system", _systems, lambda name: name or "the best")
_SECOND = Choice("system_b", "Second system", _systems, lambda name: name or "the second best")
_AMONG_WORDS = {"all": "of all systems", "half": "of the best half", "quarter": "of the best quarter"}
_SHARES = {"all": 1.0, "half": 0.5, "quarter": 0.25}
_AMONG = Choice(
    "among",
    "They are typical",
    _AMONG_WORDS,
    help="Expected differences shrink to those among these systems: good systems are closer to each other.",
)
_FORM = Form(
    PAGE,
    (
        *fields_of(Request, Number(TOP_K, empty="none chosen")),
        Number(STABILITY),
        Number(N_AGAIN, usual=lambda: data.matrices()[0].n_topics),
        *(SCORES, _FIRST, _SECOND, _AMONG),
    ),
)
ANSWERS: Answers[Request, Leaderboard] = Answers(QUESTION, PAGE)
_PERMUTED_SCORES = 100_000_000  # scores that are permuted at once: some .2 s


@dataclass(frozen=True)
class Asked:
    """A valid question."""

    matrix: ScoreMatrix = field(repr=False)  # the scores in question
    request: Request  # how ranks are resolved
    pair: tuple[str, str]  # two systems, "" for the best ones
    n_again: int  # topics of a replication
    among: float  # share of the best systems that the two resemble
    stability: float  # coefficient that is wanted
    url: str = field(repr=False)  # the full link


def ask() -> Asked:
    """Draw the form and return its values; where a number breaks its rule, its last valid value."""
    _FORM.start()
    matrix = _FORM.draw(SCORES)
    _FORM.ask(LOWER_IS_BETTER, FAMILYWISE)
    with st.expander("Two systems"):
        first, second = (_FORM.draw(replace(one, options=("", *matrix.systems))) for one in (_FIRST, _SECOND))
        among = _FORM.draw(_AMONG)
        _FORM.ask(N_AGAIN)
    with st.expander("Top k chosen beforehand"):
        _FORM.ask(TOP_K)
    with st.expander("The test"):
        _FORM.ask_rest(Request, LOWER_IS_BETTER, FAMILYWISE, TOP_K)
    with st.expander("Stability"):
        _FORM.ask(STABILITY)
    values = _FORM.values()
    return Asked(
        matrix,
        _FORM.request(Request, values),
        (first, second),
        int(values[N_AGAIN.name]),
        _SHARES[among],
        values[STABILITY.name],
        _FORM.url(values, system_a=first or None, system_b=second or None),
    )


def no_answer(error: InputError) -> str:
    """Return why there is no ranking, in a sentence."""
    return f"These scores cannot be ranked: {error.parameter} {error.rule}."


def _two_of(asked: Asked, result: Leaderboard) -> TwoSystems:
    """Return the facts about the two systems that were named, or about the two best."""
    resolution = result.resolution
    first = asked.pair[0] or next(name for name in resolution.systems if name != asked.pair[1])
    second = asked.pair[1] or next(name for name in resolution.systems if name != first)
    return two_systems(resolution, first, second, n_again=asked.n_again, among=asked.among)


def _powers_of(asked: Asked) -> list[Powers]:
    """Return the discriminative power of the measure in question, then of others on the same systems and topics."""
    there = [asked.matrix, *(one for one in data.matrices() if one.digest != asked.matrix.digest)]
    same = [one for one in there if _layout(one) == _layout(asked.matrix)]
    n_trials = min(max(_PERMUTED_SCORES // asked.matrix.scores.size, 500), 5000)
    request = PowerRequest(alpha=asked.request.alpha, n_trials=n_trials, seed=asked.request.seed)
    return [
        once(("power", one.digest, one.name, request), partial(discriminative_power, one, request))
        for one in same
    ]


def _stability_of(asked: Asked) -> Stability:
    """Return the generalizability study."""
    matrix = asked.matrix
    request = StabilityRequest(stability=asked.stability, seed=asked.request.seed)
    return once(("stability", matrix.digest, matrix.name, request), lambda: stability(matrix, request))


def _layout(matrix: ScoreMatrix) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset(matrix.systems), frozenset(matrix.topics)


def show(leaderboard: Leaderboard, *, is_preview: bool) -> None:
    """Write the number, and which systems may be the best."""
    resolution = leaderboard.resolution
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(headline(resolution), is_preview=is_preview)
        st.markdown(frame.plain(first_sentence(resolution)))
    text = warnings(resolution)
    if text:
        with st.container(key="limits"):
            st.markdown(frame.plain(" ".join(text)))


def headline(resolution: Resolution) -> str:
    """Return which pairs are resolved, as a headline."""
    if resolution.n_pairs == 1:
        order = "resolved" if resolution.n_resolved else "not resolved"
        return f"The order of the two systems is :primary[{order}]"
    if resolution.n_resolved == 0:
        return f":primary[No pair] of {resolution.matrix.n_systems:,} systems is resolved"
    return f"The order of :primary[{resolution.n_resolved:,} of {resolution.n_pairs:,} pairs] is resolved"


def how_resolved(resolution: Resolution) -> str:
    """Return the basis of the numbers, in a sentence."""
    if resolution.enumerated:
        return f"All {resolution.n_flips:,} sign flips of {resolution.matrix.n_topics} topics, enumerated."
    return f"{resolution.n_flips:,} sign flips of topics, seed {resolution.request.seed}."


def show_pairs(leaderboard: Leaderboard) -> None:
    """Show the matrix of pairs; it is large, so only once it is opened."""
    resolution = leaderboard.resolution
    share = f"{100 * resolution.n_resolved / resolution.n_pairs:.3g} %"
    with frame.folded("Pairs", f"{share} resolved, as a matrix", key=f"{PAGE}/show-pairs", lazy=True) as more:
        if more.open:
            figure.show(charts.resolved_pairs(resolution), of=PAGE)


def show_groups(leaderboard: Leaderboard) -> None:
    """Show the groups as lines."""
    n = len(leaderboard.resolution.lines)
    result = "no pair is resolved" if n == 1 else f"{n} lines of systems that are not resolved"
    with frame.folded("Groups", result, key=f"{PAGE}/show-groups", lazy=True) as more:
        if more.open:
            figure.show(charts.groups(leaderboard.resolution), of=PAGE)
            st.markdown(
                "Systems on one line are not resolved. Two systems without a common line may be unresolved, "
                "too: see the matrix of pairs."
            )


def show_outlook(leaderboard: Leaderboard) -> None:
    """Show how many pairs more topics would resolve."""
    with frame.folded(
        "More topics", outlook_sentence(leaderboard).rstrip("."), key=f"{PAGE}/show-more", lazy=True
    ) as more:
        if more.open and leaderboard.outlook.can_tell:
            figure.show(charts.share_by_topics(leaderboard.outlook), of=PAGE)


def show_top(leaderboard: Leaderboard) -> None:
    """Show the test of the top k, to those who chose k beforehand."""
    if leaderboard.top is not None:
        with frame.folded(
            "Top k chosen beforehand", f"p = {leaderboard.top.p_value:.2g}", key=f"{PAGE}/show-top"
        ):
            st.markdown(frame.plain(top_sentence(leaderboard)))


def show_two(asked: Asked, leaderboard: Leaderboard) -> None:
    """Show whether the difference of two systems was real."""
    try:
        two = _two_of(asked, leaderboard)
    except InputError as error:
        with frame.folded("Was that difference real?", f"{error.parameter} {error.rule}"):
            st.markdown("Choose two different systems in the form.")
        return
    result = f"{two.better} and {two.worse}: adjusted p = {two.adjusted_p:.2g}"
    with frame.folded(
        "Was that difference real?", frame.plain(result), key=f"{PAGE}/show-two", lazy=True
    ) as more:
        if not more.open:
            return
        with st.container(key="two-systems"):
            st.markdown(frame.plain(two.sentence))
        frame.table(two.table, {"value": ".4g"}, width="content", alt="Two systems in numbers")
        st.markdown(
            "Choose other systems in the form. On Robust 2004 (50 topics, then 50 others), differences with "
            "\\|t\\| from 2.0 to 2.5 were significant again in 54 % of cases, differences from 3 to 4 in 81 "
            "%. This formula predicts 52 and 81 %, “achieved power” 59 and 92 %."
        )


def show_stability(asked: Asked) -> None:
    """Show the generalizability study."""
    try:
        study = _stability_of(asked)
    except InputError as error:
        with frame.folded("Stability over topics", f"{error.parameter} {error.rule}"):
            return
    one = study.relative
    result = (
        f"E ρ² = {one.value:.3f}, {100 * study.request.level:g} % interval {one.low:.3f} to {one.high:.3f} for "
        "other systems too"
    )
    with frame.folded("Stability over topics", result, key=f"{PAGE}/show-stability", lazy=True) as more:
        if not more.open:
            return
        st.markdown(frame.plain(" ".join(stability_sentences(study))))
        figure.show(coefficients_by_topics(study), of=PAGE)
        columns = coefficients(study.request.stability)
        frame.table(*columns.screen((study.relative, study.absolute)), alt="Coefficients")
        frame.table(component_table(study), ".4g", alt="Components")
        new = stability_report(study)
        with st.container(horizontal=True, gap="xsmall"):
            for one_table in new.tables:
                export_drawer.csv(
                    f"{one_table.label}, CSV",
                    one_table.columns(),
                    name=one_table.file,
                    key=f"csv-{one_table.file}",
                )
        with st.container(key="stability-text"):
            st.markdown(f"**For a paper:** {frame.plain(new.text[0])}")


def show_other_tests(asked: Asked, leaderboard: Leaderboard) -> None:
    """Show what Tukey's tests find, by measure."""
    with frame.folded(
        "Discriminative power",
        "Tukey HSD and its randomised form, by measure",
        key=f"{PAGE}/show-power",
        lazy=True,
    ) as more:
        if not more.open:
            return
        powers = _powers_of(asked)
        text = power_sentence(powers, leaderboard.resolution)
        st.markdown(frame.plain(f"At α = {asked.request.alpha:g} {text}."))
        figure.show(charts.asl_curves(powers), of=PAGE)
        ordered = by_power(powers)
        frame.table(*POWERS.screen(ordered), alt="Discriminative power by measure")
        table = POWERS.table(ordered)
        export_drawer.csv("Discriminative power, CSV", table, name="discriminative-power", key="csv-power")
        st.markdown(
            "Permuting scores within topics counts true differences between systems as noise, so poor systems "
            "in a table reduce the power for good ones; sign flips do not. Compare measures on the same "
            "systems and topics only. Discriminative power rewards stability, not validity."
        )


def table(leaderboard: Leaderboard) -> None:
    """Show one row per system, in the place of the main chart."""
    resolution = leaderboard.resolution
    places = range(len(resolution.systems))
    frame.tiles(
        frame.Tile("systems that may be the best", f"{len(resolution.candidates(1)):,}"),
        frame.Tile("pairs in a resolved order", f"{resolution.n_resolved:,} of {resolution.n_pairs:,}"),
        frame.Tile("topics", f"{resolution.matrix.n_topics:,}", frame.plain(resolution.matrix.name)),
    )
    with frame.chart_place():
        frame.table(*ranks(leaderboard).screen(places), alt="Ranks and their intervals", height=430)
    st.markdown(
        ":small[“Best in resamples” is the share of Bayesian bootstrap resamples of the topics in which a system "
        "has the highest mean. It is not a confidence level: near-duplicates at the top make it too large.]"
    )
