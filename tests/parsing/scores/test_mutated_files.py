"""Files as programs write them, bent: what makes no difference makes none, and no score or id is invented.

A few hundred files of a fixed seed; the seed is in the name of each test, so that a failure can be drawn again.
"""

import gzip
import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache

import numpy as np
import pytest

from docs.makers.formats import FORMATS
from tests.parsing.formats_drawn import Files
from tests.parsing.packed import zipped
from topicset_core.parsing import ReadScores, read_score_files

SEEDS = range(4)
N_BENDS = 12
"""Bends of each format and seed."""

NAMES = [one.name for one in FORMATS]
NUMERAL = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?", re.IGNORECASE | re.ASCII)
SCORE = re.compile(r"(?<![\w.@-])\d*\.\d+(?![\w.])", re.ASCII)
JUNK = ("nan", "-", "inf", "1,2", "1.234,5", "45%", "None", "0.5*", "1_0", "\u2212.5", "", "x")

Cells = Mapping[tuple[str, str, str], float]


@cache
def example(name: str) -> Files:
    """The files of a format; programs that write them are called once."""
    return next(one for one in FORMATS if one.name == name).make().files


def read(files: Sequence[tuple[str, str | bytes]]) -> ReadScores:
    return read_score_files([(file, c.encode() if isinstance(c, str) else c) for file, c in files])


def cells(result: ReadScores) -> Cells:
    """Every score by its measure, topic and run."""
    return {
        (matrix.measure, topic, system): float(matrix.scores[row, column])
        for matrix in result.matrices
        for row, topic in enumerate(matrix.topics)
        for column, system in enumerate(matrix.systems)
    }


NO_DIFFERENCE: Mapping[str, Callable[[str], bytes]] = {
    "byte order mark": lambda text: f"\ufeff{text}".encode(),
    "CRLF": lambda text: text.replace("\n", "\r\n").encode(),
    "CR": lambda text: text.replace("\n", "\r").encode(),
    "UTF-16": lambda text: text.encode("utf-16"),
    "no last line end": lambda text: text.rstrip("\n").encode(),
    "blank lines": lambda text: text.replace("\n", "\n \t\n").encode(),
    "trailing spaces": lambda text: text.replace("\n", "  \n").encode(),
    "gzip": lambda text: gzip.compress(text.encode()),
}


@pytest.mark.parametrize("bend", NO_DIFFERENCE)
@pytest.mark.parametrize("name", NAMES)
def test_irrelevant_changes_of_a_file_change_nothing(name: str, bend: str) -> None:
    plain = read(example(name))
    bent = read([(file, NO_DIFFERENCE[bend](text)) for file, text in example(name)])
    assert bent.errors == ()
    assert cells(bent) == cells(plain)
    assert [matrix.topics for matrix in bent.matrices] == [matrix.topics for matrix in plain.matrices]


@pytest.mark.parametrize("name", NAMES)
def test_an_archive_of_the_files_gives_the_same_scores(name: str) -> None:
    bent = read([("all.zip", zipped(dict(example(name))))])
    assert bent.errors == ()
    assert cells(bent) == cells(read(example(name)))


def bent_text(text: str, rng: np.random.Generator) -> str:
    """The text with one thing in it bent."""
    lines = text.split("\n")
    line, place = int(rng.integers(len(lines))), int(rng.integers(len(text)))
    way = int(rng.integers(7))
    if way == 0:
        scores = list(SCORE.finditer(text))
        score = scores[int(rng.integers(len(scores)))]
        return f"{text[: score.start()]}{rng.choice(JUNK)}{text[score.end() :]}"
    if way == 1:
        return text[:place]
    if way == 2:
        return f"{text[:place]}{rng.choice([*',;= #@e-.', chr(9), chr(10), chr(34)])}{text[place:]}"
    if way == 3:
        return f"{text[:place]}{text[place + 1 :]}"
    if way == 4:
        lines.insert(int(rng.integers(len(lines))), lines[line])
    elif way == 5:
        del lines[line]
    else:
        lines = lines[:-1] + lines
    return "\n".join(lines)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("name", NAMES)
def test_every_imported_score_and_id_is_in_the_files(name: str, seed: int) -> None:
    rng = np.random.default_rng([seed, NAMES.index(name)])
    for _ in range(N_BENDS):
        files = list(example(name))
        which = int(rng.integers(len(files)))
        files[which] = (files[which][0], bent_text(files[which][1], rng))
        result = read(files)
        assert result.matrices or result.errors
        text = "\n".join(part for file in files for part in file)
        numbers = {float(numeral) for numeral in NUMERAL.findall(text)}
        numbers |= {float(numeral) for numeral in NUMERAL.findall(text.replace(",", "."))}
        for (_, topic, system), score in cells(result).items():
            assert score in numbers, (files[which], score)
            numbered = topic.isdigit() or system.isdigit()
            assert numbered or (topic in text and system in text), (files[which], topic, system)
