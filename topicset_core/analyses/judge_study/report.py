"""Exports of a judge study: sentences, tables, record, and a paragraph for a paper."""

from collections.abc import Sequence

import numpy as np

from topicset_core.analyses.judge_study import ranking_report
from topicset_core.analyses.judge_study.answer import Answer, Request, judge
from topicset_core.analyses.judge_study.study import Estimate, Study, adjusted
from topicset_core.charts.chart import Chart, errors
from topicset_core.designs.judge_budget import Split, required_labels
from topicset_core.errors import NoSolution
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.colours import ACCENT, QUIET, SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.question import Question
from topicset_core.references import ANGELOPOULOS_2023, COCHRAN_1977, Reference
from topicset_core.version import __version__
from topicset_core.wording import counted, ranging

MOST_PRINTED = 10
"""Pairs that a terminal shows."""

SYMMETRIC_COVERS, SKEWED_COVERS = (0.93, 0.98), (0.85, 0.94)
PPI_SYMMETRIC_COVERS, PPI_SKEWED_COVERS = (0.85, 0.95), (0.73, 0.92)
"""Least and most coverage of 95 % intervals by regression, and by PPI++."""

COVERAGE = (
    "In simulation with 8 to 50 labels, 95 % intervals by regression cover "
    f"{ranging(SYMMETRIC_COVERS)} where differences are symmetric, and {ranging(SKEWED_COVERS)} where they are "
    f"skewed; those of PPI++ cover {ranging(PPI_SYMMETRIC_COVERS)} and {ranging(PPI_SKEWED_COVERS)}."
)

SAME_SCORES = "The {} scores equal the people's on every labelled topic: is it the same file?"
"""Asked before any result, with whose scores."""


def report(answer: Answer) -> Report:
    """Return the answer with all its exports."""
    first, best, studies, ranked = answer.first, answer.best, answer.studies, answer.rankings
    return Report(
        name="judge",
        title=f"Judge and people: {first.first} and {first.second}",
        sentence=" ".join(
            (*_question(answer), *ranking_report.ranking_sentences(answer), *sentences(first, best), COVERAGE)
        ),
        tables=[
            ReportTable("pairs", lambda: PAIRS.table(studies), "Pairs", "judge-and-people"),
            *ranking_report.ranking_tables(answer),
        ],
        results=lambda: [
            {"analysis": "judge", "judge_equals_people": answer.judge_equals_people, **fields_of(one)}
            | {"split": best if one is first else None}
            for one in studies
        ],
        text=paragraph(first, best, *ranking_report.ranking_paragraph(answer)),
        figures=lambda: [
            estimates_chart(first),
            *([ranking_report.means_chart(ranked, answer.sets)] if ranked else []),
        ],
        n_topics=min(one.judge.n_labels for one in studies),
        topics_are="labelled topics",
        request=answer.request.settings,
    )


def estimates_chart(study: Study) -> Figure:
    """Draw each estimate of the difference with its interval."""
    combined = study.combined
    rows: list[tuple[str, Estimate]] = [
        ("judge alone (biased)", combined.judge_only),
        ("people alone", combined.human_only),
        *([("PPI++ (too narrow)", combined.ppi)] if combined.ppi is not None else []),
        ("both, by regression", combined),
    ]
    random = "" if study.judge.is_random_sample else ", which does not hold: labels not at random"
    chart = Chart(
        f"{study.first} minus {study.second} is {combined.difference:+z.4f} ± {combined.half_width:.4f}{random}",
        f"difference of means, {100 * (1 - study.alpha):g} % intervals",
        "estimate",
        height=300,
    )
    for place, (name, one) in enumerate(rows):
        is_yours = place == len(rows) - 1
        colour = ACCENT if is_yours else SERIES[0]
        bar = errors([one.half_width], colour, thickness=2.5 if is_yours else 1.6, width=None)
        hover = f"{name}: %{{x:+.4f}} ± {one.half_width:.4f}"
        chart.points([one.difference], np.array([name]), None, hover, colour=colour, size=11, error_x=bar)
    chart.add_vline(x=0, line={"color": QUIET, "width": 1, "dash": "dot"})
    alt = (
        f"Difference of {study.first} and {study.second} by {counted(len(rows), 'estimate')}, with intervals."
    )
    return chart.figure("judge-estimates", alt)


def _question(answer: Answer) -> list[str]:
    """Return what comes first: whether scores that are the people's are of the same file."""
    whose = ["judge's"] if answer.judge_equals_people else []
    if answer.sets is not None and answer.sets.others_equal_people:
        whose.append("other people's")
    return [SAME_SCORES.format(one) for one in whose]


