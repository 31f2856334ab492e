"""MTEB 2.26, by its source: results of a task, of a model, or of models, with a main score per split and subset.

``scores`` of a task has a list per split, with an object per subset (``hf_subset``). A dataset may have several
splits, and the files of two models different ones: of several splits ``test`` is read, or the chosen one. The name
of a topic depends on no other result: ``MSMARCO (dev)``, ``MIRACL (en)``, ``MIRACL (dev, en)`` have a split and a
subset, but for ``test`` and ``default``. The subsets of a dataset are one group.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from typing import NamedTuple

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.programs.log import (
    Fields,
    Log,
    Program,
    Score,
    cell_of,
    chosen_splits,
    fields_of,
    folder_of,
    items_of,
    only_object,
    text_of,
)
from topicset_core.parsing.table import Pairs, Table
from topicset_core.wording import listed, quoted

_REVISION = re.compile(r"[0-9a-f]{7,40}|no_revision_available|external|\d+", re.IGNORECASE)


class _Result(NamedTuple):
    """The main score of a model on a subset of a dataset."""

    score: Score
    dataset: str
    split: str


def _recognises(fields: Fields) -> bool:
    return bool({"task_results", "model_results"} & fields.keys()) or (
        "task_name" in fields and isinstance(fields.get("scores"), Pairs)
    )


def _read(table: Table, choices: Choices) -> Log:
    log_file = only_object(table)
    if "model_results" in log_file:
        models = items_of(table, log_file["model_results"], "model_results")
        named = [fields_of(table, model, f"model {number}") for number, model in enumerate(models, start=1)]
    else:
        named = [log_file]
    results: list[_Result] = []
    task_number = 0
    whole = "task_results" in named[0]
    for model in named:
        name, tasks = "", [model]
        if whole:
            name = text_of(table, model.get("model_name"), "a model_name in the results")
            items = items_of(table, model.get("task_results"), f"task_results of {name}")
            tasks = [fields_of(table, item, f"a task of {name}") for item in items]
        for task in tasks:
            task_number += 1
            results += _of_task(table, task, name, task_number)
    splits: dict[str, list[str]] = {}
    for result in results:
        splits.setdefault(result.dataset, []).append(result.split)
    kept, notes = chosen_splits(table, splits, choices)
    results = [result for result in results if (result.dataset, result.split) in kept]
    datasets: dict[str, str | None] = {result.score.topic: result.dataset for result in results}
    log = Log(
        program="Results of MTEB",
        scores=[result.score for result in results],
        unit="task",
        notes=(_topics(results), *notes),
        named={"task": datasets},
        # Where no dataset has subsets, each would be a group of its own, which is not worth a note.
        group_source="the task of each subset" if len(set(datasets.values())) < len(datasets) else "",
    )
    if whole:
        return log
    folder = folder_of(table)
    folder = (folder_of(table, 1) if _REVISION.fullmatch(folder) else "") or folder
    if not folder:
        table.refuse(
            None,
            "expected the folder of the model in front of the file, as in model/revision/task.json; put the "
            "folders of results into one zip archive",
        )
    return replace(log, run=folder.replace("__", "/", 1), run_source="the folder", part_of_run=True)


def _of_task(table: Table, task: Fields, system: str, number: int) -> Iterator[_Result]:
    """Yield the main scores of a task, by its splits and subsets."""
    name = text_of(table, task.get("task_name"), f"a task_name in task {number}")
    splits = fields_of(table, task.get("scores"), f"scores of {name}")
    seen: set[str] = set()
    for split, items in splits.items():
        for item in items_of(table, items, f"scores of {name}, split {split}"):
            fields = fields_of(table, item, f"{name}, split {split}")
            subset = text_of(table, fields.get("hf_subset", "default"), f"an hf_subset in {name}")
            if "main_score" not in fields:
                table.refuse(
                    None, f"{name}, split {split}, subset {quoted(subset)}: expected a main_score, found none"
                )
            named = text_of(table, split, f"a split of {name}")
            parts = [*([named] if named != "test" else []), *([subset] if subset != "default" else [])]
            topic = f"{name} ({', '.join(parts)})" if parts else name
            if topic in seen:
                table.refuse(
                    None, f"{name}: expected each split and subset once, found {quoted(topic)} again"
                )
            seen.add(topic)
            score = Score(number, topic, "main_score", cell_of(fields["main_score"]), system)
            yield _Result(score, name, split)


def _topics(results: Iterable[_Result]) -> str:
    """Return a note on what topics are."""
    parts = list(
        dict.fromkeys(result.score.topic for result in results if result.score.topic != result.dataset)
    )
    if not parts:
        return "Topics are datasets."
    return f"Topics are datasets, with subsets and with splits other than 'test', such as {listed(parts, 2)}."


PROGRAM = Program(_recognises, _read, "MTEB (results)")
