"""Exports of a judge study: findings, tables, record and figures."""

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from topicset_core.analyses.judge_study import ranking_report
from topicset_core.analyses.judge_study.answer import Answer, Request, judge
from topicset_core.analyses.judge_study.study import Estimate, Study, adjusted
from topicset_core.charts.chart import Chart, errors
from topicset_core.designs.judge_budget import Split, required_labels
from topicset_core.errors import NoSolution
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET, SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import fields_of
from topicset_core.exports.report import Report, ReportTable
from topicset_core.question import Question
from topicset_core.references import ANGELOPOULOS_2023, COCHRAN_1977, MOGSTAD_2024
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

_SAME = "The {}'s scores equal the people's on every labelled topic"
"""Asked about before any result."""


def report(answer: Answer) -> Report:
    """Return the answer with all its exports."""
    first, studies = answer.first, answer.studies
    return Report(
        name="judge",
        title=f"Judge and people: {first.first} and {first.second}",
        findings=findings(answer),
        works=[*([MOGSTAD_2024] if answer.rankings else []), COCHRAN_1977, ANGELOPOULOS_2023],
        tables=[
            ReportTable("pairs", lambda: PAIRS.table(studies), "Pairs", "judge-and-people"),
            *ranking_report.ranking_tables(answer),
        ],
        results=lambda: [
            {"analysis": "judge", "judge_equals_people": answer.judge_equals_people, **fields_of(study)}
            | {"split": answer.best if study is first else None}
            for study in studies
        ],
        figures=lambda: charts(answer),
        n_topics=min(study.judge.n_labels for study in studies),
        topics_are="labelled topics",
        request=answer.request.settings,
    )


def findings(answer: Answer) -> list[Finding]:
    """Return rankings and the first pair, that of the headline first, and what to label next."""
    rankings, sets, of_runs = answer.rankings, answer.sets, answer.is_of_runs
    said = []
    if answer.judge_equals_people:
        said.append(headline(f"{_SAME.format('judge')}: ", "is it the same file?", also_on="export terminal"))
    elif of_runs and rankings is not None:
        said.append(ranking_report.ranking_headline(rankings))
    else:
        said.append(_headline(answer.first))
    if sets is not None and sets.others_equal_people:
        said.append(Finding(f"{_SAME.format('other people')}: is it the same file?", "page export terminal"))
    said += [] if of_runs else _tiles(answer.first)
    said += [*ranking_report.ranking_tiles(answer), Finding(_origin(answer), "paper")]
    pair, ranks = list(_of_pair(answer.first)), list(ranking_report.ranking_findings(answer))
    parts = [("", ranks), ("Two systems", pair)] if of_runs else [("", pair), ("Rankings", ranks)]
    parts.append(("What to label next", list(_next(answer))))
    return [*said, *(replace(finding, tab=tab) for tab, part in parts for finding in part)]


def charts(answer: Answer) -> list[Figure]:
    """Return the figures of the first pair and of all systems, that of the headline first."""
    figures = [estimates_chart(answer.first)]
    if answer.rankings is not None:
        figures.insert(
            0 if answer.is_of_runs else 1, ranking_report.means_chart(answer.rankings, answer.sets)
        )
    return figures


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
    for place, (name, estimate) in enumerate(rows):
        is_yours = place == len(rows) - 1
        colour = ACCENT if is_yours else SERIES[0]
        bar = errors([estimate.half_width], colour, thickness=2.5 if is_yours else 1.6, width=None)
        hover = f"{name}: %{{x:+.4f}} ± {estimate.half_width:.4f}"
        chart.points(
            [estimate.difference], np.array([name]), None, hover, colour=colour, size=11, error_x=bar
        )
    chart.add_vline(x=0, line={"color": QUIET, "width": 1, "dash": "dot"})
    alt = (
        f"Difference of {study.first} and {study.second} by {counted(len(rows), 'estimate')}, with intervals."
    )
    return chart.figure("judge-estimates", alt)


def _headline(study: Study) -> Finding:
    """Return which system scores higher, by how much with the interval, or that neither is shown to."""
    combined = study.combined
    if not study.judge.is_random_sample:
        return headline("The interval does not hold: ", "labelled topics are no random sample")
    if abs(combined.difference) <= combined.half_width:
        return headline(
            f"No reliable difference between {study.first} and {study.second}: ", combined.in_words
        )
    higher, lower = (study.first, study.second)[:: 1 if combined.difference > 0 else -1]
    gain = replace(combined, difference=abs(combined.difference))
    return headline(f"{higher} scores higher than {lower} by ", gain.in_words)


def _tiles(study: Study) -> Iterator[Finding]:
    """Yield the numbers beside the headline."""
    judge, combined, level = study.judge, study.combined, f"{100 * (1 - study.alpha):g} % interval"
    labels = f"{judge.n_labels:,} of {counted(judge.n_topics, 'topic')}"
    if not judge.is_random_sample:
        ps = [p for p in (judge.p_mean, judge.p_variance) if p is not None]
        yield tile("human labels", labels)
        yield tile("labels at random", "no" if judge.were_chosen else f"p = {min(ps):.2g}")
        return
    low, high = judge.intervals["rho"]
    yield tile("people alone", combined.human_only.in_words, f"{level}.")
    bias = f"Judge minus people on labelled topics (bias): {judge.bias:+z.4f}."
    yield tile("judge alone", f"{combined.judge_only.difference:+z.4f}", f"On all judged topics. {bias}")
    note = f"Of differences by the judge and by people; {level}: {low:.3f} to {high:.3f}."
    yield tile("correlation", f"{judge.rho:.3f}", note)
    yield tile("human labels", labels)


