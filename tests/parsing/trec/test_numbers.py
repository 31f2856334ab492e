"""Numerals of whole columns against Python's float, to the last bit."""

import re
from itertools import product

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from topicset_core.parsing.numerals import _plain_numbers
from topicset_core.parsing.numerals import is_numeral as is_numeral_of_tables
from topicset_core.parsing.trec.lines import floats, whole_numbers

FORMATS = ("{}", "{:f}", "{:.3f}", "{:e}", "{:.17g}", "{:.20f}", "{:+.4f}")
NUMERALS = st.one_of(
    st.builds(str.format, st.sampled_from(FORMATS), st.floats(allow_nan=False, allow_infinity=False)),
    st.from_regex(
        re.compile(r"[+-]?(\d{1,25}\.?\d{0,25}|\.\d{1,25})([eE][+-]?\d{1,3})?", re.ASCII), fullmatch=True
    ),
)
JUNK = st.text("+-.0123456789eE_ naif,x", min_size=1, max_size=6).filter(lambda one: len(one.split()) == 1)


@settings(max_examples=60)
@given(st.lists(NUMERALS, min_size=1, max_size=8))
@example(["9007199254740992", "9007199254740993", "900719925474099.3", "0.9007199254740993"])  # about 2^53
@example(["9999999999999999999", "99999999999999999990", "-9999999999999999999"])  # past 2^63
@example(["999999999999999999", "99999999999999999.9", "0000000000000000001.5"])  # 18 and 19 digits
@example(["-0", "-0.0", "+0", "0.1", "-.5", "5.", "-0000.00100"])
@example(["1e400", "-1e400", "1e-400", "4.9e-324", "1" + "0" * 400])
@example(["1", "12345678901234567890.5"])
def test_floats_against_python(numerals: list[str]) -> None:
    """Equal in every bit, so that ties are the same: the sign of zero too."""
    read = floats(np.array(numerals, dtype=np.bytes_))
    assert read is not None
    expected = np.array([float(numeral) for numeral in numerals])
    assert read.view(np.int64).tolist() == expected.view(np.int64).tolist()


def is_numeral(text: str) -> bool:
    if not set(text) <= set("+-.0123456789eE"):
        return False
    try:
        float(text)
    except ValueError:
        return False
    return True


@settings(max_examples=60)
@given(st.lists(JUNK | NUMERALS, min_size=1, max_size=4))
@example(["1_0"])
@example(["nan"])
@example(["inf"])
@example(["-"])
@example(["1.2.3"])
@example(["1-2", "5"])
@example(["123456789012345678901234567890x"])
def test_an_invalid_numeral_gives_none(cells: list[str]) -> None:
    assert (floats(np.array(cells, dtype=np.bytes_)) is not None) == all(map(is_numeral, cells))


def test_many_scores_as_runs_have_them_against_python() -> None:
    """Sizes and decimals of real runs, many enough for every digit to meet every place."""
    rng = np.random.default_rng(5)
    for decimals in range(1, 16):
        numerals = [f"{score:.{decimals}f}" for score in rng.normal(0, 50, 20_000)]
        read = floats(np.array(numerals, dtype=np.bytes_))
        assert read is not None
        assert read.tolist() == [float(numeral) for numeral in numerals]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1", "-2", "+3", "004"], [1, -2, 3, 4]),
        (["1", "1.0"], None),
        (["1e0"], None),
        (["1", "x"], None),
        (["+"], None),
    ],
)
def test_whole_numbers(cells: list[str], expected: list[int] | None) -> None:
    read = whole_numbers(np.array(cells, dtype=np.bytes_))
    assert (None if read is None else read.tolist()) == expected


def test_numbers_read_in_one_pass_are_those_that_are_numerals() -> None:
    """All texts up to six characters of numerals without a comma; one digit stands for all."""
    for length in range(1, 7):
        for characters in product("1.eE+-", repeat=length):
            cell = "".join(characters)
            assert (_plain_numbers([cell]) is not None) == is_numeral_of_tables(cell), cell
    for cell in ("", "NA", "1,5", "1_0", "nan", "inf", "\u0663", " 1"):
        assert _plain_numbers(["0.5", cell]) is None, cell
