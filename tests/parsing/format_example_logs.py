"""Examples of logs of evaluation programs, with drawn scores, in the shapes that the programs wrote here.

lm-evaluation-harness 0.4.13, Inspect 0.3.285, promptfoo 0.123.1 and ragas 0.4.3 were installed and wrote logs of a
dummy model. The other shapes are those of the sources: MTEB 2.26 (`TaskResult.to_disk`), SWE-bench 5.0.2
(`make_run_report`), HELM 0.5.16 (`PerInstanceStats`), DeepEval 4.3.1 (`TestRun`), OpenAI Evals 3.0.1
(`LocalRecorder`) and AlpacaEval 0.6.6 (`annotations.json`).
"""

import json
from typing import Any

import pandas as pd

from tests.parsing.formats_drawn import RUNS, TOPICS, Example, drawn_scores

STAMP = "2026-01-02T03-04-05"


def harness_samples(run: int, seed: int = 21) -> list[dict[str, Any]]:
    scores = drawn_scores(("acc", "strict-match", "flexible-extract"), seed)
    results = []
    for measure, table in scores.items():
        for row, topic in enumerate(TOPICS):
            metrics = (
                {"acc": table[row][run], "f1": [1, 0]}
                if measure == "acc"
                else {"exact_match": table[row][run]}
            )
            results.append(
                {
                    "doc_id": topic,
                    "doc": {"question": f"Question {topic}?", "answer": "42"},
                    "target": "42",
                    "arguments": {"gen_args_0": {"arg_0": f"Question {topic}?", "arg_1": {"until": ["x"]}}},
                    "resps": [["42"]],
                    "filtered_resps": ["42"],
                    "filter": "none" if measure == "acc" else measure,
                    "metrics": list(metrics),
                    "doc_hash": "ab12",
                    **metrics,
                }
            )
    return results


def harness() -> Example:
    scores = drawn_scores(("acc", "strict-match", "flexible-extract"), 21)
    files = (
        (
            f"{run}/samples_words_{STAMP}.123456.jsonl",
            "".join(f"{json.dumps(one)}\n" for one in harness_samples(place)),
        )
        for place, run in enumerate(RUNS)
    )
    names = ("acc", "exact_match,strict-match", "exact_match,flexible-extract")
    return Example(tuple(files), dict(zip(names, scores.values(), strict=True)))


def inspect_log(run: int, epochs: int = 1) -> dict[str, Any]:
    """A log of Inspect; in epoch 2 all scores are those of epoch 1 less 0.25."""
    scores = drawn_scores(("rating", "rubric.clarity"), 22)
    samples = [
        {
            "id": topic,
            "epoch": epoch,
            "input": f"Question {topic}?",
            "target": ["42"],
            "scores": {
                "rating": {
                    "value": scores["rating"][row][run] - 0.25 * (epoch - 1),
                    "answer": "42",
                    "history": [],
                },
                "rubric": {"value": {"clarity": scores["rubric.clarity"][row][run]}},
                "choice": {"value": "A"},
            },
            "metadata": {},
        }
        for epoch in range(1, epochs + 1)
        for row, topic in enumerate(TOPICS)
    ]
    return {
        "version": 2,
        "status": "success",
        "eval": {"task": "words", "model": RUNS[run], "dataset": {"sample_ids": list(TOPICS)}},
        "results": {"total_samples": 3, "scores": [{"name": "rating", "metrics": {}}]},
        "samples": samples,
    }


def inspect() -> Example:
    files = (
        (f"{STAMP}_words_{run}.json", json.dumps(inspect_log(place), indent=2))
        for place, run in enumerate(RUNS)
    )
    return Example(tuple(files), drawn_scores(("rating", "rubric.clarity"), 22))


def mteb_task(row: int, run: int) -> dict[str, Any]:
    score = drawn_scores(("main_score",), 23)["main_score"][row][run]
    subset = {"main_score": score, "ndcg_at_10": score, "hf_subset": "default", "languages": ["eng-Latn"]}
    return {
        "dataset_revision": "1.0",
        "task_name": TOPICS[row],
        "mteb_version": "2.26.24",
        "scores": {"test": [subset]},
        "evaluation_time": 1.5,
        "kg_co2_emissions": None,
    }


def mteb() -> Example:
    files = (
        (f"results/{run}/no_revision_available/{topic}.json", json.dumps(mteb_task(row, place), indent=2))
        for place, run in enumerate(RUNS)
        for row, topic in enumerate(TOPICS)
    )
    return Example(tuple(files), drawn_scores(("main_score",), 23))


