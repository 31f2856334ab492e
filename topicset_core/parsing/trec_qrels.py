"""Relevance judgments: TREC's four columns, topic, iteration, document and grade, or BEIR's three.

Columns are separated by tabs or spaces; the second of four is ignored, but where a document has lines
that differ in it, grades are levels, or probabilities of intents are brought: then it numbers intents
(`trec_intents`). BEIR's files are known by
their header: query-id, corpus-id, score. A grade below 0 means that the document was pooled but not judged,
as trec_eval takes it (its form_res_rels.c).

Stricter than trec_eval, whose ``atol`` reads 2.5 as 2 and x as 0: a grade is a whole number. Softer
in one thing: a judgment that is repeated with the same grade is counted once and said, where
trec_eval stops at any repeated document.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from topicset_core.collection import Qrels
from topicset_core.errors import ParseError
from topicset_core.parsing.intent_probabilities import (
    IntentProbabilities,
    are_probabilities,
    read_probabilities,
)
from topicset_core.parsing.ntcir_rel import LevelFiles
from topicset_core.parsing.trec_archives import File
from topicset_core.parsing.trec_files import each_file
from topicset_core.parsing.trec_qrels_reading import ReadQrels, read_file, said_of
from topicset_core.parsing.watching import Watch
from topicset_core.progress import Report, silently


@dataclass(frozen=True, kw_only=True, eq=False)
class ReadCollections:
    """What was found in files of judgments.

    Parameters
    ----------
    found : tuple of ReadQrels
        In the order of the files; each file is a collection of its own.
    said : tuple of str
        Sentences on what was left out of archives.
    errors : tuple of ParseError
        One for each file that could not be read; the others are read all the same.
    probabilities : tuple of IntentProbabilities
        How likely intents are, from files that say so.
    """

    found: tuple[ReadQrels, ...]
    said: tuple[str, ...]
    errors: tuple[ParseError, ...]
    probabilities: tuple[IntentProbabilities, ...] = ()

    @property
    def qrels(self) -> tuple[Qrels, ...]:
        """The judgments alone."""
        return tuple(one.qrels for one in self.found)


def read_qrels(file: str, content: bytes) -> ReadQrels:
    """Read the judgments of one collection.

    Parameters
    ----------
    file : str
        The file as the user named it; the collection is named after it.
    content : bytes
        Text, or an archive with one file.

    Raises
    ------
    ParseError
        If it is not judgments from the first line to the last.
    """
    read = read_collections([(file, content)])
    if read.errors:
        raise read.errors[0]
    if len(read.found) != 1:
        raise ParseError(file, None, f"expected one file of relevance judgments, found {len(read.found)}")
    return read.found[0]


def read_collections(
    files: Sequence[tuple[str, bytes | Path]],
    report: Report = silently,
) -> ReadCollections:
    """Read judgments from files, each of which is a collection: text, gzip, zip and tar archives.

    Only rel files of NTCIR, one a topic, make a collection together: those of an archive, or those without.

    Parameters
    ----------
    files : sequence of (str, bytes or Path)
        Name and content of each file, or where it is: then it is read when its turn comes.
    report : callable, optional
        Takes the fraction done, after each block of lines; what it raises ends the reading.

    Returns
    -------
    ReadCollections
        With an error for each file that holds no judgments. Collections are named after their files
        without folder and extension; where these are the same, after the whole file names.
    """
    found: list[ReadQrels] = []
    probabilities: list[IntentProbabilities] = []
    levels = LevelFiles()

    def read(file: File, watch: Watch) -> None:
        if levels.takes(file):
            levels.add(file, watch)
        elif are_probabilities(file):
            probabilities.append(read_probabilities(file.name, file.content))
        else:
            found.append(read_file(file, watch))

    said, errors = each_file(files, read, report)
    for one in levels.collections():
        found.append(ReadQrels(qrels=one.qrels, file=one.file, said=(*said_of(one.qrels), *one.said)))
    return ReadCollections(
        found=_told_apart(found), said=said, errors=errors, probabilities=tuple(probabilities)
    )


def _told_apart(found: list[ReadQrels]) -> tuple[ReadQrels, ...]:
    """Give collections of the same name the names of their files, and numbers where these are the same."""
    short = Counter(one.qrels.name for one in found)
    named: dict[str, ReadQrels] = {}
    for one in found:
        name = stem = one.qrels.name if short[one.qrels.name] == 1 else one.file
        number = 1
        while name in named:
            number += 1
            name = f"{stem} ({number})"
        named[name] = replace(one, qrels=replace(one.qrels, name=name))
    return tuple(named.values())
