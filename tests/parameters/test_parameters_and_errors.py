"""The rules of the parameters and their error messages."""

import math
from fractions import Fraction

import numpy as np
import pytest

from tests.refusals import refused
from tests.words import numbers_in
from topicset_core import parameters
from topicset_core.errors import InputError, NoSolution, ParseError, TopicsetError
from topicset_core.parameters import (
    ALPHA,
    BETA,
    DIFFERENCE_VARIANCE,
    F_STATISTIC,
    MAX_ERROR,
    MIN_D,
    MIN_DELTA,
    MOST_TOPICS,
    N_SYSTEMS,
    N_TOPICS,
    T_STATISTIC,
    Parameter,
    check_error_probabilities,
)

ALL = [value for value in vars(parameters).values() if isinstance(value, Parameter)]
NOT_NUMBERS = ["0.5", "", None, True, False, [0.5], 0.5 + 0j, math.nan, math.inf, -math.inf, np.array([0.5])]


def test_all_parameters_are_tested_here() -> None:
    assert len(ALL) >= 11
    assert len({parameter.name for parameter in ALL}) == len(ALL)


@pytest.mark.parametrize("parameter", ALL, ids=lambda parameter: parameter.name)
def test_values_that_are_not_finite_numbers_are_refused(parameter: Parameter) -> None:
    for value in NOT_NUMBERS:
        error = refused(parameter.check, value)
        assert (error.parameter, error.rule) == (parameter.name, parameter.rule)


@pytest.mark.parametrize(
    ("parameter", "allowed", "outside"),
    [
        (ALPHA, [1e-100, 0.05, 1 - 2**-53], [0.0, 1.0, -0.05, 7]),
        (BETA, [1e-9, 0.2, 0.999], [0, 1, -1e-9]),
        (MIN_DELTA, [5e-324, 0.5, 1e300], [0.0, -0.5]),
        (MAX_ERROR, [1e-300, 0.05, 0.5 - 2**-54], [0, 0.5, -0.05, 1e-301]),
        (DIFFERENCE_VARIANCE, [1e-9, 0.1, 40.0], [0.0, -0.1]),
        (N_SYSTEMS, [2, 2.0, 1000, np.int64(10), np.float64(10)], [1, 0, -2, 1001, 2.5, 1e9]),
        (N_TOPICS, [2, 50, MOST_TOPICS], [1, 0, 1.5, MOST_TOPICS + 1, 2.000001]),
        (T_STATISTIC, [0, -2.1, 1e6], []),
        (F_STATISTIC, [1e-9, 2.145], [0, -1.0]),
    ],
    ids=lambda value: value.name if isinstance(value, Parameter) else "",
)
def test_bounds(parameter: Parameter, allowed: list[float], outside: list[float]) -> None:
    for value in allowed:
        assert parameter.check(value) == float(value)
        assert type(parameter.check(value)) is float
    for value in outside:
        error = refused(parameter.check, value)
        assert (error.parameter, error.value) == (parameter.name, value)


@pytest.mark.parametrize(
    ("parameter", "bounds"),
    [(ALPHA, [0, 1]), (MIN_D, [0]), (N_SYSTEMS, [2, 1000]), (N_TOPICS, [2, 10_000_000]), (T_STATISTIC, [])],
    ids=lambda value: value.name if isinstance(value, Parameter) else "",
)
def test_rules_name_the_bounds(parameter: Parameter, bounds: list[float]) -> None:
    assert numbers_in(parameter.rule) == bounds  # the words are in tests/golden


@pytest.mark.parametrize("parameter", ALL, ids=lambda parameter: parameter.name)
def test_defaults_obey_their_own_rule(parameter: Parameter) -> None:
    assert parameter.check(parameter.default) == parameter.default
    assert parameter.step > 0
    for text in (parameter.name, parameter.symbol, parameter.label, parameter.help):
        assert text.strip() == text != ""
    assert parameter.name.isidentifier()


@pytest.mark.parametrize(
    ("alpha", "beta", "blamed"),
    [
        (1.0, 0.2, "alpha"),
        (True, 0.2, "alpha"),
        (0.05, 0.0, "beta"),
        (0.05, 0.95, "beta"),
        (0.5, 0.5, "beta"),
    ],
)
def test_the_wrong_error_probability_is_named(alpha: float, beta: float, blamed: str) -> None:
    check_error_probabilities(ALPHA.default, BETA.default)
    error = refused(check_error_probabilities, alpha, beta)
    assert (error.parameter, error.value) == (blamed, {"alpha": alpha, "beta": beta}[blamed])
    if beta == 0.95:
        assert error.rule == "must be below 1 - alpha = 0.95, or the power would be below alpha"


def test_errors_have_one_base_class() -> None:
    for error in (InputError, ParseError, NoSolution):
        assert issubclass(error, TopicsetError)
    for error in (InputError, ParseError):
        assert issubclass(error, ValueError)
    assert not issubclass(NoSolution, ValueError)


def test_errors_name_parameter_value_and_rule_or_file_and_line() -> None:
    assert str(InputError("min_d", -1, "RULE")) == "min_d = -1: RULE"
    assert str(ParseError("a.csv", 3, "EXPECTED")) == "a.csv, line 3: EXPECTED"
    assert str(ParseError("a.csv", None, "EXPECTED")) == "a.csv: EXPECTED"


@pytest.mark.parametrize(("parameter", "too_small"), [(ALPHA, 1e-101), (BETA, 9e-10)])
def test_values_beyond_double_precision_are_refused(parameter: Parameter, too_small: float) -> None:
    assert numbers_in(refused(parameter.check, too_small).rule)[0] == parameter.computable_from


@pytest.mark.parametrize("value", [10**400, -(10**400), Fraction(1, 20)])
def test_numbers_too_large_for_floats_are_refused(value: object) -> None:
    with pytest.raises(InputError):
        MIN_D.check(value)