def headline(answer: Answer) -> tuple[str, str]:
    """Return agreement of rankings where judgments are known, else the difference of the first pair."""
    if answer.judge_equals_people:
        claim, _, question = _question(answer)[0].partition(": ")
        return f"{claim}:", question
    if answer.sets is not None and answer.rankings is not None:
        return ranking_report.headline(answer.rankings)
    return headline_of_pair(answer.first)


def headline_of_pair(study: Study) -> tuple[str, str]:
    """Return whether the systems differ, and the difference with its interval."""
    combined = study.combined
    if not study.judge.is_random_sample:
        return "The interval does not hold:", "labelled topics are no random sample"
    is_reliable = abs(combined.difference) > combined.half_width
    claim = "The systems differ by" if is_reliable else "No reliable difference:"
    return claim, f"{combined.difference:+z.4f} ± {combined.half_width:.4f}"


def in_short(study: Study) -> list[tuple[str, str, str]]:
    """Return the numbers next to the headline: label, value, and what to know of it."""
    judge, combined, level = study.judge, study.combined, f"{100 * (1 - study.alpha):g} % interval"
    labels = f"{judge.n_labels:,} of {counted(judge.n_topics, 'topic')}"
    if not judge.is_random_sample:
        ps = [one for one in (judge.p_mean, judge.p_variance) if one is not None]
        value = "no" if judge.were_chosen else f"p = {min(ps):.2g}"
        return [
            ("human labels", labels, ""),
            ("labels at random", value, _not_random(study).strip()),
        ]
    people, alone, (low, high) = combined.human_only, combined.judge_only, judge.intervals["rho"]
    return [
        ("people alone", f"{people.difference:+z.4f} ± {people.half_width:.4f}", f"{level}."),
        (
            "judge alone",
            f"{alone.difference:+z.4f}",
            f"On all judged topics. Judge minus people on labelled topics (bias): {judge.bias:+z.4f}.",
        ),
        (
            "correlation",
            f"{judge.rho:.3f}",
            f"Of judge and human differences; {level}: {low:.3f} to {high:.3f}.",
        ),
        ("human labels", labels, f"With the judge they count as {combined.n_effective:.1f} labels."),
    ]


def sentences(study: Study, best: Split | None = None) -> list[str]:
    """Return the answer for one pair: the difference, the judge, and how to split a budget."""
    judge, combined, level = study.judge, study.combined, 100 * (1 - study.alpha)
    low, high = judge.intervals["rho"]
    bias_low, bias_high = judge.intervals["bias"]
    human, alone = combined.human_only, combined.judge_only
    text = [
        f"{study.first} - {study.second}: {combined.difference:+z.4f} ± {combined.half_width:.4f} ({level:g} % "
        f"interval) from {counted(judge.n_topics, 'judged topic')} and "
        f"{counted(judge.n_labels, 'labelled topic')}.{_not_random(study)}",
        f"Human labels alone: {human.difference:+z.4f} ± {human.half_width:.4f}; with the judge they count as "
        f"{combined.n_effective:.1f} labels.",
        f"Judge alone, on {counted(judge.n_topics, 'judged topic')}: {alone.difference:+z.4f}. Judge minus people "
        f"on {counted(judge.n_labels, 'labelled topic')} (bias): {judge.bias:+z.4f} ({bias_low:+z.4f} to "
        f"{bias_high:+z.4f}).",
        f"Correlation of judge and human differences: {judge.rho:.3f} ({low:.3f} to {high:.3f}).",
    ]
    if combined.ppi is not None:
        text.append(
            f"For comparison, PPI++ (as in ppi_py): {combined.ppi.difference:+z.4f} ± "
            f"{combined.ppi.half_width:.4f}."
        )
    if judge.n_calls > 1 and judge.call_variance is not None and judge.stable_variance is not None:
        text.append(
            f"The judge's differences vary between calls by {judge.call_variance:.4g} (variance), and "
            f"between topics by {judge.stable_variance:.4g}."
        )
    return text if best is None else [*text, next_buy(best)]


def _not_random(study: Study) -> str:
    """Return that labelled topics are no random sample, where they are not."""
    judge = study.judge
    if judge.is_random_sample:
        return ""
    if judge.were_chosen:
        return (
            " The labelled topics are not a random sample of the judged ones, and the interval does not hold."
        )
    return (
        " The labelled topics are not a random sample of the judged ones, and the interval does not hold: the "
        f"judge's differences have another mean (p = {judge.p_mean:.2g}) or variance (p = {judge.p_variance:.2g}) "
        "there (permutation tests)."
    )


