"""The results of the page on other documents: the answer, and folded sections with the rest."""

from collections.abc import Sequence
from typing import NamedTuple

import streamlit as st

from pages.parts import figure, frame
from pages.parts.topic_variance import work
from pages.parts.topic_variance.form import Request, ask_run_and_topic
from topicset_core.analyses.topic_variance import Findings, report
from topicset_core.analyses.topic_variance.conclusions import Estimate
from topicset_core.analyses.topic_variance.densities import Fit, fit
from topicset_core.analyses.topic_variance.result import READINGS, Comparison, comparisons
from topicset_core.analyses.topic_variance.sentences import (
    DIFFERENCE,
    SIGNIFICANCE,
    fit_sentences,
    headline,
    how_it_fits,
    kept_sentence,
    misfit_sentence,
    needed,
    noise_sentence,
    noise_share,
    order_sentence,
    redrawn_sentence,
    reversal_sentence,
)
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.errors import InputError
from topicset_core.exports.figures import Figure
from topicset_core.exports.tables import Table
from topicset_core.wording import counted

_MOST_NAMED = 20
_HEADS: dict[Model, str] = {"shared": "Shared", "bst": "BST", "kde": "KDE"}


class Closer(NamedTuple):
    """The run and topic that are shown in detail, and their score densities if there are any."""

    run: str
    topic: str
    fitted: Fit | None


def show_summary(findings: Findings, min_d: float, *, is_preview: bool) -> None:
    """Write the headline and its sentences."""
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"Other documents reverse :primary[{headline(findings)}]", is_preview=is_preview)
        st.markdown(frame.plain(f"{reversal_sentence(findings)} {order_sentence(findings)}"))
    st.markdown(frame.plain(noise_sentence(findings, needed(findings, min_d))))
    misfit = misfit_sentence(findings)
    if misfit:
        st.warning(frame.plain(misfit))


def show(
    request: Request, findings: Findings, models: Sequence[Findings], why_not: str, errors: Figure
) -> Closer:
    """Show the folded sections; return the run and topic that are shown in detail."""
    lost, share = len(findings.reversed_pairs), findings.components.noise_share
    with frame.folded("Pairs", f"{lost:,} of {findings.n_pairs:,} reverse in 5 % or more of the collections"):
        figure.show(errors, of="topic-variance")
        _show_pairs(findings)
    with frame.folded(
        "Variance",
        "components of the scores"
        if share is None or share > 1
        else f"documents cause {noise_share(findings.components)} of the noise when two runs are compared",
    ):
        figure.show(report.variance_figure(findings, frame.chart_mode()), of="topic-variance")
    with frame.folded("Topics", "which ones depend most on the documents"):
        _show_topics(findings)
    with frame.folded("Runs", f"95 % rank intervals of {counted(len(findings.systems), 'run')}"):
        _show_runs(findings)
    with frame.folded("One run in detail", "its scores per topic in resampled collections"):
        closer = _show_closely(request, findings)
    with frame.folded("Comparisons of Yang, Zhang and Song", "as published and corrected, by three models"):
        st.markdown(frame.plain(fit_sentences(findings, models)))
        if why_not:
            st.markdown(f":small[{frame.plain(why_not)}]")
        _show_comparisons(models)
    return closer


def _show_closely(request: Request, findings: Findings) -> Closer:
    """Let the user choose a run and topic, and show them in detail."""
    run, topic = ask_run_and_topic(findings)
    fitted, why_not = None, ""
    try:
        of_tag = next(one for one in request.runs if one.tag == run)
        fitted = fit(work.cells(request), of_tag, topic, request.settings.bandwidth)
    except InputError as error:
        why_not = f"No densities: {error.rule}."
    figure.show(*report.closer_figures(findings, run, topic, fitted, frame.chart_mode()), of="topic-variance")
    st.markdown(frame.plain(why_not or how_it_fits(fitted)))
    return Closer(run, topic, fitted)


