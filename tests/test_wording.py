"""How numbers are written in sentences."""

import pytest

from topicset_core.wording import in_full


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e7, "10,000,000"), (1e7 + 0.5, "10,000,000.5"), (28.0, "28"), (0.1, "0.1"), (-3, "-3")],
)
def test_a_typed_number_has_all_its_digits(value: float, text: str) -> None:
    assert in_full(value) == text
