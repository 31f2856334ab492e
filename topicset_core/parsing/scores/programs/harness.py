"""lm-evaluation-harness 0.4.13: ``samples_<task>_<date>.jsonl``, one object per sample and filter.

Each run has a folder of its own. Groups are in the document of a sample.
"""

import re
from typing import NoReturn

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.numerals import is_numeral
from topicset_core.parsing.scores.programs.log import (
    Log,
    Named,
    Program,
    Score,
    cell_of,
    fields_of,
    folder_of,
    inner,
    items_of,
    name_groups,
    text_of,
)
from topicset_core.parsing.table import Table, words
from topicset_core.wording import quoted

_OF_SAMPLE = words(
    "doc_id doc target arguments resps filtered_resps filter metrics doc_hash prompt_hash target_hash"
)
_SAMPLES = re.compile(r"samples_(.+?)_\d{4}-\d\d-\d\dT[\d.\-]+")


def _read(table: Table, _: Choices) -> Log:
    scores, filters = [], set()
    groups: Named = {}
    for line, record in table.records:
        what = f"line {line}"
        fields = fields_of(table, record, what)
        topic = text_of(table, fields.get("doc_id"), f"a doc_id in {what}")
        name_groups(groups, topic, inner(fields, "doc"))
        filtered = text_of(table, fields.get("filter", "none"), f"the name of a filter in {what}")
        filters.add(filtered)
        named = fields.get("metrics")
        if named is None:  # versions before 0.4.3 do not list them
            named = [
                key for key, value in fields.items() if key not in _OF_SAMPLE and is_numeral(cell_of(value))
            ]
        for name in items_of(table, named, f"metrics in {what}"):
            metric = text_of(table, name, f"the name of a metric in {what}")
            if metric not in fields:
                table.refuse(line, f"expected the metric {quoted(metric)} that the sample lists, found none")
            measure = metric if filtered == "none" else f"{metric},{filtered}"
            scores.append(Score(line, topic, measure, cell_of(fields[metric])))
    task = _SAMPLES.fullmatch(table.source.stem)
    notes = ("Measures of filtered answers are called metric,filter.",) if filters - {"none"} else ()
    return Log(
        program="Samples of lm-evaluation-harness",
        scores=scores,
        unit="line",
        run=folder_of(table),
        run_source="the folder",
        task=task[1] if task else "",
        notes=notes,
        named=groups,
    )


def _refuse_summary(table: Table, _: Choices) -> NoReturn:
    table.refuse(
        None,
        "expected scores of single samples, found the means of lm-evaluation-harness; call it with --log_samples "
        "and upload its samples_*.jsonl",
    )


PROGRAM = Program(
    lambda fields: {"doc_id", "doc", "resps"} <= fields.keys(), _read, "lm-evaluation-harness (samples)"
)
SUMMARY = Program(lambda fields: {"results", "configs", "n-shot"} <= fields.keys(), _refuse_summary, "")