def _show_pairs(findings: Findings) -> None:
    if not findings.reversed_pairs:
        st.markdown("No pair of runs changes its order in 5 % or more of the collections.")
        return
    labels = {
        "better": "better run",
        "worse": "worse run",
        "raw_difference": f"difference, {findings.settings.measure_name}",
        "turned": "reversed",
        "standard_error": "standard error",
    }
    _table(report.pairs_table(findings), labels, "Pairs of runs that change order")


def _show_topics(findings: Findings) -> None:
    measure = findings.settings.measure_name
    labels = {
        "standard_deviation": f"SD of a score, {measure}",
        "share": "share of the noise",
        "raw_mean": f"mean {measure}",
    }
    _table(report.unstable_topics_table(findings), labels, "Topics, the least stable first")


def _show_runs(findings: Findings) -> None:
    labels = {
        "raw_rank": "rank",
        "rank_low": "from rank",
        "rank_high": "to rank",
        "raw_mean": f"mean {findings.settings.measure_name}",
        "simulated_mean": "mean in resampled collections",
    }
    _table(report.ranks_table(findings), labels, "Ranks of runs")


def _show_comparisons(models: Sequence[Findings]) -> None:
    """Show table 1 of the paper, as published and corrected, and the reasons."""
    st.markdown(
        "The comparisons of Yang, Zhang and Song: as published, and corrected where the published algorithm "
        'differs from the definition in the text. Rows marked "in addition" help to interpret both. Values '
        "are shares of run pairs ± standard error, except τ and the estimated differences."
    )
    rows = [comparisons(one) for one in models]
    table = {"comparison": [_what(row) for row in rows[0]]}
    for one, of_model in zip(models, rows, strict=True):
        table[_HEADS[one.settings.model]] = [_with_error(row.value) for row in of_model]
    table["raw data"] = ["" if row.raw is None else _with_error(row.raw) for row in rows[0]]
    st.table(table, border="horizontal", hide_index=True, alt="Comparisons as published and corrected")
    kept = kept_sentence(models[0])
    if kept:
        st.markdown(kept)
    for name, text in (
        ("Significance", SIGNIFICANCE),
        ("Difference", DIFFERENCE),
    ):
        st.markdown(f"**{name}.** {frame.plain(text)}")


def show_remarks(findings: Findings, *, by_intent: bool) -> None:
    """List the ranked lists that needed special handling, and the conventions for all others."""
    n_cells = findings.raw.size
    remarks = report.remarks_table(findings)
    with st.expander(
        f"Checks on your data: {len(remarks['run']):,} of {n_cells:,} lists needed special handling"
    ):
        barren = _listed(findings.topics_without_relevant)
        if findings.settings.model == "shared":
            st.markdown(f"- {frame.plain(redrawn_sentence(findings))}")
        tied = sum(findings.n_tied)
        if by_intent:
            st.markdown(
                "- Documents were judged by intent: each counts with its highest grade for any intent."
            )
        st.markdown(
            f"- {findings.n_unjudged:,} documents without a judgment count as not relevant.\n- {tied:,} documents "
            "have the same score as another document of their topic; they are ordered by id, as in trec_eval.\n"
            f"- Topics without relevant documents score 0 and are kept: {barren}.\n- Topics that no run contains "
            f"are left out: {_listed(findings.left_out_topics)}."
        )
        if len(remarks["run"]):
            _table(remarks, {"remark": "handling"}, "Lists with special handling")


def _listed(names: Sequence[str]) -> str:
    more = len(names) - _MOST_NAMED
    return (frame.plain(", ".join(names[:_MOST_NAMED])) or "none") + (
        f" and {more:,} more" if more > 0 else ""
    )


def _table(table: Table, labels: dict[str, str], alt: str) -> None:
    """Show a table with readable column names and numbers in four digits."""
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
    """Return the counted event, the method, and the content of the column of raw data."""
    raw_is = f". Raw data: {row.raw_is}" if row.raw_is else ""
    return f"**{frame.plain(row.what)}** ({READINGS[row.reading]}){frame.plain(raw_is)}"


def _with_error(number: Estimate) -> str:
    """Write a number with its standard error, if there is one."""
    if number.value is None:
        return "not available"
    error = f" ±\N{NO-BREAK SPACE}{number.standard_error:.2g}" if number.standard_error else ""
    return f"{number.value:.3f}{error}"