def _origin(answer: Answer) -> str:
    """Return which scores there are, and how the difference was estimated."""
    study, judge = answer.first, answer.first.judge
    at_random = ", drawn at random" if judge.is_random_sample else ""
    resolved = ", and all pairs were resolved by sign flips" if answer.rankings else ""
    return (
        f"The difference between {study.first} and {study.second} was estimated from judge scores of "
        f"{judge.n_topics} topics ({counted(judge.n_calls, 'call')} each) and human scores of {judge.n_labels} of "
        f"them{at_random}, by two-phase regression with t({judge.n_labels - 2}){resolved} {CITATION} (Topicset "
        f"{__version__})."
    )


def _of_pair(study: Study) -> Iterator[Finding]:
    """Yield the difference of a pair, and how the judge agrees with people on it."""
    judge, combined = study.judge, study.combined
    low, high = judge.intervals["rho"]
    bias_low, bias_high = judge.intervals["bias"]
    judged, labels = counted(judge.n_topics, "judged topic"), counted(judge.n_labels, "labelled topic")
    yield Finding(
        f"{study.first} minus {study.second} is {combined.in_words} ({100 * (1 - study.alpha):g} % interval), from "
        f"{judged} and {labels}.{_not_random(study)}",
    )
    yield Finding(
        f"Human labels alone give {combined.human_only.in_words}; with the judge they count as "
        f"{combined.n_effective:.1f} labels.",
    )
    yield Finding(
        f"The judge alone gives {combined.judge_only.difference:+z.4f} on {judged}. Its bias "
        f"(judge minus people on {labels}) is {judge.bias:+z.4f} ({bias_low:+z.4f} to {bias_high:+z.4f})."
    )
    yield Finding(f"Human and judge differences correlate at {judge.rho:.3f} ({low:.3f} to {high:.3f}).")
    if combined.ppi is not None:
        compared = f"For comparison, PPI++ (as in ppi_py) gives {combined.ppi.in_words}."
        yield Finding(compared, "page export terminal")
    if judge.call_variance is not None and judge.stable_variance is not None:
        yield Finding(
            f"The judge's differences vary between calls by {judge.call_variance:.4g} (variance), and "
            f"between topics by {judge.stable_variance:.4g}."
        )
    yield Finding(COVERAGE, "page export terminal")


def _not_random(study: Study) -> str:
    """Return that labelled topics are no random sample, where they are not."""
    judge = study.judge
    if judge.is_random_sample:
        return ""
    text = " The labelled topics are not a random sample of the judged ones, and the interval does not hold"
    if judge.were_chosen:
        return f"{text}."
    return (
        f"{text}: the judge's differences have another mean (p = {judge.p_mean:.2g}) or variance (p = "
        f"{judge.p_variance:.2g}) there (permutation tests)."
    )


def _next(answer: Answer) -> Iterator[Finding]:
    """Yield how to split a budget, and how many labels detect a difference."""
    plans = [_labels_next(answer)]
    if answer.best is None:
        yield Finding(answer.why, "page export terminal")
    else:
        yield Finding(_split(answer.best))
    if answer.rankings is not None:
        plans.append(ranking_report.labels_for_top(answer, answer.rankings))
    yield from (Finding(text, "page export terminal") for text in plans)


def _split(best: Split) -> str:
    """Return how to split a budget."""
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


def _labels_next(answer: Answer) -> str:
    """Return how many human labels detect a difference among the topics that are judged."""
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
    Column("difference", "combined.difference", form="+.4f"),
    Column("half width", "combined.half_width", form=".4f"),
    Column("interval", lambda study: "holds" if study.judge.is_random_sample else "does not hold", on="st"),
    Column("human only", "combined.human_only.difference", form="+.4f"),
    Column("half width, human only", "combined.human_only.half_width", form=".4f"),
    Column("judge only", "combined.judge_only.difference", form="+.4f"),
    Column("bias of the judge", "judge.bias", form="+.4f"),
    Column("rho", "judge.rho", form=".3f"),
    Column("effective labels", "combined.n_effective", form=".1f"),
    Column("p, labels at random (mean)", "judge.p_mean", on="fs", form=".3f"),
    Column("p, labels at random (variance)", "judge.p_variance", on="fs", form=".3f"),
)


def _text(answer: Answer) -> list[str]:
    """Return the lines of the table of pairs in a terminal; the first pair alone has none."""
    if answer.n_pairs == 1:
        return []
    left = answer.n_pairs - min(len(answer.studies), MOST_PRINTED)
    more = f"{counted(left, 'further pair')}: --json has those with a study, --pair chooses one."
    return ["", *PAIRS.text(answer.studies[:MOST_PRINTED]), *([more] if left else []), ""]


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
