"""Rankings by a judge and by people, their judgments of documents, and all pairs at once: sentences and tables."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from topicset_core.analyses.judge_study.answer import Answer, Rankings
from topicset_core.analyses.judge_study.rankings import (
    EQUAL_SYSTEMS_ORDERED,
    TAU_LIMITS_COVER,
    TAU_NOTE,
    Agreement,
    Conclusions,
    Preference,
)
from topicset_core.analyses.judge_study.study import LEAST_P, Estimate
from topicset_core.analyses.judge_study.two_sets import FIRST, DocumentAgreement, TwoSets
from topicset_core.analyses.score_variance.uncertainty import rankings as spread_of_rankings
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.exports.citing import CITATION
from topicset_core.exports.colours import ACCENT, QUIET, SERIES
from topicset_core.exports.figures import Figure
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import MOGSTAD_2024, Reference
from topicset_core.wording import counted, listed, percent, ranging

NO_RANKINGS = "Rankings are compared from 3 systems and 4 topics on which people scored all systems."

EQUAL_SYSTEMS = (
    "Some pair of exactly equal systems was resolved, with a familywise error rate of 0.05, in "
    f"{ranging(EQUAL_SYSTEMS_ORDERED)} of simulated samples."
)

TAU_LIMITS_NOTE = (
    "In simulation of systems that differ, these limits contained it in "
    f"{ranging(TAU_LIMITS_COVER)} of cases."
)

_TAU = "kendall_tau_of_means"


def headline(rankings: Rankings) -> tuple[str, str]:
    """Return the agreement of rankings, and its prediction interval."""
    found = rankings.agreement
    if found.kendall_tau_of_means is None:
        return "Rankings cannot be compared:", "all means are equal"
    low, high = found.on_other_topics[_TAU]
    topics = counted(found.n_topics, "topic")
    return (
        f"Rankings by judge and people on {topics}: Kendall's τ =",
        f"{found.kendall_tau_of_means:.2f} ({low:.2f} to {high:.2f} on as many other topics)",
    )


def means_chart(rankings: Rankings, sets: TwoSets | None) -> Figure:
    """Draw mean scores by the judge alone against those with people's labels."""
    found, measure = rankings.conclusions, "score" if sets is None else literal(sets.model.measure)
    table = systems_table(rankings)
    chart = Chart(
        f"{rankings.agreement.n_reversed:,} of {counted(rankings.agreement.n_pairs, 'pair')} reversed on "
        f"{counted(rankings.agreement.n_topics, 'common topic')} between the judge's and the people's ranking",
        f"mean {measure} by the judge",
        f"mean {measure} with people's labels",
        height=380,
    )
    both = np.concatenate([found.judge.means, found.both.means])
    ends = [float(both.min()), float(both.max())]
    chart.line(ends, ends, None, None, colour=QUIET, line={"dash": "dot", "width": 1})
    marked = rankings.preference.marked if rankings.preference else ()
    hover = "%{text}: %{x:.4f} by the judge, %{y:.4f} with people's labels"
    rows = zip(table["system"], table["judge"], table["both"], strict=True)
    every = [(name in marked, name, x, y) for name, x, y in rows]
    for of_family, colour in ((False, SERIES[0]), (True, ACCENT)):
        own = [one for one in every if one[0] == of_family]
        label = ("model's family" if of_family else "other systems") if marked else None
        if own:
            _, names, x, y = zip(*own, strict=True)
            chart.points(x, y, label, hover, colour=colour, size=8, text=names)
    return chart.figure("judge-means", "Mean score of each system by the judge, and with people's labels.")


