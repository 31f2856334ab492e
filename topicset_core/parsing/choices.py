"""What a user decides about a file that the file itself leaves open."""

from dataclasses import dataclass
from typing import Literal, get_args

from topicset_core.errors import InputError

Orientation = Literal["auto", "topics-by-runs", "runs-by-topics"]
Missing = Literal["refuse", "drop-topics", "drop-runs", "zero"]
Repeats = Literal["refuse", "average"]


@dataclass(frozen=True, kw_only=True)
class Choices:
    """How to read scores; without any choice nothing is dropped, filled or averaged.

    Parameters
    ----------
    orientation : {"auto", "topics-by-runs", "runs-by-topics"}, optional
        What the rows and the columns of a wide table are. Other than "auto" the columns are taken
        for what it says, and never for measures.
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
        The columns that hold scores, each of one measure, where a table has one row a topic of a
        single run, and other columns beside; all other columns are left out.

    Raises
    ------
    InputError
        If a choice is none of those named, or no column is chosen.
    """

    orientation: Orientation = "auto"
    measure: str | None = None
    collection: str | None = None
    missing: Missing = "refuse"
    repeats: Repeats = "refuse"
    columns: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for parameter, allowed in (
            ("orientation", Orientation),
            ("missing", Missing),
            ("repeats", Repeats),
        ):
            if getattr(self, parameter) not in get_args(allowed):
                names = ", ".join(get_args(allowed))
                raise InputError(parameter, getattr(self, parameter), f"must be one of {names}")
        if self.columns is not None:
            if isinstance(self.columns, str) or not self.columns:
                raise InputError("columns", self.columns, "must be one or more names of columns")
            object.__setattr__(self, "columns", tuple(self.columns))
