"""``topic-variance``: the same numbers as the core, the same bytes for the same seed, clear refusals."""

import json
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.reference_data import reference_data, reference_file
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.study import record, topic_variance
from topicset_core.cli import main
from topicset_core.designs.paired_t import Requirements, required_topics
from topicset_core.parsing.trec_track import read_track

SINGLE = ("krcc", "raw_significant_share", "mean_rejection_rate", "almost_never_significant_share")
SINGLE += ("estimated_difference", "estimated_difference_shifted")  # fmt: skip


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    """Three runs of 30 documents on six topics, each a little better than the last, and judgments."""
    rng = np.random.default_rng(3)
    runs = tmp_path / "runs"
    runs.mkdir()
    relevant = {str(topic): set(rng.choice(60, 9, replace=False).tolist()) for topic in range(1, 7)}
    for number in range(3):
        lines = []
        for topic, good in relevant.items():
            scores = rng.normal(0, 1, 60) + np.isin(np.arange(60), list(good)) * (1 + 0.15 * number)
            best = np.argsort(-scores)[:30]
            lines += [
                f"{topic} Q0 d{document} {rank} {scores[document]:.4f} run{number}"
                for rank, document in enumerate(best)
            ]
        (runs / f"run{number}.txt").write_text("\n".join(lines))
    judged = [f"{topic} 0 d{document} 1" for topic, good in relevant.items() for document in sorted(good)]
    (tmp_path / "qrels.txt").write_text("\n".join([*judged, "1 0 other 0"]))
    return ["--qrels", str(tmp_path / "qrels.txt"), "--runs", str(runs)]


def _printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["topic-variance", *arguments]) == 0
    printed = capsys.readouterr()
    assert not printed.err
    return printed.out


