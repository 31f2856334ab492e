"""TREC runs: lines of topic, Q0, document, rank, score and tag, read as trec_eval reads them.

Columns are separated by tabs or spaces. The second and the fourth column are ignored: documents are
ordered by score, descending, and where scores are equal by document id, descending; equality is
described below. A file contains one run, whose name is its tag.

As in trec_eval, text after the tag on its line is ignored, and so are lines that start with #,
which is reported; a document twice in a topic is refused. Stricter than trec_eval: one tag from the first
line to the last, scores that are finite numbers and nothing else, UTF-8.

Scores are compared in double precision, as trec_eval 10.0 (June 2026) does, and ids in the order of bytes
(``strcmp``). trec_eval 9, which `pytrec-eval-terrier` 0.5.11 has inside too, rounds scores to single precision
(a C ``float``), so that scores that differ by less are tied (its issue 34). That can be chosen, and it is
reported where the two differ.
"""

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from itertools import chain, count, islice
from typing import Any, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from topicset_core.collection import Run
from topicset_core.errors import ParseError
from topicset_core.parsing.archives import File, Files, Watch, each_file
from topicset_core.parsing.limits import LARGEST_IDS, LARGEST_IDS_MB, LONGEST_ID
from topicset_core.parsing.names import name_of, refuse_long, refuse_twins, shown, source_of
from topicset_core.parsing.text import PlainText, plain_text
from topicset_core.parsing.trec.lines import (
    JUDGMENTS,
    RUN,
    Cells,
    FileLines,
    floats,
    lines_with,
    looks_like_judgment,
    refuse_columns,
    refuse_score,
    repeated_rows,
)
from topicset_core.progress import ReportProgress, silently
from topicset_core.wording import counted, quoted


class Ranking(NamedTuple):
    """Rows best first, topic after topic."""

    rows: NDArray[np.intp]  # the row of each place
    n_tied: int  # documents with the score of another one of their topic
    n_distinct_in_double: int  # those with scores that differ from others in double precision only
    n_reordered: int  # topics whose lines were not in the order of their scores


Precision = Literal["double", "single"]
"""In which scores are compared: double as in trec_eval 10, or single as in trec_eval 9."""


def ranking(
    topics: NDArray[np.int32],
    scores: NDArray[np.float64],
    documents: NDArray[np.bytes_],
    precision: Precision,
) -> Ranking:
    """Put rows into trec_eval's order; no document is repeated within a topic, all scores are finite."""
    with np.errstate(over="ignore"):  # beyond the range of single precision a score is infinite
        single = scores.astype(np.float32)
    compared = scores if precision == "double" else single
    rows = np.arange(topics.size)
    next_topic = topics[1:] != topics[:-1]
    if (topics[1:] < topics[:-1]).any() or ((compared[1:] > compared[:-1]) & ~next_topic).any():
        rows = np.lexsort((-compared, topics))
    topic_of = topics[rows]
    # Topics with two rows out of order, before ties are put into the order of their ids.
    n_reordered = np.unique(topic_of[1:][(rows[1:] < rows[:-1]) & (topic_of[1:] == topic_of[:-1])]).size
    alike, group = _ties(single[rows], topic_of)  # of either precision
    n_distinct = _n_distinct(group, scores[rows[alike]]) if alike.size else 0
    tied, group = _ties(compared[rows], topic_of)
    if tied.size:
        # Ascending by group from the last and then by id: from behind, both are as they should be.
        by_id = np.lexsort((documents[rows[tied]], -group))[::-1]
        rows[tied] = rows[tied][by_id]
    return Ranking(rows, int(tied.size), n_distinct, n_reordered)