def in_short(answer: Answer) -> list[tuple[str, str, str]]:
    """Return numbers on rankings and judgments next to the headline: label, value, and what to know of it."""
    rankings, sets = answer.rankings, answer.sets
    if rankings is None or rankings.agreement.kendall_tau_of_means is None:
        return []
    found, pairs = rankings.agreement, rankings.conclusions
    if sets is None:
        text = (
            f"Kendall's τ of the judge's and the people's rankings of {counted(found.n_systems, 'system')}, on "
            f"{counted(found.n_topics, 'common topic')}."
        )
        return [("τ, judge and people", f"{found.kendall_tau_of_means:.2f}", text)]
    rho, kappa = found.median_correlation_of_differences, sets.documents.kappa
    confirmed = f"{pairs.n_confirmed:,} of {pairs.n_by_judge:,}"
    labels = f"{found.n_topics:,} of {counted(sets.model.n_topics, 'topic')}"
    return [
        ("judged by people", labels, "Of the topics that the model judges."),
        ("reversed pairs", f"{found.n_reversed:,} of {found.n_pairs:,}", "Means in opposite order."),
        ("correlation", number_or_none(rho), "Of per-topic differences: the median over pairs."),
        (
            "pairs confirmed",
            confirmed,
            "Of the pairs that the model resolves, those that labels resolve, too.",
        ),
        ("Cohen's κ", number_or_none(kappa), "Of the grades of documents that both judge."),
    ]


def number_or_none(value: float | None) -> str:
    """Write a number with two decimals."""
    return "undefined" if value is None else f"{value:.2f}"


def document_sentences(sets: TwoSets | None) -> list[str]:
    """Return how the judgments of documents differ, and whether the model's scores are at a ceiling."""
    if sets is None:
        return []
    text = [_of_documents(sets.documents, "people", "the model")]
    if sets.other_documents is not None:
        text.append(_of_documents(sets.other_documents, "people", "other people"))
    cautions = [one.caution for one in spread_of_rankings([sets.model]) if one.caution]
    return [*text, *sets.notes, *(f"Scores by the model: {one}" for one in cautions)]


def _of_documents(found: DocumentAgreement, one: str, other: str) -> str:
    kappas = ", ".join(
        f"{'undefined' if value is None else f'{value:.3f}'} ({what})"
        for value, what in (
            (found.kappa, "grades"),
            (found.kappa_relevant, f"grade {found.relevance_level} on"),
        )
    )
    depths = f"{found.human_depth or 'no common depth'} and {found.model_depth or 'no common depth'}"
    return (
        f"Documents of {counted(found.n_topics, 'topic')} that {one} and {other} judge: {found.n_both:,} by both, "
        f"{found.n_human_only:,} only by {one}, {found.n_model_only:,} only by {other}; Cohen's kappa {kappas}. "
        f"Of the first {FIRST} documents of runs, {one} judge {percent(found.human_at_10)}, {other} "
        f"{percent(found.model_at_10)}, both {percent(found.both_at_10)}; judged depth {depths}."
    )


def ranking_sentences(answer: Answer) -> list[str]:
    """Return agreement of rankings, what of the judge's conclusions people confirm, and its preference."""
    rankings = answer.rankings
    if rankings is None:
        return []
    found, level = rankings.conclusions, 100 * (1 - answer.request.alpha)
    text = [_of_rankings(rankings.agreement, "the judge", level)]
    if rankings.ceiling is not None:
        text.append(
            f"The most that a model can reach: {_of_rankings(rankings.ceiling, 'other people', level)}"
        )
    text.append(TAU_NOTE)
    of_these = (
        f"With people's labels {found.n_confirmed:,} of these are confirmed, {found.n_contradicted:,} resolved in "
        f"the opposite order and {found.n_same + found.n_opposite:,} open, {found.n_opposite:,} of them with an "
        "opposite estimate. "
    )
    text.append(
        f"The judge alone resolves {found.n_by_judge:,} of {counted(found.judge.n_pairs, 'pair')}. "
        f"{of_these if found.n_by_judge else ''}Judge and labels together resolve {found.n_by_both:,} (sign flips "
        f"of two-phase scores; familywise error rate of both rankings together {answer.request.alpha:g})."
    )
    text += [EQUAL_SYSTEMS, *_limits(found)]
    if found.p_mean is not None and found.p_variance is not None:
        least = min(found.p_mean, found.p_variance)
        verdict = (
            "they are no random sample" if least < LEAST_P else "no sign that they are not a random sample"
        )
        text.append(
            f"The judge's mean scores of labelled topics among all (permutation tests): p = {found.p_mean:.2g} for "
            f"the mean, {found.p_variance:.2g} for the variance; {verdict}."
        )
    if rankings.preference is not None:
        text += _of_preference(rankings.preference, level)
    return [*text, top_sentence(answer, rankings)]


