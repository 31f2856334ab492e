"""Rankings by a judge and by people, their judgments of documents, and all pairs at once: findings and tables."""

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from topicset_core.analyses.judge_study.answer import Answer, Rankings
from topicset_core.analyses.judge_study.rankings import (
    EQUAL_SYSTEMS_ORDERED,
    TAU_LIMITS_COVER,
    TAU_NOTE,
    Agreement,
    Preference,
)
from topicset_core.analyses.judge_study.study import LEAST_P
from topicset_core.analyses.judge_study.two_sets import FIRST, DocumentAgreement, TwoSets
from topicset_core.analyses.score_variance.uncertainty import rankings as spread_of_rankings
from topicset_core.charts.chart import Chart
from topicset_core.charts.labels import literal
from topicset_core.exports.colours import ACCENT, QUIET, SERIES
from topicset_core.exports.columns import Column, Columns
from topicset_core.exports.figures import Figure
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.records import attributes, fields_of
from topicset_core.exports.report import ReportTable
from topicset_core.exports.tables import Table
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


def ranking_headline(rankings: Rankings) -> Finding:
    """Return the agreement of rankings, and its prediction interval."""
    agreement = rankings.agreement
    if agreement.kendall_tau_of_means is None:
        return headline("Rankings cannot be compared: ", "all means are equal")
    low, high = agreement.on_other_topics[_TAU]
    return headline(
        f"Rankings by judge and people on {counted(agreement.n_topics, 'topic')}: Kendall's τ = ",
        f"{agreement.kendall_tau_of_means:.2f} ({low:.2f} to {high:.2f} on as many other topics)",
    )


def means_chart(rankings: Rankings, sets: TwoSets | None) -> Figure:
    """Draw mean scores by the judge alone against those with people's labels."""
    pairs, measure = rankings.conclusions, "score" if sets is None else literal(sets.model.measure)
    chart = Chart(
        f"{rankings.agreement.n_reversed:,} of {counted(rankings.agreement.n_pairs, 'pair')} reversed on "
        f"{counted(rankings.agreement.n_topics, 'common topic')} between the judge's and the people's ranking",
        f"mean {measure} by the judge",
        f"mean {measure} with people's labels",
        height=380,
    )
    both = np.concatenate([pairs.judge.means, pairs.both.means])
    ends = [float(both.min()), float(both.max())]
    chart.line(ends, ends, None, None, colour=QUIET, line={"dash": "dot", "width": 1})
    marked = rankings.preference.marked if rankings.preference else ()
    hover = "%{text}: %{x:.4f} by the judge, %{y:.4f} with people's labels"
    for of_family, colour in ((False, SERIES[0]), (True, ACCENT)):
        rows = [row for row in systems(rankings) if (row["system"] in marked) == of_family]
        label = ("model's family" if of_family else "other systems") if marked else None
        if rows:
            names, x, y = ([row[key] for row in rows] for key in ("system", "judge", "both"))
            chart.points(x, y, label, hover, colour=colour, size=8, text=names)
    families = ((ACCENT, "● model's family"), (SERIES[0], "● other systems")) if marked else ()
    chart.key(*families, (QUIET, "┄ equal means"))
    return chart.figure("judge-means", "Mean score of each system by the judge, and with people's labels.")


def ranking_tiles(answer: Answer) -> Iterator[Finding]:
    """Yield numbers on rankings and judgments beside the headline."""
    rankings, sets = answer.rankings, answer.sets
    if rankings is None or rankings.agreement.kendall_tau_of_means is None:
        return
    agreement, pairs = rankings.agreement, rankings.conclusions
    if sets is None:
        note = (
            f"Kendall's τ of the judge's and the people's rankings of {counted(agreement.n_systems, 'system')}, on "
            f"{counted(agreement.n_topics, 'common topic')}."
        )
        yield tile("τ, judge and people", f"{agreement.kendall_tau_of_means:.2f}", note)
        return
    labels = f"{agreement.n_topics:,} of {counted(sets.model.n_topics, 'topic')}"
    yield tile("judged by people", labels, "Of the topics that the model judges.")
    yield tile(
        "reversed pairs", f"{agreement.n_reversed:,} of {agreement.n_pairs:,}", "Means in opposite order."
    )
    rho = agreement.median_correlation_of_differences
    yield tile("correlation", _or_undefined(rho), "Of per-topic differences: the median over pairs.")
    yield tile(
        "pairs confirmed",
        f"{pairs.n_confirmed:,} of {pairs.n_by_judge:,}",
        "Of the pairs that the model resolves, those that labels resolve, too.",
    )
    kappa = sets.documents.kappa
    yield tile("Cohen's κ", _or_undefined(kappa), "Of the grades of documents that both judge.")


def _or_undefined(value: float | None, form: str = ".2f") -> str:
    return "undefined" if value is None else f"{value:{form}}"


