"""Groups of topics: tables with and without a header, patterns, and what is refused at its line."""

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from docs.makers.formats import FORMATS
from tests.parsing import format_example_logs as logs
from tests.parsing.formats_drawn import TOPICS
from tests.refusals import refusals, refused
from tests.variance.matrices import of
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing import ReadScores, read_frame, read_groups, read_score_files, read_scores
from topicset_core.parsing.groups import GROUP_WORDS, groups_by_pattern
from topicset_core.parsing.saved import opened, saved
from topicset_core.parsing.scores.replicated import read_replicated
from topicset_core.parsing.table import plain


@pytest.mark.parametrize(
    "content",
    [
        "topic,group\n1,a\n2,b\n3,a\n",
        "1\ta\n2\tb\n3\ta\n",
        "qid;collection\n1;a\n2;b\n3;a\n",
        "conversation,topic,system\na,1,x\nb,2,x\na,3,y\na,3,x\n",  # as often as it likes, if it agrees
        b'\xef\xbb\xbf"topic"\t"dataset"\r\n1\ta\r\n2\tb\r\n3\ta\r\n',
        '[{"topic": "1", "group": "a"}, {"topic": "2", "group": "b"}, {"topic": "3", "group": "a"}]',
    ],
)
def test_tables(content: str | bytes) -> None:
    assert read_groups("groups.csv", content) == {"1": "a", "2": "b", "3": "a"}


def test_refusals() -> None:
    cases = {
        "two groups": ("topic,group\n1,a\n2,b\n1,b\n", 4),
        "no names": ("a,b,c\n1,2,3\n", 1),
        "empty": ("topic,group\n1,a\n2,\n", 3),
        "no group": ("topic,run,x\n1,a,b\n", 1),
        "one column": ("topic\n1\n", 1),
        "cells": ("topic,group\n1,a,b\n", 2),
        "alike": ("topic,group\n1,a\n2,a\u200b\n", None),
        "zeros": ("topic,group\n1,a1\n2,a01\n", None),
        "header only": ("topic,group\n", None),
        "nothing": ("", None),
    }
    text = refusals(lambda content: read_groups("groups.csv", content), cases, "groups.csv")
    assert "expected one group of topic '1', found 'b' and 'a' in line 2" in text
    assert "found an empty cell in column 2" in text


def test_patterns() -> None:
    assert groups_by_pattern("*_*", ["31_1", "31_2_5"]) == {"31_1": "31", "31_2_5": "31_2"}
    assert groups_by_pattern("q*-?", ["q1-?", "q12-?"]) == {"q1-?": "1", "q12-?": "12"}
    assert "'7'" in refused(groups_by_pattern, "*_*", ["31_1", "7"]).rule
    assert refused(groups_by_pattern, "31", ["31"]).parameter == "groups"


def _long(groups: str = "112233", header: str = "conversation", run: bool = True) -> str:
    """A long table of six topics; two runs, or one that is not named."""
    lines = [
        f"{group},t{place},{name + ',' if run else ''}AP,{(3 * place + len(name) * 2) % 7 / 7:.3f}"
        for place, group in enumerate(groups)
        for name in (("A", "BB") if run else ("A",))
    ]
    return "\n".join([f"{header},topic,{'run,' if run else ''}measure,score", *lines])


@pytest.mark.parametrize("header", ["conversation", "Group", "dataset", "passage_id"])
def test_a_long_table_has_a_column_of_groups(header: str) -> None:
    read = read_scores(f"{_long(header=header)}\n,all,A,AP,0.4", "long.csv")  # a summary has no group
    assert read.matrices[0].groups == tuple("112233")
    assert f"Topics are in 3 groups, from the column '{header}'." in read.recognised


@pytest.mark.parametrize(("groups", "of"), [("111111", "one value"), ("123456", "another value for each")])
def test_a_column_without_groups_is_told(groups: str, of: str) -> None:
    read = read_scores(_long(groups), "long.csv")
    assert read.matrices[0].groups is None
    assert any(of in note for note in read.recognised)