def _refusal(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as stop:
        main(["topic-variance", *arguments])
    printed = capsys.readouterr()
    assert stop.value.code == 2
    assert printed.err.count("\n") == 1
    return printed.err


@pytest.mark.parametrize("model", ["bst", "kde"])
def test_the_record_is_the_core_s_and_has_every_number_with_its_error(
    capsys: pytest.CaptureFixture[str], files: list[str], model: Any
) -> None:
    options = ["--model", model, "--trials", "70", "--seed", "5"]
    found = json.loads(_printed(capsys, *files, *options, "--json"))
    track = read_track(
        [(path.name, path) for path in sorted(Path(files[3]).iterdir())],
        [("qrels.txt", Path(files[1]))],
        keep_scores=True,
    )
    settings = Settings(model=model, n_trials=70, seed=5)
    expected = record(topic_variance(track.judged[0], settings, [one.run for one in track.runs]))
    assert found.pop("recognised") == []
    assert found.pop("topics_needed")["min_d"] == 0.1
    assert found == json.loads(json.dumps(expected))
    for name in SINGLE:
        assert set(found[name]) == {"value", "standard_error"}
    assert len(found["error_rates"]) == 21
    assert all(set(rate) == {"value", "standard_error"} for rate in found["error_rates"])


def test_the_same_seed_gives_the_same_bytes_and_another_does_not(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    options = [*files, "--model", "kde", "--trials", "60", "--json"]
    first, again, other = (
        _printed(capsys, *options, "--seed", seed) for seed in ("1", "1", "2")
    )  # text, so that a key in another place would count
    assert first == again
    assert first != other


def test_every_option_reaches_the_settings(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    options = ["--measure", "nDCG@7", "--denominator", "fixed", "--bandwidth", "silverman", "--alpha", ".1"]
    found = json.loads(_printed(capsys, *files, "--model", "kde", "--trials", "5", *options, "--json"))
    assert found["settings"] == {
        "model": "kde",
        "measure": "nDCG",
        "depth": 7,
        "relevance_level": 1,
        "denominator": "fixed",
        "bandwidth": "silverman",
        "n_trials": 5,
        "alpha": 0.1,
        "seed": 0,
    }


def test_the_text_has_the_answer_and_the_table(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    options = [*files, "--model", "bst", "--trials", "50"]
    text = _printed(capsys, *options)
    found = json.loads(_printed(capsys, *options, "--json"))
    turned = f"{100 * found['overall_error_rate']['value']:.1f}"
    assert text.startswith(f"Of 100 pairs of runs, {turned} stand in another order than in the original")
    assert 0 < found["krcc"]["value"] < 1
    tau = f"{found['krcc']['value']:.4f} {found['krcc']['standard_error']:.4f}"
    assert f"KRCC: mean Kendall's τ with the raw ranking [as printed] {tau}" in " ".join(text.split())
    tied = sum(found["n_tied"].values())
    assert f"{found['n_unjudged']:,} documents of the lists are not judged" in text
    assert f"{tied:,} have the score of another" in text
    assert max(map(len, text.splitlines()[2:])) <= 160


def test_topics_needed_for_the_difference_asked_for(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    options = [*files, "--model", "bst", "--trials", "50", "--min-d", "0.2"]
    found = json.loads(_printed(capsys, *options, "--json"))
    split = found["components"]
    # The variance of a difference of two runs is twice that of a score: design of a paired t test.
    with_noise, without = (
        required_topics(Requirements(alpha=0.05, beta=0.2, min_d=0.2, difference_variance=2 * variance))
        for variance in (split["residual"], split["interaction"])
    )
    assert found["topics_needed"] == {
        "min_d": 0.2,
        "with_noise": with_noise.required_topics,
        "without_noise": without.required_topics,
    }
    said = f"To detect 0.2 AP with 80 % power a paired t test needs {with_noise.required_topics:,} topics"
    assert said in _printed(capsys, *options)


def test_scores_that_are_all_equal_are_answered_and_named(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    """A run whose score column says nothing: resampled in the order of its ids, as trec_eval sees it."""
    path = Path(files[3]) / "run0.txt"
    lines = [line.split() for line in path.read_text().splitlines()]
    path.write_text("\n".join(" ".join([*cells[:4], "0", cells[5]]) for cells in lines))
    found = json.loads(_printed(capsys, *files, "--model", "kde", "--trials", "20", "--json"))
    named = found["cells_with_remarks"]
    assert {run for run, _ in named["constant"]} == {"run0"}
    assert found["n_tied"]["run0"] == 180
    text = _printed(capsys, *files, "--model", "kde", "--trials", "20")
    assert f"{len(named['constant'])} cells constant" in text


def test_a_topic_without_relevant_documents_scores_zero_and_is_named(
    capsys: pytest.CaptureFixture[str], files: list[str]
) -> None:
    qrels = Path(files[1])
    lines = [line for line in qrels.read_text().splitlines() if not line.startswith("6 ")]
    qrels.write_text("\n".join([*lines, "6 0 d1 0", "77 0 d1 1"]))
    found = json.loads(_printed(capsys, *files, "--model", "bst", "--trials", "10", "--json"))
    assert found["topics_without_relevant"] == ["6"]
    assert found["cells_with_remarks"] == {"nothing_found": [[f"run{run}", "6"] for run in range(3)]}
    assert found["left_out_topics"] == ["77"]
    assert "Left out, as no run has them: topics 77." in _printed(
        capsys, *files, "--model", "bst", "--trials", "10"
    )


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--trials", "0"], "--trials = 0"),
        (["--seed", "-1"], "--seed = -1"),
        (["--min-d", "0"], "--min-d = 0.0"),
        (["--alpha", "1"], "--alpha = 1.0"),
        (["--relevance-level", "0"], "--relevance-level = 0"),
        (["--relevance-level", "2"], "relevance_level = 2: must be at most 1"),
        (["--measure", "P"], "--measure = None: must be given for P"),
        (["--measure", "P@0"], "--measure = 0"),
        (["--measure", "P@x"], "--measure = 'P@x': must have a whole number behind @"),
        (["--measure", "bpref"], "--measure = 'bpref': must be one of AP"),
        (["--model", "normal"], "--model"),
    ],
)
def test_wrong_options_are_refused(
    capsys: pytest.CaptureFixture[str], files: list[str], options: list[str], said: str
) -> None:
    assert said in _refusal(capsys, *files, "--model", "bst", *options)


def test_files_that_have_no_answer_are_refused(capsys: pytest.CaptureFixture[str], files: list[str]) -> None:
    path, runs = Path(files[1]), Path(files[3])
    asked = [*files, "--model", "bst", "--trials", "5"]
    (runs / "bad.txt").write_text("1 2 3\n")
    assert "bad.txt" in _refusal(capsys, *asked)
    (runs / "bad.txt").unlink()
    judged = path.read_text()
    path.write_text("99 0 d1 1\n")
    assert "expected judgments of one collection that runs have topics of, found 0" in _refusal(
        capsys, *asked
    )
    path.write_text(judged)
    (runs / "none.txt").write_text("1 Q0 nothing 1 5.0 none\n2 Q0 nothing 1 5.0 none\n")
    assert "'none': must have a relevant document" in _refusal(capsys, *asked)
    (runs / "none.txt").unlink()
    for number in (1, 2):
        (runs / f"run{number}.txt").unlink()
    assert "must be at least 2 runs" in _refusal(capsys, *asked)
    shutil.rmtree(runs)
    assert "runs" in _refusal(capsys, *asked)


@pytest.mark.reference_data
@pytest.mark.parametrize("model", ["bst", "kde"])
def test_robust_2003(capsys: pytest.CaptureFixture[str], model: str) -> None:
    qrels = str(reference_file("trec", "robust2003", "qrels.txt.gz"))
    runs = str(reference_data() / "trec" / "robust2003" / "runs")
    asked = ["--qrels", qrels, "--runs", runs, "--model", model, "--trials", "100", "--json"]
    found = json.loads(_printed(capsys, *asked))
    assert (found["n_topics"], found["n_systems"], found["n_pairs"]) == (100, 17, 136)
    # 109 of the 136 pairs: scipy's paired t test on trec_eval's scores gives the same (test_real_runs).
    assert found["raw_significant_share"] == {"value": 109 / 136, "standard_error": 0.0}
    assert 0.05 < found["almost_never_significant_share"]["value"] < 0.15
