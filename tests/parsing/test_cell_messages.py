"""Cells that are nearly numbers: decimal commas and separators of thousands."""

from itertools import product

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.parsing.plain_table import read_one
from tests.refusals import unread
from tests.words import numbers_in
from topicset_core.parsing.numerals import _plain_numbers, is_numeral
from topicset_core.parsing.trec.sweep import read_parameter_table


@pytest.mark.parametrize("other", ["0,5", "2,25", "0,125", "1,2345", "1234,5"])
def test_one_unambiguous_decimal_comma_decides_for_all(other: str) -> None:
    scores = read_one(f"topic;A\nt1;1,234\nt2;{other}").scores
    assert scores.tolist() == [[1.234], [float(other.replace(",", "."))]]


def test_thousands_separators_in_parameter_values_are_refused(golden: SnapshotAssertion) -> None:
    error = unread(read_parameter_table, "p.tsv", "run\tmu\nA\t1,000\nB\t2,500\n", ["A", "B"])
    assert (error.file, error.line) == ("p.tsv", 2)
    assert {1, 1000} <= set(numbers_in(error.expected))  # what it may be
    assert str(error) == golden


def test_decimal_commas_of_parameters_are_reported(golden: SnapshotAssertion) -> None:
    read = read_parameter_table("p.csv", "run;b;k1\nA;0,3;1\nB;0,5;1\n", ["A", "B"])
    assert read.settings.values.tolist() == [[0.3, 1], [0.5, 1]]
    assert " ".join(read.notes) == golden


def test_numbers_read_in_one_pass_are_those_that_are_numerals() -> None:
    """All texts up to six characters of numerals without a comma; one digit stands for all."""
    for length in range(1, 7):
        for characters in product("1.eE+-", repeat=length):
            cell = "".join(characters)
            assert (_plain_numbers([cell]) is not None) == is_numeral(cell), cell
    for cell in ("", "NA", "1,5", "1_0", "nan", "inf", "\u0663", " 1"):
        assert _plain_numbers(["0.5", cell]) is None, cell
