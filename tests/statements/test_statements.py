"""Small versions of the tests of statements, and the page that the full ones make."""

import pytest

from tests.statements import report
from tests.statements.every import STATEMENTS
from tests.statements.statement import Achieved, Statement, achieved, holds

_SMALL = [
    pytest.param(statement, place, id=f"{statement.key}: {cell.name}")
    for statement in STATEMENTS
    for place, cell in enumerate(statement.cells)
    if cell.small
]


@pytest.mark.slow
@pytest.mark.parametrize(("statement", "place"), _SMALL)
def test_statement_holds(statement: Statement, place: int) -> None:
    """Within .02 and 3 standard errors of the few trials."""
    found = achieved(statement, place, statement.few)
    assert holds(found, statement.stated, margin=report.MARGIN), (found, statement.stated)


def test_a_statement_that_does_not_hold_is_found() -> None:
    assert not holds(Achieved("false", 60, 0.70, 0.05), (0.9, 0.95), margin=report.MARGIN)
    assert holds(Achieved("true", 60, 0.85, 0.05), (0.9, 0.95), margin=report.MARGIN)


@pytest.mark.parametrize("statement", STATEMENTS, ids=lambda one: one.key)
def test_each_was_tested_in_full_on_the_data_that_it_names(statement: Statement) -> None:
    assert [row.data for row in report.read_results(statement)] == [cell.name for cell in statement.cells]
    assert any(cell.small for cell in statement.cells)


def test_the_page_is_made_from_the_results() -> None:
    assert report.PAGE.read_text(encoding="utf-8") == report.page(STATEMENTS)
