"""Lines of a fixed number of columns to arrays, a block of lines at a time.

Columns are separated by tabs or spaces, any number of them; blank lines and lines whose first
character is # are ignored. A block in which every line has the expected number of columns takes
a few operations on all of its bytes at once; the first block that has another one is gone through line
by line, to find the line to blame.

Columns of digits are read exactly as Python's `float` reads them, topic ids are numbered in the order of the
file.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple, NoReturn, Self

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from topicset_core.errors import ParseError
from topicset_core.parsing import limits
from topicset_core.parsing.names import name_of, refuse_twins
from topicset_core.parsing.numerals import NOT_FINITE, is_numeral, is_whole
from topicset_core.parsing.table import plain, words
from topicset_core.parsing.text import refuse_odd_bytes
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, quoted

RUN = "a run, which has 6 columns (topic, Q0, document, rank, score, tag)"
JUDGMENTS = "relevance judgments, which have 4 columns (topic, iteration, document, grade)"

JSON = re.compile(rb"\s*(?=\{\s*[\"}]|\[\s*[\[\]{\"])")
"""What is before the first object or array."""

HEADERS = words("score sim similarity rsv rel relevance relevancy grade label judgment judgement")
"""What headers call the column of scores or of grades; runs and judgments have no header."""

BEIR = ("queryid", "corpusid", "score")
"""BEIR's header without its hyphens."""


def looks_like_run(cells: list[str]) -> bool:
    """Return whether a line is one of a run."""
    return len(cells) == 6 and is_numeral(cells[4])


def is_beir_header(cells: list[str]) -> bool:
    """Return whether a line names the three columns of BEIR's judgments."""
    return tuple(map(plain, cells)) == BEIR


def looks_like_judgment(cells: list[str]) -> bool:
    """Return whether a line is one of relevance judgments, or the header of BEIR's."""
    return (len(cells) == 4 and is_whole(cells[3])) or is_beir_header(cells)


def refuse_crowd(n_lines: int, file: str) -> None:
    """Refuse more lines than are read one by one."""
    if n_lines > limits.MOST_LEVELS:
        raise ParseError(
            file, None, f"expected at most {limits.MOST_LEVELS:,} lines of this kind, found more"
        )


def refuse_json(content: bytes, file: str, expected: str) -> None:
    """Refuse JSON, as ranx and pytrec_eval keep runs and judgments, where lines of columns are expected."""
    begin = JSON.match(content)
    first = content.lstrip().partition(b"\n")[0].decode("utf-8", "replace").split()
    if (
        begin and not looks_like_judgment(first) and not looks_like_run(first)
    ):  # an id may begin with [" or {"
        line = 1 + begin[0].count(b"\n")
        raise ParseError(file, line, f"expected {expected}, found JSON; write it as lines of these columns")


def refuse_columns(cells: list[str], file: str, line: int, expected: str, remark: str = "") -> NoReturn:
    """Refuse a line that has not the columns it should have."""
    actual = f"found {len(cells)} column{'s' if len(cells) > 1 else ''}"
    if not remark and len(cells) == 1 and ("," in cells[0] or ";" in cells[0]):
        remark = "; columns are separated by tabs or spaces"
    raise ParseError(file, line, f"expected {expected}, {actual}{remark}")


def header_remark(cell: str) -> str:
    """Return the correction for a line that is probably a header, by its score or grade."""
    return "; if this is a header, take the line out" if plain(cell) in HEADERS else ""


def refuse_score(cell: str, file: str, line: int, where: str) -> NoReturn:
    """Refuse a score that is no finite number."""
    expected = "a number"
    if NOT_FINITE.fullmatch(cell) or (is_numeral(cell) and "," not in cell):
        expected = "a finite number"
    elif is_numeral(cell):
        expected = "a number with a decimal point"
    expected = f"{where}: expected {expected} as score, found {quoted(cell)}{header_remark(cell)}"
    raise ParseError(file, line, expected)


BLOCK = 1 << 19
"""Bytes of a block: small enough for the processor's cache, large enough for arrays to pay."""

COMMENT = b"#"


class Line(NamedTuple):
    """The cells of one line, and its number counted from 1."""

    number: int
    cells: list[bytes]


