"""Groups of topics: tables with and without a header, patterns, and what is refused at its line."""

import pytest

from tests.refusals import refusals, refused
from topicset_core.parsing import read_groups
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