def _ties(
    in_order: NDArray[np.floating[Any]], topic_of: NDArray[np.int32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the places with the score of a neighbour, and the group of each of them."""
    equal = (in_order[1:] == in_order[:-1]) & (topic_of[1:] == topic_of[:-1])
    tied = np.flatnonzero(np.concatenate(([False], equal)) | np.concatenate((equal, [False])))
    return tied, np.concatenate(([0], np.cumsum(~equal)))[tied]


def _n_distinct(group: NDArray[np.intp], scores: NDArray[np.float64]) -> int:
    """Count scores that no other one of their group equals."""
    order = np.lexsort((scores, group))
    scores, group = scores[order], group[order]
    equal = (scores[1:] == scores[:-1]) & (group[1:] == group[:-1])
    shared = np.concatenate(([False], equal)) | np.concatenate((equal, [False]))
    return int(np.count_nonzero(~shared))


DESCRIPTION = re.compile(rb"\s*<SYSDESC>")
"""First words of a run of NTCIR's We Want Web task."""

TOPIC, DOCUMENT, SCORE, TAG = 0, 2, 4, 5
N_COLUMNS = 6


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadRun:
    """A run, the file it comes from, and notes on it."""

    run: Run
    file: str
    notes: tuple[str, ...]  # notes on the format and the contents


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadRuns:
    """The runs found in files.

    Parameters
    ----------
    items : tuple of ReadRun
        In the order of the files.
    notes : tuple of str
        Notes on omitted files of archives.
    errors : tuple of ParseError
        One for each file that could not be read; the others are read all the same.
    """

    items: tuple[ReadRun, ...]
    notes: tuple[str, ...]
    errors: tuple[ParseError, ...]

    @property
    def runs(self) -> tuple[Run, ...]:
        """The runs alone."""
        return tuple(item.run for item in self.items)


def read_run(
    file: str, content: bytes, *, keep_scores: bool = False, precision: Precision = "double"
) -> ReadRun:
    """Read one run.

    Parameters
    ----------
    file : str
        The file as the user named it.
    content : bytes
        Text, or an archive with one file.
    keep_scores : bool
        Whether the run keeps its scores, 8 bytes per document.
    precision : {"double", "single"}
        In which scores are compared: double as in trec_eval 10, or single as in trec_eval 9.

    Raises
    ------
    ParseError
        If it is not one run from the first line to the last.
    """
    read = read_runs([(file, content)], keep_scores=keep_scores, precision=precision)
    if read.errors:
        raise read.errors[0]
    if len(read.items) != 1:
        raise ParseError(file, None, f"expected one run, found {len(read.items)}")
    return read.items[0]


def read_runs(
    files: Files,
    report: ReportProgress = silently,
    *,
    keep_scores: bool = False,
    shared_tags: bool = False,
    precision: Precision = "double",
) -> ReadRuns:
    """Read runs from files: as text, in gzip, or any number of them in zip and tar archives.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each file, or its path: then it is read later.
    report : callable, optional
        Takes the fraction done, after each block of lines; an exception from it cancels.
    keep_scores : bool
        Whether runs keep their scores, 8 bytes per document. By default they keep the order alone, which
        is all that measures need.
    shared_tags : bool
        Whether runs may have the same tag, as in many parameter sweeps.
    precision : {"double", "single"}
        As of `read_run`.

    Returns
    -------
    ReadRuns
        With an error for each file that is no run, or is a run read already. Runs that share a tag and
        must not are named after their files, which is reported.
    """
    results: list[ReadRun] = []
    of_tag: dict[str, list[ReadRun]] = {}
    tag_that_looks: dict[str, str] = {}
    n_bytes = 0

    def read(file: File, watch: Watch) -> None:
        nonlocal n_bytes
        parsed = _read(file, watch, LARGEST_IDS - n_bytes, keep_scores, precision)
        refuse_twins(
            (tag_that_looks.setdefault(shown(parsed.run.tag), parsed.run.tag), parsed.run.tag),
            parsed.file,
            "tag",
        )
        others = of_tag.setdefault(parsed.run.tag, [])
        if not shared_tags:
            _refuse_same(parsed, others)
        others.append(parsed)
        n_bytes += parsed.run.documents.nbytes
        results.append(parsed)

    notes, errors = each_file(files, read, report)
    if precision == "single":
        notes = (*notes, "Scores of runs are compared in single precision, as in trec_eval 9.")
    if shared_tags:
        return ReadRuns(items=tuple(results), notes=notes, errors=errors)
    shared = [
        f"{counted(len(ones), 'run')} have the tag {quoted(tag)}: they are named after their files."
        for tag, ones in of_tag.items()
        if len(ones) > 1
    ]
    return ReadRuns(items=tuple(_with_distinct_names(results)), notes=(*notes, *shared), errors=errors)


def _refuse_same(run: ReadRun, others: Sequence[ReadRun]) -> None:
    """Refuse a run that was read before under the same tag."""
    for other in others:
        if is_same_run(run.run, other.run):
            again = f"found the documents of {other.file} again, with its tag {quoted(run.run.tag)} too"
            raise ParseError(run.file, None, f"expected each run once, {again}")


def _with_distinct_names(result: Sequence[ReadRun]) -> list[ReadRun]:
    """Name runs that share a tag after their files, with a note."""
    names = names_apart([item.run.tag for item in result], [item.file for item in result])
    return [
        item
        if name == item.run.tag
        else replace(
            item,
            run=replace(item.run, tag=name),
            notes=(
                *item.notes,
                f"Other runs have this tag too: it is called {quoted(name)}, after its file.",
            ),
        )
        for item, name in zip(result, names, strict=True)
    ]


def _read(file: File, watch: Watch, most_bytes: int, keep_scores: bool, precision: Precision) -> ReadRun:
    text = _without_description(plain_text(file.content, file.name))
    lines = RunLines(file.name).read(text.content, watch.within(file))
    lines.refuse_memory(most_bytes)
    topics, scores, documents = lines.joined()
    repeated = repeated_rows(topics, documents)
    if repeated.size:
        row = repeated[0, 0]
        topic, document = lines.topics.ids[topics[row]], bytes(documents[row])
        first, second = islice(lines_with(text.content, topic, document), 2)
        raise ParseError(
            file.name,
            second.number,
            f"expected each document once in a topic, found {quoted(document.decode())} of topic "
            f"{quoted(topic.decode())} again, which line {first.number:,} has already",
        )
    ranked = ranking(topics, scores, documents, precision)
    is_ranked = bool((ranked.rows[1:] > ranked.rows[:-1]).all())  # as most files are: nothing is copied
    run = Run(
        tag=name_of(lines.tag, file.name, "tag"),
        topics=lines.topics.names(file.name),
        starts=lines.topics.starts(topics),
        documents=documents if is_ranked else documents[ranked.rows],
        n_tied=ranked.n_tied,
        scores=None if not keep_scores else scores if is_ranked else scores[ranked.rows],
    )
    notes = (*text.notes, *_notes_on(run, ranked, precision), *lines.asides())
    return ReadRun(run=run, file=file.name, notes=notes)


def _without_description(text: PlainText) -> PlainText:
    """Blank out the first line of a run of NTCIR's We Want Web task, <SYSDESC>...</SYSDESC>."""
    description = DESCRIPTION.match(text.content)
    if description is None:
        return text
    begin = description.end() - len(b"<SYSDESC>")
    end = text.content.find(b"\n", begin)
    # Lines keep their numbers.
    rest = text.content[:begin] + text.content[end:] if end >= 0 else b""
    return PlainText(rest, (*text.notes, "The first line, <SYSDESC>, describes the run and was ignored."))


def _notes_on(run: Run, ranked: Ranking, precision: Precision) -> list[str]:
    low, high = run.depths.min(), run.depths.max()
    depth = f"{low:,}" if low == high else f"{low:,} to {high:,}"
    documents = counted(run.documents.size, "document")
    notes = [f"Run {quoted(run.tag)}: {counted(run.n_topics, 'topic')}, {documents}, {depth} per topic."]
    if ranked.n_reordered:
        notes.append(
            f"In {counted(ranked.n_reordered, 'topic')} the lines are not in the order of their scores; "
            "the scores determine the ranking, not the rank column or the order of lines."
        )
    if ranked.n_tied:
        has = "has" if ranked.n_tied == 1 else "have"
        notes.append(
            f"{counted(ranked.n_tied, 'document')} {has} the same score as another of the topic; "
            "they are ordered by descending id, as in trec_eval."
        )
    if ranked.n_distinct_in_double:
        how = {
            "double": "ranked by them, as in trec_eval 10; trec_eval 9 ties them",
            "single": "tied, as in trec_eval 9; trec_eval 10 ranks them by these scores",
        }
        notes.append(
            f"{counted(ranked.n_distinct_in_double, 'document')} with scores that differ from others of the topic "
            f"only beyond single precision: {how[precision]}."
        )
    return notes


class RunLines(FileLines):
    """The columns of a run."""

    expected = RUN
    ignored_after = N_COLUMNS

    def __init__(self, file: str) -> None:
        super().__init__(file, f"expected {RUN}, found no line of it")
        self.n_columns = N_COLUMNS
        self.tag = b""

    def take(self, cells: Cells) -> bool:
        """Take the cells of lines, or return False if one is invalid."""
        if max(cells.longest(column) for column in (TOPIC, DOCUMENT, TAG)) > LONGEST_ID:
            return False
        tags = cells.column(TAG)
        self.tag = self.tag or bytes(tags[0])
        scores = floats(cells.column(SCORE))
        if scores is None or not np.isfinite(scores).all() or (tags != self.tag).any():
            return False
        self._keep(self.topics.add(cells.column(TOPIC)), scores, cells.column(DOCUMENT))
        return True

    def refuse_memory(self, most_bytes: int) -> None:
        """Refuse document ids that would take more than this number of bytes of memory."""
        if self.n_lines * self.width > most_bytes:
            self.refuse(
                None,
                f"expected document ids that take at most {LARGEST_IDS_MB:,} MB of memory in all runs together, "
                f"each at the length of the longest of its run; here are {self.n_lines:,} of up to {self.width} "
                "bytes",
            )

    def asides(self) -> list[str]:
        """Return notes on omitted lines."""
        notes = []
        if self._n_longer:
            lines = "1 line has" if self._n_longer == 1 else f"{self._n_longer:,} lines have"
            notes.append(f"{lines} text after the tag; it was ignored, as in trec_eval.")
        return [*notes, *super().asides()]

    def check(self, number: int, raw: list[bytes], cells: list[str]) -> None:
        """Refuse a line that is invalid."""
        if len(cells) < N_COLUMNS:
            swapped = not self.tag and looks_like_judgment(cells)  # in the first line
            remark = (
                f" as in {JUDGMENTS.split(',')[0]}; are runs and judgments interchanged?" if swapped else ""
            )
            refuse_columns(cells, self._file, number, RUN, remark)
        for column, what in ((TOPIC, "topic id"), (DOCUMENT, "document id"), (TAG, "tag")):
            refuse_long(cells[column], self._file, number, what)
        score = floats(np.array([raw[SCORE]]))
        if score is None or not np.isfinite(score[0]):
            where = f"topic {quoted(cells[TOPIC])}, document {quoted(cells[DOCUMENT])}"
            refuse_score(cells[SCORE], self._file, number, where)
        if self.tag and raw[TAG] != self.tag:
            has_space = f" in a line of {len(cells)} columns; is there a space in an id?"
            advice = has_space if len(cells) > N_COLUMNS else "; put each run into a separate file"
            self.refuse(
                number,
                f"expected the tag {quoted(self.tag.decode())} as in the lines before, found "
                f"{quoted(cells[TAG])}{advice}",
            )
        self.tag = self.tag or raw[TAG]


def is_same_run(one: Run, other: Run) -> bool:
    """Return whether two runs have the same documents in the same order for the same topics."""
    # Nearly all runs differ in their first documents.
    return (
        one.topics == other.topics
        and np.array_equal(one.starts, other.starts)
        and np.array_equal(one.documents[:1000], other.documents[:1000])
        and np.array_equal(one.documents, other.documents)
    )


def names_apart(tags: Sequence[str], files: Sequence[str]) -> list[str]:
    """Name each run by its tag; runs that share one by their files, numbered where these are equal too."""
    uses = Counter(tags)
    taken = {tag for tag, count in uses.items() if count == 1}
    names = []
    for tag, file in zip(tags, files, strict=True):
        name = tag
        if uses[tag] > 1:
            name = numbered(source_of(file).run, taken)
            taken.add(name)
        names.append(name)
    return names


def numbered(name: str, taken: Container[str]) -> str:
    """Return a name, with the first number behind it that makes it different from those taken."""
    numbers = chain([name], (f"{name} ({number})" for number in count(2)))
    return next(number for number in numbers if number not in taken)