@dataclass(frozen=True, eq=False)
class Block:
    """Whole lines of a file, each with its line feed; `end` counts the bytes of the file up to their end."""

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
    """Places of cells, (n_lines, n_columns), in `characters`, which end in as many more as the longest cell has."""

    characters: NDArray[np.uint8]
    starts: NDArray[np.intp]
    lengths: NDArray[np.intp]

    def column(self, number: int) -> NDArray[np.bytes_]:
        """Return the cells of a column, counted from 0, at the width of the longest."""
        width = self.longest(number)
        cells = sliding_window_view(self.characters, width)[self.starts[:, number]]
        # Text after a cell in its line is wiped out; NumPy's bytes end in zeros.
        cells *= np.arange(width) < self.lengths[:, number, None]
        column: NDArray[np.bytes_] = cells.view(f"S{width}")[:, 0]
        return column

    def longest(self, number: int) -> int:
        """Return the length of the longest cell of a column."""
        return int(self.lengths[:, number].max())


class Tidied(NamedTuple):
    """Lines without omitted text; how many comments there were, and lines that went on."""

    text: bytes
    n_comments: int
    n_longer: int


def blocks(content: bytes, file: str) -> Iterator[Block]:
    """Cut a file into blocks of whole lines."""
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
    """Find the cells of lines that all have `n_columns`; None if a line has not, or is a comment."""
    characters = np.frombuffer(text, dtype=np.uint8)
    is_cell = characters > ord(" ")
    edges = np.flatnonzero(is_cell[1:] != is_cell[:-1]) + 1
    if is_cell[0]:
        edges = np.concatenate((np.zeros(1, edges.dtype), edges))
    line_ends = np.flatnonzero(characters == ord("\n"))
    if edges.size != 2 * n_columns * line_ends.size:
        return None
    starts, ends = edges[0::2].reshape(-1, n_columns), edges[1::2].reshape(-1, n_columns)
    # The total number of cells is right; now each line must have the right number.
    if (ends[:, -1] > line_ends).any() or (starts[1:, 0] < line_ends[:-1]).any():
        return None
    if (characters[starts[:, 0]] == ord(COMMENT)).any():
        return None
    lengths = ends - starts
    padded = np.frombuffer(text + bytes(int(lengths.max())), dtype=np.uint8)
    return Cells(padded, starts, lengths)


def tidied(text: bytes, n_columns: int | None = None) -> Tidied:
    """Take out blank lines and comments, and text after the last of `n_columns` if that is given."""
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
    result = content.find(document)
    counted, number = 0, 1
    while result >= 0:
        begin = content.rfind(b"\n", 0, result) + 1
        end = content.find(b"\n", result)
        end = end if end >= 0 else len(content)
        cells = content[begin:end].split()
        if len(cells) > at and cells[0] == topic and cells[at] == document:
            number += content.count(b"\n", counted, begin)
            counted = begin
            yield Line(number, cells)
        result = content.find(document, end)


def grade_of(cell: bytes) -> int:
    """Return the grade of a cell that was read as one: a whole number, or a level of NTCIR."""
    return int(cell.removeprefix(b"L"))


def refuse_two_grades(file: str, lines: Iterable[Line], at: int, each: str, where: str) -> NoReturn:
    """Refuse the first line whose grade, in column `at`, is not that of the lines before it."""
    first, *later = lines
    other = next(line for line in later if grade_of(line.cells[at]) != grade_of(first.cells[at]))
    raise ParseError(
        file,
        other.number,
        f"expected one grade for {each}, found {other.cells[at].decode()} for {where}, which has the grade "
        f"{first.cells[at].decode()} on line {first.number:,}",
    )


class TopicIndex:
    """Numbers topics in the order of the file, with one lookup for each stretch of lines of a topic."""

    def __init__(self) -> None:
        self._index: dict[bytes, int] = {}

    def __len__(self) -> int:
        return len(self._index)

    @property
    def ids(self) -> list[bytes]:
        """The topic ids so far, each at its index."""
        return list(self._index)

    def add(self, column: NDArray[np.bytes_]) -> NDArray[np.int32]:
        """Return the index of the topic of each line."""
        begins = np.concatenate(([0], np.flatnonzero(column[1:] != column[:-1]) + 1))
        indices = [self._index.setdefault(topic, len(self._index)) for topic in column[begins].tolist()]
        lengths = np.diff(begins, append=column.size)
        return np.repeat(np.array(indices, dtype=np.int32), lengths)

    def names(self, file: str) -> tuple[str, ...]:
        """Return the topic ids as text."""
        names = tuple(name_of(topic, file, "topic id") for topic in self._index)
        refuse_twins(names, file, "topic id")
        return names

    def starts(self, topics: NDArray[np.int32]) -> NDArray[np.int64]:
        """Return where each topic, by its index, starts among lines in the order of topics."""
        counts = np.bincount(topics)
        return np.concatenate((np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)))


