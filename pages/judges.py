"""How large is the difference if a judge scores, or systems have seeds, and what should be bought next?"""

from itertools import permutations

import streamlit as st

from pages.parts import export_drawer, figure, frame, link
from pages.parts import judges as form
from pages.parts.form import Choice
from topicset_core.analyses.judge_study import report as judge_report
from topicset_core.analyses.judge_study import study
from topicset_core.analyses.repeats import answer
from topicset_core.analyses.repeats import report as repeats_report
from topicset_core.collection.paired_labels import PairedLabels
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.judge_budget import split
from topicset_core.errors import InputError, NoSolution
from topicset_core.parameters import ALPHA, BETA, MIN_D
from topicset_core.variance.replicates import Kind

frame.begin("judges")
left, right = frame.form_and_answer()
form.FORM.start()


def _show_repeats(scores: ReplicatedScores, kind: Kind, values: dict[str, float]) -> None:
    """Show what to buy, the right tests, and the components."""
    names = ("alpha", "beta", "min_d", "cost_topic", "cost_seed", "cost_cell")
    result = answer(scores, kind, **{name: values[name] for name in names})
    best = result.optimum.best if result.optimum else None
    unit = repeats_report.UNITS[kind]
    with st.container(key="answer", gap="xxsmall"):
        if best is None or best.n_topics is None:
            frame.headline(f"No number of topics and {unit}s is enough")
        else:
            several = "" if best.n_repeats == 1 else "s"
            frame.headline(
                f"Buy :primary[{best.n_topics:,} topics, {best.n_repeats:,} {unit}{several}] per system"
            )
        st.markdown(frame.plain(repeats_report.next_buy(result)))
    for one in (repeats_report.data_sentence(result), *repeats_report.findings(result)):
        st.markdown(frame.plain(one))
    url = link.write(
        {name: values[name] for name in names}
        | {form.ABOUT.name: "repeats", form.KIND.name: kind, link.DATA: str(form.stamp(scores))}
    )
    link.offer(url)
    if result.optimum is not None:
        figure.show(repeats_report.topics_by_repeats(result))
    export_drawer.draw(repeats_report.report(result, link=url))
    st.markdown("**Pairs of systems**")
    st.dataframe(repeats_report.pair_table(result), hide_index=True, width="content", alt="Tests of pairs")
    for one in repeats_report.untested(result):
        st.markdown(frame.plain(one))
    with st.expander("Variance components"):
        st.dataframe(repeats_report.component_table(result), hide_index=True, alt="Variance components")


def _show_judge(labels: PairedLabels, first: str, second: str, values: dict[str, float]) -> None:
    """Show the difference, the judge, and how to split the budget."""
    result = study(labels, first, second, alpha=values["alpha"])
    costs = {name: values[name] for name in ("budget", "cost_label", "cost_topic", "cost_call")}
    try:
        best = split(judge_report.requirements_of(result, **costs))
        next_buy = judge_report.next_buy(best)
    except NoSolution as error:
        best, next_buy = None, f"{error}."
    with st.container(key="answer", gap="xxsmall"):
        claim, difference = judge_report.headline(result)
        frame.headline(f"{claim} :primary[{difference}]")
        whole, *text = judge_report.sentences(result)
        st.markdown(frame.plain(whole))
    st.markdown(f"**{frame.plain(next_buy)}**")
    st.markdown(frame.plain(judge_report.labels_next(result, values[MIN_D.name], values[BETA.name])))
    chosen: dict[str, link.Value] = {
        link.DATA: str(form.stamp(labels)),
        form.ABOUT.name: "judge",
        form.FIRST.name: first,
        form.SECOND.name: second,
    }
    shared = {name: values[name] for name in (ALPHA.name, BETA.name, MIN_D.name)}
    url = link.write(shared | costs | chosen)
    link.offer(url)
    figure.show(judge_report.estimates_chart(result))
    studies = [result]
    for one, other in permutations(labels.systems, 2):
        if labels.systems.index(one) < labels.systems.index(other) and {one, other} != {first, second}:
            studies.append(study(labels, one, other, alpha=values["alpha"]))
    export_drawer.draw(judge_report.report(studies, best, link=url))
    for one in (*text, judge_report.COVERAGE):
        st.markdown(frame.plain(one))
    with st.expander("All pairs"):
        st.dataframe(judge_report.pair_table(studies), hide_index=True, alt="All pairs of systems")


with left:
    about = form.FORM.draw(form.ABOUT)
    scores = form.scores(about)
    systems = list(scores.systems)
    if about == "repeats":
        chosen = {form.KIND.name: form.FORM.draw(form.KIND)}
    else:
        usual = systems[1]
        first = form.FORM.draw(Choice(form.FIRST.name, form.FIRST.label, systems, usual=usual))
        others = [one for one in systems if one != first]
        chosen = {
            "first": first,
            "second": form.FORM.draw(Choice(form.SECOND.name, form.SECOND.label, others)),
        }
    values = form.numbers(about)

with right:
    link.check(form.digests(), "pages/judges.py", is_sample=frame.on_sample())
    try:
        if isinstance(scores, ReplicatedScores):
            _show_repeats(scores, chosen[form.KIND.name], values)  # type: ignore[arg-type]
        else:
            _show_judge(scores, chosen["first"], chosen["second"], values)
    except InputError as error:
        frame.refuse(frame.plain(f"These scores have no answer: {error.parameter} {error.rule}."))
        st.stop()
    frame.explain("judges")
