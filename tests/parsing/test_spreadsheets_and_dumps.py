"""What spreadsheets put below and beside scores, and what programs dump: taken out, read or refused, and said."""

# ruff: noqa: E501 - rows of tables
import pytest

from tests.parsing.plain_table import read_one
from tests.parsing.refusals import check_refused
from topicset_core.parsing import read_scores

TABLE = "topic,A,B\n1,.5,.25\n2,.75,0\n"


@pytest.mark.parametrize(
    ("rows", "named"),
    [
        ("mean,.6,.1\nSD,.1,.1\n", "2 summary rows taken out: 'mean', 'SD'"),
        ("St.Dev.,.1,.1\nAverage (n=2),.6,.1\n", "2 summary rows taken out: 'St.Dev.', 'Average (n=2)'"),
        ("min,.5,0\nmax,1,1\nMean:,.6,.1\n", "3 summary rows taken out: 'min', 'max', 'Mean:'"),
        ("Total [2],1,.25\n", "1 summary row taken out: 'Total [2]'"),
    ],
)
def test_what_stands_beside_means_goes_with_them(rows: str, named: str) -> None:
    read = read_scores(TABLE + rows, "t.csv")
    assert read.matrices[0].topics == ("1", "2")
    assert any(text.startswith(named) for text in read.recognised)


@pytest.mark.parametrize("name", ["SE", "max", "std", "variance"])
def test_alone_such_a_name_is_kept_and_asked_about(name: str) -> None:
    read = read_scores(f"{TABLE}{name},.5,.5\n", "t.csv")
    assert read.matrices[0].topics == ("1", "2", name)
    assert f"Topic {name!r} was kept, but its name is that of a summary: is it one?" in read.recognised


@pytest.mark.parametrize("name", ["meaning", "12 (mean)", "stdx", "maxim", "all-1"])
def test_other_names_are_those_of_topics(name: str) -> None:
    read = read_scores(f"{TABLE}{name},.5,.5\n", "t.csv")
    assert read.matrices[0].topics == ("1", "2", name)
    assert not any("summary" in text for text in read.recognised)


@pytest.mark.parametrize(
    ("name", "cells", "kind"),
    [
        ("max", (0.5, 0.75), "maximum"),
        ("Min", (0.25, 0.0), "minimum"),
        # Of .5 and .25, and of .75 and 0: with n - 1 as in Excel's STDEV and VAR.
        ("sd", (0.177, 0.530), "standard deviation"),
        ("var", (0.03125, 0.28125), "variance"),
    ],
)
def test_columns_of_a_spread_are_taken_out(name: str, cells: tuple[float, float], kind: str) -> None:
    table = f"topic,A,B,{name}\n1,.5,.25,{cells[0]}\n2,.75,0,{cells[1]}\n"
    read = read_scores(table, "t.csv")
    assert read.matrices[0].systems == ("A", "B")
    said = f"Column {name!r} taken out: it holds the {kind} of the runs on each topic."
    assert said in read.recognised
    # A run of that name with other scores is a run; nor is a mean called max.
    for other in ((0.1, 0.9), (0.375, 0.375)):
        kept = read_scores(f"topic,A,B,{name}\n1,.5,.25,{other[0]}\n2,.75,0,{other[1]}\n", "t.csv")
        assert kept.matrices[0].systems == ("A", "B", name)
        assert f"Run {name!r} was kept, but its name is that of a summary: is it one?" in kept.recognised


@pytest.mark.parametrize(
    ("line", "mark", "name"),
    [("sep=;", ";", "semicolons"), ("SEP=,", ",", "commas"), ('"sep=;"', ";", "semicolons"), ("sep=\\t", "\t", "tabs"), ("sep=\t", "\t", "tabs")],
)  # fmt: skip
def test_the_line_that_tells_excel_the_delimiter(line: str, mark: str, name: str) -> None:
    table = f"topic{mark}A\n1{mark}0.5\n2{mark}1\n"
    read = read_scores(f"{line}\n{table}", "t.csv")
    assert read.matrices[0].scores.tolist() == [[0.5], [1.0]]
    assert f"Cells are separated by {name}, as the line sep= says." in read.recognised
    check_refused(
        f"{line}\n{table}3{mark}x\n", 5, "topic '3', run 'A', column 2: expected a number, found 'x'"
    )


def test_a_column_of_topic_ids_behind_another_is_no_run() -> None:
    check_refused(
        ",topic,A\n0,401,.5\n1,402,.25\n",
        1,
        "expected a run in column 2, found 'topic': if it holds topic ids, put it first and take the column of other "
        "ids out",
    )
    assert read_one(",A\n0,.5\n1,.25\n").topics == ("0", "1")


@pytest.mark.parametrize(
    ("content", "keys"),
    [
        ('{"401": {"map": 0.5}, "402": {"map": 0.25}}', "'401', '402'"),
        ('\n{"A": {"401": {"map": 0.5}, "402": {"map": 0.25}}}', "'A'"),
    ],
)
def test_objects_of_objects_are_refused_with_what_is_expected(content: str, keys: str) -> None:
    check_refused(
        content,
        1 + content.startswith("\n"),
        'expected an object for each topic, as in {"topic": "401", "map": 0.5}, found one object of objects, with the '
        f"keys {keys}",
    )
