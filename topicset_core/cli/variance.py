"""``variance``: the variance that a design needs, from past scores."""

import argparse
from collections.abc import Mapping
from typing import Any

from topicset_core.analyses.score_variance.groups import grouping
from topicset_core.analyses.score_variance.report import (
    MatrixVariances,
    variance_by_measure,
    variances_of,
    variances_table,
)
from topicset_core.cli import files, preparing
from topicset_core.cli import options as common
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.answer import Answer
from topicset_core.exports.findings import Finding
from topicset_core.exports.records import attributes
from topicset_core.exports.report import Report, ReportTable
from topicset_core.preparation.means import MEAN, USUAL_MEAN, mean_of
from topicset_core.preparation.runs import caution_on_constant_runs, constant_runs
from topicset_core.variance import TWO_WAY, disagreement, pooled, pooled_interval
from topicset_core.wording import few_topics


def add_options(parser: argparse.ArgumentParser) -> None:
    """Add the options of ``variance``."""
    parser.description = (
        "Within-system variances (Sakai 2016, Eqs. 36 and 37) of topic-by-run score files, and "
        "pooled over the files of one measure (Eq. 38, weights n - 1). Files with one run each, as written by "
        "trec_eval -q and evaluators of language models, are joined into one matrix per measure; their names "
        "are then joined by commas."
    )
    files.add_options(parser)
    files.add_groups(parser)
    common.add_parameter(parser, MEAN, None, USUAL_MEAN)
    preparing.add_options(parser)
    common.add_output(parser)


def run(options: argparse.Namespace) -> Answer[list[MatrixVariances]]:
    """Return the variances as text and as a record."""
    steps = preparing.steps_of(options)
    read = files.read_files(options)
    by_measure: dict[str, list[ScoreMatrix]] = {}
    rows, answer, constant = [], [], list[str]()
    for read_from, matrix in zip(read.files, read.matrices, strict=True):
        done = preparing.prepared(matrix, steps)
        by_measure.setdefault(done.matrix.measure, []).append(done.matrix)
        # Files of one run each that were joined are named together.
        answer.append(variances_of(done.matrix))
        caution = caution_on_constant_runs(done.matrix)
        constant += [f"{done.matrix.measure} of {done.matrix.name}: {caution}"] if caution else []
        row = {
            "file": ", ".join(read_from),
            **attributes(done.matrix, "name measure n_topics n_systems"),
            **attributes(answer[-1], "one_way two_way one_way_interval two_way_interval"),
        }
        grouped = grouping(done.matrix, mean_of(done.matrix, options.mean))
        row |= {} if grouped is None else {**grouped.answers, "groups": grouped}
        row |= {"constant_runs": constant_runs(done.matrix)} if caution else {}
        rows.append(row | {"preparation": preparing.record_of(matrix, done)})
    record: dict[str, Any] = {
        "matrices": rows,
        "pooled": {measure: _pooled(group) for measure, group in by_measure.items()},
        "preparation": steps.settings(),
        "recognised": list(read.recognised),
    }
    if len(read.matrices) == 1 and grouped is not None:
        record |= grouped.answers
    variances = (f"{measure} {one['one_way']:.4g}" for measure, one in record["pooled"].items())
    report = Report(
        name="variances",
        title="Variances of scores",
        findings=[Finding(f"Within-system variance σ²: {', '.join(variances)}.", "export")],
        tables=[ReportTable("variances", lambda: variances_table(answer))],
        results=lambda: [record],
        figures=lambda: [variance_by_measure([one.matrix for one in answer])],
        matrices=[one.matrix for one in answer],
        counts_groups=True,
        warning=" ".join(constant),
    )
    text = "\n".join([_text(record), *files.notes_on_groups(options)])
    text += "".join(f"\n{one}" for one in constant)
    return Answer(text=text, record=record, answer=answer, report=report)


def _pooled(group: list[ScoreMatrix]) -> dict[str, Any]:
    differing = disagreement(group)
    every_has_two = all(matrix.n_systems > 1 for matrix in group)
    return {
        "n_matrices": len(group),
        "one_way": pooled(group),
        "two_way": pooled(group, TWO_WAY) if every_has_two else None,
        "one_way_interval": pooled_interval(group),
        "two_way_interval": pooled_interval(group, TWO_WAY) if every_has_two else None,
        "disagreement": None if differing is None else differing.sentence,
        "caution": few_topics(sum(matrix.n_topics for matrix in group)),
    }


def _text(record: dict[str, Any]) -> str:
    header = f"{'measure':10} {'topics':>6} {'runs':>5} {_cells('one-way')} {_cells('two-way')}  file"
    rows = [
        f"{row['measure']:10} {row['n_topics']:6} {row['n_systems']:5} {_both(row)}  {row['file']}"
        for row in record["matrices"]
    ]
    rows += [
        f"{measure:10} {'':6} {'':5} {_both(values)}  pooled over {values['n_matrices']}"
        for measure, values in record["pooled"].items()
        if values["n_matrices"] > 1
    ]
    intervals = [row[f"{way}_way_interval"] for way in ("one", "two") for row in record["matrices"]]
    known = [found for found in intervals if found is not None and found.covers is not None]
    held = [
        f"{whose}cover {covers.in_words}"
        for of_one, whose in ((False, ""), (True, "of one run or one pair "))
        for covers in sorted({found.covers for found in known if found.is_of_one == of_one})
    ]
    covers = f"90 % confidence intervals {'; '.join(held)}." if held else ""
    text = [
        f"{row['measure']} of {row['name']}: {sentence}"
        for row in record["matrices"]
        if row["preparation"]
        for sentence in row["preparation"]["notes"]
    ]
    text += [
        f"{row['measure']} of {row['name']}: {' '.join(row['groups'].sentences)}"
        for row in record["matrices"]
        if "groups" in row
    ]
    text += [
        f"{measure}: {values['disagreement']}. Pool them only if they are rounds of one task."
        for measure, values in record["pooled"].items()
        if values["disagreement"]
    ]
    text += [
        f"{measure}: {values['caution']}" for measure, values in record["pooled"].items() if values["caution"]
    ]
    return "\n".join([header, *rows, *filter(None, [covers]), "", *record["recognised"], *text])


def _both(row: Mapping[str, Any]) -> str:
    """Return both variances with their intervals."""
    cells = []
    for name in ("one_way", "two_way"):
        value, interval = row[name], row[f"{name}_interval"]
        number = "-" if value is None else f"{value:.8f}"
        cells.append(_cells(number, "-" if interval is None else f"{interval.low:.3g}-{interval.high:.3g}"))
    return " ".join(cells)


def _cells(value: str, interval: str = "90 %") -> str:
    return f"{value:>11} {interval:>15}"
