"""Refusals that leave the user a choice: what is missing, and what is there twice."""

from topicset_core.errors import ParseError

MOST_CARRIED = 10_000
"""Cells that an error carries along at most; it counts the rest."""

Cell = tuple[str, str]
"""Topic id and run name."""


class MissingScores(ParseError):  # noqa: N818 - named for what it says, as NoSolution is
    """Scores that some runs have on some topics and others have not.

    Parameters
    ----------
    file, line, expected
        As for `ParseError`.
    cells : tuple of (str, str)
        Topic id and run name of each missing score, by topic; the first 10,000 of them.
    n_cells : int
        How many are missing in all.
    """

    def __init__(
        self, file: str, line: int | None, expected: str, cells: tuple[Cell, ...], n_cells: int
    ) -> None:
        self.cells = cells
        self.n_cells = n_cells
        super().__init__(file, line, expected)


class RepeatedScores(ParseError):  # noqa: N818 - as above
    """Several scores of one run on one topic.

    Parameters
    ----------
    file, line, expected
        As for `ParseError`; the line is that of the first score that is not the first of its cell.
    cells : tuple of (str, str)
        Topic id and run name of each cell with several scores, in the order of the file; the first
        10,000 of them.
    n_cells : int
        How many there are in all.
    """

    def __init__(
        self, file: str, line: int | None, expected: str, cells: tuple[Cell, ...], n_cells: int
    ) -> None:
        self.cells = cells
        self.n_cells = n_cells
        super().__init__(file, line, expected)
