"""``variance`` with what is done to the scores before."""

import json

import pytest

from tests.reference_data import reference_file, reference_matrix
from topicset_core.cli import main
from topicset_core.preparation import Steps, prepare
from topicset_core.variance import one_way, two_way

pytestmark = pytest.mark.reference_data


def trec8() -> str:
    return str(reference_file("matrices", "trec8_adhoc_ap.csv"))


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    assert main(["variance", *arguments, "--json"]) == 0
    loaded: dict[str, object] = json.loads(capsys.readouterr().out)
    return loaded


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(["variance", *arguments])
    assert caught.value.code == 2
    return capsys.readouterr().err.strip()


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
def test_options_ask_for_the_steps_of_the_core(
    capsys: pytest.CaptureFixture[str], options: list[str], steps: Steps
) -> None:
    found = record(capsys, trec8(), *options)
    raw = reference_matrix("trec8_adhoc_ap")
    expected = prepare(raw, steps)
    (row,) = found["matrices"]  # type: ignore[misc]
    assert (row["measure"], row["n_systems"]) == (expected.matrix.measure, expected.matrix.n_systems)
    assert (row["one_way"], row["two_way"]) == (one_way(expected.matrix), two_way(expected.matrix))
    assert found["preparation"] == steps.asked()
    assert row["preparation"]["steps"].keys() == expected.records.keys()
    assert row["preparation"]["said"][:-1] == list(expected.said)
    effect = row["preparation"]["effect"]
    assert (effect["variance_before"], effect["variance_after"]) == (one_way(raw), one_way(expected.matrix))
    assert (effect["required_after"] is None) == steps.changes_scale
    assert found["pooled"].keys() == {expected.matrix.measure}  # type: ignore[attr-defined]


def test_reference_runs_are_named(capsys: pytest.CaptureFixture[str]) -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    chosen = raw.systems[3:7]
    found = record(capsys, trec8(), "--standardise", "z", "--reference-runs", *chosen)
    (row,) = found["matrices"]  # type: ignore[misc]
    assert row["one_way"] == one_way(prepare(raw, Steps(standardise="z", reference=chosen)).matrix)
    assert row["preparation"]["steps"]["standardise"]["reference"] == list(chosen)


def test_nothing_asked_is_recorded_as_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, trec8(), "--collection", "TREC-8")
    (row,) = found["matrices"]  # type: ignore[misc]
    assert (row["name"], row["preparation"], found["preparation"]) == ("TREC-8", None, {})


def test_the_text_says_what_was_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["variance", trec8(), "--worst-percent", "25", "--collection", "TREC-8"]) == 0
    printed = capsys.readouterr().out
    assert "AP of TREC-8: Runs with the lowest mean dropped (worst 25 %): 33 (" in printed
    assert "AP of TREC-8: 96 of 129 runs are left." in printed
    assert "AP of TREC-8: Within-system variance " in printed


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--worst-percent", "100"], "worst_percent = 100.0: must be from 0 to below 100"),
        (["--worst-percent", "nan"], "worst_percent = nan: must be from 0 to below 100"),
        (["--worst-count", "129"], "must leave at least 1 of the 129 runs (in AP of trec8_adhoc_ap)"),
        (["--worst-count", "3", "--worst-percent", "5"], "not allowed with argument"),
        (["--max-zero-topics", "-1"], "max_zero_topics = -1: must be 0 or more"),
        (["--log", "0"], "floor = 0.0: must be a number above 0"),
        (["--standardise", "t"], "invalid choice: 't'"),
        (["--standardise", "z", "--reference-runs", "nobody", "else"], "reference = 'nobody': must be a run"),
        (["--reference-runs", "a", "b"], "must be left out where scores are not standardised"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    capsys: pytest.CaptureFixture[str], options: list[str], said: str
) -> None:
    printed = refusal(capsys, trec8(), *options)
    assert said in printed
    assert len(printed.splitlines()) == 1
