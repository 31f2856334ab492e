"""What the topic variance page shows: the answer, ranks, error rates, lists, one run closely, all comparisons."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts import figure, frame
from pages.parts.topic_variance import work
from pages.parts.topic_variance.form import Request, ask_run_and_topic
from topicset_core.analyses.topic_variance import Findings, report
from topicset_core.analyses.topic_variance.estimate import Estimate
from topicset_core.analyses.topic_variance.fit import Fit, fit
from topicset_core.analyses.topic_variance.result import Comparison, comparisons
from topicset_core.analyses.topic_variance.sentences import (
    DIFFERENCE,
    SIGNIFICANCE,
    headline,
    how_it_fits,
    kept_sentence,
    misfit_sentence,
    needed,
    noise_sentence,
    order_sentence,
    swap_sentence,
)
from topicset_core.errors import InputError
from topicset_core.exports.csv_table import Table

_MOST_NAMED = 20


class Closer(NamedTuple):
    """The run and topic that are looked at closely, and its scores with their densities where there are any."""

    run: str
    topic: str
    fitted: Fit | None


def say(found: Findings, min_d: float) -> None:
    """Write the number and what follows from it."""
    with st.container(key="answer", gap="xxsmall"):
        st.markdown(f"# Other documents swap :primary[{headline(found)}]")
        st.markdown(frame.plain(f"{swap_sentence(found)} {order_sentence(found)}"))
    st.markdown(frame.plain(noise_sentence(found, needed(found, min_d))))
    misfit = misfit_sentence(found)
    if misfit:
        st.warning(frame.plain(misfit))


def in_order(found: Findings, other: Findings | None) -> tuple[Findings, ...]:
    """Return what was found by either model, BST first."""
    both = (found,) if other is None else (found, other)
    return tuple(sorted(both, key=lambda one: one.settings.model))


def show_order(found: Findings, both: Sequence[Findings]) -> None:
    """Draw the ranks of runs and the error rates."""
    for (chart, alt), name in zip(
        report.order_figures(found, both, frame.chart_mode()), ("ranks", "errors"), strict=True
    ):
        figure.show(chart, key=name, name=f"topic-variance-{name}", alt=alt)


def show_noise(found: Findings) -> None:
    """Show what to act on: where variance comes from, which pairs turn, which topics are unstable."""
    st.subheader("What to act on", anchor=False)
    chart, alt = report.variance_figure(found, frame.chart_mode())
    figure.show(chart, key="split", name="topic-variance-split", alt=alt)


def show_closely(asked: Request, found: Findings) -> Closer:
    """Let the user look at one run and topic; return what is looked at."""
    st.subheader("One run closely", anchor=False)
    run, topic = ask_run_and_topic(found)
    fitted, why_not = None, ""
    try:
        of_tag = next(one for one in asked.runs if one.tag == run)
        fitted = fit(work.cells(asked), of_tag, topic, asked.settings.bandwidth)
    except InputError as error:
        why_not = f"No densities to show: {error.rule}."
    figures = report.closer_figures(found, run, topic, fitted, frame.chart_mode())
    for (chart, alt), name in zip(figures, ("scores", "fit"), strict=False):
        figure.show(chart, key=name, name=f"topic-variance-{name}", alt=alt)
    st.markdown(frame.plain(why_not or how_it_fits(fitted)))
    return Closer(run, topic, fitted)


def show_lists(found: Findings) -> None:
    """Show what to act on: which pairs turn, which topics are unstable, where runs stand."""
    pairs, topics, runs = st.tabs(["Pairs that change order", "Unstable topics", "Runs"])
    measure = found.settings.measure_name
    with pairs:
        if not found.reversed_pairs:
            st.markdown("No pair of runs changes its order in 5 % of the collections or more.")
        else:
            _table(
                report.pairs_table(found),
                {
                    "better": "better run",
                    "worse": "worse run",
                    "raw_difference": f"difference, {measure}",
                    "turned": "in the other order",
                    "standard_error": "standard error",
                },
                "Pairs of runs that change order",
            )
    with topics:
        _table(
            report.unstable_topics_table(found),
            {
                "standard_deviation": f"SD of a score, {measure}",
                "share": "share of all noise",
                "raw_mean": f"mean {measure}",
            },
            "Topics, the least stable first",
        )
    with runs:
        _table(
            report.ranks_table(found),
            {
                "raw_rank": "rank",
                "rank_low": "from rank",
                "rank_high": "to rank",
                "raw_mean": f"mean {measure}",
                "simulated_mean": "simulated mean",
            },
            "Ranks of runs",
        )


def show_comparisons(both: Sequence[Findings]) -> None:
    """Show the paper's table 1, as printed and repaired, and why it needed repair."""
    st.subheader("The four comparisons", anchor=False)
    st.markdown(
        "How Yang, Zhang and Song compare simulated collections with the raw data: as their paper prints it, "
        "repaired where that does not count what it is taken for, and beside it what helps to read both. Numbers "
        "are shares of all pairs of runs but for τ and the estimated differences; ± is the standard error."
    )
    rows = [comparisons(one) for one in both]
    table = {"comparison": [_what(row) for row in rows[0]]}
    for one, of_model in zip(both, rows, strict=True):
        table[one.settings.model.upper()] = [_with_error(row.value) for row in of_model]
    table["raw data"] = ["" if row.raw is None else _with_error(row.raw) for row in rows[0]]
    st.table(table, border="horizontal", hide_index=True, alt="Comparisons as printed and repaired")
    kept = kept_sentence(both[0])
    if kept:
        st.markdown(kept)
    for name, said in (
        ("Significance", SIGNIFICANCE),
        ("Difference", DIFFERENCE),
    ):
        st.markdown(f"**{name}.** {frame.plain(said)}")