def _limits(found: Conclusions) -> Iterator[str]:
    """Yield limits of tau over all topics, where resolved pairs say more than -1 and 1."""
    low, high = found.tau_limits
    if found.n_confirmed + found.n_contradicted == 0:
        return
    yield (
        "If all these orders are right, Kendall's tau of the judge's and the people's rankings by means over all "
        f"topics, not these alone, is between {low:.3f} and {high:.3f}. {TAU_LIMITS_NOTE}"
    )


def _of_rankings(found: Agreement, other: str, level: float) -> str:
    parts = []
    for name, what in ((_TAU, "Kendall's tau"), ("tau_ap_of_means", "tau AP")):
        value = getattr(found, name)
        low, high = found.on_other_topics.get(name, (np.nan, np.nan))
        parts.append(
            f"{what} is undefined" if value is None else f"{what} {value:.3f} ({low:.3f} to {high:.3f})"
        )
    rho = found.median_correlation_of_differences
    sizes = f"{counted(found.n_systems, 'system')} on {counted(found.n_topics, 'common topic')}"
    text = (
        f"Rankings by people and by {other}, of {sizes}: {', '.join(parts)} ({level:g} % prediction intervals for "
        f"as many other topics); {found.n_reversed:,} of {counted(found.n_pairs, 'pair')} reversed."
    )
    if rho is None:
        return text
    return f"{text} Per-topic differences of pairs correlate at {rho:.3f} (median over pairs)."


def _of_preference(found: Preference, level: float) -> Iterator[str]:
    equal = found.at_equal_scores
    at_equal = "" if equal is None else f"; at equal human scores {_estimate(equal)}"
    yield (
        f"Bias for {counted(len(found.marked), 'marked system')} ({listed(found.marked)}): "
        f"{_estimate(found.of_marked)}; for the others {_estimate(found.of_others)}; difference "
        f"{_estimate(found.difference)}{at_equal} ({level:g} % intervals)."
    )


def _estimate(one: Estimate) -> str:
    return f"{one.difference:+z.4f} ± {one.half_width:.4f}"


def top_sentence(answer: Answer, rankings: Rankings) -> str:
    """Return how many labels tell the k best systems from the others, in a sentence."""
    request, top = answer.request, rankings.top
    of = f"each of the {request.top_k} best" if request.top_k > 1 else "the best system"
    aim = f"between {of} and each other with {100 * (1 - request.beta):g} % power"
    if top is None:
        return f"Labels of all judged topics do not detect a difference of {request.min_d:g} {aim}."
    cost = top.more * request.cost_label * rankings.agreement.n_systems / 2
    return (
        f"To detect a difference of {request.min_d:g} {aim} ({counted(top.n_comparisons, 'comparison')}, α divided "
        f"by their number), people label {counted(top.required, 'topic')}: {top.more:,} more, cost at most "
        f"{cost:,.6g} for {counted(rankings.agreement.n_systems, 'system')}."
    )


