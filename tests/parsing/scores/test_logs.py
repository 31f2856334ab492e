"""Logs of evaluation programs: read as they were drawn, or refused with file and place."""

import io
import json
import zipfile
import zlib
from collections.abc import Callable
from typing import Any

import numpy as np
import pyarrow
import pytest

from tests.parsing import format_example_logs as examples
from tests.parsing.formats_drawn import RUNS, TOPICS, Example, drawn_scores
from tests.parsing.packed import zipped
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError, TopicsetError
from topicset_core.parsing import Choices, limits, read_score_files
from topicset_core.parsing.choices import RepeatedScores
from topicset_core.parsing.scores.replicated import read_replicated

Edit = Callable[[Any], object]


def _matrices(*files: tuple[str, bytes | str], choices: Choices | None = None) -> dict[str, ScoreMatrix]:
    result = read_score_files(files, choices)
    if result.errors:
        raise result.errors[0]
    return {matrix.measure: matrix for matrix in result.matrices}


def _notes(*files: tuple[str, bytes | str]) -> str:
    return " ".join(read_score_files(files).recognised)


def _json(value: object) -> str:
    return json.dumps(value)


def _lines(values: list[dict[str, Any]]) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in values)


def _eval(log: dict[str, Any], *, leave_out: str = "", more: bytes = b"{}") -> bytes:
    """The members of an archive that Inspect 0.3.285 writes, by zipfile, in its order."""
    header = {key: value for key, value in log.items() if key != "samples"}
    members = {
        "_journal/start.json": b"{}",
        f"samples/{TOPICS[0]}_epoch_1.json": more,
        "summaries.json": _json(log["samples"]).encode(),
        "header.json": _json(header).encode(),
    }
    members.pop(leave_out, None)
    return zipped(members)


def _in_zstandard(content: bytes, wrong: int = 0) -> bytes:
    """The same archive with members as Inspect packs them, which zipfile writes from Python 3.14 on only."""
    result = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        members = {info.filename: archive.read(info) for info in archive.infolist()}
    with zipfile.ZipFile(result, "w") as archive:
        for name, text in members.items():
            archive.writestr(name, pyarrow.compress(text, "zstd", asbytes=True))
    packed = bytearray(result.getvalue())
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        infos, at = archive.infolist(), archive.start_dir
    for info in infos:
        checksum, size = zlib.crc32(members[info.filename]) ^ wrong, len(members[info.filename])
        for begin in (info.header_offset + 8, at + 10):  # of the local header, and of the directory
            packed[begin : begin + 2] = (93).to_bytes(2, "little")
            packed[begin + 6 : begin + 10] = checksum.to_bytes(4, "little")
            packed[begin + 14 : begin + 18] = size.to_bytes(4, "little")
        at += 46 + len(info.filename)
    return bytes(packed)


# Inspect


@pytest.mark.parametrize("pack", [bytes, _in_zstandard], ids=["deflate", "zstandard"])
def test_archives_of_inspect_equal_its_json(pack: Callable[[bytes], bytes]) -> None:
    logs = [examples.inspect_log(run) for run in range(len(RUNS))]
    packed = [(f"{run}.eval", pack(_eval(log))) for run, log in enumerate(logs)]
    assert _matrices(*packed) == _matrices(*((f"{run}.json", _json(log)) for run, log in enumerate(logs)))
    assert _matrices(*packed)["rating"].name == "words"
    # In an archive of the user's, too.
    both = zipped({"a.eval": packed[0][1], "b.eval": packed[1][1]})
    assert _matrices(("logs.zip", both)) == _matrices(*packed)


def test_archives_with_a_wrong_checksum_are_refused() -> None:
    content = _in_zstandard(_eval(examples.inspect_log(0)), wrong=1)
    with pytest.raises(
        ParseError, match=r"a\.eval: expected a whole zip archive, found a damaged one \(wrong checksum"
    ):
        _matrices(("a.eval", content))


