"""The pages of docs/reproductions/ have the numbers that are computed."""

import pytest

from tests.reproductions.__main__ import NAMES, PAGES, computed

pytestmark = [pytest.mark.slow, pytest.mark.reference_data]


@pytest.mark.parametrize("name", NAMES)
def test_a_page_is_up_to_date(name: str) -> None:
    assert (PAGES / f"{name}.md").read_text(encoding="utf-8") == computed(name)
