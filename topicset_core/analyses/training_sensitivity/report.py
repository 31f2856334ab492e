"""Exports of training sensitivity: report, tables, record, paragraph for a paper, figures."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from topicset_core.analyses.training_sensitivity import charts
from topicset_core.analyses.training_sensitivity.answer import Answer, answered, gains_by_level
from topicset_core.analyses.training_sensitivity.charts import View
from topicset_core.analyses.training_sensitivity.designs import CompletenessDesign, plannable
from topicset_core.analyses.training_sensitivity.experiment import TrainingSensitivity, cpu_seconds
from topicset_core.analyses.training_sensitivity.request import LOW, Request
from topicset_core.analyses.training_sensitivity.tables import (
    collection_facts,
    comparisons,
    complete_comparisons,
    level_facts,
    stability,
)
from topicset_core.errors import InputError
from topicset_core.exports.citing import CITATION
from topicset_core.exports.columns import Column, Columns, aligned
from topicset_core.exports.findings import Finding, headline, tile
from topicset_core.exports.report import Report, ReportTable
from topicset_core.exports.tables import Row, Table, rows_of
from topicset_core.question import Question
from topicset_core.references import BUCKLEY_2004, HE_2008
from topicset_core.version import __version__
from topicset_core.wording import counted, joined

_FORM = ".4g"  # of numbers on screen


def report(answer: Answer, view: View | None = None) -> Report:
    """Return the answer with all its exports; figures show a view, by default the reference and the first task."""
    result, paper = answer.sensitivity, answer.paper
    shown_view = view or View(
        evaluated_by=result.reference, task=result.tasks[0].name, measure=answer.yours, level=result.levels[0]
    )
    name, levels = "training-sensitivity", level_columns(result.measures)
    tables = [
        ReportTable("gains", lambda: gains_table(result), "Gains", f"{name}-gains"),
        ReportTable("effectiveness", lambda: curves_table(answer), "Effectiveness", f"{name}-effectiveness"),
        ReportTable("all judgments", lambda: complete_table(paper)),
        ReportTable(
            "sign tests", lambda: SIGN_TESTS.table(comparisons(paper)), "Sign tests", f"{name}-sign-tests"
        ),
        ReportTable("stability", lambda: stability_table(paper)),
        ReportTable("levels", lambda: levels.table(level_facts(result)), "Levels", f"{name}-levels"),
        ReportTable("agreement", lambda: AGREEMENT.table(answer.agreements)),
        ReportTable("surfaces", lambda: surface_table(paper)),
        ReportTable("chosen", lambda: chosen_table(paper), "Choices", f"{name}-chosen"),
        ReportTable("topics and judgments", lambda: designs_table(answer.designs)),
    ]
    if answer.shallow:
        tables.append(ReportTable("shallower pools", lambda: SHALLOW.table(answer.shallow)))
    return Report(
        name=name,
        title=f"Training sensitivity: {result.collection}",
        findings=findings(answer),
        works=(HE_2008, BUCKLEY_2004),
        tables=tables,
        results=lambda: [record(answer)],
        figures=lambda: [
            charts.gains_by_completeness(answer, shown_view.evaluated_by),
            charts.effectiveness_by_completeness(answer, shown_view.evaluated_by),
            *charts.scores_in_training(answer, shown_view),
            *([charts.judgments_by_completeness(answer)] if answer.has_designs else []),
        ],
        measure=result.reference,
        variance_source=result.collection,
        n_topics=len(result.topics),
        request=replace(result.request, min_d=answer.min_d, worthwhile=answer.worthwhile).settings,
    )


_EMPHASISED = {"no difference": "no difference", "undecided": "No training measure"}


def findings(answer: Answer) -> list[Finding]:
    """Return the measures to train by, topics or judgments, the judgments, how the experiment was done."""
    result, recommended = answer.sensitivity, answer.recommendation
    emphasised = (
        joined(recommended.measures, "or") if recommended.measures else _EMPHASISED[recommended.verdict]
    )
    return [
        headline(*recommended.headline.partition(emphasised), also_on="terminal"),
        *_tiles(answer),
        Finding(_origin(answer), "paper"),
        Finding(recommended.sentence),
        Finding(_experiment(answer), "page terminal"),
        Finding(answer.cheapest, tab="Topics or judgments?"),
        Finding(_completeness(answer), "page export terminal", tab="Levels"),
        *(Finding(note, "page terminal") for note in result.notes),
        Finding(_method(answer), "paper"),
    ]


def _tiles(answer: Answer) -> Iterator[Finding]:
    """Yield the numbers next to the headline, of the recommended measure or else of all."""
    recommended, reference = answer.recommendation, answer.sensitivity.reference
    every = list(recommended.evidence)
    gains = [gain for gain in every if gain.measure in recommended.measures[:1]] or every
    by = gains[0].measure if len(gains) == 1 else "another measure"
    where = f"with {'at most' if recommended.low else 'more than'} {LOW:g} % of the judgments"
    note = f"Test {reference} after training by {by}, minus that by {reference}, {where}."
    if len(gains) == 1:
        yield tile(f"gain in {reference}", f"{gains[0].difference:+z.4f}", note)
    else:
        least, *_, most = sorted(gain.difference for gain in gains)
        yield tile(f"gains by {len(gains)} measures", f"{least:+z.4f} to {most:+z.4f}", note)
    interval = f"{min(gain.low for gain in gains):+z.4f} to {max(gain.high for gain in gains):+z.4f}"
    yield tile("95 % interval of the gain", interval, "Over topics, adjusted for all measures.")
    score = f"{gains[0].reference_mean:.4f}"
    yield tile(f"trained by {reference}", score, f"{reference} on the test topics, {where}.")
    if len(gains) == 1:
        note = f"Trainings after which {by} gives the higher test {reference}."
        yield tile("better in trainings", gains[0].trainings, note)


def _settings(answer: Answer) -> str:
    settings = answer.sensitivity.settings
    swept = ", ".join(settings.parameters)
    return f"{counted(len(settings.systems), 'setting')}{f' of {swept}' if swept else ''}"


def _experiment(answer: Answer) -> str:
    """Return the size of the experiment."""
    result = answer.sensitivity
    without = "" if result.settings.parameters else " without parameter values"
    sizes = " and ".join(f"{len(task.training)}" for task in result.tasks[:2])
    return (
        f"{_settings(answer)}{without}; trained on {sizes} topics, tested on the others, in "
        f"{counted(len(result.tasks), 'training')}; {result.request.n_samples} samples of judgments at each of "
        f"{counted(len(result.levels), 'level')}, seed {result.request.seed}."
    )


def _completeness(answer: Answer) -> str:
    """Return table 1: how complete the judgments are to begin with."""
    facts = _facts(answer)
    share = ""
    if facts["relevant_share"] is not None:
        share = f" of {facts['n_documents']:,} documents ({100 * facts['relevant_share']:.2f} %)"
    return (
        f"{facts['collection']}: {counted(facts['n_topics'], 'topic')}, on average {facts['judged_per_topic']:.1f} "
        f"judged documents and {facts['relevant_per_topic']:.1f} relevant ones{share}."
    )


def _facts(answer: Answer) -> Row:
    try:
        return collection_facts(answer.sensitivity, answer.n_documents)
    except InputError:  # the sweep has documents that the collection lacks
        return collection_facts(answer.sensitivity)


def _origin(answer: Answer) -> str:
    """Return which settings were trained, and how."""
    result = answer.sensitivity
    levels = ", ".join(f"{level:g}" for level in result.levels)
    topics = sum(len(task.training) for task in result.tasks) / len(result.tasks)
    kept = ", one relevant document of each topic being kept" if result.request.keep_one else ""
    how = {"sweep": "chosen", "annealing": "sought by simulated annealing"}[result.request.optimiser]
    return (
        f"Sensitivity to the training measure was studied as by He et al. {CITATION} on {_settings(answer)} "
        f"({result.collection}). In {counted(len(result.tasks), 'training')} on {topics:g} topics on average, the "
        f"setting with the best mean score by each of {joined(result.measures)} was {how} on a random part of the "
        f"judgments of the training topics, relevant and not relevant: {levels} %{kept} "
        f"({result.request.n_samples} samples at each level, drawn over the topics of all trainings together, seed "
        f"{result.request.seed}). Judgments that were removed left their documents in the pool as not judged, and "
        "settings that tied were drawn from. Test topics kept all judgments."
    )


def _method(answer: Answer) -> str:
    """Return when a measure is called better."""
    return (
        f"A measure was called better if it gained at least {answer.worthwhile:g} on the test topics, if the 95 % "
        "confidence interval of the gain excluded 0, and if it gained in at least three quarters of the trainings. "
        "Intervals are over topics (Bayesian bootstrap of the whole experiment) and samples, with Bonferroni's "
        f"adjustment for the number of measures (Topicset {__version__})."
    )


def record(answer: Answer) -> dict[str, Any]:
    """Return the record of the experiment: request, levels, effectiveness, tests, choices."""
    result, paper = answer.sensitivity, answer.paper
    return {
        "analysis": "training sensitivity",
        "collection": _facts(answer),
        "measures": dict(zip(result.measures, result.definitions, strict=True)),
        "parameters": result.settings.parameters,
        "n_settings": len(result.settings.systems),
        "tasks": [
            {"name": task.name, "training_topics": task.training, "test_topics": task.test}
            for task in result.tasks
        ],
        "levels": level_facts(result),
        "gains": rows_of(gains_table(result)),
        "complete": complete_comparisons(paper),
        "effectiveness": answer.curves,
        "sign_tests": comparisons(paper),
        "agreement": answer.agreements,
        "chosen": rows_of(chosen_table(paper)),
        "recommendation": answer.recommendation,
        "sentence": answer.recommendation.sentence,
        "remarks": result.notes,
    }


def gains_table(sensitivity: TrainingSensitivity) -> Table:
    """Return what training by each measure gains at each level, by the reference, over topics and samples."""
    reference = sensitivity.reference
    every = gains_by_level(sensitivity, reference).values()
    rows = [{"level": level, "gain": gain} for gains in every for level, gain in gains]
    columns = Columns[Row](
        Column("trained by", "gain.measure"),
        Column("% of judgments", "level"),
        Column(f"mean {reference}", "gain.mean"),
        Column(f"trained by {reference}", "gain.reference_mean"),
        Column("gain", "gain.difference"),
        Column("gain, low", "gain.low"),
        Column("gain, high", "gain.high"),
        Column("p over topics", "gain.p_value"),
        Column("p over samples (paper)", "gain.samples_p_value"),
        Column("trainings better", "gain.n_better"),
        Column("trainings", "gain.n_tasks"),
    )
    return columns.table(rows)


def _of_measure(place: int, name: str) -> Callable[[Row], object]:
    return lambda row: row[name][place]


def level_columns(measures: tuple[str, ...]) -> Columns[Row]:
    """Return the columns of the state at each level: judgments, topics lost, mean scores, trainings that tied."""
    columns: list[Column[Row]] = [
        Column("% of judgments", "level", form=_FORM),
        Column("judged per topic", form=_FORM),
        Column("relevant per topic", form=_FORM),
        Column("topics without relevant", "lost_topics", form=_FORM),
        Column("of all topics", "lost_share", form=".2%", on="s"),
    ]
    for place, measure in enumerate(measures):
        columns += [
            Column(f"mean {measure}", _of_measure(place, "scores"), form=_FORM),
            Column(f"mean {measure}, topics left", _of_measure(place, "scores_kept"), on="f"),
            Column(f"{measure} of these by all judgments", _of_measure(place, "scores_complete"), on="f"),
            Column(f"ties by {measure}", _of_measure(place, "n_tied"), on="f"),
        ]
    if {"infAP", "AP"} <= set(measures):
        # On topics with a relevant document left, from AP by all judgments.
        infap, ap = measures.index("infAP"), measures.index("AP")
        columns.append(
            Column(
                "bias of infAP",
                lambda row: row["scores_kept"][infap] - row["scores_complete"][ap],
                form=_FORM,
            )
        )
    return Columns(*columns)


def curves_table(answer: Answer) -> Table:
    """Return figure 2: X(Y) at each level, with intervals and paired tests."""
    columns = Columns[Row](
        Column("tested on", lambda row: row["task"] or "all"),
        Column("evaluated by"),
        Column("trained by"),
        Column("% of judgments", "level"),
        *(Column(name) for name in ("mean", "low", "high")),
        Column(f"less trained by {answer.paper.reference}", "difference"),
        Column("difference low"),
        Column("difference high"),
        Column("p over samples", "p_value"),
    )
    return columns.table(answer.curves)


def evidence_table(answer: Answer) -> dict[str, list[str]]:
    """Return the evidence of the recommendation, in words: a row per block of levels and measure."""
    blocks = (
        (f"at most {LOW:g} %", answer.recommendation.low),
        (f"above {LOW:g} %", answer.recommendation.high),
    )
    rows = [(name, gain) for name, gains in blocks for gain in gains]
    return {
        "judgments": [name for name, _ in rows],
        "trained by": [gain.measure for _, gain in rows],
        "gain": [f"{gain.difference:+z.4f}" for _, gain in rows],
        "95 % interval over topics": [gain.interval for _, gain in rows],
        "p over topics": [f"{gain.p_value:.2g}" for _, gain in rows],
        "better in trainings": [gain.trainings for _, gain in rows],
        "p of the paper (Wilcoxon over samples)": [f"{gain.samples_p_value:.2g}" for _, gain in rows],
    }


def complete_table(sensitivity: TrainingSensitivity) -> Table:
    """Return tables 2 and 3: trained with all judgments."""
    columns = Columns[Row](
        Column("tested on", "task"),
        Column("evaluated by"),
        Column("trained by"),
        Column("score"),
        Column(f"trained by {sensitivity.reference}", "reference_score"),
        Column("topics that differ", "n_topics"),
        Column("p", "p_value"),
        Column("mark"),
        Column("setting"),
        Column("settings tied", "n_tied"),
    )
    return columns.table(complete_comparisons(sensitivity))


_BLOCKS = {"all": "all", "low": "up to 10 %", "high": "above 10 %"}

SIGN_TESTS = Columns[Row](
    Column("compared", "what"),
    Column("levels", lambda row: _BLOCKS[row["block"]]),
    Column("measure"),
    Column("more stable", "test.more"),
    Column("less stable", "test.less"),
    Column("tied", "test.tied"),
    Column("with a deviation of 0", "n_zero"),
    Column("p", "p_value"),
    Column("mark"),
)
"""Tables 4 and 5, with the scale-free version of the latter."""

AGREEMENT = Columns[Row](
    Column("measure"),
    Column("% of judgments", "level"),
    Column("mean ρ", "rho"),
    Column("lowest"),
    Column("highest"),
    Column("undefined", "n_undefined"),
)
"""Figure 3: Spearman's rho with the reference over settings."""


