"""Tests of this folder parse the whole project."""

import gc
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True, scope="module")
def _no_search_for_cycles() -> Iterator[None]:
    """Pause it: it would visit all nodes of all trees again and again, two thirds of the time."""
    gc.disable()
    yield
    gc.enable()
