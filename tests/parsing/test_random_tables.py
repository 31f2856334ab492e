"""Random tables in the forms that people have: topics are never numbers of rows while a column has ids."""

import pytest

from tests.parsing.random_tables import Made, finding
from topicset_core.parsing import read_score_files


@pytest.mark.parametrize("first", range(0, 400, 100))
def test_no_score_is_at_another_topic_or_run(first: int) -> None:
    assert [one for seed in range(first, first + 100) if (one := finding(seed))] == []


def test_most_are_read() -> None:
    assert sum(not read_score_files(Made(seed).files).errors for seed in range(100)) > 90
