"""Cells that are nearly numbers, thousands, repeated headers: messages with a correction."""

from itertools import product

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.plain_table import read_one
from tests.parsing.refusals import check_refused, table_refusals
from tests.words import numbers_in
from topicset_core.errors import ParseError
from topicset_core.parsing.numerals import _plain_numbers, is_numeral
from topicset_core.parsing.trec.sweep import read_parameter_table

CELLS = {
    "null": "null",
    "none": "None",
    "excel-n-a": "#N/A",
    "hyphen": "-",
    "dash": "\u2014",
    "per-cent": "12 %",
    "thousands-by-commas": "1,234.5",
    "thousands-by-points": "1.234.567,5",
    "minus-sign": "\u22120.5",
    "asterisk": "0.5*",
}


def test_messages_suggest_a_correction_of_the_cell(golden: SnapshotAssertion) -> None:
    cases = {name: (f"topic\tA\nt1\t{cell}\nt2\t1", 2) for name, cell in CELLS.items()}
    assert table_refusals(cases) == golden


@pytest.mark.parametrize("others", ["2", "2,500", "-3,125"])
def test_commas_that_may_separate_thousands_are_refused(others: str, golden: SnapshotAssertion) -> None:
    check_refused(f"topic;A\nt1;1,234\nt2;{others}", 2, golden)


@pytest.mark.parametrize("other", ["0,5", "2,25", "0,125", "1,2345", "1234,5"])
def test_one_unambiguous_decimal_comma_decides_for_all(other: str) -> None:
    scores = read_one(f"topic;A\nt1;1,234\nt2;{other}").scores
    assert scores.tolist() == [[1.234], [float(other.replace(",", "."))]]


def test_thousands_separators_in_parameter_values_are_refused(golden: SnapshotAssertion) -> None:
    with pytest.raises(ParseError) as caught:
        read_parameter_table("p.tsv", "run\tmu\nA\t1,000\nB\t2,500\n", ["A", "B"])
    assert (caught.value.file, caught.value.line) == ("p.tsv", 2)
    assert {1, 1000} <= set(numbers_in(caught.value.expected))  # what it may be
    assert str(caught.value) == golden


def test_decimal_commas_of_parameters_are_reported(golden: SnapshotAssertion) -> None:
    read = read_parameter_table("p.csv", "run;b;k1\nA;0,3;1\nB;0,5;1\n", ["A", "B"])
    assert read.settings.values.tolist() == [[0.3, 1], [0.5, 1]]
    assert " ".join(read.notes) == golden


@pytest.mark.parametrize(
    "table",
    [
        "topic,A,B\nt1,.1,.2\nt2,.3,.4\n",
        # Here each cell of the header but one would be a score.
        "run,401,402\nA,.1,.2\nB,.3,.4\n",
        "topic,run,score\n1,A,.1\n2,A,.2\n",
        "id,f1,answer\n1,.1,x\n2,.2,y\n",
    ],
    ids=["wide", "by-run", "long", "measures"],
)
def test_a_repeated_header_is_refused(table: str, golden: SnapshotAssertion) -> None:
    check_refused(table + table, 4, golden)


def test_numbers_read_in_one_pass_are_those_that_are_numerals() -> None:
    """All texts up to six characters of numerals without a comma; one digit stands for all."""
    for length in range(1, 7):
        for characters in product("1.eE+-", repeat=length):
            cell = "".join(characters)
            assert (_plain_numbers([cell]) is not None) == is_numeral(cell), cell
    for cell in ("", "NA", "1,5", "1_0", "nan", "inf", "\u0663", " 1"):
        assert _plain_numbers(["0.5", cell]) is None, cell
