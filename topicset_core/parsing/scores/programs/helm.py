"""HELM 0.5.16, by its source: ``<scenario>:<arguments>,model=<model>/per_instance_stats.json``, one folder per run.

The file is a list of objects, one or more per instance: ``instance_id``, ``train_trial_index``, perhaps a
``perturbation``, and ``stats`` with ``name`` (its name and split), ``count`` and ``mean``. The mean is the score;
trials are repeats. Perturbed instances have the ids of their originals, and are left out. So are counts, costs and
other records of how an answer was made.
"""

import re

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
    text_of,
)
from topicset_core.parsing.table import Table
from topicset_core.wording import counted, listed

_NO_SCORE = re.compile(
    r"(?:max_)?num_.*|.*_runtime|.*_cost|batch_size|finish_reason_.*|prompt_truncated|prompt_length|predicted_index"
)
"""Statistics of HELM's basic and efficiency metrics that describe requests and answers, not their quality."""

_MODEL = re.compile(r"(?:^|[:,])model=([^,]+)")
_FILE = "per_instance_stats"


def _read(table: Table, choices: Choices) -> Log:
    scores: list[tuple[str, Score]] = []
    perturbed: dict[str, set[str]] = {}
    left_out: dict[str, None] = {}
    for line, record in table.records:
        what = f"line {line}"
        fields = fields_of(table, record, what)
        topic = text_of(table, fields.get("instance_id"), f"an instance_id in {what}")
        if fields.get("perturbation") is not None:
            perturbation = fields_of(table, fields["perturbation"], f"perturbation in {what}")
            name = text_of(table, perturbation.get("name"), f"the name of a perturbation in {what}")
            perturbed.setdefault(name, set()).add(topic)
            continue
        trial = text_of(table, fields.get("train_trial_index"), f"a train_trial_index in {what}")
        if not (trial.isascii() and trial.isdecimal() and len(trial) < 10):
            table.refuse(line, f"expected a train_trial_index of 0 or more, found {trial!a}")
        for item in items_of(table, fields.get("stats"), f"stats in {what}", may_be_empty=True):
            stat = fields_of(table, item, f"stats in {what}")
            name_and_split = fields_of(table, stat.get("name"), f"the name of a statistic in {what}")
            measure = text_of(table, name_and_split.get("name"), f"the name of a statistic in {what}")
            if _NO_SCORE.fullmatch(measure):
                left_out[measure] = None
                continue
            split = text_of(table, name_and_split.get("split", "all"), f"the split of a statistic in {what}")
            score = Score(line, topic, measure, cell_of(stat.get("mean")), repeat=str(int(trial) + 1))
            scores.append((split, score))
    kept, notes = chosen_splits(table, {"": [split for split, _ in scores]}, choices)
    more = []
    if left_out:
        more.append(f"Left out (no scores of answers): {listed(list(left_out), 20)}.")
    if perturbed:
        n_left_out = len(set().union(*perturbed.values()))
        more.append(
            f"Left out: perturbed forms of {counted(n_left_out, 'instance')} ({listed(list(perturbed))})."
        )
    run, task = _run_and_task(table)
    return Log(
        program="Statistics of HELM per instance",
        scores=[score for split, score in scores if ("", split) in kept],
        unit="line",
        run=run,
        run_source="the model in the folder",
        task=task,
        notes=(*notes, *more),
    )


def _run_and_task(table: Table) -> tuple[str, str]:
    """Return the model and the rest of the name of the folder; none for a file that was renamed after its run."""
    folder = folder_of(table)
    model = _MODEL.search(folder)
    if model:
        return model[1], (folder[: model.start()] + folder[model.end() :]).strip(":,")
    if table.source.stem == _FILE:
        table.refuse(
            None,
            "expected the folder of the run in front of the file, as in mmlu:subject=anatomy,model=m/"
            "per_instance_stats.json; put the folders of runs into one zip archive",
        )
    return "", ""


def _recognises(fields: Fields) -> bool:
    return {"instance_id", "train_trial_index", "stats"} <= fields.keys() and isinstance(
        fields["stats"], list
    )


PROGRAM = Program(_recognises, _read, "HELM (per_instance_stats)")