def test_a_topic_in_two_groups_of_a_long_table_is_refused_by_its_line() -> None:
    broken = _long().replace("1,t0,BB", "2,t0,BB")
    with pytest.raises(ParseError, match=r"^long.csv, line 3: .*one group of topic 't0'"):
        read_scores(broken, "long.csv")


def test_groups_of_files_that_are_joined() -> None:
    one, other = _long(run=False), _long(run=False).replace("conversation", "group")
    assert read_score_files([("a.csv", one), ("b.csv", other)]).matrices[0].groups == tuple("112233")
    different = read_score_files([("a.csv", one), ("b.csv", _long("122233", run=False))])
    assert different.matrices[0].groups is None
    assert any("files name different ones of 't1'" in note for note in different.recognised)


ROWS = [("q1", "x", ".5", ".25"), ("q2", "x", ".5", ".2"), ("q3", "y", ".1", ".75"), ("q4", "z", ".2", ".7")]


def _table(header: str, rows: Sequence[tuple[str, ...]] = ROWS, order: str = "0123") -> str:
    """Four topics in three groups, with columns in this order."""
    return "\n".join([header, *(",".join(row[int(place)] for place in order) for row in rows)])


def _only(read: ReadScores) -> ScoreMatrix:
    (matrix,) = read.matrices
    return matrix


@pytest.mark.parametrize(
    ("header", "order"),
    [
        ("topic,group,A,B", "0123"),
        ("Conversation ID,topic,A,B", "1023"),
        ("qid,A,B,dataset", "0231"),
        ("passage,id,A,B", "1023"),
        ("task,query,A,B", "1023"),
    ],
)
def test_a_wide_table_has_a_column_of_groups(header: str, order: str) -> None:
    read = read_scores(_table(header, order=order), "x.csv")
    matrix = _only(read)
    assert (matrix.topics, matrix.systems) == (("q1", "q2", "q3", "q4"), ("A", "B"))
    assert matrix.groups == ("x", "x", "y", "z")
    assert matrix.scores[2].tolist() == [0.1, 0.75]
    name = next(one for one in header.split(",") if plain(one) in GROUP_WORDS)
    assert f"Topics are in 3 groups, from the column {name!r}." in read.recognised
    # Without it the same scores are read.
    plain_order = [place for place in order if place != "1"]
    names = [one for one in header.split(",") if one != name]
    assert matrix.grouped(None) == _only(
        read_scores(_table(",".join(names), order="".join(plain_order)), "x.csv")
    )


def test_groups_of_a_table_of_r_whose_header_has_no_corner() -> None:
    matrix = _only(read_scores(_table("group,A,B"), "x.csv"))
    assert (matrix.topics, matrix.systems, matrix.groups) == (
        ("q1", "q2", "q3", "q4"),
        ("A", "B"),
        ("x", "x", "y", "z"),
    )


def test_groups_that_are_numbers() -> None:
    numbers = [(topic, str("xyz".index(group)), *scores) for topic, group, *scores in ROWS]
    assert _only(read_scores(_table("topic,block,A,B", numbers), "x.csv")).groups == ("0", "0", "1", "2")
    decimals = [(topic, f"{group}.0", *scores) for topic, group, *scores in numbers]
    assert _only(read_scores(_table("topic,block,A,B", decimals), "x.csv")).systems == ("A", "B")
    mixed = [
        (topic, "0.0" if place == 0 else group, *scores)
        for place, (topic, group, *scores) in enumerate(numbers)
    ]
    read = read_scores(_table("topic,block,A,B", [*mixed, ("q5", "2", ".3", ".6")]), "x.csv")
    assert "Groups whose names differ only in zeros were kept separate: '0.0' and '0'." in read.recognised
    # Groups 0 and 1 may be scores next to scores of 0 and 1; fractions are, where they are between the others.
    binary = [("q1", "0", "1", "0"), ("q2", "0", "1", "1"), ("q3", "1", "0", "1")]
    sections = [
        (topic, section, *scores)
        for (topic, _, *scores), section in zip(ROWS, ("1.1", "1.1", "1.2", "2"), strict=True)
    ]
    for rows in (binary, sections):
        with pytest.raises(
            ParseError, match=r"^x.csv, line 1: the column 'block' may be groups .* or scores"
        ):
            read_scores(_table("topic,block,A,B", rows), "x.csv")
    fractions = [
        (topic, score, *scores)
        for (topic, _, *scores), score in zip(ROWS, ("0.3", "0.3", "1", "0"), strict=True)
    ]
    read = read_scores(_table("topic,block,A,B", fractions), "x.csv")
    assert _only(read).systems == ("block", "A", "B")
    assert any("'block' has scores" in note for note in read.recognised)


