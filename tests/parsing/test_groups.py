"""Groups of topics: tables with and without a header, patterns, and what is refused at its line."""

import pytest

from tests.refusals import refusals, refused
from topicset_core.errors import ParseError
from topicset_core.parsing import read_groups, read_score_files, read_scores
from topicset_core.parsing.groups import groups_by_pattern


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
        "header only": ("topic,group\n", None),
        "nothing": ("", None),
    }
    text = refusals(lambda content: read_groups("groups.csv", content), cases, "groups.csv")
    assert "expected one group of topic '1', found 'b' and 'a' in line 2" in text


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
