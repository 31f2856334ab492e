"""Inspect 0.3.285: one log per run, ``eval`` with task and model, ``samples`` with id, epoch and scores by scorer.

Epochs are repeats; groups are in the metadata of a sample.
"""

from typing import Any

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.numerals import is_numeral
from topicset_core.parsing.scores.programs.log import (
    Log,
    Named,
    Program,
    Score,
    cell_of,
    fields_of,
    gaps,
    inner,
    items_of,
    name_groups,
    only_object,
    text_of,
)
from topicset_core.parsing.table import Pairs, Table
from topicset_core.wording import quoted

_LETTERS = {"c": "1", "i": "0", "p": "0.5", "n": "0", "yes": "1", "true": "1", "no": "0", "false": "0"}
"""Values of scorers that are no numbers, by the rule of its own reducers."""


def _read(table: Table, _: Choices) -> Log:
    log = only_object(table)
    scores: list[Score] = []
    named: Named = {}
    seen: dict[tuple[str, str], int] = {}
    for number, item in enumerate(items_of(table, log.get("samples"), "samples in the log"), start=1):
        what = f"sample {number}"
        sample = fields_of(table, item, what)
        topic = text_of(table, sample.get("id"), f"an id in {what}")
        name_groups(named, topic, inner(sample, "metadata"))
        epoch = text_of(table, sample.get("epoch", "1"), f"an epoch in {what}")
        if seen.setdefault((topic, epoch), number) != number:
            again = f"{quoted(topic)}, epoch {epoch} of sample {seen[topic, epoch]}"
            table.refuse(None, f"{what}: expected each sample and epoch once, found {again} again")
        by_scorer = (
            {} if sample.get("scores") is None else fields_of(table, sample["scores"], f"scores of {what}")
        )
        for scorer, score in by_scorer.items():
            value = fields_of(table, score, f"{scorer} of {what}").get("value")
            name = text_of(table, scorer, f"the name of a scorer in {what}")
            parts = {name: value}
            if isinstance(value, Pairs):
                parts = {
                    f"{name}.{key}": part
                    for key, part in fields_of(table, value, f"{name} of {what}").items()
                }
            scores += [
                Score(
                    number,
                    topic,
                    text_of(table, key, f"a score in {what}"),
                    _inspect_cell(part),
                    repeat=epoch,
                )
                for key, part in parts.items()
            ]
    scores += gaps(scores, seen)
    evaluation = inner(log, "eval")
    status = cell_of(log.get("status"))
    unfinished = f"The status of {table.file} is {quoted(status)}: some samples may have no scores."
    return Log(
        program="A log of Inspect",
        scores=scores,
        unit="sample",
        run=text_of(table, evaluation.get("model"), "a model in the log"),
        run_source="the model",
        task=text_of(table, evaluation.get("task"), "a task in the log"),
        notes=() if status == "success" else (unfinished,),
        named=named,
    )


def _inspect_cell(value: Any) -> str:
    cell = cell_of(value)
    return cell if is_numeral(cell) else _LETTERS.get(cell.casefold(), cell)


PROGRAM = Program(
    lambda fields: {"task", "model"} <= inner(fields, "eval").keys(), _read, "Inspect (eval and JSON)"
)
