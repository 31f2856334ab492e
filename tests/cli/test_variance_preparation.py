"""``variance`` with preparation of the scores."""

import pytest

from tests.cli.running import record
from tests.reference_data import reference_file, reference_matrix
from topicset_core.preparation import Steps, prepare
from topicset_core.variance import one_way, two_way

needs_trec8 = pytest.mark.reference_data


@pytest.fixture
def trec8(monkeypatch: pytest.MonkeyPatch) -> str:
    file = reference_file("matrices", "trec8_adhoc_ap.csv")
    monkeypatch.chdir(file.parent)
    return file.name


@needs_trec8
@pytest.mark.parametrize(
    ("options", "steps"),
    [
        (["--max-zero-topics", "5"], Steps(max_zero_topics=5)),
        (["--worst-percent", "25"], Steps(worst_fraction=0.25)),
        (["--worst-count", "33"], Steps(worst_count=33)),
        (["--log"], Steps(log_floor=1e-5)),
        (["--log", "0.01"], Steps(log_floor=0.01)),
        (["--standardise", "z"], Steps(standardise="z")),
        (
            ["--standardise", "std-AB", "--worst-percent", "25", "--max-zero-topics", "10"],
            Steps(max_zero_topics=10, worst_fraction=0.25, standardise="std-AB"),
        ),
    ],
)
def test_options_select_the_steps_of_the_core(
    capsys: pytest.CaptureFixture[str], trec8: str, options: list[str], steps: Steps
) -> None:
    result = record(capsys, "variance", trec8, *options)
    raw = reference_matrix("trec8_adhoc_ap")
    expected = prepare(raw, steps)
    (row,) = result["matrices"]
    assert (row["measure"], row["n_systems"]) == (expected.matrix.measure, expected.matrix.n_systems)
    assert (row["one_way"], row["two_way"]) == (one_way(expected.matrix), two_way(expected.matrix))
    assert result["preparation"] == steps.settings()
    assert row["preparation"]["steps"].keys() == expected.records.keys()
    assert row["preparation"]["notes"][:-1] == list(expected.notes)
    effect = row["preparation"]["effect"]
    assert (effect["variance_before"], effect["variance_after"]) == (one_way(raw), one_way(expected.matrix))
    assert (effect["required_after"] is None) == steps.changes_scale
    assert result["pooled"].keys() == {expected.matrix.measure}


@needs_trec8
def test_reference_runs_are_named(capsys: pytest.CaptureFixture[str], trec8: str) -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    chosen = raw.systems[3:7]
    result = record(capsys, "variance", trec8, "--standardise", "z", "--reference-runs", *chosen)
    (row,) = result["matrices"]
    assert row["one_way"] == one_way(prepare(raw, Steps(standardise="z", reference=chosen)).matrix)
    assert row["preparation"]["steps"]["standardise"]["reference"] == list(chosen)
