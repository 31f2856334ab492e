"""``subsets --holdout`` and ``--audit``: the same numbers as the core, texts, refusals in one line."""

import json
from dataclasses import replace
from pathlib import Path

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.pool_depth.teams import guessed_teams
from topicset_core.analyses.topic_subsets.held_out.audit import audit
from topicset_core.analyses.topic_subsets.held_out.error_rates import held_out_error_rates
from topicset_core.analyses.topic_subsets.held_out.experiment import held_out_curve
from topicset_core.analyses.topic_subsets.held_out.request import HeldOutRequest
from topicset_core.cli import main
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.audit_records import audit_record
from topicset_core.exports.held_out_records import error_rates_record, held_out_record


def made(seed: int) -> ScoreMatrix:
    """Scores of ten runs of five teams on twelve topics."""
    names = tuple(f"{team}-{number}" for team in ("aa", "bb", "cc", "dd", "ee") for number in (1, 2))
    topics = tuple(str(401 + number) for number in range(12))
    return replace(random_matrix(12, 10, seed), systems=names, topics=topics, name="mine_ap")


MATRIX = made(51)


def written(matrix: ScoreMatrix, path: Path) -> str:
    rows = [
        ",".join([topic, *map(str, scores)])
        for topic, scores in zip(matrix.topics, matrix.scores.tolist(), strict=True)
    ]
    path.write_text("\n".join([",".join(["topic", *matrix.systems]), *rows]))
    return str(path)


@pytest.fixture
def file(tmp_path: Path) -> str:
    return written(MATRIX, tmp_path / "mine_ap.csv")


