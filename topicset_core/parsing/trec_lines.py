"""Lines of a fixed number of columns to arrays, a block of lines at a time.

Columns are separated by tabs or spaces, any number of them; blank lines and lines whose first
character is # are passed over. A block in which every line has the expected number of columns takes
a few operations on all of its bytes at once; the first block that has another one is gone through line
by line, to find the line to blame.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from topicset_core.parsing.trec_text import refuse_odd_bytes

BLOCK = 1 << 19
"""Bytes of a block: small enough for the processor's cache, large enough for arrays to pay."""

COMMENT = b"#"


class Line(NamedTuple):
    """The cells of one line, and its number counted from 1."""

    number: int
    cells: list[bytes]


@dataclass(frozen=True, eq=False)
class Block:
    """Whole lines of a file.

    Parameters
    ----------
    text : bytes
        The lines, each with its line feed.
    first_line : int
        Number of the first line, counted from 1.
    end : int
        Bytes of the file up to the end of this block.
    """

    text: bytes
    first_line: int
    end: int

    def lines(self) -> Iterator[Line]:
        """Yield the lines that are neither blank nor comments, with their cells."""
        for number, line in enumerate(self.text.split(b"\n"), start=self.first_line):
            cells = line.split()
            if cells and not cells[0].startswith(COMMENT):
                yield Line(number, cells)


class Cells(NamedTuple):
    """Where the cells of lines stand in their bytes.

    `characters` are the bytes, with as many more as the longest cell has; `starts` and `lengths` have
    the shape (n_lines, n_columns).
    """

    characters: NDArray[np.uint8]
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]

    def column(self, number: int) -> NDArray[np.bytes_]:
        """Return the cells of a column, counted from 0, at the width of the longest."""
        width = self.longest(number)
        cells = sliding_window_view(self.characters, width)[self.starts[:, number]]
        # What follows a cell in its line is wiped out; NumPy's bytes end in zeros.
        cells *= np.arange(width) < self.lengths[:, number, None]
        column: NDArray[np.bytes_] = cells.view(f"S{width}")[:, 0]
        return column

    def longest(self, number: int) -> int:
        """Return the length of the longest cell of a column."""
        return int(self.lengths[:, number].max())


class Tidied(NamedTuple):
    """Lines without what is passed over; how many comments there were, and lines that went on."""

    text: bytes
    n_comments: int
    n_longer: int


def blocks(content: bytes, file: str) -> Iterator[Block]:
    """Cut a file into blocks of whole lines.

    Raises
    ------
    ParseError
        At the first byte that belongs into no text.
    """
    begin = 0
    line = 1
    while begin < len(content):
        end = content.rfind(b"\n", begin, begin + BLOCK) + 1 or content.find(b"\n", begin) + 1
        text = content[begin:end] if end else content[begin:] + b"\n"
        end = end or len(content)
        refuse_odd_bytes(text, file, line)
        yield Block(text, line, end)
        line += text.count(b"\n")
        begin = end


def regular_cells(text: bytes, n_columns: int) -> Cells | None:
    """Find the cells of lines that all have `n_columns`; None if a line has not, or is a comment.

    Parameters
    ----------
    text : bytes
        At least one line; tabs and line feeds are the only control characters in it.
    n_columns : int
        Cells that each line must have.
    """
    characters = np.frombuffer(text, dtype=np.uint8)
    is_cell = characters > ord(" ")
    edges = np.flatnonzero(is_cell[1:] != is_cell[:-1]) + 1
    if is_cell[0]:
        edges = np.concatenate((np.zeros(1, edges.dtype), edges))
    line_ends = np.flatnonzero(characters == ord("\n"))
    if edges.size != 2 * n_columns * line_ends.size:
        return None
    starts, ends = edges[0::2].reshape(-1, n_columns), edges[1::2].reshape(-1, n_columns)
    # The cells are as many as they should be; now each line must hold its own.
    if (ends[:, -1] > line_ends).any() or (starts[1:, 0] < line_ends[:-1]).any():
        return None
    if (characters[starts[:, 0]] == ord(COMMENT)).any():
        return None
    lengths = ends - starts
    padded = np.frombuffer(text + bytes(int(lengths.max())), dtype=np.uint8)
    return Cells(padded, starts, lengths)


def tidied(text: bytes, n_columns: int | None = None) -> Tidied:
    """Take out blank lines and comments, and what follows the last of `n_columns` if that is given."""
    kept = []
    n_comments = n_longer = 0
    for line in text.split(b"\n"):
        cells = line.split(maxsplit=-1 if n_columns is None else n_columns)
        if not cells:
            continue
        if cells[0].startswith(COMMENT):
            n_comments += 1
        elif n_columns is not None and len(cells) > n_columns:
            kept.append(b" ".join(cells[:n_columns]))
            n_longer += 1
        else:
            kept.append(line)
    return Tidied(b"".join(line + b"\n" for line in kept), n_comments, n_longer)


def lines_with(content: bytes, topic: bytes, document: bytes, at: int = 2) -> Iterator[Line]:
    """Yield the lines that begin with a topic and have a document at a column, in the order of the file."""
    found = content.find(document)
    counted, number = 0, 1
    while found >= 0:
        begin = content.rfind(b"\n", 0, found) + 1
        end = content.find(b"\n", found)
        end = end if end >= 0 else len(content)
        cells = content[begin:end].split()
        if len(cells) > at and cells[0] == topic and cells[at] == document:
            number += content.count(b"\n", counted, begin)
            counted = begin
            yield Line(number, cells)
        found = content.find(document, end)