def promptfoo_export(repeats: int = 1) -> dict[str, Any]:
    """An export of promptfoo; the repeats of a test are tests of their own, with the same scores."""
    scores = drawn_scores(("score", "polite"), 24)
    results = [
        {
            "cost": 0,
            "gradingResult": {"pass": True, "componentResults": []},
            "namedScores": {"polite": scores["polite"][row][place]},
            "prompt": {"raw": "Say it", "label": "Say {{word}}"},
            "promptIdx": place,
            "provider": {"id": "echo", "label": run},
            "response": {"output": "it"},
            "score": scores["score"][row][place],
            "success": row > 0,
            "testCase": {"vars": {"word": f"word {topic}"}, "assert": [{"type": "contains", "value": "it"}]},
            "testIdx": f"{topic}" if repeats == 1 else repeats * row + repeat,
            "vars": {"word": f"word {topic}"},
            "failureReason": 0,
        }
        for row, topic in enumerate(TOPICS)
        for repeat in range(repeats)
        for place, run in enumerate(RUNS)
    ]
    return {
        "evalId": "eval-1",
        "results": {"version": 3, "prompts": [], "results": results},
        "config": {"tests": []},
    }


def promptfoo() -> Example:
    scores = drawn_scores(("score", "polite"), 24)
    passed = [[float(row > 0)] * len(RUNS) for row in range(len(TOPICS))]
    return Example((("export.json", json.dumps(promptfoo_export(), indent=2)),), {**scores, "pass": passed})


def swe_bench_report(run: int) -> dict[str, Any]:
    """A report: one instance with an empty patch, one without a prediction."""
    resolved = [topic for topic, of in zip(TOPICS, SWE_BENCH, strict=True) if of[run]]
    completed = TOPICS[:2]
    return {
        "total_instances": 4,
        "submitted_instances": 3,
        "completed_instances": 2,
        "resolved_instances": len(resolved),
        "unresolved_instances": 2 - len(resolved),
        "empty_patch_instances": 1,
        "error_instances": 0,
        "completed_ids": list(completed),
        "incomplete_ids": ["0004"],
        "empty_patch_ids": [TOPICS[2]],
        "submitted_ids": list(TOPICS),
        "resolved_ids": resolved,
        "unresolved_ids": [one for one in completed if one not in resolved],
        "error_ids": [],
        "schema_version": 2,
    }


SWE_BENCH = ((1.0, 0.0), (1.0, 1.0), (0.0, 0.0))
"""Whether runs resolved instances."""


def swe_bench() -> Example:
    files = (
        (f"{run}.run1.json", json.dumps(swe_bench_report(place), indent=4)) for place, run in enumerate(RUNS)
    )
    return Example(tuple(files), {"resolved": SWE_BENCH})


def helm_entry(topic: str, trial: int, split: str, means: dict[str, float]) -> dict[str, Any]:
    stats = [
        {
            "name": {"name": name, "split": split},
            "count": 1,
            "sum": mean,
            "min": mean,
            "max": mean,
            "mean": mean,
        }
        for name, mean in means.items()
    ]
    return {"instance_id": topic, "train_trial_index": trial, "stats": stats}


def helm_stats(run: int, trials: int = 1) -> list[dict[str, Any]]:
    """Statistics of HELM; in trial 1 all scores are those of trial 0 less 0.25, of perturbed instances 0."""
    scores = drawn_scores(("exact_match", "f1_score"), 27)
    entries = []
    for trial in range(trials):
        for row, topic in enumerate(TOPICS):
            means = {name: table[row][run] - 0.25 * trial for name, table in scores.items()}
            entries.append(helm_entry(topic, trial, "test", {**means, "num_output_tokens": 5.0}))
            entries.append(
                {**helm_entry(topic, trial, "test", {"f1_score": 0.0}), "perturbation": {"name": "typos"}}
            )
        entries.append(helm_entry("0009", trial, "valid", {"exact_match": 1.0, "f1_score": 1.0}))
    return entries


def helm() -> Example:
    files = (
        (
            f"runs/v1/quiz:subject=words,model={run}/per_instance_stats.json",
            json.dumps(helm_stats(place), indent=2),
        )
        for place, run in enumerate(RUNS)
    )
    return Example(tuple(files), drawn_scores(("exact_match", "f1_score"), 27))


