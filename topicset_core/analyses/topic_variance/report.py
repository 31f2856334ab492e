"""Exports of an answer on simulated collections: tables, figures, record, methods paragraph."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from topicset_core.analyses.topic_variance import charts, conclusions, sentences
from topicset_core.analyses.topic_variance.cells import JudgedDocuments
from topicset_core.analyses.topic_variance.conclusions import Estimate
from topicset_core.analyses.topic_variance.prepared import REMARKS, Fit
from topicset_core.analyses.topic_variance.request import Request
from topicset_core.analyses.topic_variance.result import Findings, topic_variance
from topicset_core.analyses.topic_variance.simulation import PREVIEW_SECONDS, preview_trials, seconds_of
from topicset_core.exports.citing import CITATION, cite_latex, cite_plain
from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row, Table
from topicset_core.question import Question
from topicset_core.references import CORMACK_LYNAM_2006, ROBERTSON_KANOULAS_2012, SAKAI_2006, YANG_2018
from topicset_core.version import __version__
from topicset_core.wording import counted

NAME = "topic-variance"
"""Beginning of the names of all files, and of the command."""

_FORM = ".4g"  # of numbers on screen

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
    run: str = "",
    topic: str = "",
    fitted: Fit | None = None,
) -> Report:
    """Return the answer with all its exports; `run` and `topic` are those that the page shows in detail."""
    both = tuple(both) or (findings,)
    run = run or findings.best_system
    topic = topic or findings.least_stable_topic(run)
    measure = findings.request.measure
    topics_needed = sentences.needed(findings)
    runs, pairs, topics = run_columns(findings), pair_columns(findings), topic_columns(findings)
    return Report(
        name=NAME,
        title=f"Other documents: {measure}, {findings.collection}",
        sentence=sentences.answer(findings),
        tables=(
            ReportTable("comparisons", lambda: comparisons_table(both), "Comparisons", f"{NAME}-comparisons"),
            ReportTable("error rates", lambda: error_rates_table(both), "Error rates", f"{NAME}-error-rates"),
            ReportTable("runs", lambda: runs.table(findings.best_first)),
            ReportTable("pairs", lambda: pairs.table(findings.reversed_pairs), "Pairs", f"{NAME}-pairs"),
            ReportTable("topics", lambda: topics.table(findings.unstable_topics)),
            ReportTable("variances", lambda: components_table(findings)),
            ReportTable("topics needed", lambda: NEEDED.table([topics_needed] if topics_needed else [])),
            ReportTable("scores", lambda: cells_table(findings), "Scores", f"{NAME}-scores"),
            ReportTable("remarks", lambda: REMARK_COLUMNS.table(findings.remarks)),
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
        request=findings.request.settings,
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
    together = "topics and collection resampled together"
    largest = conclusions.raw(result.largest_difference), "the largest difference between two runs"
    shares = {
        "in a sample, on average": result.mean_rejection_rate,
        "in at least 50 % of the samples": result.half_significant_share,
        "in at least 95 % of the samples": result.almost_always_significant_share,
    }
    printed: Reading = "as printed"
    order, significance, difference = "Order", "Significance", "Difference"
    all_bins = "error rate over all bins: pairs that change order"
    tau = "KRCC: mean Kendall's τ with the raw ranking"
    not_shifted = "ED: estimated difference, not shifted"
    never = "PCT(ASL < .05): pairs that are almost never significant, in under 5 % of the samples"
    return (
        Comparison(order, all_bins, printed, result.overall_error_rate),
        Comparison(order, tau, printed, result.rank_correlation),
        Comparison(significance, never, printed, result.almost_never_significant_share, *tested),
        *(
            Comparison(significance, f"pairs that are significant {where}", "beside it", share, *tested)
            for where, share in shares.items()
        ),
        Comparison(
            significance,
            f"pairs with an achieved level below α, {together}",
            "repaired",
            result.significant_share_both,
            result.significant_share_topics,
            levels,
        ),
        Comparison(difference, not_shifted, printed, result.estimated_difference, *largest),
        Comparison(
            difference,
            f"estimated difference, shifted to mean 0, {together}",
            "repaired",
            result.estimated_difference_shifted,
            result.estimated_difference_topics,
            levels,
        ),
    )


def comparisons_table(result: Sequence[Findings]) -> Table:
    """Return table 1 of Yang et al. (2018): a row per comparison, two columns per model, raw counterparts."""
    by_model = {one.request.model: comparisons(one) for one in result}
    first = next(iter(by_model.values()))
    values: dict[str, list[object]] = {}
    for model, rows in by_model.items():
        values[str(model)] = [row.value.value for row in rows]
        values[f"{model}_standard_error"] = [row.value.standard_error for row in rows]
    return {
        **Columns[Comparison](Column("question"), Column("what"), Column("reading")).table(first),
        **values,
        **Columns[Comparison](Column("raw", "raw.value"), Column("raw_is")).table(first),
    }


def error_rates_table(result: Sequence[Findings]) -> Table:
    """Return a row per bin of the simulated difference, three columns per model."""
    values: dict[str, Sequence[object]] = {}
    for one in result:
        model = one.request.model
        values[f"{model}_pairs"] = list(one.pairs_by_bin)
        values[f"{model}_error_rate"] = [rate.value for rate in one.error_rates]
        values[f"{model}_standard_error"] = [rate.standard_error for rate in one.error_rates]
    edges = [round(conclusions.BIN_WIDTH * place, 2) for place in range(conclusions.N_BINS)]
    return {"difference_from": edges, "difference_below": [*edges[1:], None], **values}


def run_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the runs with their ranks."""
    means = dict(zip(findings.systems, findings.raw_means.tolist(), strict=True))
    simulated = dict(zip(findings.systems, findings.simulated_means.tolist(), strict=True))
    return Columns(
        Column("run", "system"),
        Column("raw_rank", heading="rank", form=_FORM),
        Column("rank_low", "low", "from rank", _FORM),
        Column("rank_high", "high", "to rank", _FORM),
        Column("raw_mean", lambda one: means[one["system"]], f"mean {findings.request.measure}", _FORM),
        Column(
            "simulated_mean", lambda one: simulated[one["system"]], "mean in resampled collections", _FORM
        ),
    )