def next_buy(best: Split) -> str:
    """Return how to split a budget, in sentences."""
    if not best.worth_it:
        return (
            "The judge is not worth its price here: people alone label "
            f"{counted(best.human_only_topics, 'topic')} for this "
            f"budget, standard error {best.human_only_standard_error:.3g}; the best split with the judge has "
            f"{best.standard_error:.3g}."
        )
    return (
        f"Best split of the budget: {counted(best.n_labels, 'human label')} among "
        f"{counted(best.n_topics, 'judged topic')} with {counted(best.n_calls, 'judge call')} each, standard error "
        f"{best.standard_error:.3g}; people alone ({counted(best.human_only_topics, 'topic')}) have "
        f"{best.human_only_standard_error:.3g}."
    )


def labels_next(answer: Answer) -> str:
    """Return how many human labels detect a difference among the topics that are judged, in a sentence."""
    study, min_d, beta = answer.first, answer.request.min_d, answer.request.beta
    judge = study.judge
    aim = f"a difference of {min_d:g} between {study.first} and {study.second} with {100 * (1 - beta):g} % power"
    try:
        needed = required_labels(
            judge.n_topics,
            alpha=study.alpha,
            beta=beta,
            min_d=min_d,
            rho=adjusted(judge.rho, judge.n_labels),
            human_variance=judge.human_variance,
        )
    except NoSolution:
        return (
            f"Labels of all {counted(judge.n_topics, 'judged topic')} do not detect {aim}: judge more topics."
        )
    more = max(needed - judge.n_labels, 0)
    return (
        f"To detect {aim} among these {judge.n_topics:,} judged topics, people label {counted(needed, 'topic')}: "
        f"{more:,} more, cost {more * answer.request.cost_label:,.6g}."
    )


PAIRS = Columns[Study](
    Column("first"),
    Column("second"),
    Column("difference", "combined.difference"),
    Column("half width", "combined.half_width"),
    Column("human only", "combined.human_only.difference"),
    Column("half width, human only", "combined.human_only.half_width"),
    Column("judge only", "combined.judge_only.difference"),
    Column("bias of the judge", "judge.bias"),
    Column("rho", "judge.rho"),
    Column("effective labels", "combined.n_effective"),
    Column("p, labels at random (mean)", "judge.p_mean"),
    Column("p, labels at random (variance)", "judge.p_variance"),
)


def paragraph(
    study: Study, best: Split | None = None, before: str = "", cited: Sequence[Reference] = ()
) -> tuple[str, str]:
    """Return methods and results, in plain text and in LaTeX, behind what cites other works."""
    judge, combined = study.judge, study.combined
    at_random = ", drawn at random" if judge.is_random_sample else ""
    text = (
        f"The difference between {study.first} and {study.second} was estimated from judge scores of "
        f"{judge.n_topics} topics ({counted(judge.n_calls, 'call')} each) and human scores of {judge.n_labels} of "
        f"them{at_random}, by two-phase regression with t({judge.n_labels - 2}) {CITATION}: "
        f"{combined.difference:.4f} ± {combined.half_width:.4f} at level {100 * (1 - study.alpha):g} %."
        f"{_not_random(study)} Human and judge differences correlate "
        f"at {judge.rho:.3f}; the labels alone give {combined.human_only.difference:.4f} ± "
        f"{combined.human_only.half_width:.4f}. {'' if best is None else next_buy(best)} (Topicset {__version__})."
    )
    text = f"{before}{text}"
    works = [*cited, COCHRAN_1977, ANGELOPOULOS_2023]
    return cite_plain(text, works), cite_latex(text, works)


def _text(answer: Answer) -> list[str]:
    """Return the lines of a terminal."""
    lines = [*_question(answer), *ranking_report.document_sentences(answer.sets)]
    lines += ranking_report.ranking_sentences(answer)
    lines += [*sentences(answer.first, answer.best), *([answer.why] if answer.why else [])]
    for one in answer.studies[1:MOST_PRINTED]:
        lines += ["", *sentences(one)]
    left = answer.n_pairs - min(len(answer.studies), MOST_PRINTED)
    more = f"{counted(left, 'further pair')}: --json has those with a study, --pair chooses one."
    return [*lines, *([more] if left else []), COVERAGE, labels_next(answer)]


QUESTION = Question(
    slug="judge",
    description="The difference of two systems from many judge scores and few human labels (two-phase regression), "
    "the judge's bias, noise and agreement, and the best split of a budget. The file has columns topic, system, "
    "judge and human (empty without a label); repeated rows are judge calls. Or runs are scored by two sets of "
    "judgments, a model's and those of people for some topics; then rankings and judgments are compared, too.",
    takes="labels",
    request=Request,
    compute=lambda data, request, **_: judge(data, request),
    report=report,
    text=_text,
    details=ranking_report.record_of_rankings,
)
