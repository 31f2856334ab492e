"""SWE-bench 5.0.2 (schema version 2), by its source: ``<model>.<run id>.json``, a report per run.

Each instance that was evaluated is in ``completed_ids``, ``empty_patch_ids`` or ``error_ids``, and those that the
run resolved also in ``resolved_ids``: their score is 1, that of the others 0. Instances of the dataset without a
prediction are in ``incomplete_ids``. Predictions for instances outside the evaluated part of the dataset are in
``submitted_ids`` alone.
"""

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.scores.programs.log import (
    Fields,
    Log,
    Program,
    Score,
    items_of,
    only_object,
    shown,
    text_of,
)
from topicset_core.parsing.table import Table
from topicset_core.wording import counted, listed, quoted

_EVALUATED = ("completed_ids", "empty_patch_ids", "error_ids")


def _read(table: Table, _: Choices) -> Log:
    report = only_object(table)
    needed = ("completed_ids", "resolved_ids", "submitted_ids")
    ids = {key: _ids(table, report, key) for key in needed}
    ids |= {key: _ids(table, report, key) for key in (*_EVALUATED[1:], "incomplete_ids") if key in report}
    resolved = dict.fromkeys(ids["resolved_ids"])
    evaluated = list(dict.fromkeys(instance for key in _EVALUATED for instance in ids.get(key, [])))
    for key, of in ids.items():
        both = [instance for instance in of if instance in resolved]
        if key in ("empty_patch_ids", "error_ids", "incomplete_ids") and both:
            table.refuse(
                None, f"expected no instance in resolved_ids and {key}, found {listed(both)} in both"
            )
    unknown = [instance for instance in resolved if instance not in set(ids["completed_ids"])]
    if unknown:
        table.refuse(
            None, f"expected resolved_ids among completed_ids, found {listed(unknown)} in resolved_ids alone"
        )
    known = {*evaluated, *ids.get("incomplete_ids", [])}
    others = [instance for instance in ids["submitted_ids"] if instance not in known]
    notes = ["The score is 1 for a resolved instance, else 0."]
    for key, why in (("empty_patch_ids", "with an empty patch"), ("error_ids", "whose evaluation failed")):
        if ids.get(key):
            notes.append(f"The score is 0 also for {counted(len(ids[key]), 'instance')} {why}.")
    if ids.get("incomplete_ids"):
        notes.append(
            f"Left out: {counted(len(ids['incomplete_ids']), 'instance')} without a prediction "
            f"({listed(ids['incomplete_ids'], 3)}). SWE-bench counts these as not resolved; where another run "
            "has a prediction, the missing score may be filled by 0 (--missing zero)."
        )
    if others:
        notes.append(f"Left out: {counted(len(others), 'prediction')} that the report does not evaluate.")
    # The name of a model may have a dot, as in gpt-4.1; ids of runs rarely have one.
    run = table.source.stem.rpartition(".")[0] or table.source.stem
    return Log(
        program="A report of SWE-bench",
        scores=[
            Score(number, instance, "resolved", "1" if instance in resolved else "0")
            for number, instance in enumerate(evaluated, start=1)
        ],
        unit="instance",
        run=run,
        run_source="the file name before its last dot",
        notes=tuple(notes),
    )


def _ids(table: Table, report: Fields, key: str) -> list[str]:
    """Return a list of ids, each of them once."""
    items = items_of(table, report.get(key), key, may_be_empty=True)
    ids = [text_of(table, item, f"an instance id in {key}") for item in items]
    if len(set(ids)) < len(ids):
        again = next(instance for instance in ids if ids.count(instance) > 1)
        table.refuse(None, f"expected each instance once in {key}, found {quoted(again)} again")
    count = report.get(key.replace("_ids", "_instances"))
    if key != "submitted_ids" and count not in (None, str(len(ids))):
        table.refuse(
            None, f"expected {shown(count)} ids in {key}, as the report counts them, found {len(ids):,}"
        )
    return ids


PROGRAM = Program(
    lambda fields: "resolved_ids" in fields and bool({"submitted_ids", "completed_ids"} & fields.keys()),
    _read,
    "SWE-bench (reports)",
)