def test_epochs_are_averaged_in_a_matrix_and_kept_as_repeats() -> None:
    files = [(f"{run}.json", _json(examples.inspect_log(run, epochs=2))) for run in range(len(RUNS))]
    drawn = np.array(drawn_scores(("rating", "rubric.clarity"), 22)["rating"])
    assert _matrices(*files)["rating"].scores == pytest.approx(drawn - 0.125, abs=1e-15)  # .25 in one of two
    # Two values .25 apart have the standard deviation .25 / sqrt(2); clarity does not vary.
    assert "(2 each, standard deviation rating 0.1768, rubric.clarity 0)" in _notes(*files)
    repeated = read_replicated(files, "rating")
    assert (repeated.topics, repeated.systems, repeated.repeats) == (TOPICS, RUNS, ("1", "2"))
    assert repeated.scores[:, :, 1] == pytest.approx(drawn - 0.25, abs=1e-15)
    with pytest.raises(ParseError, match=r"expected one measure, found 'rating', 'rubric\.clarity'"):
        read_replicated(files)


def test_letters_of_inspect_are_numbers() -> None:
    log = examples.inspect_log(0)
    for sample, value in zip(log["samples"], ("C", "I", "P"), strict=True):
        sample["scores"] = {"match": {"value": value}}
    assert _matrices(("a.json", _json(log)))["match"].scores.tolist() == [[1], [0], [0.5]]
    log["samples"][1]["scores"] = None  # an error ended it
    log["status"] = "error"
    with pytest.raises(ParseError, match=r"a\.json, sample 2: 1 score is missing"):
        _matrices(("a.json", _json(log)))
    assert "The status of a.json is 'error'" in _notes(
        ("a.json", _json({**log, "samples": log["samples"][::2]}))
    )


def test_a_log_of_inspect_costs_its_summaries_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    content = _eval(examples.inspect_log(0), more=b"x" * 100_000)
    monkeypatch.setattr(limits, "LARGEST_SCORES", 50_000)
    assert _matrices(("a.eval", content))
    monkeypatch.setattr(limits, "LARGEST_SCORES", 500)
    with pytest.raises(ParseError, match=r"a\.eval: expected at most 200 MB once unpacked"):
        _matrices(("a.eval", content))


@pytest.mark.parametrize("missing", ["header.json", "summaries.json"])
def test_unfinished_logs_of_inspect_are_refused(missing: str) -> None:
    with pytest.raises(ParseError, match=r"a\.eval: expected the log of a finished evaluation"):
        _matrices(("a.eval", _eval(examples.inspect_log(0), leave_out=missing)))


# lm-evaluation-harness


def test_tasks_of_the_harness_are_matrices_of_their_own() -> None:
    files = [
        (f"out/{run}/samples_{task}_{examples.STAMP}.jsonl", _lines(examples.harness_samples(place, seed)))
        for seed, task in ((21, "words"), (26, "numbers"))
        for place, run in enumerate(RUNS)
    ]
    result = read_score_files(files)
    assert {matrix.name for matrix in result.matrices} == {"words", "numbers"}
    assert all(matrix.systems == RUNS for matrix in result.matrices)
    assert {matrix.measure for matrix in result.matrices} == {
        "acc", "exact_match,strict-match", "exact_match,flexible-extract"
    }  # fmt: skip
    assert "Left out (no number per sample): 'f1'." in " ".join(result.recognised)


def test_a_model_twice_is_named_after_its_files() -> None:
    text = _lines(examples.harness_samples(0))
    files = [(f"m/samples_words_2026-01-0{day}T03-04-05.1.jsonl", text) for day in (1, 2)]
    assert _matrices(*files)["acc"].systems == tuple(name[2:-6] for name, _ in files)


def test_means_of_the_harness_are_refused_with_what_to_upload() -> None:
    summary = {
        "results": {"words": {"acc,none": 0.5}},
        "configs": {"words": {"tags": []}},
        "n-shot": {"words": 0},
        "date": 1.5,
    }
    with pytest.raises(ParseError, match=r"results\.json: .*upload its samples_\*\.jsonl"):
        _matrices(("results.json", _json(summary)))