@pytest.mark.parametrize(
    ("text", "line", "found"),
    [
        (_table("topic,group,A,B").replace("q2,x", "q2,"), 3, "an empty cell in column 2"),
        (_table("topic,group,A,B").replace("q2", "q1"), None, "repeated"),
        (_table("topic,group,A,B").replace("q2,x", "q1,y"), 3, "'y' and 'x' in line 2"),
        ("run,group,401,402\nA,x,.5,.2\nB,x,.5,.2\nC,y,.1,.3\n", 1, "a column of groups"),
        (_table("topic,group,A,B").replace(",y,", f",{'y' * 600},"), 4, "600"),
        (_table("topic,group,A,B").replace(",y,", ",x\u200b,"), None, "the second has U\\+200B"),
        (_table("topic,group,A,B").replace(",y,", ",\u202ey,"), 4, "U\\+202E"),
    ],
)
def test_groups_of_wide_tables_that_are_refused(text: str, line: int | None, found: str) -> None:
    with pytest.raises(ParseError, match=found) as caught:
        read_scores(text, "x.csv")
    assert line in (None, caught.value.line)


def test_several_columns_that_may_be_groups_are_told_and_no_scores() -> None:
    rows = [(topic, group, str("xyz".index(group)), one) for topic, group, one, _ in ROWS]
    for header, systems in (("topic,dataset,block,A", ("A",)), ("topic,dataset,block,faithfulness", ("x",))):
        read = read_scores(_table(header, rows), "x.csv")
        assert _only(read).groups is None
        assert _only(read).systems == systems
        assert any("the columns 'dataset' and 'block' may name them" in note for note in read.recognised)


def test_groups_next_to_a_column_per_measure() -> None:
    """A conversation is a group, also where it is a number, and no measure."""
    numbers = [(topic, str("xyz".index(group)), *scores) for topic, group, *scores in ROWS]
    read = read_scores(_table("topic,conversation,AP,nDCG", numbers), "x.csv")
    assert [one.measure for one in read.matrices] == ["AP", "nDCG"]
    assert all(one.groups == ("0", "0", "1", "2") for one in read.matrices)
    records = [
        {"question_id": topic, "passage": f"p{group}", "f1": float(one)} for topic, group, one, _ in numbers
    ]
    read = read_scores("\n".join(map(json.dumps, records)), "x.jsonl")
    assert _only(read).groups == ("p0", "p0", "p1", "p2")
    # What differs on a topic, as the source of an answer, groups nothing.
    text = "question_id,model,source,f1\n" + "".join(
        f"{topic},{model},of {model},{score}\n" for topic, *_, score in ROWS for model in "mn"
    )
    read = read_scores(text, "x.csv")
    assert _only(read).groups is None
    assert any("'source' was left out, and topics have no groups" in note for note in read.recognised)


# Logs

GROUPS = dict(zip(TOPICS, ("a", "b", "a"), strict=True))


