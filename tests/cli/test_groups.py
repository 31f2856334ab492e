"""``--groups``: intraclass correlation and design effect of ``variance``, and what is refused."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from tests.cli.running import record, refusal, text, written
from tests.variance.test_group_components import SIZES, drawn
from topicset_core.variance import clustered_differences, group_components

MATRIX = drawn(SIZES, 0.3, 3)


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    monkeypatch.chdir(tmp_path)
    pairs = zip(MATRIX.topics, MATRIX.groups or (), strict=True)
    Path("groups.tsv").write_text("\n".join(["topic\tgroup", "other\tg9", *map("\t".join, pairs)]))
    written(MATRIX, Path("scores.csv"))
    return "scores.csv", "groups.tsv"


def test_variance_answers_correlation_and_design_effect(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    found = record(capsys, "variance", scores, "--groups", groups)
    expected = group_components(MATRIX)
    assert found["intraclass_correlation"] == pytest.approx(expected.intraclass_correlation)
    assert found["design_effect"] == pytest.approx(expected.design_effect)
    for name in ("intraclass_correlation", "design_effect"):
        interval = found[f"{name}_interval"]
        assert interval["low"] <= found[name] <= interval["high"]
        assert interval["level"] == 0.9
    (row,) = found["matrices"]
    assert row["groups"]["two_way"]["design_effect"] == found["design_effect"]
    assert (row["groups"]["n_groups"], row["groups"]["sizes"]) == (5, [1, 5])
    pairs = clustered_differences(MATRIX)
    ratio = np.median(pairs.standard_errors / pairs.independent_errors)
    assert row["groups"]["error_ratio"] == pytest.approx(ratio)
    # Without groups nothing else changes.
    left = {name: value for name, value in row.items() if name != "groups" and "_correlation" not in name}
    plain = record(capsys, "variance", scores)
    assert plain["matrices"] == [{name: value for name, value in left.items() if "design" not in name}]
    assert "intraclass_correlation" not in plain
    shown = text(capsys, "variance", scores, "--groups", groups)
    assert "15 topics in 5 groups of 1 to 5." in shown
    assert "Caution: only 5 groups." in shown


def test_groups_by_a_pattern_and_of_chosen_topics(
    capsys: pytest.CaptureFixture[str], files: tuple[str, str]
) -> None:
    scores, groups = files
    chosen = record(capsys, "variance", scores, "--groups", groups, "--only-topics", "t0-t8")
    assert chosen["matrices"][0]["groups"]["n_groups"] == 3
    named = tuple(f"{group}_{place}" for place, group in enumerate(MATRIX.groups or ()))
    scores = written(replace(MATRIX, topics=named), Path("named.csv"))
    by_pattern = record(capsys, "variance", scores, "--groups", "*_*")
    assert by_pattern["design_effect"] == pytest.approx(group_components(MATRIX).design_effect)
    assert refusal(capsys, "variance", scores, "--groups", "*").endswith("a group of its own")
    assert "each topic" in refusal(capsys, "variance", scores, "--groups", groups)