def deepeval_run(run: int) -> dict[str, Any]:
    scores = drawn_scores(("Answer Relevancy", "Faithfulness"), 28)
    cases = [
        {
            "name": f"test_case_{row}",
            "input": f"Question {topic}?",
            "actualOutput": "42",
            "flaky": False,
            "success": row > 0,
            "metricsData": [
                {
                    "name": name,
                    "threshold": 0.5,
                    "success": row > 0,
                    "score": table[row][run],
                    "reason": "So.",
                }
                for name, table in scores.items()
            ],
            "runDuration": 1.5,
            "order": row,
        }
        for row, topic in enumerate(TOPICS)
    ]
    return {
        "testCases": cases,
        "conversationalTestCases": [],
        "metricsScores": [],
        "testPassed": 2,
        "testFailed": 1,
        "runDuration": 4.5,
        "official": False,
    }


def deepeval() -> Example:
    files = ((f"{run}.json", json.dumps(deepeval_run(place))) for place, run in enumerate(RUNS))
    success = [[float(row > 0)] * len(RUNS) for row in range(len(TOPICS))]
    return Example(
        tuple(files), {**drawn_scores(("Answer Relevancy", "Faithfulness"), 28), "success": success}
    )


def openai_evals_log(run: int) -> list[dict[str, Any]]:
    f1 = drawn_scores(("f1_score",), 29)["f1_score"]
    spec = {
        "completion_fns": [RUNS[run]],
        "eval_name": "words.dev.v0",
        "base_eval": "words",
        "split": "dev",
        "run_config": {"seed": 1},
        "run_id": "2601020304",
    }
    of_samples = [
        (topic, kind, data)
        for row, topic in enumerate(TOPICS)
        for kind, data in (
            ("sampling", {"prompt": [{"role": "user", "content": "What?"}], "sampled": ["42"]}),
            ("match", {"correct": f1[row][run] > 0.5, "expected": "42", "picked": "42", "options": ["42"]}),
            ("metrics", {"f1_score": f1[row][run]}),
        )
    ]
    events = [
        {"run_id": "2601020304", "event_id": number, "sample_id": topic, "type": kind, "data": data}
        for number, (topic, kind, data) in enumerate(of_samples)
    ]
    return [{"spec": spec}, *events, {"final_report": {"accuracy": 0.5}}]


def openai_evals() -> Example:
    files = (
        (f"{run}.jsonl", "".join(f"{json.dumps(one)}\n" for one in openai_evals_log(place)))
        for place, run in enumerate(RUNS)
    )
    f1 = drawn_scores(("f1_score",), 29)["f1_score"]
    return Example(
        tuple(files), {"f1_score": f1, "correct": [[float(one > 0.5) for one in row] for row in f1]}
    )


def alpaca_annotations(run: int) -> list[dict[str, Any]]:
    wins = drawn_scores(("win",), 30)["win"]
    return [
        {
            "instruction": f"Explain word {topic}.",
            "output_1": "Once.",
            "generator_1": "base",
            "output_2": "Twice.",
            "generator_2": RUNS[run],
            "dataset": "helpful_base",
            "annotator": "judge",
            "preference": round(1 + wins[row][run], 4),
        }
        for row, topic in enumerate(TOPICS)
    ]


def alpaca_eval() -> Example:
    files = (
        (f"results/{run}/annotations.json", json.dumps(alpaca_annotations(place), indent=2))
        for place, run in enumerate(RUNS)
    )
    return Example(tuple(files), drawn_scores(("win",), 30))


def ragas_rows(run: int) -> pd.DataFrame:
    scores = drawn_scores(("faithfulness", "exact_match"), 25)
    return pd.DataFrame(
        {
            "user_input": [f"Question {topic}?" for topic in TOPICS],
            "retrieved_contexts": [["one text", "another"]] * len(TOPICS),
            "response": ['A line,\n\nand "another".'] * len(TOPICS),
            "reference": ["42"] * len(TOPICS),
            **{measure: [row[run] for row in table] for measure, table in scores.items()},
        }
    )


def ragas_csv() -> Example:
    files = ((f"{run}.csv", ragas_rows(place).to_csv(index=False)) for place, run in enumerate(RUNS))
    return Example(tuple(files), drawn_scores(("faithfulness", "exact_match"), 25))


def ragas_json() -> Example:
    files = ((f"{run}.json", ragas_rows(place).to_json()) for place, run in enumerate(RUNS))
    return Example(tuple(files), drawn_scores(("faithfulness", "exact_match"), 25))