@pytest.fixture
def nano(tmp_path: Path) -> str:
    path = tmp_path / "nano.txt"
    path.write_text("402\n# the second\n405\tits text\n411\n")
    return str(path)


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict:
    assert main(["subsets", *arguments, "--json"]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    loaded = json.loads(printed.out)
    assert isinstance(loaded, dict)
    return loaded


def text(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["subsets", *arguments]) == 0
    return capsys.readouterr().out


def refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as caught:
        main(["subsets", *arguments])
    printed = capsys.readouterr()
    assert caught.value.code == 2
    assert not printed.out
    assert printed.err.count("\n") == 1
    return printed.err.strip()


def includes(found: dict, expected: dict) -> None:
    plain = json.loads(json.dumps(expected))
    assert {key: found[key] for key in plain} == plain


def test_held_out_runs_are_what_the_core_finds(capsys: pytest.CaptureFixture[str], file: str) -> None:
    options = [
        "--holdout",
        "runs",
        "--splits",
        "5",
        "--starts",
        "3",
        "--trials",
        "20",
        "--seed",
        "4",
        "--teams",
    ]
    found = record(
        capsys, file, *options, "--cardinality", "2-4", "--goodness", "kendall", "--choose-by", "pearson"
    )
    request = HeldOutRequest(
        hold_out="runs",
        goodness="kendall",
        choose_by="pearson",
        cardinalities=(2, 3, 4),
        teams=guessed_teams(MATRIX.systems),
        n_splits=5,
        n_starts=3,
        n_trials=20,
        seed=4,
    )
    curve = held_out_curve(MATRIX, request)
    includes(
        found, held_out_record(curve) | {"judged_scores": "AP of mine_ap", "chosen_scores": "AP of mine_ap"}
    )
    assert found["teams"]["cc-2"] == "cc"
    assert found["n_teams"] == 5
    assert found["target"] == 0.9
    assert found["sentence"].startswith("Chosen on one half of the runs, ")
    assert "nine splits in ten" in found["intervals"]["meaning"]


def test_held_out_topics_by_another_measure(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path
) -> None:
    other = made(52)
    judging = written(
        replace(other, scores=other.scores[:, ::-1], systems=other.systems[::-1]), tmp_path / "mine_p10.csv"
    )
    found = record(capsys, file, "--holdout", "topics", "--splits", "3", "--judge-scores", judging)
    request = HeldOutRequest(hold_out="topics", goodness="pearson", n_splits=3)
    curve = held_out_curve(MATRIX, request, judged=replace(other, measure="P@10", name="mine_p10"))
    assert found["cardinalities"] == json.loads(json.dumps(held_out_record(curve)["cardinalities"]))
    assert [row["cardinality"] for row in found["cardinalities"]] == [1, 2, 3, 4, 5, 6]
    assert found["matched"].endswith("runs of P@10 put in the order of AP")
    assert found["chosen_scores"] == "AP of mine_ap"


def test_error_rates_by_difference(capsys: pytest.CaptureFixture[str], file: str) -> None:
    found = record(capsys, file, "--holdout", "topics", "--by-difference", "--splits", "3", "--trials", "10")
    request = HeldOutRequest(hold_out="topics", goodness="error-rate", n_splits=3, n_trials=10)
    rates = error_rates_record(held_out_error_rates(MATRIX, request))
    assert found["cardinalities"] == json.loads(json.dumps(rates["cardinalities"]))
    assert len(found["cardinalities"][0]["bins"]) == 21


def test_the_audit_is_what_the_core_finds(capsys: pytest.CaptureFixture[str], file: str, nano: str) -> None:
    unseen = ["aa-1", "aa-2", "bb-1", "cc-1", "cc-2", "dd-1", "ee-2"]
    options = ["--audit", nano, "--splits", "4", "--trials", "300", "--teams", "--unseen", *unseen]
    found = record(capsys, file, *options)
    expected = audit(
        MATRIX,
        ["402", "405", "411"],
        runs=unseen,
        teams=guessed_teams(MATRIX.systems),
        n_splits=4,
        n_trials=300,
    )
    includes(found, audit_record(expected) | {"scores": "AP of mine_ap"})
    assert found["sentence"].startswith("These 3 topics rank the 7 runs as all 12 do to r = ")


@pytest.mark.parametrize(
    ("options", "first", "also"),
    [
        (["--holdout", "runs"], "Chosen on one half of the runs, ", "chosen on the other half of the runs"),
        (["--holdout", "topics"], "Chosen on one half of the topics, ", "nine splits in ten"),
        (["--holdout", "topics", "--by-difference"], "With 3 topics, pairs of runs come out", "to .05"),
    ],
)
def test_texts(
    capsys: pytest.CaptureFixture[str], file: str, options: list[str], first: str, also: str
) -> None:
    found = text(capsys, file, *options, "--splits", "3")
    assert found.startswith(first)
    assert also in found
    rows = [line for line in found.splitlines() if line[:6].strip().isdecimal()]
    assert len(rows) == (12 if "runs" in options else 6)


def test_the_text_of_an_audit(capsys: pytest.CaptureFixture[str], file: str, nano: str) -> None:
    found = text(capsys, file, "--audit", nano, "--splits", "3")
    assert "better than" in found.splitlines()[0]
    assert [line.split()[0] for line in found.splitlines()[4:7]] == ["pearson", "kendall", "error-rate"]
    assert "Best run over all topics" in found


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--splits", "3"], "--splits = 3: has no meaning without --holdout or --audit"),
        (["--teams"], "--teams = True: has no meaning without --holdout or --audit"),
        (["--choose-by", "kendall"], "--choose-by = 'kendall': has no meaning without --holdout"),
        (["--unseen", "aa-1"], "--unseen = ['aa-1']: has no meaning without --audit"),
        (["--holdout", "runs", "--method", "local"], "--method = 'local': has no meaning with --holdout"),
        (
            ["--holdout", "runs", "--by-difference"],
            "--by-difference = True: has no meaning with --holdout runs",
        ),
        (["--holdout", "topics", "--teams"], "--teams = True: has no meaning with --holdout topics"),
        (["--holdout", "teams"], "invalid choice: 'teams'"),
        (["--holdout", "runs", "--audit", "x"], "not allowed with argument --holdout"),
        (["--holdout", "runs", "--splits", "1"], "--splits = 1"),
        (["--holdout", "runs", "--starts", "-1"], "--starts = -1"),
        (
            ["--holdout", "topics", "--cardinality", "7"],
            "--cardinality = 7: must be a whole number from 1 to 6",
        ),
        (["--holdout", "topics", "--by-difference", "--target", "0.1"], "--target = 0.1: has no meaning"),
        (["--holdout", "runs", "--log", "--judge-scores", "x"], "goes with scores as they are"),
        (["--holdout", "runs", "--judge-scores", "absent.csv"], "absent.csv"),
        (["--holdout", "runs", "--worst-count", "5"], "systems = 5: must be at least 6 runs"),
    ],
)
def test_refusals(capsys: pytest.CaptureFixture[str], file: str, options: list[str], said: str) -> None:
    assert said in refusal(capsys, file, *options)


@pytest.mark.parametrize(
    ("content", "options", "said"),
    [
        ("402\n999\n", [], "line 2: expected a topic that has scores or judgments, found '999'"),
        ("402\n403\n402\n", [], "line 3: expected each topic once, found '402' again after line 1"),
        ("# none\n", [], "expected topic ids, one a line, and found none"),
        ("402\n", ["--cardinality", "3"], "--cardinality = '3': has no meaning with --audit"),
        ("402\n", ["--unseen", "me"], "--unseen = 'me': must be runs of the scores"),
        ("\n".join(str(401 + number) for number in range(12)), [], "topics = 12: must leave out a topic"),
    ],
)
def test_lists_that_are_refused(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path, content: str, options: list[str], said: str
) -> None:
    path = tmp_path / "list.txt"
    path.write_text(content)
    assert said in refusal(capsys, file, "--audit", str(path), *options)