def stability_table(sensitivity: TrainingSensitivity) -> Table:
    """Return the standard deviations behind tables 4 and 5, a row for each level, task and measure."""
    spreads = stability(sensitivity)
    rows = [
        (level, task, by)
        for level in range(len(sensitivity.levels))
        for task in range(len(sensitivity.tasks))
        for by in range(len(sensitivity.measures))
    ]
    columns: dict[str, list[object]] = {
        "% of judgments": [sensitivity.levels[level] for level, _, _ in rows],
        "tested on": [sensitivity.tasks[task].name for _, task, _ in rows],
        "measure": [sensitivity.measures[by] for _, _, by in rows],
    }
    for number, parameter in enumerate(sensitivity.settings.parameters):
        sigmas = [float(spreads.of_parameters[(*row, number)]) for row in rows]
        columns[f"σ_opt of {parameter}"] = list(sigmas)
        columns[f"1/σ_opt of {parameter}"] = [1 / sigma if sigma else None for sigma in sigmas]
    columns["samples disagree"] = [float(spreads.disagreement[row]) for row in rows]
    for name, both in (("σ_diff", spreads.of_differences), ("scale-free σ_diff", spreads.scale_free)):
        for side, by_whom in enumerate(("itself", sensitivity.reference)):
            sigmas_of = [
                None if by == 0 else float(both[level, task, by - 1, side]) for level, task, by in rows
            ]
            columns[f"{name} by {by_whom}"] = list(sigmas_of)
            columns[f"1/{name} by {by_whom}"] = [1 / sigma if sigma else None for sigma in sigmas_of]
    return columns


