"""Examples of logs of evaluation programs, with drawn scores, in the shapes that the programs wrote here.

lm-evaluation-harness 0.4.13, Inspect 0.3.285, promptfoo 0.123.1 and ragas 0.4.3 were installed and wrote logs of a
dummy model; of MTEB 2.26 the shape is that of its source, `TaskResult.to_disk`.
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
