"""How large is the difference if a judge scores, or systems have seeds, and what should be bought next?"""

from pages.parts import export_drawer, figure, frame, link, needed
from pages.parts import judges as form
from pages.parts.computation import once
from topicset_core.analyses.judge_study import Answer, TwoSets, judge, ranking_report
from topicset_core.analyses.judge_study import Request as JudgeRequest
from topicset_core.analyses.judge_study import report as judge_report
from topicset_core.analyses.judge_study.rankings import TAU_NOTE
from topicset_core.analyses.repeats import Request as RepeatsRequest
from topicset_core.analyses.repeats import answer
from topicset_core.analyses.repeats import report as repeats_report
from topicset_core.collection.replicated_scores import PairedLabels, ReplicatedScores

frame.begin("judges")
left, right = frame.form_and_answer()
form.FORM.start()


def _show_repeats(scores: ReplicatedScores, request: RepeatsRequest, url: str) -> None:
    """Show what to buy, the right tests, and the components."""
    result = answer(scores, request)
    exported = repeats_report.report(result)
    if result.optimum is not None:
        figure.show(repeats_report.topics_by_repeats(result))
    frame.show_answer(exported)
    link.offer(url)
    export_drawer.draw(exported, link=url)
    passes = repeats_report.passes(result)
    evidence, pairs, components, *tries = frame.tabs(
        "Answer", "Pairs", "Variance components", *(["All of k tries"] if passes else [])
    )
    with evidence:
        frame.show_findings(exported)
    if frame.is_drawn(pairs):
        with pairs:
            frame.table(repeats_report.PAIRS.table(result.pairs), alt="Tests of pairs", width="content")
            frame.show_findings(exported, "Pairs", key="untested")
    if frame.is_drawn(components):
        with components:
            rows = repeats_report.component_rows(result)
            frame.table(*repeats_report.COMPONENTS.screen(rows), alt="Variance components")
    if tries and frame.is_drawn(tries[0]):
        with tries[0]:
            frame.table(
                *repeats_report.TRIES.screen(passes), alt="Passing in all of k tries", width="content"
            )


def _show_judge(data: PairedLabels | TwoSets, request: JudgeRequest, url: str) -> None:
    """Show the agreement of rankings, where judgments are known, the difference, and how to split the budget."""
    result = once(("judge", data.digest, request), lambda: judge(data, request, others_too=True))
    exported = judge_report.report(result)
    main, *more = judge_report.charts(result)
    figure.show(main)
    frame.show_answer(exported)
    link.offer(url)
    export_drawer.draw(exported, link=url)
    names = ["Rankings", "Two systems"] if result.is_of_runs else ["Answer", "Rankings"]
    first, second, budget, pairs = frame.tabs(*names, "What to label next", "All pairs")
    with first:
        frame.show_findings(exported)
    if frame.is_drawn(second):
        with second:
            frame.show_findings(exported, names[1], key="more")
            if result.is_of_runs:
                figure.show(*more)
    ranks = first if result.is_of_runs else second
    if result.is_of_runs or frame.is_drawn(second):
        with ranks:
            _show_tables(result)
    if frame.is_drawn(budget):
        with budget:
            frame.show_findings(exported, "What to label next", key="next")
    if frame.is_drawn(pairs):
        with pairs:
            frame.table(*judge_report.PAIRS.screen(result.studies), alt="All pairs of systems")


def _show_tables(result: Answer) -> None:
    """Show documents by grade, and ranks of systems."""
    if result.sets is not None:
        grades = ranking_report.confusion(result.sets.documents)
        frame.table(grades, alt="Documents by grade of people and of the model", width="content")
    if result.rankings is not None:
        table = ranking_report.SYSTEMS.screen(ranking_report.systems(result.rankings))
        frame.table(*table, alt="Ranks by the judge and with people's labels", width="content")


with left:
    about = form.FORM.draw(form.ABOUT)
    with frame.refusing("These judgments have no answer: {0.parameter} {0.rule}.".format):
        scores = form.scores(about)

with right:  # before the fields have names of the sample's systems
    link.check(form.digests() | {form.stamp(scores).digest}, "pages/judges.py", is_sample=frame.on_sample())
    needed.check("two judges" if about == "runs" else about)

with left:
    pair = form.draw_choices(scores)
    values = form.numbers(about)
    url = form.url(about, scores, pair)

with right:
    with frame.refusing("These scores have no answer: {0.parameter} {0.rule}.".format):
        if isinstance(scores, ReplicatedScores):
            _show_repeats(scores, form.FORM.request(RepeatsRequest, values), url)
        else:
            _show_judge(
                scores, form.FORM.request(JudgeRequest, values, pair=pair, marked=form.marked(scores)), url
            )
    frame.explain("judges", tau_note=TAU_NOTE, equal_systems=ranking_report.EQUAL_SYSTEMS)
