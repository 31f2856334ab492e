"""AlpacaEval 0.6.6, by its source: ``annotations.json``, one object per instruction and pair of outputs.

``preference`` is from 1, for the output of ``generator_1``, to 2, for that of ``generator_2``; 1.5, or 0 in older
files, is a tie. The score of generator_2 is the preference less 1, so that its mean is the win rate that AlpacaEval
reports. Scores against different baselines, or by different annotators, are tasks of their own.
"""

from decimal import Decimal

from topicset_core.parsing.choices import Choices
from topicset_core.parsing.numerals import MISSING, is_numeral, value_of
from topicset_core.parsing.scores.programs.log import (
    Log,
    Named,
    Program,
    Score,
    cell_of,
    fields_of,
    name_groups,
    short_name,
    text_of,
)
from topicset_core.parsing.table import Table
from topicset_core.wording import listed, quoted

_KEYS = {"instruction", "generator_1", "generator_2", "preference"}


def _read(table: Table, _: Choices) -> Log:
    scores: list[Score] = []
    named: Named = {}
    baselines: dict[str, None] = {}
    annotators: dict[str, None] = {}
    has_fitted = False
    for line, record in table.records:
        what = f"{table.unit} {line}"
        fields = fields_of(table, record, what)
        topic = short_name(text_of(table, fields.get("instruction"), f"an instruction in {what}"))
        system = text_of(table, fields.get("generator_2"), f"a generator_2 in {what}")
        baselines[text_of(table, fields.get("generator_1"), f"a generator_1 in {what}")] = None
        if cell_of(fields.get("annotator")):
            annotators[text_of(table, fields["annotator"], f"an annotator in {what}")] = None
        name_groups(named, topic, {"dataset": fields.get("dataset")})
        has_fitted = has_fitted or "glm_preference" in fields
        scores.append(Score(line, topic, "win", _win(table, line, cell_of(fields.get("preference"))), system))
    for what, names in (("baseline (generator_1)", baselines), ("annotator", annotators)):
        if len(names) > 1:
            table.refuse(
                None,
                f"expected one {what} per file, found {listed(list(names))}; save each to a separate file",
            )
    runs = dict.fromkeys(score.system for score in scores)
    baseline, *annotator = [*baselines, *annotators]
    notes = [
        f"Scores are wins over the baseline {quoted(baseline)}: the preference less 1, .5 for a tie.",
        "Topics are instructions.",
    ]
    if has_fitted:
        notes.append(
            "Left out: 'glm_preference', the prediction of a model that is fitted to all instructions."
        )
    return Log(
        program="Annotations of AlpacaEval",
        scores=scores,
        unit=table.unit,
        run=next(iter(runs)) if len(runs) == 1 else None,
        run_source="generator_2",
        task=", ".join(["AlpacaEval", f"baseline {baseline}", *(f"annotator {name}" for name in annotator)]),
        notes=tuple(notes),
        named=named,
    )


def _win(table: Table, line: int, cell: str) -> str:
    """Return a preference less 1, with its digits; refuse one that is none."""
    if cell in MISSING:
        return ""
    if is_numeral(cell) and "," not in cell:
        preference = value_of(cell)
        if preference == 0:
            return "0.5"
        if 1 <= preference <= 2:
            return str(Decimal(cell) - 1)
    table.refuse(line, f"expected a preference from 1 to 2, found {quoted(cell)}")


PROGRAM = Program(lambda fields: fields.keys() >= _KEYS, _read, "AlpacaEval (annotations)", is_flat=True)