def ranking_tables(answer: Answer) -> list[ReportTable]:
    """Return the tables of all systems, all pairs and all grades."""
    tables, sets = [], answer.sets
    if answer.rankings is not None:
        rankings = answer.rankings
        tables.append(ReportTable("systems", lambda: systems_table(rankings), "Systems", "judge-systems"))
        tables.append(ReportTable("all pairs", lambda: all_pairs(rankings), "All pairs", "judge-all-pairs"))
    if sets is not None:
        tables.append(ReportTable("grades", lambda: confusion(sets.documents), "Grades", "judge-grades"))
    return tables


def systems_table(rankings: Rankings) -> Table:
    """Return ranks and mean scores by the judge, and by both."""
    judge, both = rankings.conclusions.judge, rankings.conclusions.both
    places = [both.systems.index(one) for one in judge.systems]
    return {
        "system": list(judge.systems),
        "judge": judge.means.tolist(),
        "both": both.means[places].tolist(),
        "rank by judge": judge.ranks.tolist(),
        "rank by both": both.ranks[places].tolist(),
        "best rank": both.lower[places].tolist(),
        "worst rank": both.upper[places].tolist(),
    }


def all_pairs(rankings: Rankings) -> Table:
    """Return each pair with both differences, and their p values adjusted for all pairs."""
    judge, both = rankings.conclusions.judge, rankings.conclusions.both
    place = [both.systems.index(one) for one in judge.systems]
    first, second = judge.pairs.first, judge.pairs.second
    adjusted = np.ones((len(place), len(place)))
    adjusted[both.pairs.first, both.pairs.second] = both.adjusted_p
    adjusted = np.minimum(adjusted, adjusted.T)[np.ix_(place, place)]
    means = both.means[place]
    return {
        "first": [judge.systems[one] for one in first],
        "second": [judge.systems[one] for one in second],
        "judge": judge.pairs.difference.tolist(),
        "judge, adjusted p": judge.adjusted_p.tolist(),
        "both": (means[first] - means[second]).tolist(),
        "both, adjusted p": adjusted[first, second].tolist(),
    }


def confusion(found: DocumentAgreement) -> Table:
    """Return documents by the grade of people, one per row, and of the model."""
    of_model = {
        f"model {grade}": found.confusion[:, place].tolist() for place, grade in enumerate(found.grades)
    }
    return {"people": list(found.grades), **of_model, "same grade": list(found.agreement_by_grade)}


def ranking_paragraph(answer: Answer) -> tuple[str, list[Reference]]:
    """Return agreement and resolved pairs for a paper, with works to cite."""
    rankings = answer.rankings
    if rankings is None:
        return "", []
    found, alpha = rankings.conclusions, answer.request.alpha
    text = (
        f"{_of_rankings(rankings.agreement, 'the judge', 100 * (1 - alpha))} Pairs were resolved by sign flips, "
        f"with a familywise error rate of both rankings together of {alpha:g} {CITATION}: {found.n_by_judge} by "
        f"the judge alone, {found.n_by_both} by two-phase regression on people's labels; these confirm "
        f"{found.n_confirmed} of the judge's pairs and contradict {found.n_contradicted}."
    )
    return " ".join((text, *_limits(found), "")), [MOGSTAD_2024]


def record_of_rankings(answer: Answer) -> dict[str, Any]:
    """Return rankings and judgments for a record."""
    rankings, sets = answer.rankings, answer.sets
    record: dict[str, Any] = {
        "judge_equals_people": answer.judge_equals_people,
        "pairs_without_study": answer.without_study,
        "n_pairs": answer.n_pairs,
    }
    if rankings is not None:
        found = fields_of(rankings.agreement)
        record |= {"common_topics": found.pop("n_topics"), **found}
        record |= attributes(rankings, "ceiling conclusions preference top")
    if sets is not None:
        record |= {"documents": _record(sets.documents), "measure": sets.model.measure}
        if sets.other_documents is not None:
            record["documents_of_other_people"] = _record(sets.other_documents)
    return record


def _record(found: DocumentAgreement) -> dict[str, Any]:
    return fields_of(found) | attributes(found, "n_both kappa kappa_relevant agreement_by_grade")