def surface_table(sensitivity: TrainingSensitivity) -> Table:
    """Return figure 1: mean training and test score of each setting, by all judgments."""
    columns: dict[str, list[object]] = {"run": list(sensitivity.settings.systems)}
    for number, parameter in enumerate(sensitivity.settings.parameters):
        columns[f"parameter {parameter}"] = sensitivity.settings.values[:, number].tolist()
    for place, task in enumerate(sensitivity.tasks):
        for by, measure in enumerate(sensitivity.measures):
            surface = sensitivity.complete.means[0, 0, place, by]
            columns[f"{measure} in training for {task.name}"] = surface.tolist()
            columns[f"{measure} on {task.name}"] = sensitivity.test_means[place, by].tolist()
    return columns


def chosen_table(sensitivity: TrainingSensitivity) -> Table:
    """Return every choice: a row for each level, sample, task and measure."""
    rows = list(np.ndindex(sensitivity.trained.chosen.shape))
    chosen = [int(sensitivity.trained.chosen[row]) for row in rows]
    columns: dict[str, list[object]] = {
        "% of judgments": [sensitivity.levels[row[0]] for row in rows],
        "sample": [row[1] + 1 for row in rows],
        "tested on": [sensitivity.tasks[row[2]].name for row in rows],
        "trained by": [sensitivity.measures[row[3]] for row in rows],
        "run": [sensitivity.settings.systems[setting] for setting in chosen],
    }
    for number, parameter in enumerate(sensitivity.settings.parameters):
        columns[f"parameter {parameter}"] = sensitivity.settings.values[chosen, number].tolist()
    return columns | {"settings tied": [int(sensitivity.trained.n_tied[row]) for row in rows]}