def _in_groups(program: str, values: dict[str, str]) -> list[tuple[str, str]]:
    """Logs of a program with values of conversations."""
    if program == "harness":
        samples = (logs.harness_samples(run) for run in (0, 1))
        return [
            (
                f"{run}/samples_words_2026-01-02T03-04-05.1.jsonl",
                "\n".join(
                    json.dumps({**one, "doc": {**one["doc"], "conversation": values.get(one["doc_id"])}})
                    for one in of
                ),
            )
            for run, of in zip("AB", samples, strict=True)
        ]
    if program == "Inspect":
        files = []
        for run in (0, 1):
            log = logs.inspect_log(run)
            for one in log["samples"]:
                one["metadata"] = {"conversation_id": values.get(one["id"])}
            files.append((f"{run}.json", json.dumps(log)))
        return files
    export = logs.promptfoo_export()
    for one in export["results"]["results"]:
        value = values.get(one["testIdx"])
        one["testCase"]["metadata"] = {"conversation": value} if value else {}
    return [("export.json", json.dumps(export))]


@pytest.mark.parametrize("program", ["harness", "Inspect", "promptfoo"])
def test_logs_name_the_groups_of_samples(program: str) -> None:
    def read(values: dict[str, str]) -> ReadScores:
        found = read_score_files(_in_groups(program, values))
        assert not found.errors
        return found

    named = read(GROUPS)
    assert {one.groups for one in named.matrices} == {("a", "b", "a")}
    assert any(note.startswith("Topics are in 2 groups, from 'conversation") for note in named.recognised)
    # A passage is named by its beginning and its digest, so that all files name it alike.
    long = {topic: f"{'the same ' * 90}{group}" for topic, group in GROUPS.items()}
    first, second, third = read(long).matrices[0].groups or ("", "", "")
    assert first == third != second
    assert first.startswith("the same the same")
    assert len(first) < 60
    assert all(one.groups is None for one in read({TOPICS[0]: "a"}).matrices)  # of others none is named
    plain_read = read({})
    assert [one.grouped(None) for one in named.matrices] == list(plain_read.matrices)


def test_what_differs_between_epochs_of_a_sample_is_no_group() -> None:
    log = logs.inspect_log(0, epochs=2)
    for one in log["samples"]:
        one["metadata"] = {"session": f"{one['epoch'] > 1 and one['id'] == TOPICS[0]}"}
    read = read_score_files([("a.json", json.dumps(log))])
    assert {one.groups for one in read.matrices} == {None}
    assert "Topics have no groups, as 'session' is not one value of each topic." in read.recognised


def test_subsets_of_a_task_of_mteb_are_its_group() -> None:
    def task(name: str, run: int, *subsets: str) -> tuple[str, str]:
        scores = [
            {"main_score": 0.1 * run + 0.2 * place, "hf_subset": one} for place, one in enumerate(subsets)
        ]
        text = json.dumps({"task_name": name, "scores": {"test": scores}})
        return f"results/{'AB'[run]}/no_revision_available/{name}.json", text

    files = [one for run in (0, 1) for one in (task("MIRACL", run, "en", "de"), task("FiQA", run, "default"))]
    read = read_score_files(files)
    assert _only(read).topics == ("MIRACL (en)", "MIRACL (de)", "FiQA")
    assert _only(read).groups == ("MIRACL", "MIRACL", "FiQA")
    assert "Topics are in 2 groups, from the task of each subset." in read.recognised
    alone = read_score_files([task(name, run, "default") for run in (0, 1) for name in ("FiQA", "NFCorpus")])
    assert _only(alone).groups is None


def test_scores_with_repeats_keep_groups() -> None:
    def rows(groups: str) -> str:
        return "conversation,topic,system,seed,score\n" + "".join(
            f"{group},q{topic},{system},{seed},.{topic + 1}{seed}\n"
            for topic, group in enumerate(groups)
            for system in "AB"
            for seed in (1, 2)
        )

    found = read_replicated([("x.csv", rows("aab"))])
    assert found.groups == ("a", "a", "b")
    assert found.pair("A", "B").groups == found.groups
    plain_scores = read_replicated([("x.csv", rows("abc"))])
    assert plain_scores.groups is None
    assert plain_scores.digest != found.digest
    with pytest.raises(ParseError, match="line 3: expected one group of topic 'q0'"):
        read_replicated([("x.csv", rows("aab").replace("a,q0,A,2", "b,q0,A,2"))])
    seeds = [(f"seed{k}.csv", _table("topic,group,A,B")) for k in (1, 2)]
    assert read_replicated(seeds).groups == ("x", "x", "y", "z")
    seeds[1] = ("seed2.csv", _table("topic,group,A,B").replace("q2,x", "q2,y"))
    with pytest.raises(ParseError, match="one group of topic 'q2', found 'x' and 'y'"):
        read_replicated(seeds)


