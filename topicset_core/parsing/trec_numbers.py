"""Columns of digits to numbers, exactly as Python's `float` reads them."""

import numpy as np
from numpy.typing import NDArray

WIDEST = 20
"""Characters of a numeral that is read with whole-column operations: 18 digits, a sign and a point."""

MOST_DIGITS = 18  # of which any number is below 2^63
LARGEST_EXACT = 2**53

POWERS_OF_TEN = 10.0 ** np.arange(MOST_DIGITS + 1)
"""Exact in float64, as all powers of ten up to 10^22 are."""

NUMERAL_CHARACTERS = np.zeros(256, dtype=np.bool_)
NUMERAL_CHARACTERS[list(b"\0+-.0123456789eE")] = True
"""What a numeral is made of, and the zeros after it; `float` takes 1_000, nan and infinity as well."""

WHOLE_CHARACTERS = np.zeros(256, dtype=np.bool_)
WHOLE_CHARACTERS[list(b"\0+-0123456789")] = True


def floats(column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
    """Read decimal numerals; None if one of them is none.

    Most numerals are read with whole-column operations: a whole number of at most 2^53, divided by a
    power of ten of at most 10^22, is the nearest float64 to the quotient, as both are exact (Clinger
    1990, How to read floating point numbers accurately, PLDI). All others go through `float`.

    Parameters
    ----------
    column : ndarray of bytes, shape (n,)
        Numerals in ASCII, none of them empty.

    Returns
    -------
    ndarray of float64, shape (n,), or None
        Infinite where a numeral is beyond the range of float64.
    """
    characters = column.view(np.uint8).reshape(column.size, -1)
    # One row a place in the numeral, so that each operation runs along contiguous memory.
    places = np.ascontiguousarray(characters[:, :WIDEST].T)
    digits = places - ord("0")
    is_digit = digits < 10
    is_point = places == ord(".")
    whole = np.zeros(column.size, dtype=np.int64)
    n_decimals = np.zeros(column.size, dtype=np.int64)
    behind_point = np.zeros(column.size, dtype=np.bool_)
    for digit, digit_here, point_here in zip(digits, is_digit, is_point, strict=True):
        np.multiply(whole, 10, out=whole, where=digit_here)
        np.add(whole, digit, out=whole, where=digit_here)
        n_decimals += behind_point & digit_here
        behind_point |= point_here
    signed = (places[0] == ord("-")) | (places[0] == ord("+"))
    n_digits = is_digit.sum(axis=0)
    n_points = is_point.sum(axis=0)
    is_plain = (
        (n_digits >= 1)
        & (n_digits <= MOST_DIGITS)
        & (n_points <= 1)
        & (n_digits + n_points + signed == np.count_nonzero(characters, axis=1))
        & (whole <= LARGEST_EXACT)
    )
    values = whole / POWERS_OF_TEN[np.minimum(n_decimals, MOST_DIGITS)]
    np.negative(values, out=values, where=places[0] == ord("-"))
    if is_plain.all():
        return values
    others = np.flatnonzero(~is_plain)
    if not NUMERAL_CHARACTERS[characters[others]].all():
        return None
    try:
        values[others] = [float(numeral) for numeral in column[others].tolist()]
    except ValueError:
        return None
    return values


def whole_numbers(column: NDArray[np.bytes_]) -> NDArray[np.float64] | None:
    """Read whole numbers, written without point and exponent; None if one of them is none.

    Parameters
    ----------
    column : ndarray of bytes, shape (n,)
        Numerals in ASCII, none of them empty.
    """
    if not WHOLE_CHARACTERS[column.view(np.uint8)].all():
        return None
    return floats(column)