def designs_table(designs: Sequence[CompletenessDesign]) -> Table:
    """Return topics and judgments of each level and measure."""
    columns = Columns[CompletenessDesign](
        Column("% of judgments", "level"),
        Column("measure"),
        Column("judged per topic"),
        Column("relevant per topic"),
        Column("topics lost", "lost_share"),
        Column("σ² one-way", "within_system_variance"),
        Column("slope"),
        Column("topics, same difference", "required_topics"),
        Column("topics, same systems", "required_topics_same_systems"),
        Column("topics to judge"),
        Column("judgments", "total_judgments"),
        Column("judgments, low", lambda design: design.likely_judgments and design.likely_judgments[0]),
        Column("judgments, high", lambda design: design.likely_judgments and design.likely_judgments[1]),
        Column("can be planned with", lambda design: design in plannable(designs, design.measure)),
    )
    return columns.table(designs)


SHALLOW = Columns[Row](
    Column("pool depth"),
    Column("% of judgments", "level"),
    Column("training topics without relevant", "n_lost"),
    Column("tested on", "task"),
    Column("trained by"),
    Column("setting"),
    Column("settings tied", "n_tied"),
    Column("reference on the test topics", "reference_score"),
    Column("the measure itself there", "own_score"),
)
"""Trainings on shallower pools."""


