"""The results of the page on tuning: the finding, one chart, and folded sections with the rest."""

from typing import Any

import streamlit as st

from pages.parts import figure, frame, link
from pages.parts.training_sensitivity.form import TrainingRequest, choose
from pages.parts.training_sensitivity.sweeps import PAGE
from pages.parts.training_sensitivity.work import TABLES
from topicset_core.analyses.training_sensitivity import (
    Answer,
    ShallowTraining,
    Sweep,
    TrainingSensitivity,
    collection_facts,
    comparisons,
    level_facts,
    paper_table,
    paper_tables,
)
from topicset_core.analyses.training_sensitivity.report import (
    View,
    complete_rows,
    designs_figure,
    designs_table,
    effectiveness_figure,
    evidence_table,
    gains_figure,
    surface_figures,
)
from topicset_core.errors import InputError
from topicset_core.exports.tables import Table
from topicset_core.wording import counted

EVALUATED_BY, TASK, SURFACE_OF, SURFACE_LEVEL = "evaluated_by", "task", "surface_of", "surface_level"
_KEPT = f"{PAGE}/answered"
_BLOCKS = {"all": "all levels", "low": "up to 10 %", "high": "above 10 %"}
_WHATS = {
    "choice": "the chosen setting",
    "sigma_diff": "σ_diff: change of effectiveness",
    "sigma_diff, scale-free": "σ_diff, scale-free",
}


def answer_of(
    training: TrainingRequest, sensitivity: TrainingSensitivity, shallow: tuple[ShallowTraining, ...]
) -> Answer:
    """Return the answer of an experiment; figures that were computed before are kept."""
    kept: Answer | None = st.session_state.get(_KEPT)
    if kept is None or kept.sensitivity is not sensitivity:
        kept = Answer(
            sensitivity=sensitivity,
            min_d=training.min_d,
            worthwhile=training.worthwhile,
            shallow=shallow,
            n_documents=training.source.n_documents,
        )
    elif (kept.min_d, kept.worthwhile) != (training.min_d, training.worthwhile):
        kept = kept.at(training.min_d, training.worthwhile)
    st.session_state[_KEPT] = kept
    return kept


def url(training: TrainingRequest, view: dict[str, str]) -> str:
    """Return the full link; it carries the question, and names the sweep."""
    return link.write(dict(training.written) | view | {link.DATA: str(training.source.stamp)})


def view_of(answer: Answer, view: dict[str, str]) -> View:
    """Return which data figures show, as the user chose."""
    return View(
        evaluated_by=view[EVALUATED_BY],
        task=view[TASK],
        measure=view[SURFACE_OF],
        level=next(one for one in answer.sensitivity.levels if f"{one:g}" == view[SURFACE_LEVEL]),
    )


def show_summary(answer: Answer, sweep: Sweep) -> None:
    """Write the finding and its evidence."""
    result, finding = answer.sensitivity, answer.recommendation
    headline = frame.plain(finding.headline)
    for measure in finding.measures:
        headline = headline.replace(frame.plain(measure), f":primary[{frame.plain(measure)}]", 1)
    with st.container(key="answer", gap="xxsmall"):
        frame.headline(f"{headline}")
        st.markdown(frame.plain(finding.sentence))
    swept = ", ".join(result.settings.parameters)
    of_what = f" of {swept}" if swept else " without parameter values"
    sizes = " and ".join(f"{len(task.training)}" for task in result.tasks[:2])
    with st.container(key="sweep"):
        st.markdown(
            frame.plain(
                f"{counted(len(result.settings.systems), 'setting')}{of_what}; trained on {sizes} topics, "
                f"tested on the others, in {counted(len(result.tasks), 'training')}; {result.request.n_samples} "
                f"samples of judgments at each of {counted(len(result.levels), 'level')}, seed "
                f"{result.request.seed}."
            )
        )
    for sentence in result.notes[:1] if sweep.assumed_depth else ():
        st.info(frame.plain(sentence))


def show_gains(answer: Answer) -> dict[str, str]:
    """Draw the gains; return the measure that the user chose."""
    evaluated_by = choose(EVALUATED_BY, answer.sensitivity.measures, "Evaluated on the test topics by")
    figure.show(gains_figure(answer, evaluated_by, frame.chart_mode()), of=PAGE)
    return {EVALUATED_BY: evaluated_by}