@pytest.mark.parametrize(
    "log",
    [examples.inspect_log(0), examples.mteb_task(0, 0), examples.promptfoo_export()],
    ids=["a", "b", "c"],
)
def test_two_logs_in_one_file_are_refused(log: dict[str, Any]) -> None:
    with pytest.raises(ParseError, match=r"m/a\.json, line 2: expected one log, found 2 objects"):
        _matrices(("m/a.json", _lines([log, log])))


def test_a_sample_twice_is_refused_by_line() -> None:
    samples = examples.harness_samples(0)
    with pytest.raises(RepeatedScores, match="found another on line 2") as caught:
        _matrices(("a.jsonl", _lines([*samples, samples[1]])))
    assert caught.value.line == len(samples) + 1


# MTEB


def test_results_of_models_in_one_file_equal_those_of_their_folders() -> None:
    models = [
        {"model_name": run, "model_revision": "1", "task_results": [examples.mteb_task(t, place) for t in range(3)]}
        for place, run in enumerate(RUNS)
    ]  # fmt: skip
    expected = ScoreMatrix(
        scores=drawn_scores(("main_score",), 23)["main_score"],  # type: ignore[arg-type]
        topics=TOPICS,
        systems=RUNS,
        measure="main_score",
        name="all",
    )
    assert _matrices(("all.json", _json({"model_results": models})))["main_score"] == expected
    folders: dict[str, bytes] = {name: text.encode() for name, text in examples.mteb().files}
    folders |= {f"results/{run}/no_revision_available/model_meta.json": b'{"name": "m"}' for run in RUNS}
    packed = ("all.zip", zipped(folders))
    assert _matrices(packed)["main_score"] == expected
    assert "Left out of the archive" in _notes(packed)


def _in_splits(run: int, *splits: str, row: int = 0) -> dict[str, Any]:
    """Results of a task with the same subsets in several splits."""
    task = examples.mteb_task(row, run)
    (one,) = task["scores"]["test"]
    return {**task, "scores": {split: [one, {**one, "hf_subset": "en"}] for split in splits}}


def test_a_model_with_more_splits_joins_those_with_test_alone() -> None:
    files = [
        ("A/task.json", _json(_in_splits(0, "test"))),
        ("B/task.json", _json(_in_splits(1, "train", "dev", "test"))),
    ]
    (matrix,) = _matrices(*files).values()
    assert matrix.topics == ("0001", "0001 (en)")
    assert matrix.systems == RUNS
    assert "In 1 of the 2 files: Only the split 'test' was read; left out: 'train', 'dev' (--split" in _notes(
        *files
    )
    with pytest.raises(ParseError, match="expected the folder of the model"):
        _matrices(("task.json", _json(_in_splits(0, "test"))))


def test_the_chosen_split_is_read_and_a_missing_one_refused() -> None:
    file = ("B/task.json", _json(_in_splits(1, "train", "dev", "test")))
    (matrix,) = _matrices(file, choices=Choices(split="dev")).values()
    assert matrix.topics == ("0001 (dev)", "0001 (dev, en)")
    expected = (
        r"B/task\.json: expected scores of the split 'valid', found 'train', 'dev', 'test'; choose .*--split"
    )
    with pytest.raises(ParseError, match=expected):
        _matrices(file, choices=Choices(split="valid"))
    # Of several datasets in one file those without the split are left out by name.
    models = [{"model_name": "B", "task_results": [_in_splits(1, "dev"), _in_splits(1, "test", row=1)]}]
    result = read_score_files([("all.json", _json({"model_results": models}))], Choices(split="dev"))
    assert result.matrices[0].topics == ("0001 (dev)", "0001 (dev, en)")
    assert "Left out, without the split 'dev': '0002'." in result.recognised