def text(answer: Answer) -> list[str]:
    """Return the lines of the tables in a terminal."""
    result = answer.sensitivity
    gains = {name: dict(rows) for name, rows in gains_by_level(result, result.reference).items()}
    facts = level_facts(result)
    columns: dict[str, list[object]] = {
        "% judged": [fact["level"] for fact in facts],
        "lost topics": [fact["lost_topics"] for fact in facts],
        result.reference: [gains[result.alternatives[0]][fact["level"]].reference_mean for fact in facts],
    }
    for name in result.alternatives:
        own = [gains[name][fact["level"]] for fact in facts]
        columns[name] = [f"{gain.difference:+z.4f}{'*' * (gain.low > 0 or gain.high < 0)}" for gain in own]
    cells = comparisons(answer.paper)
    stable: dict[str, list[object]] = {"": ["{what}, {measure}".format_map(cell) for cell in cells[::3]]}
    for place, block in enumerate(("all", "to 10 %", "above")):
        stable[block] = [sign_test_text(cell) for cell in cells[place::3]]
    return [
        "",
        f"{result.reference} on the test topics when trained by {result.reference}, and gain of training by "
        f"other measures, over {len(result.tasks)} trainings:",
        *aligned(columns, {"% judged": "g", "lost topics": ".1f", result.reference: ".4f"}),
        "* the 95 % confidence interval over topics excludes 0, for each level separately",
        "",
        *aligned(evidence_table(answer)),
        "",
        f"Levels and tasks in which a measure is more/less stable than {result.reference} (first split):",
        *aligned(stable),
    ]