# Out and in again

NAMES = st.text(
    st.characters(codec="utf-8", exclude_categories=("C", "Z"), exclude_characters="\ufffc"),
    min_size=1,
    max_size=6,
)
NUMBERS = ("0", "1", "0.5", "1.0", "=1+1", "-1", "@x", "NA")


@st.composite
def grouped(draw: st.DrawFn) -> ScoreMatrix:
    """A matrix whose topics are in groups of any names, also of numbers and of scores."""
    names = draw(st.lists(NAMES | st.sampled_from(NUMBERS), min_size=2, max_size=4, unique=True))
    groups = draw(st.permutations([*names, *draw(st.lists(st.sampled_from(names), min_size=1, max_size=5))]))
    scores = np.random.default_rng(draw(st.integers(0, 99))).random((len(groups), 3))
    scores = np.round(scores, draw(st.integers(0, 3)))  # 0 and 1, too
    topics = tuple(f"q{place}" for place in range(len(groups)))
    return ScoreMatrix(
        scores=scores, topics=topics, systems=("A", "AP", "=B"), measure="AP", name="x", groups=tuple(groups)
    )


def _of_saved_work(matrix: ScoreMatrix) -> Any:
    return opened(saved({"one": matrix}, {}), "work.zip", lambda _: Any).data["one"]


@settings(max_examples=30, deadline=None)
@given(grouped())
def test_groups_round_trip(matrix: ScoreMatrix) -> None:
    assert _only(read_scores(matrix.to_csv(), "x.csv", "AP")) == matrix
    assert _only(read_frame(matrix.to_frame(), name="x")) == matrix
    assert _only(read_frame(matrix.to_frame().reset_index(), "AP", name="x")) == matrix
    assert _of_saved_work(matrix) == matrix


def test_saved_work_keeps_any_groups() -> None:
    """Also those that a table would not be read with: numbers, one group, a run of the name; and none."""
    for groups in (("0.5", "0.5", "1"), ("x",) * 3, None):
        matrix = ScoreMatrix(
            scores=np.eye(3), topics=tuple("abc"), systems=("group", "topic", "x"), measure="AP", name="x"
        )
        matrix = replace(matrix, groups=groups)
        assert _of_saved_work(matrix) == matrix


def test_groups_are_in_the_readable_file_of_saved_work_and_once_were_not() -> None:
    """A hundred thousand groups in ``work.json`` would be more values than it may have."""
    matrix = of([[0.5], [0.25], [1.0]])

    def document(one: ScoreMatrix) -> tuple[dict[str, Any], dict[str, bytes]]:
        with zipfile.ZipFile(io.BytesIO(saved({"one": one}, {}))) as archive:
            members = {name: archive.read(name) for name in archive.namelist()}
        return json.loads(members["work.json"]), members

    grouped, members = document(replace(matrix, groups=("here", "here", "there")))
    assert "there" not in json.dumps(grouped)
    assert sum(b"there" in content for content in members.values()) == 1
    earlier, members = document(matrix)
    (written,) = earlier["data"]["objects"]
    written["fields"]["groups"] = {"tuple": ["a", "a", "b"]}
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        for name, member in (members | {"work.json": json.dumps(earlier).encode()}).items():
            archive.writestr(name, member)
    assert opened(content.getvalue(), "work.zip", lambda _: Any).data["one"].groups == ("a", "a", "b")


@pytest.mark.parametrize("one", FORMATS, ids=[one.name for one in FORMATS])
def test_only_the_example_with_groups_has_some(one: Any) -> None:
    expected = ("31", "31", "32") if "groups" in one.name else None
    assert {matrix.groups for matrix in read_score_files(one.make().files).matrices} == {expected}
