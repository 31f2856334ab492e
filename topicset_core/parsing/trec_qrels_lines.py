"""The lines of one file of judgments, block after block, and what is said of the first that is none."""

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import ParseError
from topicset_core.parsing.measure_names import measure_name
from topicset_core.parsing.ntcir_rel import LEVEL
from topicset_core.parsing.trec_columns import (
    JUDGMENTS,
    header_remark,
    is_beir_header,
    looks_like_run,
    refuse_columns,
    refuse_long,
)
from topicset_core.parsing.trec_limits import LARGEST_GRADE, LONGEST_ID
from topicset_core.parsing.trec_lines import Block, Cells, regular_cells, tidied
from topicset_core.parsing.trec_numbers import whole_numbers
from topicset_core.parsing.trec_topics import TopicIndex
from topicset_core.wording import counted, shown


def grade_of(cell: bytes) -> int:
    """Return the grade of a cell that was read as one: a whole number, or a level of NTCIR."""
    return int(cell.removeprefix(b"L"))


class QrelsLines:
    """The columns of judgments, block after block.

    Parameters
    ----------
    file : str
        The file as the user named it.
    keeps_second : bool
        Whether the second column is kept, which most files fill with zeros.
    """

    def __init__(self, file: str, *, keeps_second: bool = False) -> None:
        self.topics = TopicIndex()
        self.second: list[NDArray[np.bytes_]] = []
        self._keeps_second = keeps_second
        self.are_levels = False
        self.second_varies = False
        self._first_second = b""
        self.n_columns = 0  # not known before the first line
        self._n_comments = 0
        self._file = file
        self._is_first_line = True
        self._columns: list[tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.bytes_]]] = []

    def add(self, block: Block) -> None:
        """Take the lines of a block.

        Raises
        ------
        ParseError
            At the first line that is no judgment.
        """
        text = block.text
        if not self.n_columns:
            first = next(block.lines(), None)
            if first is None:
                self._n_comments += tidied(text).n_comments
                return
            is_header = is_beir_header([cell.decode() for cell in first.cells])
            self.n_columns = 3 if is_header else 4
            self.are_levels = LEVEL.fullmatch(first.cells[-1]) is not None
            if is_header:
                lines = text.split(b"\n")
                lines[first.number - block.first_line] = b""
                text = b"\n".join(lines)
        cells = regular_cells(text, self.n_columns)
        if cells is None:
            rest = tidied(text)
            self._n_comments += rest.n_comments
            if not rest.text:
                return
            cells = regular_cells(rest.text, self.n_columns)
        if cells is None or not self._take(cells):
            self._refuse(Block(text, block.first_line, block.end))

    def _take(self, cells: Cells) -> bool:
        document = self.n_columns - 2
        if max(cells.longest(column) for column in (0, document, document + 1)) > LONGEST_ID:
            return False
        grades = self._grades(cells.column(document + 1))
        if grades is None or (np.abs(grades) > LARGEST_GRADE).any():
            return False
        topics = self.topics.add(cells.column(0))
        if self.n_columns == 4 and not self.second_varies:
            self._watch_second(cells)
        if self._keeps_second:
            self.second.append(cells.column(1))
        self._columns.append((topics, grades.astype(np.int16), cells.column(document)))
        return True

    def _watch_second(self, cells: Cells) -> None:
        """Note whether the second column ever differs from its first cell; in most files it never does."""
        start, length = int(cells.starts[0, 1]), int(cells.lengths[0, 1])
        self._first_second = self._first_second or cells.characters[start : start + length].tobytes()
        first = np.frombuffer(self._first_second, dtype=np.uint8)
        self.second_varies = bool((cells.lengths[:, 1] != first.size).any()) or any(
            (cells.characters[cells.starts[:, 1] + place] != character).any()
            for place, character in enumerate(first.tolist())
        )

    def _grades(self, column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
        """Read grades, or NTCIR's levels where the first line has one; None if one of them is none."""
        if not self.are_levels:
            return whole_numbers(column)
        first = column.view(np.uint8).reshape(column.size, -1)[:, 0]
        digits = column.astype(f"S{max(column.itemsize, 2)}").view(np.uint8).reshape(column.size, -1)[:, 1:]
        is_digit = (digits >= ord("0")) & (digits <= ord("9"))
        if (first != ord("L")).any() or not digits[:, 0].all() or not (is_digit | (digits == 0)).all():
            return None
        return whole_numbers(np.ascontiguousarray(digits).view(f"S{digits.shape[1]}")[:, 0])

    def joined(self) -> tuple[NDArray[np.int32], NDArray[np.int16], NDArray[np.bytes_]]:
        """Return the topic's index, grade and document of each line.

        Raises
        ------
        ParseError
            If there is no line.
        """
        if not self._columns:
            raise ParseError(self._file, None, f"expected {JUDGMENTS}, found no line of them")
        topics, grades, documents = zip(*self._columns, strict=True)
        return np.concatenate(topics), np.concatenate(grades), np.concatenate(documents)

    def asides(self) -> list[str]:
        """Say how the file was recognised where that is not plain, and what was passed over."""
        said = []
        if self.n_columns == 3:
            said.append("There are three columns below BEIR's header: query-id, corpus-id, score.")
        if self.are_levels:
            said.append("Grades are NTCIR's levels: L2 is 2.")
        if self._n_comments:
            said.append(f"{counted(self._n_comments, 'line')} starting with # passed over.")
        return said

    def _refuse(self, block: Block) -> None:
        for number, raw in block.lines():
            cells = [cell.decode() for cell in raw]
            if len(cells) != self.n_columns:
                self._refuse_columns(cells, number)
            self._is_first_line = False
            topic, document, grade = cells[0], cells[-2], cells[-1]
            for cell, what in ((topic, "topic id"), (document, "document id"), (grade, "grade")):
                refuse_long(cell, self._file, number, what)
            value = self._grades(np.array([raw[-1]]))
            if value is None or abs(value[0]) > LARGEST_GRADE:
                whole = "level such as L2" if self.are_levels else "whole number"
                lowest = "L0 and L" if self.are_levels else f"-{LARGEST_GRADE:,} and "
                between = "" if value is None else f" between {lowest}{LARGEST_GRADE:,}"
                raise ParseError(
                    self._file,
                    number,
                    f"topic {shown(topic)}, document {shown(document)}: expected a {whole}{between} as grade, "
                    f"found {shown(grade)}{header_remark(grade)}",
                )
        raise ParseError(self._file, block.first_line, f"expected {JUDGMENTS}, found something else")

    def _refuse_columns(self, cells: list[str], number: int) -> None:
        remark = ""
        if self.n_columns == 3:
            expected = "judgments with 3 columns, as BEIR's header says"
        else:
            expected = JUDGMENTS
            if self._is_first_line and not self._columns and looks_like_run(cells):
                remark = " as in a run; are runs and judgments swapped?"
            elif len(cells) == 3 and (measure_name(cells[0]) or measure_name(cells[1])):
                remark = (
                    f", {shown(' '.join(cells))}: scores of a run, as trec_eval and ir_measures write them? They "
                    "are brought as score matrices"
                )
            elif len(cells) == 3:
                remark = (
                    "; three are read below BEIR's header only: query-id, corpus-id, score; or, with fractions "
                    "such as 0.25 behind, as probabilities of intents: topic, intent, probability"
                )
        refuse_columns(cells, self._file, number, expected, remark)
