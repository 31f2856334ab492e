"""What a file holds is recognised by its beginning, also in archives and where a line is wrong."""

import gzip

import numpy as np
import pytest

from docs.makers.formats import FORMATS, NO_SCORES
from tests.parsing.formats_drawn import RUNS, qrels_lines, run_lines
from tests.parsing.fuzzing import bent, examples
from tests.parsing.packed import damaged, zipped
from tests.parsing.trec_examples import tarred
from topicset_core.parsing import archives
from topicset_core.parsing.scores.formats import kind_of

RUN, QRELS = run_lines("A").encode(), qrels_lines().encode()
KINDS = {name: "scores" for name, _, _ in NO_SCORES} | {
    "A TREC run": "run",
    "TREC qrels": "qrels",
    "TREC qrels by subtopic": "qrels",
    "Probabilities of intents": "qrels",
    "An NTCIR rel file": "qrels",
}
FILES = [(one.name, content, "scores") for one in FORMATS for _, content in one.make().files[:1]] + [
    (name, content, KINDS[name]) for name, _, content in NO_SCORES
]


@pytest.mark.parametrize(("content", "kind"), [row[1:] for row in FILES], ids=[row[0] for row in FILES])
def test_every_format_is_of_its_kind_plain_and_packed(content: str, kind: str) -> None:
    text = content.encode()
    for packed in (text, gzip.compress(text), zipped({"a": text}), zipped({"a.gz": gzip.compress(text)})):
        assert kind_of(packed, "file") == kind
    if kind != "scores":  # scores in tar are refused by their reader
        assert (
            kind_of(tarred({"a": text}), "file")
            == kind_of(gzip.compress(tarred({"a": text})), "file")
            == kind
        )


@pytest.mark.parametrize("place", [0, 1, 18])
def test_a_wrong_line_does_not_hide_the_kind(place: int) -> None:
    for content, kind in ((RUN, "run"), (QRELS, "qrels")):
        lines = content.splitlines(keepends=True)
        short = lines[place].rsplit(None, 1)[0] + b"\n"
        assert kind_of(b"".join((*lines[:place], short, *lines[place + 1 :])), "file") == kind
    assert kind_of(b"# a comment\n<SYSDESC>what it is</SYSDESC>\n" + RUN, "file") == "run"


def test_topics_from_0_and_scores_of_0_and_1_are_scores() -> None:
    rows = "".join(f"{run} 0 AP {run / 64}\n" for run in range(30))
    assert kind_of(rows.encode(), "file") == "scores"
    assert kind_of(b"topic a b c d e\n1 0 1 1 0.5 0\n2 0 0.5 1 1 0\n3 0 0 1 1 0\n", "file") == "scores"


def test_only_the_beginning_of_a_large_file_is_looked_at(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(archives, "_BEGINNING", 300)
    run = b"".join(run_lines(one).encode() for one in RUNS)
    assert archives.beginning(run, "run") == run[: run.rfind(b"\n", 0, 300) + 1]
    assert kind_of(run, "run") == "run"


def test_damaged_and_mutated_files_have_a_kind() -> None:
    assert kind_of(damaged(zipped({"a": RUN})), "file") in ("run", "scores")
    assert kind_of(tarred({"a": RUN})[:700], "file") == kind_of(gzip.compress(RUN)[:8], "file") == "scores"
    rng = np.random.default_rng(7)
    for one in examples():
        for _ in range(10):
            assert kind_of(bent(one.files[0][1], rng), "file") in ("run", "qrels", "scores")
