"""Exports of an answer on simulated collections: tables, figures, record, methods paragraph."""

from collections.abc import Sequence
from dataclasses import replace

from topicset_core.analyses.topic_variance import charts, conclusions, sentences
from topicset_core.analyses.topic_variance.cells import JudgedDocuments
from topicset_core.analyses.topic_variance.prepared import REMARKS, Fit
from topicset_core.analyses.topic_variance.request import Request
from topicset_core.analyses.topic_variance.result import Findings, topic_variance
from topicset_core.analyses.topic_variance.simulation import PREVIEW_SECONDS, preview_trials, seconds_of
from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row, Table
from topicset_core.parameters import MIN_D
from topicset_core.question import Question
from topicset_core.references import CORMACK_LYNAM_2006, ROBERTSON_KANOULAS_2012, SAKAI_2006, YANG_2018

NAME = "topic-variance"
"""Beginning of the names of all files, and of the command."""

_FORM = ".4g"  # of numbers on screen


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
        findings=sentences.statements(findings, both),
        works=(
            *((CORMACK_LYNAM_2006,) if findings.request.model == "shared" else ()),
            *(YANG_2018, ROBERTSON_KANOULAS_2012, SAKAI_2006),
        ),
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


READINGS = {
    "as printed": "as published",
    "repaired": "corrected",  # by its source or its name
    "beside it": "in addition",  # a number that helps to interpret both
}
"""Names of the ways of counting on the command line; records and files keep the keys."""


def comparisons(result: Findings) -> tuple[Row, ...]:
    """Return the four comparisons of Yang, Zhang and Song (2018, table 1), as printed and repaired."""
    tested = result.raw_significant_share, "pairs with a significant t test"
    by_topics = "the same with topics alone resampled (Sakai 2006)"
    together = "topics and collection resampled together"
    largest = conclusions.raw(result.largest_difference), "the largest difference between two runs"
    shares = {
        "in a sample, on average": result.mean_rejection_rate,
        "in at least 50 % of the samples": result.half_significant_share,
        "in at least 95 % of the samples": result.almost_always_significant_share,
    }
    never = "PCT(ASL < .05): pairs that are almost never significant, in under 5 % of the samples"
    order, significance, difference = "Order", "Significance", "Difference"
    printed, repaired = "as printed", "repaired"
    rows: list[tuple[object, ...]] = [
        (
            order,
            "error rate over all bins: pairs that change order",
            printed,
            result.overall_error_rate,
            None,
            "",
        ),
        (order, "KRCC: mean Kendall's τ with the raw ranking", printed, result.rank_correlation, None, ""),
        (significance, never, printed, result.almost_never_significant_share, *tested),
        *(
            (significance, f"pairs that are significant {where}", "beside it", share, *tested)
            for where, share in shares.items()
        ),
        (
            significance,
            f"pairs with an achieved level below α, {together}",
            repaired,
            result.significant_share_both,
            result.significant_share_topics,
            by_topics,
        ),
        (difference, "ED: estimated difference, not shifted", printed, result.estimated_difference, *largest),
        (
            difference,
            f"estimated difference, shifted to mean 0, {together}",
            repaired,
            result.estimated_difference_shifted,
            result.estimated_difference_topics,
            by_topics,
        ),
    ]
    # The aspect that may change with the collection, the counted event, the way of counting, the number from
    # simulated collections, and its counterpart on the scores as they are
    names = ("question", "what", "reading", "value", "raw", "raw_is")
    return tuple(dict(zip(names, row, strict=True)) for row in rows)


def comparisons_table(result: Sequence[Findings]) -> Table:
    """Return table 1 of Yang et al. (2018): a row per comparison, two columns per model, raw counterparts."""
    by_model = {str(findings.request.model): comparisons(findings) for findings in result}
    rows = [
        same[0] | {model: row["value"] for model, row in zip(by_model, same, strict=True)}
        for same in zip(*by_model.values(), strict=True)
    ]
    columns = [Column[Row](name) for name in ("question", "what", "reading")]
    for model in by_model:
        columns += [
            Column(model, f"{model}.value"),
            Column(f"{model}, standard error", f"{model}.standard_error"),
        ]
    return Columns(
        *columns, Column("on the scores", "raw.value"), Column("on the scores: what", "raw_is")
    ).table(rows)