def show(answer: Answer, training: TrainingRequest, view: dict[str, str]) -> dict[str, str]:
    """Draw the folded sections; return all choices of the user."""
    levels = counted(len(answer.sensitivity.levels), "level")
    with frame.folded("Evidence", "gains, confidence intervals and p values"):
        _evidence(answer)
    with frame.folded("Topics or judgments?", frame.plain(_cheapest_in_short(answer))):
        _designs(answer)
    with frame.folded("Scores in training", "by setting, with all and with fewer judgments"):
        view = view | _surfaces(answer, view)
    with frame.folded("Tables of He, Macdonald and Ounis", "tables 2 to 5 and figure 2, for this sweep"):
        _tables(answer, view[EVALUATED_BY], training)
    with frame.folded("Levels", f"judged and relevant documents per topic at {levels}"):
        _levels(answer)
    with frame.folded("Shallower pools", "training on the first documents of each run"):
        _shallow(answer)
    return view


def _cheapest_in_short(answer: Answer) -> str:
    """Return the first claim of the sentence on costs."""
    return answer.cheapest.partition(", ")[2].partition(":")[0].partition(". ")[0].rstrip(".")


def _evidence(answer: Answer) -> None:
    """Show the evidence for the finding, and the paper's p value."""
    reference = answer.sensitivity.reference
    _shown(evidence_table(answer), "Gains with few and with more judgments")
    st.markdown(
        frame.plain(
            f"Gain: test {reference} after training by the measure, minus test {reference} after training by "
            f"{reference}. The interval and p value over topics include the variation over topics and over "
            "samples of judgments, adjusted for all measures. The p value of the paper is a Wilcoxon test over "
            "samples of judgments with Holm's adjustment. It is valid for these topics only, and shrinks with "
            "more samples."
        )
    )


def _surfaces(answer: Answer, view: dict[str, str]) -> dict[str, str]:
    """Draw training scores for the task, measure and level that the user chooses; return the choice."""
    result = answer.paper
    levels = {f"{level:g}": level for level in result.levels}
    columns = st.columns(3)
    with columns[0]:
        task = choose(TASK, [one.name for one in result.tasks], "Tested on")
    with columns[1]:
        measure = choose(SURFACE_OF, result.alternatives, f"Compared with {result.reference}", answer.yours)
    with columns[2]:
        level = choose(SURFACE_LEVEL, list(levels), "Level, % of the judgments")
    chosen = {TASK: task, SURFACE_OF: measure, SURFACE_LEVEL: level}
    figure.show(*surface_figures(answer, view_of(answer, view | chosen), frame.chart_mode()), of=PAGE)
    return chosen


def _designs(answer: Answer) -> None:
    """Show whether to use fewer documents or fewer topics."""
    st.markdown(frame.plain(answer.cheapest))
    if answer.has_designs:
        figure.show(designs_figure(answer, frame.chart_mode()), of=PAGE)
        st.markdown(
            f"Each line is for a difference of {answer.min_d:g} in its own measure. Compare levels along a line, "
            "not lines with each other."
        )
    _shown(designs_table(answer.designs), "Topics and judgments at every level")


def _tables(answer: Answer, evaluated_by: str, training: TrainingRequest) -> None:
    """Show tables 2 to 5 and figure 2."""
    result = answer.paper
    st.markdown(f"**Tables 2 and 3:** mean {frame.plain(result.reference)} on the test topics, all judgments")
    st.dataframe(complete_rows(result), hide_index=True, alt="Effectiveness with all judgments")
    st.markdown(
        frame.plain(
            f"{result.reference}, trained by bpref: test {result.reference} of the setting chosen by bpref. "
            f"> marks a significant difference from training by {result.reference} (Wilcoxon's signed-ranks test "
            "over test topics, p ≤ .05)."
        )
    )
    _whole_tables(training)
    _stability(result)
    st.markdown("**Figure 2**")
    figure.show(effectiveness_figure(answer, evaluated_by, frame.chart_mode()), of=PAGE)


def _whole_tables(training: TrainingRequest) -> None:
    """Show tables 2 and 3 with all models for a collection, or the button that computes them."""
    collection, request, tasks = training.source.collection, training.request, training.tasks[:2]
    if collection is None:
        st.markdown(
            ":small[If you upload a small collection, BM25 and PL2 are shown without and with query expansion.]"
        )
        return
    key = (collection.name, len(collection.documents), request, tasks)
    blocks = TABLES.result(key)
    if blocks is not None:
        st.dataframe(paper_table(blocks), hide_index=True, alt="Tables 2 and 3 of the paper")
        return
    TABLES.follow()
    if not TABLES.is_about(key):
        title = "BM25 and PL2, without and with query expansion"
        st.button(
            "Compute all of tables 2 and 3, about 2 minutes",
            key=f"{PAGE}/paper",
            on_click=lambda: TABLES.start(
                key,
                title,
                lambda run: paper_tables(
                    collection, lambda _: tasks, request, report_progress=run.report_progress
                ),
            ),
            help=f"{title}, tested on the two sets of topics of the first split",
        )


