"""Results of the full tests, one CSV file per statement, and the page made from them."""

import csv
from collections.abc import Sequence
from pathlib import Path

from tests.reference_data import REPOSITORY
from tests.statements.statement import Achieved, Statement, holds

PAGE = REPOSITORY / "docs" / "statements.md"
RESULTS = REPOSITORY / "docs" / "evidence" / "statements"

MARGIN = 0.02
"""A statement holds on data whose achieved share is at most this far outside the stated range."""

_HEAD = """\
# How far the statements hold

Topicset prints statements such as "90 % intervals cover 72 to 98 % in simulation". This page is made by `make
statements`. It gives for each of them the test, the data and the result. A stated range holds on some data if the
result lies in it, or outside it by at most .02. Standard errors of simulation are in brackets. The matrices are
described in [reference_data.md](reference_data.md).

Methods were not fitted to these data, but where a section does not say otherwise, the printed range is the least
and the most of what came out here. So ranges hold here by construction, and another collection may lie outside.
"""

_NOT_TESTED = """\
## What was not tested

- Measures other than AP, nDCG, P@k, RR, ERR@20 and 0/1 scores.
- Systems that do not resemble those in the data, such as a team's next system.
- Topics that are not a random sample of the topics that users have.
- Several statements about the same scores at once: each holds alone.
"""


def results_file(statement: Statement) -> Path:
    """Return the file of a statement's results."""
    return RESULTS / f"{statement.key}.csv"


def write_results(statement: Statement, rows: Sequence[Achieved]) -> None:
    """Write what a full test achieved."""
    RESULTS.mkdir(parents=True, exist_ok=True)
    with results_file(statement).open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["data", "trials", "achieved", "standard_error"])
        writer.writerows(
            [one.data, one.n_trials, f"{one.value:.4f}", f"{one.standard_error:.4f}"] for one in rows
        )


def read_results(statement: Statement) -> list[Achieved]:
    """Return what the last full test achieved; nothing if there was none."""
    path = results_file(statement)
    if not path.exists():
        return []
    with path.open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file))
    return [
        Achieved(row["data"], int(row["trials"]), float(row["achieved"]), float(row["standard_error"]))
        for row in rows
    ]


def _share(value: float) -> str:
    return f"{value:.3f}".removeprefix("0") if value < 1 else f"{value:.2f}"


def _range(low: float, high: float) -> str:
    return f"{100 * low:.3g} %" if low == high else f"{100 * low:.3g} to {100 * high:.3g} %"


def _summary(statement: Statement, rows: Sequence[Achieved]) -> str:
    values = [row.value for row in rows]
    within = sum(holds(row, statement.stated, 0.0, MARGIN) for row in rows)
    return (
        f"| [{statement.title}](#{statement.key}) | {statement.quantity} | {_range(*statement.stated)} | "
        f"{100 * min(values):.1f} to {100 * max(values):.1f} % | {within} of {len(rows)} |"
    )


def _section(statement: Statement, rows: Sequence[Achieved]) -> str:
    nominal = "" if statement.nominal is None else f" Nominal: {100 * statement.nominal:g} %."
    lines = [
        f'<a id="{statement.key}"></a>',
        "",
        f"## {statement.title}",
        "",
        f"> {statement.text}",
        "",
        f"Printed by: {', '.join(statement.where)}. "
        f"Stated {statement.quantity}: {_range(*statement.stated)}.{nominal}",
        "",
        f"{statement.test} Seed {statement.seed}.",
        "",
        f"| data | trials | {statement.quantity} | holds |",
        "| --- | --- | --- | --- |",
    ]
    for row in rows:
        held = "yes" if holds(row, statement.stated, 0.0, MARGIN) else "**no**"
        lines.append(
            f"| {row.data} | {row.n_trials:,} | {_share(row.value)} ({_share(row.standard_error)}) | {held} |"
        )
    return "\n".join(lines) + "\n"


def page(statements: Sequence[Statement]) -> str:
    """Return the page in Markdown, from the results that are kept."""
    known = [(one, rows) for one in statements if (rows := read_results(one))]
    table = [
        "| statement | quantity | stated | achieved | holds on |",
        "| --- | --- | --- | --- | --- |",
        *(_summary(*each) for each in known),
    ]
    return "\n".join([_HEAD, *table, "", *(_section(*each) for each in known), _NOT_TESTED])


def write_page(statements: Sequence[Statement]) -> None:
    """Write docs/statements.md."""
    PAGE.write_text(page(statements), encoding="utf-8")
