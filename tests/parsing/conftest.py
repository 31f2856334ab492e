"""Assertions of the helper of the refusals are explained like those of the tests themselves."""

import pytest

pytest.register_assert_rewrite("tests.parsing.refusals")
