"""SWE-bench, HELM, DeepEval, OpenAI Evals, AlpacaEval: read as they were drawn, or refused with what was found."""

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from tests.parsing import format_example_logs as examples
from tests.parsing.formats_drawn import RUNS, TOPICS, Example, drawn_scores
from tests.parsing.packed import zipped
from topicset_core.collection import ScoreMatrix
from topicset_core.errors import ParseError
from topicset_core.parsing import Choices, read_score_files
from topicset_core.parsing.choices import MissingScores, RepeatedScores
from topicset_core.parsing.limits import LONGEST_ID
from topicset_core.parsing.scores.replicated import read_replicated

Edit = Callable[[Any], object]


def _matrices(
    *files: tuple[str, bytes | str], choices: Choices | None = None
) -> dict[tuple[str, str], ScoreMatrix]:
    """The matrices by task and measure."""
    result = read_score_files(files, choices)
    if result.errors:
        raise result.errors[0]
    return {(matrix.name, matrix.measure): matrix for matrix in result.matrices}


def _notes(*files: tuple[str, bytes | str]) -> str:
    return " ".join(read_score_files(files).recognised)


def _lines(values: Sequence[object]) -> str:
    return "".join(f"{json.dumps(one)}\n" for one in values)


@pytest.mark.parametrize(
    "new", [examples.swe_bench, examples.helm, examples.deepeval, examples.openai_evals, examples.alpaca_eval]
)
def test_examples_are_read_with_all_digits(new: Callable[[], Example]) -> None:
    example = new()
    found = {measure: matrix for (_, measure), matrix in _matrices(*example.files).items()}
    assert found.keys() == example.scores.keys()
    for measure, scores in example.scores.items():
        assert found[measure].scores.tolist() == [list(row) for row in scores]
        assert found[measure].systems == RUNS


# SWE-bench


def _report(edit: Edit = lambda _: None) -> tuple[str, str]:
    report = examples.swe_bench_report(0)
    edit(report)
    return "gpt-4.1.run1.json", json.dumps(report)


def test_instances_of_swe_bench_are_those_that_were_evaluated() -> None:
    # 0005 is a prediction outside the evaluated part of the dataset, as with --instance_ids.
    file = _report(lambda report: report["submitted_ids"].append("0005"))
    ((_, matrix),) = _matrices(file).items()
    assert (matrix.topics, matrix.systems) == (TOPICS, ("gpt-4.1",))
    notes = _notes(file)
    assert "The score is 0 also for 1 instance with an empty patch." in notes
    assert (
        "Left out: 1 instance without a prediction ('0004'). SWE-bench counts these as not resolved" in notes
    )
    assert "Left out: 1 prediction that the report does not evaluate." in notes


def test_an_instance_without_a_prediction_of_one_run_is_a_missing_score() -> None:
    def drop(report: Any) -> None:
        report.update(empty_patch_ids=[], empty_patch_instances=0)
        report["submitted_ids"].remove("0003")
        report["incomplete_ids"].append("0003")

    files = [_report(drop), ("B.run1.json", json.dumps(examples.swe_bench_report(1)))]
    with pytest.raises(MissingScores, match="1 score is missing"):
        _matrices(*files)
    (matrix,) = _matrices(*files, choices=Choices(missing="zero")).values()
    assert matrix.scores.tolist() == [[1, 0], [1, 1], [0, 0]]


