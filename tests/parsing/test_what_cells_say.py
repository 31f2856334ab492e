"""Cells that are nearly numbers, thousands, headers that come again: what is said, and what to do about it."""

import pytest

from tests.parsing.plain_table import read_one
from tests.parsing.refusals import IF_MISSING, check_refused
from topicset_core.errors import ParseError
from topicset_core.parsing.parameter_values import read_parameter_table

AT = "topic 't1', run 'A', column 2: "


@pytest.mark.parametrize(
    ("cell", "remedy"),
    [
        ("null", IF_MISSING),
        ("None", IF_MISSING),
        ("#N/A", IF_MISSING),
        ("-", IF_MISSING),
        ("\u2014", IF_MISSING),
        ("12 %", "; write numbers without %, such as 0.45 for 45%"),
        ("1,234.5", "; write thousands without commas"),
        ("1.234.567,5", "; write thousands without points"),
        ("\u22120.5", "; write minus as the hyphen of keyboards"),
        ("0.5*", ""),
    ],
)
def test_what_to_do_about_a_cell(cell: str, remedy: str) -> None:
    check_refused(f"topic\tA\nt1\t{cell}\nt2\t1", 2, f"{AT}expected a number, found {cell!r}{remedy}")


THOUSAND = (
    "expected a number that is plain, found '1,234', which may be 1.234 or 1234; write it with a decimal point, or "
    "without the comma if that separates thousands"
)


@pytest.mark.parametrize("others", ["2", "2,500", "-3,125"])
def test_commas_that_may_separate_thousands_are_refused(others: str) -> None:
    check_refused(f"topic;A\nt1;1,234\nt2;{others}", 2, AT + THOUSAND)


@pytest.mark.parametrize("other", ["0,5", "2,25", "0,125", "1,2345", "1234,5"])
def test_one_comma_that_can_only_be_decimal_settles_all(other: str) -> None:
    scores = read_one(f"topic;A\nt1;1,234\nt2;{other}").scores
    assert scores.tolist() == [[1.234], [float(other.replace(",", "."))]]


def test_values_of_parameters_are_no_thousandths_of_what_they_are() -> None:
    with pytest.raises(ParseError, match=r"p\.tsv, line 2: parameter 'mu': .* 1\.000 or 1000"):
        read_parameter_table("p.tsv", "run\tmu\nA\t1,000\nB\t2,500\n", ["A", "B"])


def test_decimal_commas_of_parameters_are_said() -> None:
    read = read_parameter_table("p.csv", "run;b;k1\nA;0,3;1\nB;0,5;1\n", ["A", "B"])
    assert read.settings.values.tolist() == [[0.3, 1], [0.5, 1]]
    assert read.said[1] == "p.csv: values of 'b' are written with decimal commas."


@pytest.mark.parametrize(
    ("table", "header"),
    [
        ("topic,A,B\nt1,.1,.2\nt2,.3,.4\n", "topic, A, B"),
        # Here each cell of the header but one would be a score.
        ("run,401,402\nA,.1,.2\nB,.3,.4\n", "run, 401, 402"),
        ("topic,run,score\n1,A,.1\n2,A,.2\n", "topic, run, score"),
        ("id,f1,answer\n1,.1,x\n2,.2,y\n", "id, f1, answer"),
    ],
)
def test_header_that_comes_again_is_refused(table: str, header: str) -> None:
    again = (
        f"found the header of line 1 again: {header!r}; take it out, or save each table to a file of its own"
    )
    check_refused(table + table, 4, f"expected scores, {again}")