def sign_test_text(cell: Row) -> str:
    """Write a sign test as in the paper, "24/0 ≫"; with ties "20/3 (1 tied) ≫"."""
    counts = cell["test"]
    tied = f" ({counts['tied']} tied)" if counts["tied"] else ""
    return f"{counts['more']}/{counts['less']}{tied} {cell['mark']}".rstrip()


def paper_text(blocks: Sequence[Row], reference: str) -> list[str]:
    """Return tables 2 and 3 as lines of a terminal."""
    lines = []
    for number, model in ((2, "bm25"), (3, "pl2")):
        lines.append(f"Table {number}: {reference} on the test topics, {model.upper()}, all judgments")
        for block in blocks:
            if block["model"] == model:
                # X(Y) with X the reference: a row per task, a column per Y
                cells = [cell for cell in block["cells"] if cell["evaluated_by"] == block["measures"][0]]
                columns: dict[str, Any] = {"testing": list(dict.fromkeys(cell["task"] for cell in cells))}
                for cell in cells:
                    scores = columns.setdefault(f"by {cell['trained_by']}", [])
                    scores.append("{score:.4f}{mark}".format_map(cell))
                lines += ["{title} ({n_settings} settings)".format_map(block), *aligned(columns)]
        lines.append("")
    return [
        *lines,
        f"Columns: training measure. > differs from training by {reference} (Wilcoxon over test topics, p <= .05).",
    ]


QUESTION = Question(
    slug="training-sensitivity",
    description="",  # its command is written by hand, as its sweep has two sources
    takes="sweep",
    request=Request,
    compute=answered,
    finish=lambda answer, request: answer.at(request.min_d, request.worthwhile),
    report=report,
    text=text,
    noun=lambda request: f"{request.n_samples:,} samples at each of {len(request.levels)} levels",
    seconds=lambda data, request: cpu_seconds(data.sweep, len(data.tasks), request),
    preview=lambda data, request, seconds: (
        request if cpu_seconds(data.sweep, len(data.tasks), request) <= seconds else None
    ),
    preview_seconds=1.0,
    is_whole=lambda answer, _: bool(answer.shallow),
    shows_partial=True,
)
