"""The simulated conversations against their documentation."""

from itertools import groupby

import numpy as np
import pytest

from topicset_core.exports import Report
from topicset_core.samples.simulated_conversations import simulated_conversations
from topicset_core.variance import group_components


def test_names_groups_and_scores() -> None:
    matrix = simulated_conversations()
    assert matrix.scores.shape == (300, 8)
    assert dict(matrix.group_sizes) == {f"c{number:02d}": 12 for number in range(1, 26)}
    for topic, group in zip(matrix.topics, matrix.groups or (), strict=True):
        assert topic.partition("_")[0] == group
    assert [len(list(rows)) for _, rows in groupby(matrix.groups or ())] == [12] * 25
    assert np.array_equal(matrix.scores, np.clip(np.round(matrix.scores, 4), 0, 1))
    assert 0.01 < np.mean((matrix.scores == 0) | (matrix.scores == 1)) < 0.03
    assert simulated_conversations(46).digest == matrix.digest != simulated_conversations(47).digest


def test_the_correlation_of_differences_is_the_models() -> None:
    """.055^2 / (.055^2 + .11^2) = .2, as documented; the mean of 40 seeds has a standard error of .004."""
    found = [group_components(simulated_conversations(seed)).intraclass_correlation for seed in range(40)]
    assert np.mean(found) == pytest.approx(0.2, abs=0.016)
    assert group_components(simulated_conversations()).intraclass_correlation == pytest.approx(0.2, abs=0.01)


def test_an_answer_that_counts_no_groups_cautions() -> None:
    matrix = simulated_conversations()

    def caution(**known: object) -> str:
        parts = {"name": "a", "title": "", "findings": (), "tables": (), "results": list}
        return Report(**{**parts, **known}).caution  # type: ignore[arg-type]

    assert "groups" in caution(matrices=[matrix])
    assert caution(matrices=[matrix], counts_groups=True) == ""
    assert caution(matrices=[matrix.grouped(None)]) == ""
