"""The lines of one run, block after block, and what is said of the first that is none."""

import numpy as np
from numpy.typing import NDArray

from topicset_core.errors import ParseError
from topicset_core.parsing.trec_columns import (
    JUDGMENTS,
    RUN,
    looks_like_judgment,
    refuse_columns,
    refuse_long,
    refuse_score,
)
from topicset_core.parsing.trec_limits import LARGEST_IDS_MB, LONGEST_ID
from topicset_core.parsing.trec_lines import Block, Cells, regular_cells, tidied
from topicset_core.parsing.trec_numbers import floats
from topicset_core.parsing.trec_topics import TopicIndex
from topicset_core.wording import counted, shown

TOPIC, DOCUMENT, SCORE, TAG = 0, 2, 4, 5
N_COLUMNS = 6


class RunLines:
    """The columns of a run, block after block.

    Parameters
    ----------
    file : str
        The file as the user named it.
    """

    def __init__(self, file: str) -> None:
        self.topics = TopicIndex()
        self.tag = b""
        self.n_comments = 0
        self.n_longer = 0
        self._file = file
        self._columns: list[tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.bytes_]]] = []

    def add(self, block: Block) -> None:
        """Take the lines of a block.

        Raises
        ------
        ParseError
            At the first line that is none of a run, or of another one.
        """
        cells = regular_cells(block.text, N_COLUMNS)
        if cells is None:
            rest = tidied(block.text, N_COLUMNS)
            self.n_comments += rest.n_comments
            self.n_longer += rest.n_longer
            if not rest.text:
                return
            cells = regular_cells(rest.text, N_COLUMNS)
        if cells is None or not self._take(cells):
            self._refuse(block)

    def _take(self, cells: Cells) -> bool:
        if max(cells.longest(column) for column in (TOPIC, DOCUMENT, TAG)) > LONGEST_ID:
            return False
        tags = cells.column(TAG)
        self.tag = self.tag or bytes(tags[0])
        scores = floats(cells.column(SCORE))
        if scores is None or not np.isfinite(scores).all() or (tags != self.tag).any():
            return False
        self._columns.append((self.topics.add(cells.column(TOPIC)), scores, cells.column(DOCUMENT)))
        return True

    def joined(self, most_bytes: int) -> tuple[NDArray[np.int32], NDArray[np.float64], NDArray[np.bytes_]]:
        """Return the topic's index, score and document of each line.

        Raises
        ------
        ParseError
            If there is no line, or the document ids would take more than `most_bytes` of memory.
        """
        if not self._columns:
            raise ParseError(self._file, None, f"expected {RUN}, found no line of it")
        topics, scores, documents = zip(*self._columns, strict=True)
        width = max(column.itemsize for column in documents)
        n_lines = sum(column.size for column in documents)
        if n_lines * width > most_bytes:
            raise ParseError(
                self._file,
                None,
                f"expected document ids that take at most {LARGEST_IDS_MB:,} MB of memory in all runs together, "
                f"each at the length of the longest of its run; here are {n_lines:,} of up to {width} bytes",
            )
        return np.concatenate(topics), np.concatenate(scores), np.concatenate(documents)

    def asides(self) -> list[str]:
        """Say what was passed over."""
        said = []
        if self.n_longer:
            lines = "1 line goes" if self.n_longer == 1 else f"{self.n_longer:,} lines go"
            said.append(f"{lines} on after the tag; that was passed over, as in trec_eval.")
        if self.n_comments:
            said.append(f"{counted(self.n_comments, 'line')} starting with # passed over.")
        return said

    def _refuse(self, block: Block) -> None:
        for number, raw in block.lines():
            cells = [cell.decode() for cell in raw]
            if len(cells) < N_COLUMNS:
                swapped = not self.tag and looks_like_judgment(cells)  # in the first line
                remark = (
                    f" as in {JUDGMENTS.split(',')[0]}; are runs and judgments swapped?" if swapped else ""
                )
                refuse_columns(cells, self._file, number, RUN, remark)
            for column, what in ((TOPIC, "topic id"), (DOCUMENT, "document id"), (TAG, "tag")):
                refuse_long(cells[column], self._file, number, what)
            score = floats(np.array([raw[SCORE]]))
            if score is None or not np.isfinite(score[0]):
                where = f"topic {shown(cells[TOPIC])}, document {shown(cells[DOCUMENT])}"
                refuse_score(cells[SCORE], self._file, number, where)
            if self.tag and raw[TAG] != self.tag:
                raise ParseError(
                    self._file,
                    number,
                    f"expected the tag {shown(self.tag.decode())} as in the lines before, found "
                    f"{shown(cells[TAG])}{_advice(len(cells))}",
                )
            self.tag = self.tag or raw[TAG]
        raise ParseError(self._file, block.first_line, f"expected {RUN}, found something else")


def _advice(n_columns: int) -> str:
    if n_columns > N_COLUMNS:
        return f" in a line of {n_columns} columns; is there a space in an id?"
    return "; put each run into a file of its own"
