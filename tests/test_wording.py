"""How numbers and names are written in sentences."""

import pytest

from topicset_core.wording import in_full, names_of


@pytest.mark.parametrize(
    ("value", "text"),
    [(1e7, "10,000,000"), (1e7 + 0.5, "10,000,000.5"), (28.0, "28"), (0.1, "0.1"), (-3, "-3")],
)
def test_a_typed_number_has_all_its_digits(value: float, text: str) -> None:
    assert in_full(value) == text


@pytest.mark.parametrize(
    ("n_files", "text"),
    [(1, "f0"), (3, "f0, f1, f2"), (4, "f0, f1, f2 and 1 more"), (1243, "f0, f1, f2 and 1,240 more")],
)
def test_three_files_are_named_and_the_others_counted(n_files: int, text: str) -> None:
    assert names_of([f"f{number}" for number in range(n_files)]) == text
