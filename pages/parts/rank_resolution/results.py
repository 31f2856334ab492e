"""The results of the leaderboard page: the answer in words, and the folded sections below the chart."""

import streamlit as st

from pages.parts import export_drawer, figure, frame
from pages.parts.rank_resolution import work
from pages.parts.rank_resolution.form import Settings
from topicset_core.analyses.rank_resolution.answer import Leaderboard
from topicset_core.analyses.rank_resolution.report import figure as drawn
from topicset_core.analyses.rank_resolution.report import (
    first_sentence,
    outlook_sentence,
    power_figure,
    power_sentence,
    power_table,
    rank_table,
    top_sentence,
    warnings,
)
from topicset_core.analyses.rank_resolution.resolution import Resolution
from topicset_core.analyses.stability.report import coefficient_table, component_table
from topicset_core.analyses.stability.report import figure as stability_figure
from topicset_core.analyses.stability.report import report as stability_report
from topicset_core.analyses.stability.report import sentences as stability_sentences
from topicset_core.errors import InputError

OF = "leaderboard"


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
    with frame.folded("Pairs", f"{share} resolved, as a matrix", key=f"{OF}/show-pairs", lazy=True) as more:
        if more.open:
            figure.show(drawn(leaderboard, "pairs", frame.chart_mode()), of=OF)


def show_groups(leaderboard: Leaderboard) -> None:
    """Show the groups as lines."""
    n = len(leaderboard.resolution.lines)
    result = "no pair is resolved" if n == 1 else f"{n} lines of systems that are not resolved"
    with frame.folded("Groups", result, key=f"{OF}/show-groups", lazy=True) as more:
        if more.open:
            figure.show(drawn(leaderboard, "groups", frame.chart_mode()), of=OF)
            st.markdown(
                "Systems on one line are not resolved. Two systems without a common line may be unresolved, "
                "too: see the matrix of pairs."
            )


def show_outlook(leaderboard: Leaderboard) -> None:
    """Show how many pairs more topics would resolve."""
    with frame.folded(
        "More topics", outlook_sentence(leaderboard).rstrip("."), key=f"{OF}/show-more", lazy=True
    ) as more:
        if more.open and leaderboard.outlook.can_tell:
            figure.show(drawn(leaderboard, "more-topics", frame.chart_mode()), of=OF)


def show_top(leaderboard: Leaderboard) -> None:
    """Show the test of the top k, to those who chose k beforehand."""
    if leaderboard.top is not None:
        with frame.folded(
            "Top k chosen beforehand", f"p = {leaderboard.top.p_value:.2g}", key=f"{OF}/show-top"
        ):
            st.markdown(frame.plain(top_sentence(leaderboard)))


def show_two(settings: Settings, leaderboard: Leaderboard) -> None:
    """Show whether the difference of two systems was real."""
    try:
        two = work.two(settings, leaderboard)
    except InputError as error:
        with frame.folded("Was that difference real?", f"{error.parameter} {error.rule}"):
            st.markdown("Choose two different systems in the form.")
        return
    result = f"{two.better} and {two.worse}: adjusted p = {two.adjusted_p:.2g}"
    with frame.folded(
        "Was that difference real?", frame.plain(result), key=f"{OF}/show-two", lazy=True
    ) as more:
        if not more.open:
            return
        with st.container(key="two-systems"):
            st.markdown(frame.plain(two.sentence))
        st.dataframe(
            two.table,
            hide_index=True,
            width="content",
            column_config={"value": st.column_config.NumberColumn(format="%.4g")},
            alt="Two systems in numbers",
        )
        st.markdown(
            "Choose other systems in the form. On Robust 2004 (50 topics, then 50 others), differences with "
            "\\|t\\| from 2.0 to 2.5 were significant again in 54 % of cases, differences from 3 to 4 in 81 "
            "%. This formula predicts 52 and 81 %, “achieved power” 59 and 92 %."
        )


def show_stability(settings: Settings) -> None:
    """Show the generalizability study."""
    try:
        study = work.study(settings)
    except InputError as error:
        with frame.folded("Stability over topics", f"{error.parameter} {error.rule}"):
            return
    one = study.relative
    result = (
        f"E ρ² = {one.value:.3f}, {100 * study.request.level:g} % interval {one.low:.3f} to {one.high:.3f} for "
        "other systems too"
    )
    with frame.folded("Stability over topics", result, key=f"{OF}/show-stability", lazy=True) as more:
        if not more.open:
            return
        st.markdown(frame.plain(" ".join(stability_sentences(study))))
        figure.show(stability_figure(study, frame.chart_mode()), of=OF)
        precise = st.column_config.NumberColumn(format="%.4g")
        for table, alt in (
            (coefficient_table(study), "Coefficients"),
            (component_table(study), "Components"),
        ):
            st.dataframe(
                table,
                hide_index=True,
                column_config={name: precise for name in table if name not in ("coefficient", "component")},
                alt=alt,
            )
        new = stability_report(study, link=settings.url)
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


def show_other_tests(settings: Settings, leaderboard: Leaderboard) -> None:
    """Show what Tukey's tests find, by measure."""
    with frame.folded(
        "Discriminative power",
        "Tukey HSD and its randomised form, by measure",
        key=f"{OF}/show-power",
        lazy=True,
    ) as more:
        if not more.open:
            return
        powers = work.powers(settings)
        text = power_sentence(powers, leaderboard.resolution)
        st.markdown(frame.plain(f"At α = {settings.request.alpha:g} {text}."))
        figure.show(power_figure(powers, frame.chart_mode()), of=OF)
        table = power_table(powers)
        precise = st.column_config.NumberColumn(format="%.4g")
        words = ("measure", "scores")
        st.dataframe(
            table,
            hide_index=True,
            column_config={name: precise for name in table if name not in words},
            alt="Discriminative power by measure",
        )
        export_drawer.csv("Discriminative power, CSV", table, name="discriminative-power", key="csv-power")
        st.markdown(
            "Permuting scores within topics counts true differences between systems as noise, so poor systems "
            "in a table reduce the power for good ones; sign flips do not. Compare measures on the same "
            "systems and topics only. Discriminative power rewards stability, not validity."
        )


def table(leaderboard: Leaderboard) -> None:
    """Show one row per system."""
    columns = rank_table(leaderboard)
    labels = {
        "mean": f"mean {leaderboard.resolution.matrix.measure}",
        "lower": "best rank",
        "upper": "worst rank",
        "marginal_lower": "best rank, alone",
        "marginal_upper": "worst rank, alone",
        "chance_of_best": "best in resamples",
    }
    with frame.folded("Numbers", f"ranks of {len(leaderboard.resolution.systems)} systems"):
        st.dataframe(
            columns,
            hide_index=True,
            column_config={
                **labels,
                "mean": st.column_config.NumberColumn(labels["mean"], format="%.4f"),
                "chance_of_best": st.column_config.NumberColumn(labels["chance_of_best"], format="percent"),
            },
            alt="Ranks and their intervals",
        )
        st.markdown(
            "“Best in resamples” is the share of Bayesian bootstrap resamples of the topics in which "
            "a system has the "
            "highest mean. It is not a confidence level: near-duplicates at the top make it too large."
        )