def _stability(sensitivity: TrainingSensitivity) -> None:
    """Show tables 4 and 5: more, less and equally stable than the reference."""
    st.markdown("**Tables 4 and 5:** stability over samples of judgments")
    rows: dict[str, list[str]] = {name: [] for name in ("compared", "measure", *_BLOCKS.values())}
    cells = comparisons(sensitivity)
    for place in range(0, len(cells), len(_BLOCKS)):
        three = cells[place : place + len(_BLOCKS)]
        rows["compared"].append(_WHATS.get(three[0].what, three[0].what.replace("sigma_opt", "σ_opt")))
        rows["measure"].append(three[0].measure)
        for one in three:
            rows[_BLOCKS[one.block]].append(one.test.text)
    st.dataframe(rows, hide_index=True, alt="Sign tests of stability")
    st.markdown(
        frame.plain(
            "Number of level × task cases in which the measure is more / less stable than "
            f"{sensitivity.reference}; ≫ "
            "and ≪ mark p ≤ .01, > and < p ≤ .05 (sign tests, two-sided). σ_opt is the standard deviation of "
            "the chosen value, σ_diff the standard deviation of the difference in effectiveness. Measures "
            "with smaller scores have a smaller σ_diff, so the scale-free σ_diff is divided by the standard "
            "deviation over the settings."
        )
    )


def _levels(answer: Answer) -> None:
    """Show table 1, and the judgments at each level."""
    result = answer.sensitivity
    try:
        facts = collection_facts(result, answer.n_documents)
    except InputError:  # the sweep has documents that the collection lacks
        facts = collection_facts(result)
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
    every = level_facts(result)
    rows: dict[str, list[Any]] = {
        "% of judgments": [one.level for one in every],
        "judged per topic": [one.judged_per_topic for one in every],
        "relevant per topic": [one.relevant_per_topic for one in every],
        "topics without relevant": [one.lost_topics for one in every],
        "of all topics": [one.lost_share for one in every],
    }
    text = "Means over samples, topics and runs. A topic without a remaining relevant document scores 0."
    if {"infAP", "AP"} <= set(result.measures):
        rows["infAP bias"] = [one.bias_of("infAP", "AP", result.measures) for one in every]
        text += (
            " The bias of infAP is its mean minus the mean AP with all judgments, over topics with a relevant "
            "document."
        )
    for place, measure in enumerate(result.measures):
        rows[f"mean {measure}"] = [one.scores[place] for one in every]
    _shown(rows, "Judgments at each level", {"of all topics": "percent"})
    st.markdown(text)


def _shallow(answer: Answer) -> None:
    """Show trainings on shallower pools, one row per depth and task."""
    if not answer.shallow:
        st.markdown("These results follow when all levels are done.")
        return
    reference = answer.sensitivity.reference
    first = {task.name for task in answer.paper.tasks}
    trainings = [one for one in answer.shallow if one.task in first]
    own = [one for one in trainings if one.trained_by == reference]  # one of each depth and task
    rows: dict[str, list[Any]] = {
        "pool depth": [one.pool_depth for one in own],
        "% of judgments": [one.level for one in own],
        "tested on": [one.task for one in own],
        "training topics without relevant": [one.n_lost for one in own],
    }
    for one in trainings:
        rows.setdefault(f"{reference}, trained by {one.trained_by}", []).append(one.reference_score)
    _shown(rows, "Trainings on shallower pools")
    st.markdown(
        frame.plain(
            "Here only the first documents of each run are judged, instead of a random sample: one training per "
            "depth."
        )
    )


def _shown(table: Table, alt: str, formats: dict[str, str] | None = None) -> None:
    config = {
        name: st.column_config.NumberColumn(format=(formats or {}).get(name, "%.4g"))
        for name, values in table.items()
        if any(isinstance(value, float) for value in values)
    }
    st.dataframe(table, hide_index=True, column_config=config, alt=alt)
