"""A table is declared once: names of its columns in files and on screen, their format, and where each shows."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from topicset_core.exports.tables import Table

Row = TypeVar("Row")


@dataclass(frozen=True)
class Column(Generic[Row]):
    """One column of a table of rows."""

    name: str  # in files
    # A path of keys and attributes such as "best.value", or a function of the row; without one, `name` with
    # underscores.
    # Where a step is None the cell is empty.
    of: str | Callable[[Row], object] = ""
    heading: str = ""  # on screen and in the terminal; without one, `name` in words
    form: str = ""  # how numbers are shown, as `format` takes it; files have every digit
    on: str = "fst"  # files, screen, terminal

    def cell(self, row: Row) -> object:
        """Return the value of a row in this column."""
        if callable(self.of):
            return self.of(row)
        value: Any = row
        for step in (self.of or self.name.replace(" ", "_")).split("."):
            if value is not None:
                value = value[step] if isinstance(value, Mapping) else getattr(value, step)
        return value

    @property
    def shown_name(self) -> str:
        """Name on screen and in the terminal."""
        return self.heading or self.name.replace("_", " ")


class Columns(Generic[Row]):
    """The columns of a table of rows of one kind."""

    def __init__(self, *columns: Column[Row]) -> None:
        self.columns = columns

    def table(self, rows: Sequence[Row]) -> Table:
        """Return the table as files have it: every digit."""
        return {
            column.name: [column.cell(row) for row in rows] for column in self.columns if "f" in column.on
        }

    def screen(self, rows: Sequence[Row], on: str = "s") -> tuple[Table, dict[str, str]]:
        """Return the table as it is on screen, and the formats of its columns."""
        shown = [column for column in self.columns if on in column.on]
        table = {column.shown_name: [column.cell(row) for row in rows] for column in shown}
        return table, {column.shown_name: column.form for column in shown}

    def text(self, rows: Sequence[Row]) -> list[str]:
        """Return the lines of the table in a terminal."""
        return aligned(*self.screen(rows, "t"))


def aligned(table: Table, forms: Mapping[str, str] | str = "") -> list[str]:
    """Return the lines of a table, words to the left and numbers to the right; "-" is a cell without a value."""
    # `forms` are formats of numbers by the name of their column, or one for all numbers with decimals.
    columns = []
    for name, values in table.items():
        form = forms if isinstance(forms, str) else forms.get(name, "")
        cells = [name, *(_written(value, form, of_all=isinstance(forms, str)) for value in values)]
        width = max(map(len, cells))
        is_words = any(isinstance(value, str) for value in values)
        columns.append([cell.ljust(width) if is_words else cell.rjust(width) for cell in cells])
    return ["  ".join(row).rstrip() for row in zip(*columns, strict=True)]


def _written(value: object, form: str, *, of_all: bool) -> str:
    if value is None or value != value:
        return "-"
    takes_form = isinstance(value, float) if of_all else isinstance(value, int | float)
    return format(value, form) if takes_form else str(value)