def error_rates_table(result: Sequence[Findings]) -> Table:
    """Return a row per bin of the simulated difference, three columns per model."""
    values: dict[str, Sequence[object]] = {}
    for findings in result:
        model = findings.request.model
        values[f"{model}, pairs"] = list(findings.pairs_by_bin)
        values[f"{model}, error rate"] = [rate.value for rate in findings.error_rates]
        values[f"{model}, standard error"] = [rate.standard_error for rate in findings.error_rates]
    edges = [round(conclusions.BIN_WIDTH * place, 2) for place in range(conclusions.N_BINS)]
    return {"difference from": edges, "difference below": [*edges[1:], None], **values}


def run_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the runs with their ranks."""
    means = dict(zip(findings.systems, findings.raw_means.tolist(), strict=True))
    simulated = dict(zip(findings.systems, findings.simulated_means.tolist(), strict=True))
    return Columns(
        Column("run", "system"),
        Column("rank", "raw_rank", form=_FORM),
        Column("from rank", "low", form=_FORM),
        Column("to rank", "high", form=_FORM),
        Column(f"mean {findings.request.measure}", lambda row: means[row["system"]], form=_FORM),
        Column("mean in resampled collections", lambda row: simulated[row["system"]], form=_FORM),
    )


def pair_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the pairs of runs that do not keep their order."""
    return Columns(
        Column("better run", "better"),
        Column("worse run", "worse"),
        Column(f"difference, {findings.request.measure}", "raw_difference", form=_FORM),
        Column("reversed", "share.value", form=_FORM),
        Column("tied", form=_FORM),
        Column("standard error", "share.standard_error", form=_FORM),
    )


def topic_columns(findings: Findings) -> Columns[Row]:
    """Return the columns of the topics with their noise."""
    means = dict(zip(findings.topics, findings.raw.mean(axis=1).tolist(), strict=True))
    measure = findings.request.measure
    return Columns(
        Column("topic"),
        Column(f"SD of a score, {measure}", "standard_deviation", form=_FORM),
        Column("share of the noise", "share", form=_FORM),
        Column(f"mean {measure}", lambda row: means[row["topic"]], form=_FORM),
    )


NEEDED = Columns[Row](
    Column(MIN_D.symbol, "min_d"),
    Column("topics, with the noise", "with_noise"),
    Column("topics, without the noise", "without_noise"),
    Column("topics, without the noise (by halves)", "without_noise_by_halves"),
)
"""How many topics a paired t test needs; no row where the scores do not vary enough."""

REMARK_COLUMNS = Columns[Row](
    Column("run"),
    Column("topic"),
    Column("remark", lambda row: REMARKS[row["remark"]], "handling"),
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
        "score": findings.raw.ravel().tolist(),
        "simulated, mean": findings.simulated.ravel().tolist(),
        "simulated, standard deviation": findings.deviations.ravel().tolist(),
    }


def _event(row: Row) -> str:
    """Return the event of a comparison, how it was counted, and its counterpart on the scores as they are."""
    text = f"{row['what']} [{READINGS[row['reading']]}]"
    return f"{text}; raw: {row['raw_is']}" if row["raw_is"] else text


_COMPARED = Columns[Row](
    Column("simulated", "value.value", form=".4f"),
    Column("s.e.", "value.standard_error", form=".4f"),
    Column("raw", "raw.value", form=".4f"),
    Column("of", _event),
)


def _text(findings: Findings) -> list[str]:
    """Return the lines of the tables in a terminal."""
    names = ("simulated difference from", "", "pairs", "error rate", "s.e.")
    columns = zip(names, error_rates_table([findings]).values(), strict=True)
    rates = {name: column for name, column in columns if name}
    return [
        "",
        *_COMPARED.text(comparisons(findings)),
        "",
        *aligned(rates, {names[0]: ".2f", "pairs": ",", "error rate": ".4f", "s.e.": ".4f"}),
        "",
    ]


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
    finish=lambda findings, request: replace(findings, request=findings.request.reading(request)),
    report=report,
    text=_text,
    noun=lambda request: f"{request.n_trials:,} collections by each model",
    seconds=lambda data, request: seconds_of(data.cells(request.relevance_level), request),
    preview=_affordable,
    preview_seconds=PREVIEW_SECONDS,
    is_whole=lambda findings, request: findings.request.n_trials == request.n_trials,
    shows_partial=True,
    details=lambda findings: {
        "topics_needed": sentences.needed(findings),
        "relevance_level": findings.request.relevance_level,
    },
)
