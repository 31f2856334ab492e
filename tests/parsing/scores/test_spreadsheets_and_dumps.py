"""Other cells of spreadsheets, and dumps of programs: left out, imported or refused, with notes."""

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.plain_table import read_one
from tests.refusals import unread
from tests.words import numbers_in
from topicset_core.parsing import read_scores

TABLE = "topic,A,B\n1,.5,.25\n2,.75,0\n"


N_LISTED = len(read_scores(TABLE, "t.csv").recognised)
"""Sentences on a table of nothing but scores."""


@pytest.mark.parametrize(
    ("rows", "names"),
    [
        pytest.param("mean,.6,.1\nSD,.1,.1\n", ("mean", "SD"), id="mean-sd"),
        pytest.param("St.Dev.,.1,.1\nAverage (n=2),.6,.1\n", ("St.Dev.", "Average (n=2)"), id="n"),
        pytest.param("min,.5,0\nmax,1,1\nMean:,.6,.1\n", ("min", "max", "Mean:"), id="min-max-mean"),
        pytest.param("Total [2],1,.25\n", ("Total [2]",), id="total"),
    ],
)
def test_other_summaries_are_dropped_together_with_means(
    rows: str, names: tuple[str, ...], golden: SnapshotAssertion
) -> None:
    read = read_scores(TABLE + rows, "t.csv")
    assert read.matrices[0].topics == ("1", "2")
    (note,) = [note for note in read.recognised if all(repr(name) in note for name in names)]
    assert numbers_in(note)[0] == len(names)
    assert note == golden


@pytest.mark.parametrize("name", ["SE", "max", "std", "variance"])
def test_a_single_summary_name_is_kept_with_a_note(name: str, golden: SnapshotAssertion) -> None:
    read = read_scores(f"{TABLE}{name},.5,.5\n", "t.csv")
    assert read.matrices[0].topics == ("1", "2", name)
    (note,) = [note for note in read.recognised if repr(name) in note]
    assert note == golden


@pytest.mark.parametrize("name", ["meaning", "12 (mean)", "stdx", "maxim", "all-1"])
def test_other_names_are_those_of_topics(name: str) -> None:
    read = read_scores(f"{TABLE}{name},.5,.5\n", "t.csv")
    assert read.matrices[0].topics == ("1", "2", name)
    assert len(read.recognised) == N_LISTED


@pytest.mark.parametrize(
    ("name", "cells"),
    [
        ("max", (0.5, 0.75)),
        ("Min", (0.25, 0.0)),
        # Of .5 and .25, and of .75 and 0: with n - 1 as in Excel's STDEV and VAR.
        ("sd", (0.177, 0.530)),
        ("var", (0.03125, 0.28125)),
    ],
    ids=["max", "min", "sd", "var"],
)
def test_columns_of_standard_deviations_are_left_out(
    name: str, cells: tuple[float, float], golden: SnapshotAssertion
) -> None:
    table = f"topic,A,B,{name}\n1,.5,.25,{cells[0]}\n2,.75,0,{cells[1]}\n"
    read = read_scores(table, "t.csv")
    assert read.matrices[0].systems == ("A", "B")
    (note,) = [note for note in read.recognised if repr(name) in note]
    assert note == golden
    # A run of that name with other scores is a run; and so is a mean called max.
    for other in ((0.1, 0.9), (0.375, 0.375)):
        kept = read_scores(f"topic,A,B,{name}\n1,.5,.25,{other[0]}\n2,.75,0,{other[1]}\n", "t.csv")
        assert kept.matrices[0].systems == ("A", "B", name)
        (note,) = [note for note in kept.recognised if repr(name) in note]
        assert note == golden


@pytest.mark.parametrize(
    ("line", "mark"),
    [("sep=;", ";"), ("SEP=,", ","), ('"sep=;"', ";"), ("sep=\\t", "\t"), ("sep=\t", "\t")],
    ids=["semicolon", "comma-in-capitals", "quoted", "backslash-t", "tab"],
)
def test_the_line_that_tells_excel_the_delimiter(line: str, mark: str, golden: SnapshotAssertion) -> None:
    table = f"topic{mark}A\n1{mark}0.5\n2{mark}1\n"
    read = read_scores(f"{line}\n{table}", "t.csv")
    assert read.matrices[0].scores.tolist() == [[0.5], [1.0]]
    assert " ".join(read.recognised) == golden
    assert unread(read_scores, f"{line}\n{table}3{mark}x\n", "t.csv").line == 5


def test_a_first_column_without_a_name_has_the_topic_ids() -> None:
    assert read_one(",A\n0,.5\n1,.25\n").topics == ("0", "1")