def test_splits_without_test_are_topics_of_their_own() -> None:
    (matrix,) = _matrices(("A/task.json", _json(_in_splits(0, "dev", "dev2")))).values()
    assert matrix.topics == ("0001 (dev)", "0001 (dev, en)", "0001 (dev2)", "0001 (dev2, en)")
    # A model with test alone has none of these topics: no split stands for another.
    files = [("A/task.json", _json(_in_splits(0, "dev"))), ("B/task.json", _json(_in_splits(1, "test")))]
    with pytest.raises(ParseError, match="4 scores are missing"):
        _matrices(*files)


# promptfoo


def test_repeats_of_promptfoo_are_averaged_and_kept() -> None:
    file = ("export.json", _json(examples.promptfoo_export(repeats=2)))
    once = ("export.json", _json(examples.promptfoo_export()))
    for measure, matrix in _matrices(file).items():
        assert matrix.topics == ("0", "2", "4")
        assert matrix.scores.tolist() == _matrices(once)[measure].scores.tolist()
    repeated = read_replicated([file], "polite")
    assert (repeated.topics, repeated.repeats) == (("0", "2", "4"), ("1", "2"))


def test_json_lines_of_promptfoo_equal_its_export() -> None:
    export = examples.promptfoo_export()
    lines = _lines(export["results"]["results"])
    assert _matrices(("export.jsonl", lines)) == _matrices(("export.json", _json(export)))


def test_prompts_are_runs_and_failed_providers_have_no_score() -> None:
    export = examples.promptfoo_export()
    results = export["results"]["results"]
    second = [{**one, "prompt": {"label": "Please say {{word}}"}} for one in results]
    export["results"]["results"] = [*results, *second]
    matrix = _matrices(("export.json", _json(export)))["score"]
    assert matrix.systems == ("A, prompt 1", "B, prompt 1", "A, prompt 2", "B, prompt 2")
    results[1]["failureReason"] = 2
    with pytest.raises(ParseError, match=r"export\.json, result 2: 1 score is missing"):
        _matrices(("export.json", _json(export)))


# ragas


def test_long_questions_of_ragas_are_numbered() -> None:
    rows = examples.ragas_rows(0)
    rows["user_input"] = "x" * 600
    matrix = _matrices(("a.csv", rows.to_csv(index=False)))["faithfulness"]
    assert matrix.topics == ("1", "2", "3")
    text = examples.ragas_rows(0).to_csv(index=False)
    with pytest.raises(ParseError, match=r"a\.csv, line 8: .*opened and not closed"):
        _matrices(("a.csv", text.rpartition('"')[0]))


# All


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda log: log["samples"][1].pop("id"), "expected an id in sample 2, found 'nothing'"),
        (lambda log: log["samples"].append(log["samples"][0]), "sample 4: .* found '0001', epoch 1 of sample 1"),
        (lambda log: log["samples"][1]["scores"]["rating"].update(value="high"), "sample 2: .*found 'high'"),
        (lambda log: log["samples"][1]["scores"]["rating"].update(value=1e400), "sample 2: .*a finite number"),
        (lambda log: log["samples"][1]["scores"]["rating"].pop("value"), "sample 2: 1 score is missing"),
        (lambda log: log["samples"][1]["scores"]["rating"].update(value=np.nan), "sample 2: 1 score is missing"),
        (lambda log: log["samples"][1]["scores"].update(rating=0.5), "rating of sample 2: expected an object"),
        (lambda log: log["samples"][1].update(scores=[]), "scores of sample 2: expected an object"),
        (lambda log: log["samples"][1].update(id="a\u0000"), "expected an id in sample 2, found 'a"),
        (lambda log: log["samples"][1].update(id="\ud800"), "expected an id in sample 2"),
        (lambda log: log["samples"][1].update(id="a\u202e"), "U\\+202E controls how text is displayed"),
        (lambda log: log["eval"].update(model="a\u202e"), "U\\+202E controls how text is displayed"),
        (lambda log: log["eval"].update(task=""), "expected a task in the log"),
        (lambda log: log.update(samples=[]), "expected a list of samples in the log"),
        (lambda log: log.pop("samples"), "expected a list of samples in the log, found 'nothing'"),
        (lambda log: [one.pop("scores") for one in log["samples"]], "expected numbers for scores of samples"),
    ],
)  # fmt: skip
def test_bent_logs_are_refused_with_their_place(edit: Edit, words: str) -> None:
    log = examples.inspect_log(0)
    edit(log)
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(("a.json", _json(log)))
    assert caught.value.file == "a.json"


