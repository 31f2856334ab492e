"""Tables of the training sensitivity page: what measures choose, how stably, what each level leaves, topics."""

from typing import Any

import streamlit as st

from pages.parts import frame
from pages.parts.training_answer import Answered
from topicset_core.analyses.training_sensitivity import (
    TrainingSensitivity,
    collection_facts,
    comparisons,
    complete_comparisons,
    level_facts,
)
from topicset_core.errors import InputError
from topicset_core.exports import training_sensitivity_tables as tables
from topicset_core.exports.csv_table import Table
from topicset_core.wording import counted

_BLOCKS = {"all": "all levels", "low": "up to 10 %", "high": "above 10 %"}
_WHATS = {
    "choice": "the choice itself",
    "sigma_diff": "σ_diff: what the choice changes",
    "sigma_diff, scale-free": "σ_diff, scale-free",
}


def show(answer: Answered) -> None:
    """Show the tables of the paper for this sweep."""
    found = answer.found
    complete, stable, levels, shallow = st.tabs(
        [
            "With all judgments (tables 2, 3)",
            "Stability (tables 4, 5)",
            "What each level leaves",
            "Shallower pools",
        ]
    )
    with complete:
        _complete(found)
    with stable:
        _stability(found)
    with levels:
        _levels(answer)
    with shallow:
        _shallow(answer)


def show_designs_table(answer: Answered) -> None:
    """Show topics and judgments of every level."""
    with st.expander("Every level and measure"):
        _shown(tables.designs_table(answer.designs), "Topics and judgments at every level")


def _complete(found: TrainingSensitivity) -> None:
    """Show tables 2 and 3: a row for each task and measure."""
    reference = found.reference
    cells = {(one.task, one.evaluated_by, one.trained_by): one for one in complete_comparisons(found)}
    rows: dict[str, list[Any]] = {
        name: [] for name in ("tested on", "M", "setting by M", "M(M)", f"M({reference})", f"{reference}(M)")
    }
    rows[f"{reference}({reference})"] = []
    for task in found.tasks:
        for measure in found.alternatives:
            own, by_reference = (cells[task.name, x, measure] for x in (measure, reference))
            ties = f", {own.n_tied} tied" if own.n_tied > 1 else ""
            values = (
                *(task.name, measure, f"{own.setting}{ties}"),
                f"{own.score:.4f}{own.mark}",
                f"{own.reference_score:.4f}",
                f"{by_reference.score:.4f}{by_reference.mark}",
                f"{by_reference.reference_score:.4f}",
            )
            for column, value in zip(rows.values(), values, strict=True):
                column.append(value)
    st.dataframe(rows, hide_index=True, alt="Effectiveness with all judgments")
    st.markdown(
        frame.plain(
            "X(Y) is what X says, on the test topics, of the setting that Y chose in training. > marks a "
            f"significant difference from training by {reference} (Wilcoxon's signed-ranks test over test "
            "topics, p ≤ .05)."
        )
    )


def _stability(found: TrainingSensitivity) -> None:
    """Show tables 4 and 5: more, less and equally stable than the reference."""
    rows: dict[str, list[str]] = {name: [] for name in ("compared", "measure", *_BLOCKS.values())}
    cells = comparisons(found)
    for place in range(0, len(cells), len(_BLOCKS)):
        three = cells[place : place + len(_BLOCKS)]
        rows["compared"].append(_WHATS.get(three[0].what, three[0].what.replace("sigma_opt", "σ_opt")))
        rows["measure"].append(three[0].measure)
        for one in three:
            rows[_BLOCKS[one.block]].append(one.test.said)
    st.dataframe(rows, hide_index=True, alt="Sign tests of stability")
    st.markdown(
        frame.plain(
            f"In how many levels and tasks a measure is more / less stable than {found.reference} over the samples "
            "of a level; ≫ and ≪ mark p ≤ .01, > and < p ≤ .05 (sign tests, two-sided). σ_opt is the standard "
            "deviation of the value chosen, σ_diff that of the difference in effectiveness; a measure with smaller "
            "scores wins at σ_diff for that alone, so the scale-free one divides by the spread of the settings."
        )
    )


def _levels(answer: Answered) -> None:
    """Show table 1, and what is left at each level."""
    found = answer.found
    try:
        facts = collection_facts(found, answer.asked.source.n_documents)
    except InputError:  # the sweep has documents that the collection lacks
        facts = collection_facts(found)
    share = (
        ""
        if facts.relevant_share is None
        else f" of {facts.n_documents:,} documents ({facts.relevant_share:.2%})"
    )
    st.markdown(
        frame.plain(
            f"{facts.collection}: {counted(facts.n_topics, 'topic')}, on average {facts.judged_per_topic:.1f} "
            f"judged documents and {facts.relevant_per_topic:.1f} relevant ones{share}."
        )
    )
    rows: dict[str, list[Any]] = {
        "% of judgments": [],
        "judged a topic": [],
        "relevant a topic": [],
        "topics without relevant": [],
        "of all topics": [],
    }
    bias = "infAP" in found.measures and "AP" in found.measures
    for one in level_facts(found):
        values: list[Any] = [
            one.level,
            one.judged_per_topic,
            one.relevant_per_topic,
            one.lost_topics,
            one.lost_share,
        ]
        for column, value in zip(rows.values(), values, strict=False):
            column.append(value)
        if bias:
            rows.setdefault("infAP bias", []).append(one.bias_of("infAP", "AP", found.measures))
        for place, measure in enumerate(found.measures):
            rows.setdefault(f"mean {measure}", []).append(one.scores[place])
    number = st.column_config.NumberColumn(format="%.4g")
    config = dict.fromkeys(rows, number) | {"of all topics": st.column_config.NumberColumn(format="percent")}
    st.dataframe(rows, hide_index=True, column_config=config, alt="What each level leaves")
    said = "Means over samples, topics and runs; a topic left without a relevant document scores 0."
    if bias:
        said += (
            " The bias of infAP is its mean less AP's by all judgments, over the topics that kept a relevant "
            "document."
        )
    st.markdown(said)


def _shallow(answer: Answered) -> None:
    """Show trainings on shallower pools, a row for each depth and task."""
    if not answer.shallow:
        st.markdown("These follow once all levels are done.")
        return
    reference = answer.found.reference
    rows: dict[str, list[Any]] = {
        name: [] for name in ("pool depth", "% of judgments", "tested on", "training topics without relevant")
    }
    for one in answer.shallow:
        if one.trained_by == reference:  # the first of its depth and task
            values = one.pool_depth, one.level, one.task, one.n_lost
            for column, value in zip(list(rows.values()), values, strict=False):
                column.append(value)
        rows.setdefault(f"{reference}({one.trained_by})", []).append(one.reference_score)
    _shown(rows, "Trainings on shallower pools")
    st.markdown(
        frame.plain(
            "Judging only what some run has among its first documents, instead of a sample: one training for each "
            f"depth. {reference}(M) is {reference} on the test topics of the setting that M chose."
        )
    )


def _shown(table: Table, alt: str) -> None:
    config = {
        name: st.column_config.NumberColumn(format="%.4g")
        for name, values in table.items()
        if any(isinstance(value, float) for value in values)
    }
    st.dataframe(table, hide_index=True, column_config=config, alt=alt)
