"""Exports of an answer on simulated collections: tables, figures, record, methods paragraph."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from topicset_core import __version__
from topicset_core.analyses.topic_variance import charts, conclusions
from topicset_core.analyses.topic_variance.conclusions import BIN_WIDTH, N_BINS, Estimate
from topicset_core.analyses.topic_variance.densities import Fit
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.result import Findings
from topicset_core.analyses.topic_variance.sentences import answer, kept_sentence, needed
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Table
from topicset_core.references import CORMACK_LYNAM_2006, ROBERTSON_KANOULAS_2012, SAKAI_2006, YANG_2018
from topicset_core.wording import counted

NAME = "topic-variance"
"""Beginning of the names of all files."""

_DRAWN: dict[str, str] = {
    "bst": "with replacement from the run's own",
    "kde": "from Gaussian kernel densities of the run's own ({bandwidth} bandwidth, each kind its own)",
}
_BANDWIDTHS = {"scott": "Scott's", "silverman": "Silverman's"}
_RELEVANT = {
    "drawn": "has R − r + s relevant documents in a trial, s being those drawn",
    "fixed": "keeps R, however many are drawn",
}


def report(
    findings: Findings,
    both: Sequence[Findings] = (),
    *,
    min_d: float,
    run: str = "",
    topic: str = "",
    fitted: Fit | None = None,
    link: str = "",
) -> Report:
    """Return the answer for export.

    Parameters
    ----------
    findings : Findings
        By the chosen model.
    both : sequence of Findings
        By all models that are known; the chosen one alone where it is not given.
    min_d : float
        Difference for which topics are counted.
    run, topic : str
        The details to show; the run with the best mean and its least stable topic by default.
    fitted : Fit, optional
        Scores of this run and topic with their densities, where there are any.
    link : str
        The full link.
    """
    both = tuple(both) or (findings,)
    run = run or findings.best_system
    topic = topic or findings.least_stable_topic(run)
    measure = findings.settings.measure_name
    return Report(
        name=NAME,
        title=f"Other documents: {measure}, {findings.collection}",
        sentence=answer(findings, min_d),
        tables=(
            ReportTable("comparisons", lambda: comparisons_table(both), "Comparisons", f"{NAME}-comparisons"),
            ReportTable("error rates", lambda: error_rates_table(both), "Error rates", f"{NAME}-error-rates"),
            ReportTable("runs", lambda: ranks_table(findings)),
            ReportTable("pairs", lambda: pairs_table(findings), "Pairs", f"{NAME}-pairs"),
            ReportTable("topics", lambda: unstable_topics_table(findings)),
            ReportTable("variances", lambda: components_table(findings)),
            ReportTable("topics needed", lambda: topics_needed_table(findings, min_d)),
            ReportTable("scores", lambda: cells_table(findings), "Scores", f"{NAME}-scores"),
            ReportTable("remarks", lambda: remarks_table(findings)),
        ),
        results=lambda: both,
        text=methods_text(findings),
        figures=lambda: [
            charts.rank_intervals(findings),
            charts.error_rate_by_difference(both),
            charts.variance_split(findings),
            charts.simulated_scores(findings, run, topic=topic),
            *([charts.fitted_densities(fitted)] if fitted else []),
        ],
        measure=measure,
        variance_source=findings.collection,
        n_topics=len(findings.topics),
        seed=findings.settings.seed,
        link=link,
    )


Reading = Literal["as printed", "repaired", "beside it"]
"""As in the paper; corrected by its source or its name; a number that helps to interpret both."""
READINGS: dict[Reading, str] = {
    "as printed": "as published",
    "repaired": "corrected",
    "beside it": "in addition",
}
"""Names of the readings on the command line; records and files keep the keys."""


@dataclass(frozen=True)
class Comparison:
    """One number of table 1 of Yang, Zhang and Song (2018)."""

    question: str  # aspect that may change with the collection
    what: str  # the counted event
    reading: Reading  # the way of counting
    value: Estimate  # from simulated collections
    raw: Estimate | None = None  # its counterpart on the scores as they are
    raw_is: str = ""  # description of the counterpart


def comparisons(result: Findings) -> tuple[Comparison, ...]:
    """Return the four comparisons of Yang, Zhang and Song (2018, table 1), as printed and repaired."""
    tested = result.raw_significant_share, "pairs with a significant t test"
    levels = "the same with topics alone resampled (Sakai 2006)"
    largest = conclusions.raw(result.largest_difference), "the largest difference between two runs"
    return (
        Comparison(
            "Order",
            "error rate over all bins: pairs that change order",
            "as printed",
            result.overall_error_rate,
        ),
        Comparison(
            "Order", "KRCC: mean Kendall's τ with the raw ranking", "as printed", result.rank_correlation
        ),
        Comparison(
            "Significance",
            "PCT(ASL < .05): pairs that are almost never significant, in under 5 % of the samples",
            "as printed",
            result.almost_never_significant_share,
            *tested,
        ),
        Comparison(
            "Significance",
            "pairs that are significant in a sample, on average",
            "beside it",
            result.mean_rejection_rate,
            *tested,
        ),
        Comparison(
            "Significance",
            "pairs that are significant in at least 50 % of the samples",
            "beside it",
            result.half_significant_share,
            *tested,
        ),
        Comparison(
            "Significance",
            "pairs that are significant in at least 95 % of the samples",
            "beside it",
            result.almost_always_significant_share,
            *tested,
        ),
        Comparison(
            "Significance",
            "pairs with an achieved level below α, topics and collection resampled together",
            "repaired",
            result.significant_share_both,
            result.significant_share_topics,
            levels,
        ),
        Comparison(
            "Difference",
            "ED: estimated difference, not shifted",
            "as printed",
            result.estimated_difference,
            *largest,
        ),
        Comparison(
            "Difference",
            "estimated difference, shifted to mean 0, topics and collection resampled together",
            "repaired",
            result.estimated_difference_shifted,
            result.estimated_difference_topics,
            levels,
        ),
    )


def comparisons_table(result: Sequence[Findings]) -> Table:
    """Return table 1 of Yang et al. (2018): a row per comparison, two columns per model, raw counterparts."""
    by_model = {one.settings.model: comparisons(one) for one in result}
    first = next(iter(by_model.values()))
    values = {}
    for model, rows in by_model.items():
        values[str(model)] = [row.value.value for row in rows]
        values[f"{model}_standard_error"] = [row.value.standard_error for row in rows]
    return {
        "question": [row.question for row in first],
        "what": [row.what for row in first],
        "reading": [row.reading for row in first],
        **values,
        "raw": [None if row.raw is None else row.raw.value for row in first],
        "raw_is": [row.raw_is for row in first],
    }


def error_rates_table(result: Sequence[Findings]) -> Table:
    """Return a row per bin of the simulated difference, three columns per model."""
    values: dict[str, Sequence[object]] = {}
    for one in result:
        model = one.settings.model
        values[f"{model}_pairs"] = list(one.pairs_by_bin)
        values[f"{model}_error_rate"] = [rate.value for rate in one.error_rates]
        values[f"{model}_standard_error"] = [rate.standard_error for rate in one.error_rates]
    edges = [round(BIN_WIDTH * place, 2) for place in range(N_BINS)]
    return {"difference_from": edges, "difference_below": [*edges[1:], None], **values}


def ranks_table(findings: Findings) -> Table:
    """Return a row per run, best first."""
    means = dict(zip(findings.systems, findings.raw_means.tolist(), strict=True))
    simulated = dict(zip(findings.systems, findings.simulated_means.tolist(), strict=True))
    order = sorted(findings.rank_intervals, key=lambda one: one.raw_rank)
    return {
        "run": [one.system for one in order],
        "raw_rank": [one.raw_rank for one in order],
        "rank_low": [one.low for one in order],
        "rank_high": [one.high for one in order],
        "raw_mean": [means[one.system] for one in order],
        "simulated_mean": [simulated[one.system] for one in order],
    }


def pairs_table(findings: Findings) -> Table:
    """Return a row per pair of runs that does not keep its order, the most frequent reversals first."""
    pairs = findings.reversed_pairs
    return {
        "better": [pair.better for pair in pairs],
        "worse": [pair.worse for pair in pairs],
        "raw_difference": [pair.raw_difference for pair in pairs],
        "reversed": [pair.share.value for pair in pairs],
        "tied": [pair.tied for pair in pairs],
        "standard_error": [pair.share.standard_error for pair in pairs],
    }


def unstable_topics_table(findings: Findings) -> Table:
    """Return a row per topic, the least stable first."""
    topics = findings.unstable_topics
    means = dict(zip(findings.topics, findings.raw.mean(axis=1).tolist(), strict=True))
    return {
        "topic": [one.topic for one in topics],
        "standard_deviation": [one.standard_deviation for one in topics],
        "share": [one.share for one in topics],
        "raw_mean": [means[one.topic] for one in topics],
    }


def components_table(findings: Findings) -> Table:
    """Return a row per source of the variance of scores."""
    split = findings.components
    parts = {
        "topic": split.topic,
        "system": split.system,
        "topic by system": split.interaction,
        "documents": split.collection_own,
        "documents, equal for all runs": split.collection_shared,
    }
    total = split.total or 1.0
    return {
        "component": list(parts),
        "variance": list(parts.values()),
        "share": [value / total for value in parts.values()],
    }


def topics_needed_table(findings: Findings, min_d: float) -> Table:
    """Return how many topics a paired t test needs for a difference, with the noise of documents and without.

    Empty where the scores do not vary enough.
    """
    topics = needed(findings, min_d)
    known = [] if topics is None else [topics]
    return {
        "min_d": [one.min_d for one in known],
        "topics_with_noise": [one.with_noise for one in known],
        "topics_without_noise": [one.without_noise for one in known],
        "topics_without_noise_by_halves": [one.without_noise_by_halves for one in known],
    }


def cells_table(findings: Findings) -> Table:
    """Return a row per topic and run: its score, and mean and deviation of the simulated ones."""
    n_topics, n_systems = findings.raw.shape
    return {
        "topic": [topic for topic in findings.topics for _ in range(n_systems)],
        "run": list(findings.systems) * n_topics,
        "raw": findings.raw.ravel().tolist(),
        "simulated": findings.simulated.ravel().tolist(),
        "standard_deviation": findings.deviations.ravel().tolist(),
    }


def remarks_table(findings: Findings) -> Table:
    """Return a row per run and topic that could not be drawn as asked."""
    rows = [(*cell, remark) for remark, cells in findings.cells_with_remarks.items() for cell in cells]
    return {
        "run": [run for run, _, _ in rows],
        "topic": [topic for _, topic, _ in rows],
        "remark": [REMARKS[remark] for _, _, remark in rows],
    }


def methods_text(findings: Findings) -> tuple[str, str]:
    """Return the results of the simulation, in plain text and in LaTeX."""
    settings = findings.settings
    kept = f"{kept_sentence(findings)} ".lstrip()
    relevant = _RELEVANT[settings.denominator]
    if settings.model == "shared" and settings.denominator == "drawn":
        relevant = "has the relevant documents that were drawn"
    paragraph = (
        f"The effect of another document collection was studied by simulation {CITATION} on the "
        f"{settings.measure_name} scores of {counted(len(findings.systems), 'run')} on "
        f"{counted(len(findings.topics), 'topic')} ({findings.collection}). {_how_drawn(findings)}, "
        f"in {counted(settings.n_trials, 'trial')} (seed {settings.seed}). Documents are relevant from grade "
        f"{settings.relevance_level}, unjudged documents count as not relevant, documents of equal score are "
        "ordered by descending id as in trec_eval, and a topic with R relevant documents "
        f"{relevant}. Over all pairs of runs and trials, "
        f"{_most(findings)}{_percent(findings.overall_error_rate)} change their order, and "
        f"Kendall's tau of both rankings is {_number(findings.rank_correlation)} on average. By a paired t test "
        f"(α = {settings.alpha:g}), {_percent(findings.raw_significant_share)} of the pairs differ significantly "
        f"in the original scores, and {_percent(findings.mean_rejection_rate)} in a simulated collection on "
        f"average; {_percent(findings.almost_never_significant_share)} do in fewer than 5 % of them. With topics "
        "and collection resampled together and differences shifted to mean 0, "
        f"{_percent(findings.significant_share_both)} of the pairs have an achieved significance level below "
        f"{settings.alpha:g}, and the estimated difference needed is "
        f"{_number(findings.estimated_difference_shifted)}. {kept}Standard errors in parentheses are over trials "
        f"(Topicset {__version__})."
    )
    works = (
        *((CORMACK_LYNAM_2006,) if settings.model == "shared" else ()),
        *(YANG_2018, ROBERTSON_KANOULAS_2012, SAKAI_2006),
    )
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _how_drawn(findings: Findings) -> str:
    """Return how documents were drawn, up to where the number of trials follows."""
    settings = findings.settings
    if settings.model == "shared":
        return (
            "For each topic the documents that a run returned or that are relevant were resampled with replacement,"
            " each a Poisson number of times with mean 1 and the same for all runs, until one of them was relevant"
        )
    drawn = _DRAWN[settings.model].format(bandwidth=_BANDWIDTHS[settings.bandwidth])
    return (
        "For each run and topic with r relevant documents among those retrieved, a number of relevant documents "
        "was drawn from a Poisson distribution with mean r; their scores, and the scores of the other documents up "
        f"to the depth of the list, were drawn {drawn}"
    )


def _most(findings: Findings) -> str:
    return "at most " if findings.settings.is_upper_bound else ""


def _percent(result: Estimate) -> str:
    return _with_error(result, 100.0, ".1f", " %")


def _number(result: Estimate) -> str:
    return _with_error(result, 1.0, ".3f", "")


def _with_error(result: Estimate, scale: float, digits: str, unit: str) -> str:
    """Write a number with its standard error, if there is one."""
    if result.value is None:
        return "not defined"
    error = "" if not result.standard_error else f" ({scale * result.standard_error:.2g})"
    return f"{scale * result.value:{digits}}{unit}{error}"
