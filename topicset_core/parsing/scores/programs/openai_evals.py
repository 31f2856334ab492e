"""OpenAI Evals 3.0.1, by its source: a log per run as JSON lines: ``spec``, events, ``final_report``.

An event has a ``sample_id``, a ``type`` and ``data``. Scores are in events of two types: ``match`` has ``correct``,
``metrics`` has each metric by its name. The run is the first completion function of the specification; others of
it grade the answers.
"""

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.programs.log import (
    Log,
    Program,
    Score,
    cell_of,
    fields_of,
    gaps,
    inner,
    items_of,
    text_of,
)
from topicset_core.parsing.table import Table
from topicset_core.wording import listed


def _read(table: Table, _: Choices) -> Log:
    (first, record), *others = table.records
    head = fields_of(table, record, f"line {first}")
    spec = fields_of(table, head.get("spec"), f"a spec in line {first}")
    functions = items_of(table, spec.get("completion_fns"), "completion_fns in the spec")
    names = [text_of(table, function, "a completion function in the spec") for function in functions]
    scores: list[Score] = []
    seen: dict[tuple[str, str], int] = {}
    is_finished = False
    for line, other in others:
        what = f"line {line}"
        event = fields_of(table, other, what)
        if "spec" in event:
            table.refuse(line, "expected one spec per file, found another; save each log to a separate file")
        is_finished = is_finished or "final_report" in event
        if event.get("sample_id") is None:
            continue
        topic = text_of(table, event["sample_id"], f"a sample_id in {what}")
        seen.setdefault((topic, "1"), line)
        kind = event.get("type")
        if kind in ("match", "metrics"):
            data = fields_of(table, event.get("data"), f"data in {what}")
            if kind == "match" and not isinstance(data.get("correct"), bool):
                table.refuse(line, "expected true or false for 'correct' of a match, found none")
            scores += [
                Score(line, topic, text_of(table, key, f"a metric in {what}"), cell_of(value))
                for key, value in data.items()
                if kind == "metrics" or key == "correct"
            ]
    scores += gaps(scores, seen)
    notes = []
    if len(names) > 1:
        notes.append(f"The run is the first completion function; the others are {listed(names[1:])}.")
    if not is_finished:
        notes.append(f"{table.file} has no final report: some samples may have no scores.")
    return Log(
        program="A log of OpenAI Evals",
        scores=scores,
        unit="line",
        run=names[0],
        run_source="the completion function",
        task=text_of(table, spec.get("eval_name"), "an eval_name in the spec"),
        notes=tuple(notes),
    )


PROGRAM = Program(lambda fields: "completion_fns" in inner(fields, "spec"), _read, "OpenAI Evals")
