"""Mutated files for every parser: only Topicset's errors, no endless loop, and no invented score.

    python -m tests.parsing.fuzzing 10000 [first seed]

Each seed takes an example of a format, bends it a few times and gives it to one parser, which may refuse it with a
`TopicsetError`. Accepted scores must be numbers of the file, and names of topics and runs parts of it. A finding
shows the seed, which makes the file again.
"""

import re
import signal
import sys
import time
import traceback
from collections.abc import Callable
from functools import cache
from types import FrameType
from typing import NamedTuple

import numpy as np

from docs.makers.formats import FORMATS, NO_SCORES
from tests.parsing.formats_drawn import RUNS, TOPICS, qrels_lines, rel, run_lines
from topicset_core.errors import TopicsetError
from topicset_core.parsing import read_groups, read_qrels, read_run, read_runs, read_score_files, read_track
from topicset_core.parsing.names import read_topic_list
from topicset_core.parsing.numerals import read_differences
from topicset_core.parsing.trec.qrels import read_collections
from topicset_core.parsing.trec.sweep import read_parameter_table
from topicset_core.wording import visible

MOST_SECONDS = 2
Files = tuple[tuple[str, bytes], ...]
Cell = tuple[float, str, str]

_WORDS = (
    *(
        "all",
        "total",
        "system",
        "map",
        "amean",
        "SUMp=1 ",
        "0x10\tAP@100\t0\n",
        "nan",
        "inf",
        "-inf",
        "1e999",
    ),
    *("0,5", "1.000,5", "1,000.5", "%", "50 %", '"', "'", ";", ",", "\t", "\n", "\r\n", "\r", " ", "\x00"),
    *("None", "0.5*", "1_0", "1.234,5", "45%", "\u2212.5", "-"),
    *("\ufeff", "\u202e", "<b>", "=1+1", "[]", "{}", "null", "#", "Q0", "-0", "½", "١", "\ud7ff", "e", "--"),
    *("{" * 200, "[" * 5000, "9" * 400),
)
_SCORE = re.compile(rb"(?<![\w.@-])\d{0,3}\.\d+(?![\w.])")
_NUMERAL = re.compile(r"[-+−]?(?:\d[\d.,'_ \u00a0\u202f]*|(?<!\w)(?:\.\d+|,\d+(?!\.?\d)))(?:[eE][-+]?\d+)?")


class Example(NamedTuple):
    """Files of one format, and whether they are for scores, a run, judgments or anything else."""

    files: Files
    kind: str


@cache
def examples() -> tuple[Example, ...]:
    """Examples of all formats."""
    scores = [
        Example(tuple((name, text.encode()) for name, text in one.make().files), "scores") for one in FORMATS
    ]
    others = [Example(((name, text.encode()),), "scores") for _, name, text in NO_SCORES]
    tracks = [
        Example(tuple((f"{run}.run", run_lines(run).encode()) for run in RUNS), "runs"),
        Example((("web.qrels", qrels_lines().encode()),), "qrels"),
        Example(tuple((f"{topic}.rel", rel(topic).encode()) for topic in TOPICS), "qrels"),
        Example((("topics.txt", b"0001\n0002, 0003\n"),), "list"),
        Example((("groups.csv", b"topic,conversation\n0001,31\n0002,31\n0003,x y\n"),), "groups"),
        Example((("differences.txt", b"t1 0.5 0.25\nt2 0.125 0.5\n"),), "differences"),
        Example((("settings.csv", b"run,mu\nA,100\nB,200\n"),), "settings"),
    ]
    return (*scores, *others, *tracks)


def bent(content: bytes, rng: np.random.Generator) -> bytes:
    """Return the content after one change."""
    place, other = sorted(int(one) for one in rng.integers(0, len(content) + 1, 2))
    word = _WORDS[int(rng.integers(len(_WORDS)))].encode("utf-8", "surrogatepass")
    lines = content.splitlines(keepends=True) or [b""]
    line = int(rng.integers(len(lines)))
    ways: tuple[Callable[[], bytes], ...] = (
        lambda: content[:place] + word + content[place:],
        lambda: _SCORE.sub(lambda one: word if rng.random() < 0.1 else one[0], content),
        # Gentle ones, after which most files can still be read.
        lambda: re.sub(rb"\d(?=\s)", str(int(rng.integers(10))).encode(), content, count=1),
        lambda: re.sub(rb"(?<=\d)(?=[\s,;])", str(int(rng.integers(10))).encode(), content, count=place),
        lambda: b"".join((*lines[:1], *lines[line:], *lines[1:line])),
        lambda: content.replace(b"\n", b"\r\n") if rng.random() < 0.5 else b"\xef\xbb\xbf" + content,
        lambda: content.replace(b"\n", b"  \n") if rng.random() < 0.5 else content.rstrip() + b"\n\n",
        lambda: content[:place] + content[min(other, place + 20) :],
        lambda: content[:place],
        lambda: content[:place] + bytes([int(rng.integers(256))]) + content[place + 1 :],
        lambda: b"".join((*lines[:line], lines[line], *lines[line:])),
        lambda: b"".join((*lines[:line], *lines[line + 1 :])),
        lambda: b"".join((*lines[:line], word, b"\n", *lines[line:])),
        lambda: b"".join(lines[int(one)] for one in rng.permutation(len(lines))),
        lambda: re.sub(rb"(\d)\.(\d)", rb"\1,\2", content),
        lambda: content.replace(b"\t", b" ") if rng.random() < 0.5 else re.sub(rb"[ ,]+", b"\t", content),
        lambda: re.sub(rb"0\d\d\d|[tT]\d+", word.strip() or b"x", content, count=int(rng.integers(1, 9))),
        lambda: word * int(rng.integers(1, 3000)),
        lambda: content.decode("utf-8", "replace").encode("utf-16") if rng.random() < 0.2 else content,
    )
    return ways[int(rng.integers(len(ways)))]()