def pair_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the pairs of runs that do not keep their order."""
    return Columns(
        Column("better", heading="better run"),
        Column("worse", heading="worse run"),
        Column("raw_difference", heading=f"difference, {findings.request.measure}", form=_FORM),
        Column("reversed", "share.value", form=_FORM),
        Column("tied", form=_FORM),
        Column("standard_error", "share.standard_error", form=_FORM),
    )


def topic_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the topics with their noise."""
    means = dict(zip(findings.topics, findings.raw.mean(axis=1).tolist(), strict=True))
    measure = findings.request.measure
    return Columns(
        Column("topic"),
        Column("standard_deviation", heading=f"SD of a score, {measure}", form=_FORM),
        Column("share", heading="share of the noise", form=_FORM),
        Column("raw_mean", lambda one: means[one["topic"]], f"mean {measure}", _FORM),
    )


NEEDED = Columns[Row](
    Column("min_d"),
    Column("topics_with_noise", "with_noise"),
    Column("topics_without_noise", "without_noise"),
    Column("topics_without_noise_by_halves", "without_noise_by_halves"),
)
"""How many topics a paired t test needs; no row where the scores do not vary enough."""

REMARK_COLUMNS = Columns[Row](
    Column("run"),
    Column("topic"),
    Column("remark", lambda one: REMARKS[one["remark"]], "handling"),
)
"""A row per run and topic that could not be drawn as asked."""


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


def methods_text(findings: Findings) -> tuple[str, str]:
    """Return the results of the simulation, in plain text and in LaTeX."""
    request = findings.request
    kept = f"{sentences.kept_sentence(findings)} ".lstrip()
    relevant = _RELEVANT[request.denominator]
    if request.model == "shared" and request.denominator == "drawn":
        relevant = "has the relevant documents that were drawn"
    paragraph = (
        f"The effect of another document collection was studied by simulation {CITATION} on the "
        f"{request.measure} scores of {counted(len(findings.systems), 'run')} on "
        f"{counted(len(findings.topics), 'topic')} ({findings.collection}). {_how_drawn(findings)}, "
        f"in {counted(request.n_trials, 'trial')} (seed {request.seed}). Documents are relevant from grade "
        f"{request.relevance_level}, unjudged documents count as not relevant, documents of equal score are "
        "ordered by descending id as in trec_eval, and a topic with R relevant documents "
        f"{relevant}. Over all pairs of runs and trials, "
        f"{sentences.at_most(findings)}{_percent(findings.overall_error_rate)} change their order, and "
        f"Kendall's tau of both rankings is {_number(findings.rank_correlation)} on average. By a paired t test "
        f"(α = {request.alpha:g}), {_percent(findings.raw_significant_share)} of the pairs differ significantly "
        f"in the original scores, and {_percent(findings.mean_rejection_rate)} in a simulated collection on "
        f"average; {_percent(findings.almost_never_significant_share)} do in fewer than 5 % of them. With topics "
        "and collection resampled together and differences shifted to mean 0, "
        f"{_percent(findings.significant_share_both)} of the pairs have an achieved significance level below "
        f"{request.alpha:g}, and the estimated difference needed is "
        f"{_number(findings.estimated_difference_shifted)}. {kept}Standard errors in parentheses are over trials "
        f"(Topicset {__version__})."
    )
    works = (
        *((CORMACK_LYNAM_2006,) if request.model == "shared" else ()),
        *(YANG_2018, ROBERTSON_KANOULAS_2012, SAKAI_2006),
    )
    return cite_plain(paragraph, works), cite_latex(paragraph, works)