def show_remarks(found: Findings, *, by_intent: bool) -> None:
    """List the runs and topics that could not be drawn as asked, and what was decided about the rest.

    Parameters
    ----------
    found : Findings
        By the chosen model.
    by_intent : bool
        Whether documents were judged for each intent of a topic.
    """
    n_cells = found.raw.size
    remarks = report.remarks_table(found)
    with st.expander(
        f"What decided these numbers: {len(remarks['run']):,} of {n_cells:,} ranked lists are special"
    ):
        barren = _listed(found.topics_without_relevant)
        tied = sum(found.n_tied)
        if by_intent:
            st.markdown(
                "- Documents were judged by intent: each counts with the highest grade that it has for any of them."
            )
        st.markdown(
            f"- {found.n_unjudged:,} documents that are not judged count as not relevant.\n"
            f"- {tied:,} documents share their score with another one of their topic; these stand in the order of "
            "their ids, as trec_eval has them.\n"
            f"- Topics without relevant documents score 0 and stay: {barren}.\n"
            f"- Topics that no run has are left out: {_listed(found.left_out_topics)}."
        )
        if len(remarks["run"]):
            _table(remarks, {"remark": "what was done"}, "Lists that could not be drawn as asked")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return (frame.plain(", ".join(names[:_MOST_NAMED])) or "none") + (
        f" and {more:,} more" if more > 0 else ""
    )


def _table(table: Table, labels: dict[str, str], alt: str) -> None:
    """Show a table under names that people read, numbers in four digits."""
    config = {}
    for name, values in table.items():
        is_number = any(isinstance(value, float) for value in values)
        label = labels.get(name, name)
        config[name] = (
            st.column_config.NumberColumn(label, format="%.4g")
            if is_number
            else st.column_config.Column(label)
        )
    st.dataframe(table, hide_index=True, column_config=config, alt=alt)


def _what(row: Comparison) -> str:
    """Say what is counted, whose way of counting it is, and what stands in the column of raw data."""
    raw_is = f". Raw data: {row.raw_is}" if row.raw_is else ""
    return f"**{frame.plain(row.what)}** ({row.reading}){frame.plain(raw_is)}"


def _with_error(number: Estimate) -> str:
    """Write a number with its standard error, as far as there are any."""
    if number.value is None:
        return "none"
    error = f" ±\N{NO-BREAK SPACE}{number.standard_error:.2g}" if number.standard_error else ""
    return f"{number.value:.3f}{error}"
