"""The one list of statements: those of every room in this folder, in the order of the rooms' names."""

import pkgutil
from importlib import import_module
from pathlib import Path

from tests.statements.statement import Statement

_NO_ROOMS = ("statement", "every", "report", "shapes")


def _of_rooms() -> tuple[Statement, ...]:
    names = sorted(one.name for one in pkgutil.iter_modules([str(Path(__file__).parent)]))
    rooms = [one for one in names if not one.startswith(("test_", "__")) and one not in _NO_ROOMS]
    modules = [import_module(f"tests.statements.{one}") for one in rooms]
    return tuple(statement for module in modules for statement in module.STATEMENTS)


STATEMENTS = _of_rooms()