class FileLines:
    """The columns of runs or judgments, block after block; a subclass says which cells are valid."""

    expected: ClassVar[str]  # what the lines are
    ignored_after: ClassVar[int | None] = None  # the column after which text is ignored

    def __init__(self, file: str, nothing: str) -> None:
        self.topics = TopicIndex()
        self.n_columns = 0
        self._file = file
        self._nothing = nothing  # reported of a file without a line
        self._n_comments = self._n_longer = 0
        self._columns: list[tuple[NDArray[np.int32], NDArray[Any], NDArray[np.bytes_]]] = []
        self.n_lines = self.width = 0  # so far, and of the longest document id

    def take(self, cells: Cells) -> bool:
        """Take the cells of lines, or return False if one is invalid."""
        raise NotImplementedError

    def check(self, number: int, raw: list[bytes], cells: list[str]) -> None:
        """Refuse a line that is invalid."""
        raise NotImplementedError

    def add(self, block: Block) -> None:
        """Take the lines of a block, or refuse the first that does not fit."""
        cells = regular_cells(block.text, self.n_columns)
        if cells is None:
            rest = tidied(block.text, self.ignored_after)
            self._n_comments += rest.n_comments
            self._n_longer += rest.n_longer
            if not rest.text:
                return
            cells = regular_cells(rest.text, self.n_columns)
        if cells is None or not self.take(cells):
            for number, raw in block.lines():
                self.check(number, raw, [cell.decode() for cell in raw])
            self.refuse(block.first_line, f"expected {self.expected}, found something else")

    def read(self, content: bytes, report: ReportProgress = silently) -> Self:
        """Take all lines; `report` takes the share of them that is read."""
        refuse_json(content, self._file, self.expected)
        for block in blocks(content, self._file):
            self.add(block)
            self._refuse_too_much()
            report(block.end / len(content))
        return self

    def _keep(self, topics: NDArray[np.int32], numbers: NDArray[Any], documents: NDArray[np.bytes_]) -> None:
        self._columns.append((topics, numbers, documents))
        self.n_lines += documents.size
        self.width = max(self.width, documents.itemsize)

    def _refuse_too_much(self) -> None:
        """Refuse more than memory is for, while the file is read."""
        for count, most, noun in (
            (self.n_lines, limits.MOST_LINES_OF_FILE, "lines"),
            (len(self.topics), limits.MOST_TOPICS, "topics"),
        ):
            if count > most:
                self.refuse(None, f"expected at most {most:,} {noun} in a file, found more")
        if self.n_lines * self.width > limits.LARGEST_IDS_OF_FILE:
            self.refuse(
                None,
                f"expected ids that take at most {limits.LARGEST_IDS_OF_FILE_MB} MB of memory, each at the "
                f"length of the longest; here are {self.n_lines:,} or more of up to {self.width} bytes",
            )

    def refuse(self, line: int | None, expected: str) -> NoReturn:
        """Refuse a line, or the file."""
        raise ParseError(self._file, line, expected)

    def joined(self) -> tuple[NDArray[np.int32], NDArray[Any], NDArray[np.bytes_]]:
        """Return the topic's index, the number and the document of each line."""
        if not self._columns:
            self.refuse(None, self._nothing)
        topics, numbers, documents = zip(*self._columns, strict=True)
        self._columns = []  # memory for these and the joined ones is needed just here
        return np.concatenate(topics), np.concatenate(numbers), np.concatenate(documents)

    def asides(self) -> list[str]:
        """Return notes on omitted lines."""
        return [f"{counted(self._n_comments, 'line')} starting with # ignored."] if self._n_comments else []


WIDEST = 20
"""Characters of a numeral that is read with whole-column operations: 18 digits, a sign and a point."""

MOST_DIGITS = 18  # of which any number is below 2^63
LARGEST_EXACT = 2**53