def ranking_findings(answer: Answer) -> Iterator[Finding]:
    """Yield agreement of rankings, what of the judge's conclusions people confirm, and documents."""
    rankings, sets, method = answer.rankings, answer.sets, "page export terminal"
    if rankings is None:
        yield Finding(NO_RANKINGS, "page")
    else:
        yield from _of_systems(rankings, answer.request.alpha)
    if sets is not None:
        yield Finding(_of_documents(sets.documents, "the model"))
        if sets.other_documents is not None:
            yield Finding(_of_documents(sets.other_documents, "other people"))
        cautions = [spread.caution for spread in spread_of_rankings([sets.model]) if spread.caution]
        yield from (Finding(text, method) for text in sets.notes)
        yield from (Finding(f"Scores by the model: {text}", method) for text in cautions)


def _of_systems(rankings: Rankings, alpha: float) -> Iterator[Finding]:
    """Yield agreement of rankings, resolved pairs, the test of random labels, and the preference."""
    pairs, level = rankings.conclusions, 100 * (1 - alpha)
    yield Finding(_of_rankings(rankings.agreement, "the judge", level))
    if rankings.ceiling is not None:
        most = _of_rankings(rankings.ceiling, "other people", level)
        yield Finding(f"The most that a model can reach: {most}")
    yield Finding(TAU_NOTE, "page export terminal")
    of_these = (
        f"With people's labels {pairs.n_confirmed:,} of these are confirmed, {pairs.n_contradicted:,} resolved in "
        f"the opposite order and {pairs.n_same + pairs.n_opposite:,} open, {pairs.n_opposite:,} of them with an "
        "opposite estimate. "
    )
    yield Finding(
        f"The judge alone resolves {pairs.n_by_judge:,} of {counted(pairs.judge.n_pairs, 'pair')}. "
        f"{of_these if pairs.n_by_judge else ''}Together, judge and labels resolve {pairs.n_by_both:,} (sign flips "
        f"of two-phase scores; familywise error rate of both rankings together {alpha:g})."
    )
    yield Finding(EQUAL_SYSTEMS, "page export terminal")
    if pairs.n_confirmed + pairs.n_contradicted:  # else the limits are -1 and 1
        low, high = pairs.tau_limits
        yield Finding(
            "If all these orders are right, Kendall's tau of the judge's and the people's rankings by means over "
            f"all topics, not these alone, is between {low:.3f} and {high:.3f}. {TAU_LIMITS_NOTE}"
        )
    if pairs.p_mean is not None and pairs.p_variance is not None:
        is_other = min(pairs.p_mean, pairs.p_variance) < LEAST_P
        verdict = "they are no random sample" if is_other else "no sign that they are not a random sample"
        yield Finding(
            f"The judge's mean scores of labelled topics among all (permutation tests): p = {pairs.p_mean:.2g} for "
            f"the mean, {pairs.p_variance:.2g} for the variance; {verdict}."
        )
    if rankings.preference is not None:
        yield Finding(_of_preference(rankings.preference, level))


def _of_documents(documents: DocumentAgreement, other: str) -> str:
    """Return how two sets of judgments of documents agree."""
    depths = " and ".join(
        str(depth or "no common depth") for depth in (documents.human_depth, documents.model_depth)
    )
    return (
        f"Documents of {counted(documents.n_topics, 'topic')} that people and {other} judge: "
        f"{documents.n_both:,} by both, {documents.n_human_only:,} only by people, {documents.n_model_only:,} only "
        f"by {other}; Cohen's kappa {_or_undefined(documents.kappa, '.3f')} (grades), "
        f"{_or_undefined(documents.kappa_relevant, '.3f')} (grade {documents.relevance_level} on). Of the first "
        f"{FIRST} documents of runs, people judge {percent(documents.human_at_10)}, {other} "
        f"{percent(documents.model_at_10)}, both {percent(documents.both_at_10)}; judged depth {depths}."
    )


def _of_rankings(agreement: Agreement, other: str, level: float) -> str:
    parts = []
    for name, what in ((_TAU, "Kendall's tau"), ("tau_ap_of_means", "tau AP")):
        value = getattr(agreement, name)
        low, high = agreement.on_other_topics.get(name, (np.nan, np.nan))
        parts.append(
            f"{what} is undefined" if value is None else f"{what} {value:.3f} ({low:.3f} to {high:.3f})"
        )
    rho = agreement.median_correlation_of_differences
    sizes = f"{counted(agreement.n_systems, 'system')} on {counted(agreement.n_topics, 'common topic')}"
    text = (
        f"Rankings by people and by {other}, of {sizes}: {', '.join(parts)} ({level:g} % prediction intervals for "
        f"as many other topics); {agreement.n_reversed:,} of {counted(agreement.n_pairs, 'pair')} reversed."
    )
    if rho is None:
        return text
    return f"{text} Per-topic differences of pairs correlate at {rho:.3f} (median over pairs)."