def new(seed: int) -> tuple[Files, str]:
    """Return the mutated files of a seed, and the parser they are for: mostly their own."""
    rng = np.random.default_rng(seed)
    example = examples()[int(rng.integers(len(examples())))]
    files: list[tuple[str, bytes]] = list(example.files)
    for _ in range(int(rng.integers(1, 4))):
        place = int(rng.integers(len(files)))
        files[place] = files[place][0], bent(files[place][1], rng)
    kinds = ("scores", "runs", "qrels", "list", "differences", "settings", "groups")
    kind = example.kind if rng.random() < 0.8 else kinds[int(rng.integers(len(kinds)))]
    return tuple(files), kind


def read(files: Files, kind: str) -> list[Cell]:
    """Read the files; return all scores in them, each with its topic and run.

    Raises
    ------
    TopicsetError
        Where they are refused.
    """
    name, content = files[0]
    if kind == "scores":
        return [
            (score, name, system)
            for matrix in read_score_files(files).matrices
            for names in (matrix.topics, matrix.groups or ())
            for name, row in zip(names, matrix.scores.tolist(), strict=bool(names))
            for system, score in zip(matrix.systems, row, strict=True)
        ]
    if kind == "runs":
        read_run(name, content)
        read_runs(files)
        read_track(files, (("web.qrels", qrels_lines().encode()),))
    elif kind == "qrels":
        read_collections(files)
        read_qrels(name, content)
    elif kind == "groups":
        read_groups(name, content)
    elif kind == "list":
        read_topic_list(name, content, TOPICS)
    elif kind == "differences":
        read_differences(content.decode("utf-8", "replace"))
    else:
        read_parameter_table(name, content, RUNS)
    return []


def written(files: Files) -> set[float]:
    """Return all numbers that may have been meant, with decimal commas and separators of thousands either way."""
    result = {0.0}
    numerals = {numeral for text in _texts(files) for numeral in _NUMERAL.findall(text)}
    for part in {part for one in numerals for part in (one, *one.split(), *re.split(r"[\s,;'_]+", one))}:
        plain = re.sub(r"[\s'_]", "", part.replace("−", "-"))
        for way in {plain, plain.replace(",", "."), plain.replace(",", ""), _european(plain)}:
            for one in {way, way.rstrip(".,"), way.split("=")[-1]}:
                _add(result, one)
    return result


def _texts(files: Files) -> set[str]:
    """Return the files in every encoding that a parser may take them for."""
    return {content.decode(one, "replace") for _, content in files for one in ("utf-8", "utf-16", "cp1252")}


def invented(cells: list[Cell], files: Files) -> list[float | str]:
    """Return the scores that are no numbers of the files, and the topics and runs that are not in their text."""
    numbers = written(files)
    if any(name.endswith("annotations.json") for name, _ in files):
        # AlpacaEval writes preferences of 1 to 2; a score is one less, or the mean of two of an instruction.
        preferences = [one for one in numbers if 1 <= one <= 2]
        wins = [(one + other) / 2 - 1 for one in preferences for other in preferences]
        cells = [(round(score, 9), topic, system) for score, topic, system in cells]
        numbers |= {round(one, 9) for one in (*numbers, *wins)}
    text = "\n".join((*(name for name, _ in files), *_texts(files)))
    text += visible(text)  # as instructions are written that become ids
    # Topics and runs without a name are numbered.
    names = {one for _, *both in cells if not any(map(str.isdigit, both)) for one in both}
    return [*({score for score, _, _ in cells} - numbers), *(one for one in names if one not in text)]


def _european(numeral: str) -> str:
    return numeral.replace(".", "").replace(",", ".")


def _add(result: set[float], text: str) -> None:
    try:
        number = float(text)
    except ValueError:
        return
    result |= {number, -number, float(f"{number / 100:.12g}"), number / 100}


class _TooLong(BaseException):
    """Not an `Exception`, which a parser could take for its own."""


def _stop(_: int, __: FrameType | None) -> None:
    raise _TooLong


def finding(seed: int) -> str | None:
    """Return the error of a parser with the file of a seed; None where nothing is."""
    files, kind = new(seed)
    started = time.process_time()
    before = signal.signal(signal.SIGALRM, _stop)
    signal.alarm(30 * MOST_SECONDS)  # of the clock, where others work on the machine too
    try:
        cells = read(files, kind)
    except TopicsetError:
        cells = []
    except _TooLong:
        return f"seed {seed}, {kind}: hangs"
    except Exception:  # any other exception is a failure
        return f"seed {seed}, {kind}, {files[0][0]}:\n{traceback.format_exc(limit=-3)}"
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, before)
    if (seconds := time.process_time() - started) > MOST_SECONDS:
        return f"seed {seed}, {kind}: {seconds:.1f} CPU seconds"
    wrong = invented(cells, files) if cells else []
    return f"seed {seed}, {kind}, {files[0][0]}: nobody wrote {wrong[:5]}" if wrong else None


def main(arguments: list[str]) -> int:
    """Try a number of seeds; print the failures."""
    n_files, first = (int(one) for one in (arguments + ["10000", "0"][len(arguments) :])[:2])
    started, n_found = time.process_time(), 0
    for seed in range(first, first + n_files):
        if (result := finding(seed)) is not None:
            n_found += 1
            sys.stdout.write(f"{result}\n")
    seconds = time.process_time() - started
    seeds = f"seeds {first} to {first + n_files - 1}"
    sys.stdout.write(f"{n_files:,} mutated files, {seeds}: {n_found} findings, {seconds:.0f} CPU seconds\n")
    return min(n_found, 1)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
