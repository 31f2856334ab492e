"""Decisions of the user about a file that the file itself leaves open, and the refusals that ask for them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self, get_args

from topicset_core.errors import InputError, ParseError
from topicset_core.wording import first_few

Orientation = Literal["auto", "topics-by-runs", "runs-by-topics"]
Missing = Literal["refuse", "drop-topics", "drop-runs", "zero"]
Repeats = Literal["refuse", "average"]
Role = Literal["topic", "run", "measure", "scores", "repeat", "group", "judge", "people", "left out"]
"""What a column of a table has: ids of topics, names of runs or measures, scores, repeats, groups; in tables of
labels scores by a judge and labels by people; or nothing that is read."""

MOST_CARRIED = 10_000
"""The most cells that an error lists; it counts the others."""

Cell = tuple[str, str]
"""Topic id and run name."""


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How to read scores; without any choice nothing is dropped, filled or averaged.

    Parameters
    ----------
    orientation : {"auto", "topics-by-runs", "runs-by-topics"}, optional
        The meaning of rows and columns of a wide table. Other than "auto" the columns are taken
        literally, and never for measures.
    measure : str, optional
        The measure to read where a file names several, in its own spelling or in this project's;
        else what to call the measure of the file.
    collection : str, optional
        What to call the matrices, in place of the name of the file.
    missing : {"refuse", "drop-topics", "drop-runs", "zero"}, optional
        What becomes of topics and runs without a score for each other.
    repeats : {"refuse", "average"}, optional
        What becomes of several scores of one run on one topic.
    columns : tuple of str, optional
        The columns of scores, each of one measure, where a table has one row per topic of a
        single run, and other columns next to; all other columns are left out.
    roles : mapping of str to str, optional
        What columns have, by their names in the header, in place of what their names and cells tell: topic, run,
        measure, scores, repeat, group, judge, people, or left out.
    true : str, optional
        The word for 1 among the two words of a table without numbers, as PASS; the other one is 0.
        True and False need no choice.
    by_line : bool, optional
        Whether rows of several files without any column of ids are the same topics, line by line.
    split : str, optional
        The split of a benchmark to read where results have several; "test" without a choice.

    Raises
    ------
    InputError
        If a choice is unknown, or no column is chosen.
    """

    orientation: Orientation = "auto"
    measure: str | None = None
    collection: str | None = None
    missing: Missing = "refuse"
    repeats: Repeats = "refuse"
    columns: tuple[str, ...] | None = None
    roles: Mapping[str, Role] = field(default_factory=dict)
    true: str | None = None
    by_line: bool = False
    split: str | None = None

    def __post_init__(self) -> None:
        for column, role in self.roles.items():
            if role not in get_args(Role):
                rule = f"must be one of {', '.join(get_args(Role))} for the column {column!r}"
                raise InputError("roles", role, rule)
        for parameter, allowed in (("orientation", Orientation), ("missing", Missing), ("repeats", Repeats)):
            if getattr(self, parameter) not in get_args(allowed):
                names = ", ".join(get_args(allowed))
                raise InputError(parameter, getattr(self, parameter), f"must be one of {names}")
        if self.columns is not None:
            if isinstance(self.columns, str) or not self.columns:
                raise InputError("columns", self.columns, "must be one or more names of columns")
            object.__setattr__(self, "columns", tuple(self.columns))


class SeveralMeasures(ParseError):  # noqa: N818 - named for its message
    """A log of several measures, of which the user may choose one."""

    def __init__(self, file: str, measures: tuple[str, ...], expected: str) -> None:
        self.measures = measures
        super().__init__(file, None, expected)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Let the error come back from another process."""
        return type(self), (self.file, self.measures, self.expected)


class CellsRefused(ParseError):  # noqa: N818 - named for its message, as NoSolution is
    """Cells of a table that are not as they should be, and about which the user may decide."""

    def __init__(
        self,
        file: str,
        line: int | None,
        expected: str,
        cells: tuple[Cell, ...],
        n_cells: int,
        choice: str,
        unit: str = "line",
    ) -> None:
        self.cells = cells
        self.n_cells = n_cells
        self.choice = choice
        super().__init__(file, line, f"{expected}{choice}", unit)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Let the error come back from another process."""
        given = (self.file, self.line, self.without_choice, self.cells, self.n_cells, self.choice, self.unit)
        return type(self), given

    @property
    def without_choice(self) -> str:
        """Return the expected and the actual content alone."""
        return self.expected.removesuffix(self.choice)


class MissingScores(CellsRefused):
    """Scores that some runs have on some topics and others have not; `cells` are by topic."""


class RepeatedScores(CellsRefused):
    """Several scores of one run on one topic, in the order of the file; `line` is that of the first repeat."""


class WordsAsked(ParseError):  # noqa: N818 - named for its message
    """Scores that are two words, of which the user says which one is 1."""

    def __init__(self, file: str, line: int | None, found: tuple[str, ...], unit: str = "line") -> None:
        self.found = found
        first, second = (repr(word) for word in found)
        expected = (
            f"expected scores, found the words {first} and {second}; state which one is 1 (--true {found[0]})"
        )
        super().__init__(file, line, expected, unit)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Let the error come back from another process."""
        return type(self), (self.file, self.line, self.found, self.unit)


class TopicsAsked(ParseError):  # noqa: N818 - named for its message
    """Files of one run each without topic ids, whose rows the user may pair line by line."""

    def __init__(self, files: tuple[str, ...]) -> None:
        self.files = files
        expected = (
            "expected a column of topic ids, by which the rows of several files belong together, found none; add "
            "one, name it (--topic-column), or state that the rows of all files are the same topics in the same "
            "order (--by-line)"
        )
        super().__init__(first_few(list(files), 3), None, expected)

    def __reduce__(self) -> tuple[type[Self], tuple[Any, ...]]:
        """Let the error come back from another process."""
        return type(self), (self.files,)