def _of_preference(preference: Preference, level: float) -> str:
    """Return the bias for marked systems, and for the others."""
    equal = preference.at_equal_scores
    at_equal = "" if equal is None else f"; at equal human scores {equal.in_words}"
    return (
        f"Bias for {counted(len(preference.marked), 'marked system')} ({listed(preference.marked)}): "
        f"{preference.of_marked.in_words}; for the others {preference.of_others.in_words}; difference "
        f"{preference.difference.in_words}{at_equal} ({level:g} % intervals)."
    )


def labels_for_top(answer: Answer, rankings: Rankings) -> str:
    """Return how many labels tell the k best systems from the others."""
    request, top = answer.request, rankings.top
    of = f"each of the {request.top_k} best" if request.top_k > 1 else "the best system"
    aim = f"between {of} and each other with {100 * (1 - request.beta):g} % power"
    if top is None:
        return f"Labels of all judged topics do not detect a difference of {request.min_d:g} {aim}."
    n_systems = rankings.agreement.n_systems
    return (
        f"To detect a difference of {request.min_d:g} {aim} ({counted(top.n_comparisons, 'comparison')}, α divided "
        f"by their number), people label {counted(top.required, 'topic')}: {top.more:,} more, cost at most "
        f"{top.more * request.cost_label * n_systems / 2:,.6g} for {counted(n_systems, 'system')}."
    )


def ranking_tables(answer: Answer) -> list[ReportTable]:
    """Return the tables of all systems, all pairs and all grades."""
    tables, sets = [], answer.sets
    if answer.rankings is not None:
        rankings = answer.rankings
        rows = systems(rankings)
        tables.append(ReportTable("systems", lambda: SYSTEMS.table(rows), "Systems", "judge-systems"))
        tables.append(ReportTable("all pairs", lambda: all_pairs(rankings), "All pairs", "judge-all-pairs"))
    if sets is not None:
        tables.append(ReportTable("grades", lambda: confusion(sets.documents), "Grades", "judge-grades"))
    return tables


def systems(rankings: Rankings) -> list[dict[str, Any]]:
    """Return ranks and mean scores by the judge, and by both, the best by the judge first."""
    judge, both = rankings.conclusions.judge, rankings.conclusions.both
    place_of = {system: place for place, system in enumerate(both.systems)}
    return [
        {
            "system": system,
            "judge": mean,
            "both": both.means.item(place_of[system]),
            "rank_by_judge": rank,
            "rank_by_both": both.ranks.item(place_of[system]),
            "best_rank": both.lower.item(place_of[system]),
            "worst_rank": both.upper.item(place_of[system]),
        }
        for system, mean, rank in zip(judge.systems, judge.means.tolist(), judge.ranks.tolist(), strict=True)
    ]


SYSTEMS = Columns[Mapping[str, Any]](
    Column("system"),
    Column("judge", form=".4f"),
    Column("both", form=".4f"),
    *map(Column, ("rank by judge", "rank by both", "best rank", "worst rank")),
)


def all_pairs(rankings: Rankings) -> Table:
    """Return each pair with both differences, and their p values adjusted for all pairs."""
    judge, both = rankings.conclusions.judge, rankings.conclusions.both
    place = [both.systems.index(system) for system in judge.systems]
    first, second = judge.pairs.first, judge.pairs.second
    adjusted = np.ones((len(place), len(place)))
    adjusted[both.pairs.first, both.pairs.second] = both.adjusted_p
    adjusted = np.minimum(adjusted, adjusted.T)[np.ix_(place, place)]
    means = both.means[place]
    return {
        "first": [judge.systems[run] for run in first],
        "second": [judge.systems[run] for run in second],
        "judge": judge.pairs.difference.tolist(),
        "judge, adjusted p": judge.adjusted_p.tolist(),
        "both": (means[first] - means[second]).tolist(),
        "both, adjusted p": adjusted[first, second].tolist(),
    }


def confusion(documents: DocumentAgreement) -> Table:
    """Return documents by the grade of people, one per row, and of the model."""
    of_model = {
        f"model {grade}": documents.confusion[:, place].tolist()
        for place, grade in enumerate(documents.grades)
    }
    return {"people": list(documents.grades), **of_model, "same grade": list(documents.agreement_by_grade)}


def record_of_rankings(answer: Answer) -> dict[str, Any]:
    """Return rankings and judgments for a record."""
    rankings, sets = answer.rankings, answer.sets
    record: dict[str, Any] = {
        "judge_equals_people": answer.judge_equals_people,
        "pairs_without_study": answer.without_study,
        "n_pairs": answer.n_pairs,
    }
    if rankings is not None:
        agreement = fields_of(rankings.agreement)
        record |= {"common_topics": agreement.pop("n_topics"), **agreement}
        record |= attributes(rankings, "ceiling conclusions preference top")
    if sets is not None:
        record |= {"documents": _record(sets.documents), "measure": sets.model.measure}
        if sets.other_documents is not None:
            record["documents_of_other_people"] = _record(sets.other_documents)
    return record


def _record(documents: DocumentAgreement) -> dict[str, Any]:
    return fields_of(documents) | attributes(documents, "n_both kappa kappa_relevant agreement_by_grade")