def test_two_reports_of_a_model_are_named_after_their_files() -> None:
    (matrix,) = _matrices(_report(), ("gpt-4.1.run2.json", _report()[1])).values()
    assert matrix.systems == ("gpt-4.1.run1", "gpt-4.1.run2")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda one: one.pop("completed_ids"), "expected a list of completed_ids, found 'nothing'"),
        (lambda one: one.pop("submitted_ids"), "expected a list of submitted_ids, found 'nothing'"),
        (lambda one: one.update(resolved_ids=17), "expected a list of resolved_ids, found '17'"),
        (lambda one: one["resolved_ids"].append("0001"), "once in resolved_ids, found '0001' again"),
        (lambda one: one["resolved_ids"].append("0009"), "expected 2 ids in resolved_ids, .* found 3"),
        (lambda one: one.update(resolved_ids=["0001", "0009"]), "among completed_ids, found '0009'"),
        (
            lambda one: one.update(error_ids=["0001"], error_instances=1),
            "resolved_ids and error_ids, found '0001'",
        ),
        (lambda one: one["completed_ids"].append({"id": 1}), "expected an instance id in completed_ids"),
        (
            lambda one: one.update({key: [] if key.endswith("_ids") else 0 for key in one}),
            "expected numbers for scores of samples, found none",
        ),
    ],
)
def test_bent_reports_of_swe_bench_are_refused(edit: Edit, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(_report(edit))
    assert caught.value.file == "gpt-4.1.run1.json"


# HELM

HELM_FILE = "runs/quiz:subject=words,model=A,eval_split=test/per_instance_stats.json"


def _helm(edit: Edit = lambda _: None, file: str = HELM_FILE) -> tuple[str, str]:
    entries = examples.helm_stats(0)
    edit(entries)
    return file, json.dumps(entries)


def test_what_helm_records_beside_scores_is_left_out_by_name() -> None:
    names = {task for task, _ in _matrices(_helm())}
    assert names == {"quiz:subject=words,eval_split=test"}
    notes = _notes(_helm())
    assert "Left out (no scores of answers): 'num_output_tokens'." in notes
    assert "Left out: perturbed forms of 3 instances ('typos')." in notes
    assert "Only the split 'test' was read; left out: 'valid' (--split reads another)." in notes
    with pytest.raises(ParseError, match="expected at least 2 topics, found only '0009'"):
        _matrices(_helm(), choices=Choices(split="valid"))
    with pytest.raises(ParseError, match="expected scores of the split 'dev', found 'test', 'valid'"):
        _matrices(_helm(), choices=Choices(split="dev"))


def test_trials_of_helm_are_averaged_in_a_matrix_and_kept_as_repeats() -> None:
    folders = {
        f"quiz:model={run}/per_instance_stats.json": json.dumps(examples.helm_stats(place, trials=2)).encode()
        for place, run in enumerate(RUNS)
    }
    file = ("v1.zip", zipped(folders))
    drawn = np.array(drawn_scores(("exact_match", "f1_score"), 27)["f1_score"])
    found = _matrices(file)["quiz", "f1_score"]
    assert found.scores == pytest.approx(drawn - 0.125, abs=1e-15)  # .25 less in one of two trials
    repeated = read_replicated([file], "f1_score")
    assert (repeated.topics, repeated.systems, repeated.repeats) == (TOPICS, RUNS, ("1", "2"))
    assert repeated.scores[:, :, 1] == pytest.approx(drawn - 0.25, abs=1e-15)


def test_a_file_of_helm_has_its_folder_or_the_name_of_its_run() -> None:
    (first, _) = _matrices(_helm(file="model-a.json")).values()
    assert first.systems == ("model-a",)
    for file in ("per_instance_stats.json", "quiz/per_instance_stats.json"):
        with pytest.raises(ParseError, match="expected the folder of the run in front of the file"):
            _matrices(_helm(file=file))


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda all_: all_[2].pop("instance_id"), "expected an instance_id in line 1, found 'nothing'"),
        (lambda all_: all_[2].pop("stats"), "expected a list of stats in line 1, found 'nothing'"),
        (lambda all_: all_[2].update(stats=[0.5]), "stats in line 1: expected an object, found '0.5'"),
        (lambda all_: all_[2].update(train_trial_index=-1), "a train_trial_index of 0 or more, found '-1'"),
        (lambda all_: all_[2].update(train_trial_index=0.5), "a train_trial_index of 0 or more, found '0.5'"),
        (lambda all_: all_[3].update(perturbation="typos"), "perturbation in line 1: expected an object"),
        (
            lambda all_: all_[2]["stats"][0].update(name="f1"),
            "the name of a statistic in line 1: expected an obj",
        ),
        (lambda all_: all_[2]["stats"][0].update(mean="high"), "expected a number, found 'high'"),
        (lambda all_: all_[2]["stats"][0].pop("mean"), "1 score is missing"),
        (lambda all_: all_.append(all_[0]), "expected one score"),
    ],
)
def test_bent_statistics_of_helm_are_refused(edit: Edit, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(_helm(edit))
    assert caught.value.file == HELM_FILE


# DeepEval


def _test_run(edit: Edit = lambda _: None) -> tuple[str, str]:
    run = examples.deepeval_run(0)
    edit(run)
    return "v1.json", json.dumps(run)


def test_a_metric_that_failed_has_no_score() -> None:
    # DeepEval leaves out what has no value, and gives the error in its place.
    file = _test_run(lambda run: run["testCases"][1].pop("metricsData"))
    with pytest.raises(MissingScores, match=r"test case 2: 1 score is missing"):
        _matrices(file)
    kept = _matrices(file, choices=Choices(missing="drop-topics"))
    assert kept["v1", "Faithfulness"].topics == ("test_case_0", "test_case_2")
    assert kept["v1", "success"].topics == ("test_case_0", "test_case_1", "test_case_2")


def test_conversations_and_identifiers_of_deepeval_are_read() -> None:
    def edit(run: Any) -> None:
        run["conversationalTestCases"], run["testCases"] = run["testCases"], []
        run["identifier"] = "my agent"
        for case, of in zip(run["conversationalTestCases"], ("a", "b", "b"), strict=True):
            case["metadata"] = {"category": of}

    matrix = _matrices(_test_run(edit))["v1", "Faithfulness"]
    assert matrix.systems == ("my agent",)
    assert matrix.groups == ("a", "b", "b")


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda run: run.update(testCases=[]), "expected a list of testCases"),
        (lambda run: run.update(testCases={}), "expected a list of testCases"),
        (lambda run: run["testCases"][1].pop("name"), "expected a name in test case 2, found 'nothing'"),
        (
            lambda run: run["testCases"].append(run["testCases"][0]),
            "test case 4: .*'test_case_0' of test case 1",
        ),
        (
            lambda run: run["testCases"][1].update(metricsData={"a": 1}),
            "a list of metricsData of test case 2",
        ),
        (
            lambda run: run["testCases"][1]["metricsData"][0].pop("name"),
            "the name of a metric in test case 2",
        ),
        (
            lambda run: run["testCases"][1]["metricsData"][0].update(score="x"),
            "case 2: .*a number, found 'x'",
        ),
        (
            lambda run: run["testCases"][1]["metricsData"].extend(run["testCases"][1]["metricsData"]),
            "each metric",
        ),
        (lambda run: run.update(identifier=[]), "expected an identifier of the test run"),
    ],
)
def test_bent_test_runs_of_deepeval_are_refused(edit: Edit, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(_test_run(edit))
    assert caught.value.file == "v1.json"


# OpenAI Evals


def _evals(edit: Edit = lambda _: None) -> tuple[str, str]:
    events = examples.openai_evals_log(0)
    edit(events)
    return "a.jsonl", _lines(events)


def test_a_sample_whose_evaluation_failed_has_no_score() -> None:
    def fail(events: Any) -> None:
        events[2].update(type="error", data={"type": "Timeout", "message": "none"})

    with pytest.raises(MissingScores, match=r"a\.jsonl, line 2: 1 score is missing"):
        _matrices(_evals(fail))


def test_texts_among_metrics_graders_and_unfinished_logs_are_named() -> None:
    def edit(events: Any) -> None:
        events.pop()
        events[0]["spec"]["completion_fns"].append("judge")
        for event in events[3::3]:
            event["data"]["choice"] = "A"

    notes = _notes(_evals(edit))
    assert "Left out (no number per sample): 'choice'." in notes
    assert "The run is the first completion function; the others are 'judge'." in notes
    assert "a.jsonl has no final report: some samples may have no scores." in notes


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda all_: all_.append(all_[0]), "line 12: expected one spec per file, found another"),
        (lambda all_: all_[0]["spec"].update(completion_fns=[]), "expected a list of completion_fns"),
        (lambda all_: all_[0]["spec"].pop("eval_name"), "expected an eval_name in the spec, found 'nothing'"),
        (lambda all_: all_[2].update(sample_id={}), "expected a sample_id in line 3"),
        (lambda all_: all_[2].pop("data"), "data in line 3: expected an object, found 'nothing'"),
        (lambda all_: all_[2]["data"].update(correct="yes"), "line 3: expected true or false for 'correct'"),
        (lambda all_: all_[3]["data"].update(f1_score="high"), "line 4: .*expected a number, found 'high'"),
    ],
)
def test_bent_logs_of_openai_evals_are_refused(edit: Edit, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(_evals(edit))
    assert caught.value.file == "a.jsonl"


def test_several_matches_of_a_sample_are_for_the_user_to_average() -> None:
    file = _evals(lambda events: events.insert(4, events[2]))
    with pytest.raises(RepeatedScores, match=r"line 5: .*found another on line 3"):
        _matrices(file)
    assert _matrices(file, choices=Choices(repeats="average"))


# AlpacaEval


def _annotations(edit: Edit = lambda _: None) -> tuple[str, str]:
    rows = examples.alpaca_annotations(0)
    edit(rows)
    return "annotations.json", json.dumps(rows, indent=1)


def test_preferences_are_wins_over_the_baseline() -> None:
    def edit(rows: Any) -> None:
        for row, preference, dataset in zip(rows, (1.179, 0, 1.5), "abb", strict=True):
            row.update(preference=preference, dataset=dataset)

    matrix = _matrices(_annotations(edit))["AlpacaEval, baseline base, annotator judge", "win"]
    assert matrix.scores.tolist() == [[0.179], [0.5], [0.5]]  # 1.179 - 1 in binary ends in ...00005
    assert matrix.groups == ("a", "b", "b")
    assert "Scores are wins over the baseline 'base': the preference less 1, .5 for a tie." in _notes(
        _annotations()
    )


def test_annotations_with_and_without_lists_are_equal() -> None:
    def edit(rows: Any) -> None:
        for row in rows:
            row["raw_completion"] = [{"name": "A", "rank": 1}]
            row["glm_preference"] = 0.4

    assert _matrices(_annotations(edit)) == _matrices(_annotations())
    assert "Left out: 'glm_preference'" in _notes(_annotations(edit))


def test_long_instructions_are_shortened_and_stay_apart() -> None:
    def edit(rows: Any) -> None:
        for number, row in enumerate(rows):
            row["instruction"] = "Say\n it. " * 200 + str(number)

    ((_, matrix),) = _matrices(_annotations(edit)).items()
    assert len(set(matrix.topics)) == 3
    assert all(one.startswith("Say it. Say it.") and len(one.encode()) < LONGEST_ID for one in matrix.topics)


def test_other_baselines_and_annotators_are_other_matrices() -> None:
    def other(key: str) -> Edit:
        return lambda rows: [row.update({key: "other", "generator_2": "B"}) for row in rows]

    for key in ("generator_1", "annotator"):
        found = _matrices(_annotations(), ("b.json", _annotations(other(key))[1]))
        assert [matrix.systems for matrix in found.values()] == [("A",), ("B",)]
    one = ("b.json", _annotations(other("dataset"))[1])
    ((_, matrix),) = _matrices(_annotations(), one).items()
    assert matrix.systems == ("A", "B")
    assert matrix.groups is None  # files name different ones


def test_several_models_in_a_file_are_its_runs() -> None:
    rows = [row for run in range(len(RUNS)) for row in examples.alpaca_annotations(run)]
    (matrix,) = _matrices(("all.json", json.dumps(rows))).values()
    assert matrix.systems == RUNS
    assert matrix.scores.tolist() == drawn_scores(("win",), 30)["win"]


@pytest.mark.parametrize(
    ("edit", "words"),
    [
        (lambda rows: rows[1].pop("instruction"), "expected an instruction in line 12"),
        (lambda rows: rows[1].update(generator_2=None), "expected a generator_2 in line 12"),
        (lambda rows: rows[1].update(generator_1="c"), "expected one baseline .* found 'base', 'c'"),
        (lambda rows: rows[1].update(annotator="c"), "expected one annotator per file, found 'judge', 'c'"),
        (
            lambda rows: rows[1].update(preference=2.1),
            "line 12: expected a preference from 1 to 2, found '2.1'",
        ),
        (
            lambda rows: rows[1].update(preference="m"),
            "line 12: expected a preference from 1 to 2, found 'm'",
        ),
        (lambda rows: rows[1].update(preference="1,5"), "expected a preference from 1 to 2, found '1,5'"),
        (
            lambda rows: rows[1].update(preference="1e999999999999999999999"),
            "expected a preference from 1 to 2",
        ),
        (lambda rows: rows[1].update(preference=None), "line 12: 1 score is missing"),
        (lambda rows: rows.append(rows[0]), "line 32: .*found another on line 2"),
    ],
)
def test_bent_annotations_of_alpaca_eval_are_refused(edit: Edit, words: str) -> None:
    with pytest.raises(ParseError, match=words) as caught:
        _matrices(_annotations(edit))
    assert caught.value.file == "annotations.json"