def test_objects_and_lists_of_logs_are_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_CELLS", 20)
    for new in (examples.harness, examples.inspect, examples.promptfoo):
        with pytest.raises(ParseError, match="expected at most 20 cells"):
            _matrices(new().files[0])


def _places(value: Any) -> list[tuple[Any, Any]]:
    """Every key and place of objects and lists within a value."""
    parts = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [place for key, part in parts for place in ((value, key), *_places(part))]


def _bent(value: Any, rng: np.random.Generator) -> str:
    """Return JSON with a part removed, repeated, renamed or of another type, or cut off."""
    places = _places(value)
    odd: tuple[object, ...] = (
        None,
        float("nan"),
        float("inf"),
        -1,
        True,
        "",
        "high",
        "a\u202e",
        "\ud800",
        [],
        {},
        [1],
        {"a": 1},
        10**400,
    )
    owner, key = places[int(rng.integers(len(places)))]
    other = places[int(rng.integers(len(places)))]
    match rng.integers(5):
        case 0:
            del owner[key]
        case 1:
            owner[key] = odd[int(rng.integers(len(odd)))]
        case 2 if isinstance(owner, list):
            owner.append(owner[key])
        case 2 | 3:
            owner[key] = json.loads(json.dumps(other[0][other[1]]))
        case _:
            text = json.dumps(value)
            return text[: int(rng.integers(len(text)))]
    return json.dumps(value)


@pytest.mark.parametrize(
    "new",
    [
        examples.harness,
        examples.inspect,
        examples.mteb,
        examples.promptfoo,
        examples.swe_bench,
        examples.helm,
        examples.deepeval,
        examples.openai_evals,
        examples.alpaca_eval,
        examples.ragas_json,
        examples.ragas_csv,
        pytest.param(None, id="eval"),
    ],
)
def test_200_bent_copies_are_read_or_refused_with_their_place(new: Callable[[], Example] | None) -> None:
    """Other exceptions fail the test; what is read has only numbers."""
    rng, refusals = np.random.default_rng(44), []
    whole = examples.inspect() if new is None else new()
    name, text = whole.files[0]
    packed = [_eval(examples.inspect_log(0)), _in_zstandard(_eval(examples.inspect_log(0)))]
    for copy in range(200):
        content: bytes | str
        if new in (examples.ragas_csv, None):
            content = text.encode() if new else packed[copy % 2]
            at, to = sorted(int(one) for one in rng.integers(0, len(content), 2))
            kept = content[: at + 1] + content[min(to, at + 20) :]
            content = (content[:to], kept, content[:at] + b'9"' + content[at + 2 :])[int(rng.integers(3))]
        elif name.endswith(".jsonl"):
            lines = [json.loads(line) for line in text.splitlines()]
            bent = [_bent(one, rng) if rng.random() < 0.2 else json.dumps(one) for one in lines]
            content = "\n".join(bent[: int(rng.integers(len(bent))) + 1] if rng.random() < 0.2 else bent)
        else:
            content = _bent(json.loads(text), rng)
        try:
            for matrix in _matrices((name, content), *whole.files[1:]).values():
                assert np.isfinite(matrix.scores).all()
        except TopicsetError as error:
            refusals.append(str(error))
    assert 20 < len(refusals) < 200
    assert all(one.startswith(tuple(file for file, _ in whole.files)) for one in refusals)
