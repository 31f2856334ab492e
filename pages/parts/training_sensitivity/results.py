"""What the training sensitivity page shows: what to train by, figures, tables, topics."""

from typing import Any

import streamlit as st

from pages.parts import figure, frame, link
from pages.parts.training_sensitivity.form import TrainingRequest, choose
from pages.parts.training_sensitivity.sweeps import PAGE
from topicset_core.analyses.training_sensitivity import (
    Answer,
    ShallowTraining,
    Sweep,
    TrainingSensitivity,
    collection_facts,
    comparisons,
    complete_comparisons,
    level_facts,
)
from topicset_core.analyses.training_sensitivity.report import (
    View,
    designs_figure,
    designs_table,
    effectiveness_figure,
    surface_figures,
)
from topicset_core.errors import InputError
from topicset_core.exports.csv_table import Table
from topicset_core.wording import counted

EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL = "evaluated_by", "task", "surface_of", "surface_level"
_KEPT = f"{PAGE}/answered"
_BLOCKS = {"all": "all levels", "low": "up to 10 %", "high": "above 10 %"}
_WHATS = {
    "choice": "the choice itself",
    "sigma_diff": "σ_diff: what the choice changes",
    "sigma_diff, scale-free": "σ_diff, scale-free",
}


def answer_of(
    asked: TrainingRequest, found: TrainingSensitivity, shallow: tuple[ShallowTraining, ...]
) -> Answer:
    """Return what follows from an experiment, with all that was made of it before.

    Parameters
    ----------
    asked : TrainingRequest
        What the form asks.
    found : TrainingSensitivity
        The answer, or its first levels.
    shallow : tuple of ShallowTraining
        Trainings on shallower pools; none yet where levels are missing.
    """
    kept: Answer | None = st.session_state.get(_KEPT)
    if kept is None or kept.found is not found:
        kept = Answer(found=found, min_d=asked.min_d, shallow=shallow, n_documents=asked.source.n_documents)
    elif kept.min_d != asked.min_d:
        kept = kept.at(asked.min_d)
    st.session_state[_KEPT] = kept
    return kept


def url(asked: TrainingRequest, looked: dict[str, str]) -> str:
    """Return the full link; it carries the question, not the sweep."""
    return link.write(dict(asked.written) | looked)


def view_of(answer: Answer, looked: dict[str, str]) -> View:
    """Return what figures look at, from what the user chose."""
    return View(
        evaluated_by=looked[EVALUATED_BY],
        task=looked[TASK],
        measure=looked[SURFACE_OF],
        level=next(one for one in answer.found.levels if f"{one:g}" == looked[SURFACE_LEVEL]),
    )


def say(answer: Answer, sweep: Sweep) -> None:
    """Write what to train by and why."""
    found = answer.found
    with st.container(key="answer", gap="xxsmall"):
        when = "On few judgments, train by" if answer.recommendation.low else "Train by"
        st.markdown(f"# {when} :primary[{frame.plain(answer.recommendation.measure)}]")
        st.markdown(frame.plain(answer.recommendation.sentence))
    swept = ", ".join(found.settings.parameters)
    of_what = f" of {swept}" if swept else " (runs without parameter values)"
    sizes = " and ".join(f"{len(task.training)}" for task in found.tasks[:2])
    with st.container(key="sweep"):
        st.markdown(
            frame.plain(
                f"{counted(len(found.settings.systems), 'setting')}{of_what}; trained on {sizes} topics in "
                f"{counted(len(found.tasks), 'task')}, tested on the others; {found.request.n_samples} samples at "
                f"each of {counted(len(found.levels), 'level')}, seed {found.request.seed}."
            )
        )
    assumed = found.notes[:1] if sweep.assumed_depth else ()
    for sentence in assumed:
        st.info(frame.plain(sentence))


def show_effectiveness(answer: Answer) -> dict[str, str]:
    """Draw figure 2 for the measure on the test topics that the user chooses; return the choice."""
    measures = answer.found.measures
    evaluated_by = choose(EVALUATED_BY, measures, "Measured on the test topics by")
    chart, alt = effectiveness_figure(answer, evaluated_by, frame.chart_mode())
    figure.show(chart, key="effectiveness", name="training-sensitivity-effectiveness", alt=alt)
    return {EVALUATED_BY: evaluated_by}


def show_surfaces(answer: Answer) -> dict[str, str]:
    """Draw what training sees, for the task, measure and level that the user chooses; return the choice."""
    found = answer.found
    levels = {f"{level:g}": level for level in found.levels}
    st.subheader("What training sees", anchor=False)
    columns = st.columns(3)
    with columns[0]:
        task = choose(TASK, [one.name for one in found.tasks], "Tested on")
    with columns[1]:
        measure = choose(SURFACE_OF, found.alternatives, f"Beside {found.reference}", answer.yours)
    with columns[2]:
        level = choose(SURFACE_LEVEL, list(levels), "Level, % of the judgments")
    looked = {TASK: task, SURFACE_OF: measure, SURFACE_LEVEL: level}
    charts = surface_figures(
        answer, view_of(answer, looked | {EVALUATED_BY: found.reference}), frame.chart_mode()
    )
    for (chart, alt), name in zip(charts, ("surface", "scatter", "agreement"), strict=False):
        figure.show(chart, key=name, name=f"training-sensitivity-{name}", alt=alt)
    return looked


def show_designs(answer: Answer) -> None:
    """Say and draw whether to judge fewer documents or fewer topics."""
    st.subheader("Fewer judgments a topic, or fewer topics?", anchor=False)
    st.markdown(frame.plain(answer.cheapest))
    if answer.has_designs:
        chart, alt = designs_figure(answer, frame.chart_mode())
        figure.show(chart, key="judgments", name="training-sensitivity-judgments", alt=alt)
        st.markdown(
            f"Each line asks for a difference of {answer.min_d:g} of its own measure, so compare levels "
            "along a line, not one line with another."
        )


def show_tables(answer: Answer) -> None:
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


def show_designs_table(answer: Answer) -> None:
    """Show topics and judgments of every level."""
    with st.expander("Every level and measure"):
        _shown(designs_table(answer.designs), "Topics and judgments at every level")


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
            rows[_BLOCKS[one.block]].append(one.test.text)
    st.dataframe(rows, hide_index=True, alt="Sign tests of stability")
    st.markdown(
        frame.plain(
            f"In how many levels and tasks a measure is more / less stable than {found.reference} over the samples "
            "of a level; ≫ and ≪ mark p ≤ .01, > and < p ≤ .05 (sign tests, two-sided). σ_opt is the standard "
            "deviation of the value chosen, σ_diff that of the difference in effectiveness; a measure with smaller "
            "scores wins at σ_diff for that alone, so the scale-free one divides by the spread of the settings."
        )
    )


def _levels(answer: Answer) -> None:
    """Show table 1, and what is left at each level."""
    found = answer.found
    try:
        facts = collection_facts(found, answer.n_documents)
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


def _shallow(answer: Answer) -> None:
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