POWERS_OF_TEN = 10.0 ** np.arange(MOST_DIGITS + 1)
"""Exact in float64, as all powers of ten up to 10^22 are."""

NUMERAL_CHARACTERS = np.zeros(256, dtype=np.bool_)
NUMERAL_CHARACTERS[list(b"\0+-.0123456789eE")] = True
"""Characters of a numeral, and the zeros after it; `float` takes 1_000, nan and infinity as well."""

WHOLE_CHARACTERS = np.zeros(256, dtype=np.bool_)
WHOLE_CHARACTERS[list(b"\0+-0123456789")] = True


def floats(column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
    """Read decimal numerals in ASCII, without empty ones; None if one is invalid."""
    # A whole number of at most 2^53, divided by a power of ten of at most 10^22, is the nearest float64 to
    # the quotient, as both are exact (Clinger 1990, How to read floating point numbers accurately, PLDI). All
    # others go through `float`; they are infinite beyond the range of float64.
    characters = column.view(np.uint8).reshape(column.size, -1)
    # One row a place in the numeral, so that each operation runs along contiguous memory.
    places = np.ascontiguousarray(characters[:, :WIDEST].T)
    digits = places - ord("0")
    is_digit = digits < 10
    is_point = places == ord(".")
    whole = np.zeros(column.size, dtype=np.int64)
    n_decimals = np.zeros(column.size, dtype=np.int64)
    behind_point = np.zeros(column.size, dtype=np.bool_)
    for digit, digit_here, point_here in zip(digits, is_digit, is_point, strict=True):
        np.multiply(whole, 10, out=whole, where=digit_here)
        np.add(whole, digit, out=whole, where=digit_here)
        n_decimals += behind_point & digit_here
        behind_point |= point_here
    signed = (places[0] == ord("-")) | (places[0] == ord("+"))
    n_digits = is_digit.sum(axis=0)
    n_points = is_point.sum(axis=0)
    is_plain = (
        (n_digits >= 1)
        & (n_digits <= MOST_DIGITS)
        & (n_points <= 1)
        & (n_digits + n_points + signed == np.count_nonzero(characters, axis=1))
        & (whole <= LARGEST_EXACT)
    )
    values = whole / POWERS_OF_TEN[np.minimum(n_decimals, MOST_DIGITS)]
    np.negative(values, out=values, where=places[0] == ord("-"))
    if is_plain.all():
        return values
    others = np.flatnonzero(~is_plain)
    if not NUMERAL_CHARACTERS[characters[others]].all():
        return None
    try:
        values[others] = [float(numeral) for numeral in column[others].tolist()]
    except ValueError:
        return None
    return values


def whole_numbers(column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
    """Read whole numbers, written without point and exponent; None if one of them is invalid."""
    if not WHOLE_CHARACTERS[column.view(np.uint8)].all():
        return None
    return floats(column)


def repeated_rows(topics: NDArray[np.int32], documents: NDArray[np.bytes_]) -> NDArray[np.intp]:
    """Return each row whose document its topic had before, ascending, and the first row that has it: (n, 2)."""
    n_words = -(-documents.itemsize // 8)
    words = documents.astype(f"S{8 * n_words}").view(np.uint64).reshape(-1, n_words)
    # Equal ids have equal hashes; different ids with equal hashes are separated below.
    hashes = topics.astype(np.uint64)
    for word in words.T:
        hashes = (hashes ^ word) * np.uint64(0x9E3779B97F4A7C15)
        hashes ^= hashes >> np.uint64(29)
    in_order = np.sort(hashes)
    suspect = in_order[1:][in_order[1:] == in_order[:-1]]
    rows = np.flatnonzero(np.isin(hashes, suspect)) if suspect.size else np.zeros(0, np.intp)
    rows = rows[np.lexsort((documents[rows], topics[rows]))]
    same = (topics[rows[1:]] == topics[rows[:-1]]) & (documents[rows[1:]] == documents[rows[:-1]])
    # The sort keeps equal rows in their order, so that the first of them is in the file, too.
    begins = np.maximum.accumulate(np.where(np.concatenate(([False], same)), 0, np.arange(rows.size)))
    repeated = np.flatnonzero(same) + 1
    result = np.stack((rows[repeated], rows[begins[repeated]]), axis=1)
    return result[np.argsort(result[:, 0])]