def _how_drawn(findings: Findings) -> str:
    """Return how documents were drawn, up to where the number of trials follows."""
    request = findings.request
    if request.model == "shared":
        return (
            "For each topic the documents that a run returned or that are relevant were resampled with replacement,"
            " each a Poisson number of times with mean 1 and the same for all runs, until one of them was relevant"
        )
    drawn = _DRAWN[request.model].format(bandwidth=_BANDWIDTHS[request.bandwidth])
    return (
        "For each run and topic with r relevant documents among those retrieved, a number of relevant documents "
        "was drawn from a Poisson distribution with mean r; their scores, and the scores of the other documents up "
        f"to the depth of the list, were drawn {drawn}"
    )


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


_COMPARED = Columns[Comparison](
    Column("simulated", "value.value", form=".4f"),
    Column("s.e.", "value.standard_error", form=".4f"),
    Column("raw", "raw.value", form=".4f"),
    Column("of", lambda one: f"{one.what} [{READINGS[one.reading]}]{one.raw_is and f'; raw: {one.raw_is}'}"),
)


def _text(findings: Findings) -> list[str]:
    """Return the lines of a terminal."""
    names = ("simulated difference from", "", "pairs", "error rate", "s.e.")
    columns = zip(names, error_rates_table([findings]).values(), strict=True)
    rates = {name: column for name, column in columns if name}
    lines = [
        f"{sentences.reversal_sentence(findings)} {sentences.order_sentence(findings)}",
        sentences.noise_sentence(findings),
        "",
        *_COMPARED.text(comparisons(findings)),
        "",
        *aligned(rates, {names[0]: ".2f", "pairs": ",", "error rate": ".4f", "s.e.": ".4f"}),
        "",
    ]
    lines += [
        f"{counted(len(cells), 'ranked list')}: {REMARKS[remark]}."
        for remark, cells in findings.cells_with_remarks.items()
    ]
    lines.append(
        f"{findings.n_unjudged:,} documents of the ranked lists are unjudged and count as not relevant; "
        f"{sum(findings.n_tied):,} have the score of another document of the list and are ordered by descending id."
    )
    if sentences.kept_sentence(findings):
        lines.append(sentences.kept_sentence(findings))
    if findings.left_out_topics:
        lines.append(f"Left out, as no run has them: topics {', '.join(findings.left_out_topics)}.")
    return [*lines, ""]


def _affordable(data: JudgedDocuments, request: Request, seconds: float) -> Request | None:
    few = preview_trials(data.cells(request.relevance_level), request.model, seconds)
    return None if few is None else replace(request, n_trials=min(few, request.n_trials))


QUESTION = Question(
    slug=NAME,
    description="Treats the documents of a collection as a sample and resamples them: once for all runs "
    "(Cormack and Lynam 2006), or for each run separately (Yang, Zhang and Song 2018). Reports how often "
    "pairs of runs change their order and their significance, with standard errors over trials.",
    takes="judged runs",
    request=Request,
    compute=lambda data, request, **more: topic_variance(data.judged, request, data.runs, **more),
    finish=lambda found, request: replace(found, request=found.request.reading(request)),
    report=report,
    text=_text,
    noun=lambda request: f"{request.n_trials:,} collections by each model",
    seconds=lambda data, request: seconds_of(data.cells(request.relevance_level), request),
    preview=_affordable,
    preview_seconds=PREVIEW_SECONDS,
    is_whole=lambda found, request: found.request.n_trials == request.n_trials,
    shows_partial=True,
    details=lambda found: {
        "topics_needed": sentences.needed(found),
        "relevance_level": found.request.relevance_level,
    },
)
