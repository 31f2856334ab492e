"""Random tables whose topics, runs, measures and scores are known, in the forms that people have.

    python -m tests.parsing.random_tables 20000 [first seed]

Each seed makes a file, or two of one run each: ids by any name, text or whole numbers, columns in any order, rows
shuffled, next to columns that are no scores. It is read or refused; what is read has the topics of the ids, never
numbers of rows, and no score is at another topic or run. A finding shows the seed.
"""

import csv
import io
import json
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from topicset_core.errors import ParseError
from topicset_core.parsing import ReadScores, read_score_files
from topicset_core.parsing.table import plain

_IDS = (
    "topic",
    "qid",
    "query_id",
    "id",
    "task_id",
    "case",
    "instance_id",
    "problem",
    "example",
    "uid",
    "what",
)
_RUNS = ("system", "run", "arm", "retriever", "model", "variant_of", "engine")
_MEASURES = ("AP", "ndcg@10", "recall_100", "faithfulness", "passed")
_OTHERS = ("latency", "num_rel", "rank", "tokens", "note", "title", "cost")
Truth = dict[tuple[str, str, str], float]  # topic, run, measure


def _ids(rng: np.random.Generator, n: int) -> list[str]:
    stem = ("t", "q", "HumanEval/", "case-", "")[int(rng.integers(5))]
    numbers = rng.permutation(np.arange(int(rng.integers(1, 500)), 1000))[:n]
    return [f"{stem}{number}" for number in numbers]


def _other(rng: np.random.Generator, name: str, row: int) -> str:
    if name in ("note", "title"):
        return f"some text {row % 4}"
    return str(int(rng.integers(1, 900))) if name != "cost" else f"{rng.random() * 3:.4f}"


class Made:
    """Files, and what they have."""

    def __init__(self, seed: int) -> None:
        rng = np.random.default_rng(seed)
        self.n_topics, n_runs = int(rng.integers(5, 30)), int(rng.integers(2, 5))
        self.topics = _ids(rng, self.n_topics)
        self.runs = [("bm25", "dense", "rrf", "fts", "hybrid")[at] for at in rng.permutation(5)[:n_runs]]
        n_measures = int(rng.integers(1, 3))
        self.measures = [_MEASURES[at] for at in rng.permutation(len(_MEASURES))[:n_measures]]
        self.shape = ("wide", "long", "rows", "files")[int(rng.integers(4))]
        self.form = ("csv", "tsv", "jsonl")[int(rng.integers(3))]
        if self.shape == "wide":
            self.form, self.measures = ("csv", "tsv")[int(rng.integers(2))], ["score"]
        self.truth: Truth = {
            (topic, run, measure): round(float(rng.random()), 4)
            for topic in self.topics
            for run in self.runs
            for measure in self.measures
        }
        self.id_name = str(rng.choice(_IDS))
        others = [str(one) for one in rng.choice(_OTHERS, size=int(rng.integers(0, 3)), replace=False)]
        self.others = others
        self.files: list[tuple[str, str]] = []
        if self.shape == "files":
            for run in self.runs[:2]:
                rows = [
                    {self.id_name: topic, **{name: self.truth[topic, run, name] for name in self.measures}}
                    for topic in self.topics
                ]
                self._add(rng, run, rows)
            return
        rows = []
        run_name = str(rng.choice(_RUNS))
        for topic in self.topics:
            if self.shape == "wide":
                rows.append(
                    {self.id_name: topic, **{run: self.truth[topic, run, "score"] for run in self.runs}}
                )
                continue
            for run in self.runs:
                scores = {name: self.truth[topic, run, name] for name in self.measures}
                if self.shape == "rows":
                    rows.append({self.id_name: topic, run_name: run, **scores})
                else:
                    rows += [
                        {self.id_name: topic, run_name: run, "metric": name, "value": value}
                        for name, value in scores.items()
                    ]
        self._add(rng, "scores", rows)

    def _add(self, rng: np.random.Generator, name: str, rows: Sequence[dict[str, Any]]) -> None:
        shuffled = [rows[at] for at in rng.permutation(len(rows))]
        names = [*rows[0], *self.others]
        names = [names[at] for at in rng.permutation(len(names))] if rng.random() < 0.5 else names
        has_index = self.form != "jsonl" and rng.random() < 0.3
        table = []
        for at, row in enumerate(shuffled):
            whole = row | {other: _other(rng, other, at) for other in self.others}
            table.append(({"": str(at)} if has_index else {}) | {one: whole[one] for one in names})
        if self.form == "jsonl":
            content = "\n".join(json.dumps(row) for row in table)
        else:
            file = io.StringIO()
            writer = csv.writer(file, delimiter="," if self.form == "csv" else "\t", lineterminator="\n")
            writer.writerow(table[0])
            writer.writerows(row.values() for row in table)
            content = file.getvalue()
        self.files.append((f"{name}.{self.form}", content))


def finding(seed: int) -> str | None:
    """Return what is wrong with what was read of a seed; None where nothing is, or it was refused."""
    made = Made(seed)
    try:
        read = read_score_files(made.files)
    except ParseError as error:
        return f"{seed}: {type(error).__name__}: {error}"
    return None if read.errors else _wrong(seed, made, read)


def _wrong(seed: int, made: Made, read: ReadScores) -> str | None:
    expected = {plain(one) for one in made.measures}
    for matrix in read.matrices:
        if set(matrix.topics) != set(made.topics):
            return f"{seed}: topics {matrix.topics[:4]} of {made.files[0][1][:300]}"
        unknown = set(matrix.systems) - set(made.runs)
        if unknown:
            return f"{seed}: runs {unknown} of {made.files[0][1][:300]}"
        spelt = next((one for one in made.measures if _same(one, matrix.measure)), None)
        if spelt is None and (len(expected) > 1 or made.shape == "rows"):
            return f"{seed}: measure {matrix.measure} of {made.measures}"
        spelt = spelt or made.measures[0]
        for topic, row in zip(matrix.topics, matrix.scores, strict=True):
            for system, score in zip(matrix.systems, row, strict=True):
                if abs(made.truth[topic, system, spelt] - score) > 1e-9:
                    return f"{seed}: {topic}, {system}, {spelt}: {score}"
    return None


def _same(written: str, called: str) -> bool:
    names = {"ndcg@10": "nDCG@10", "recall_100": "recall@100"}
    return called in (written, names.get(written))


def main(n: int, first: int = 0) -> None:
    """Print the findings, and how many files were read."""
    found = [one for seed in range(first, first + n) if (one := finding(seed))]
    n_read = sum(not read_score_files(Made(seed).files).errors for seed in range(first, first + min(n, 1000)))
    print("\n".join(found[:20]))  # noqa: T201
    print(f"{n:,} seeds, {len(found)} findings; of the first {min(n, 1000):,} {n_read} were read")  # noqa: T201


if __name__ == "__main__":
    main(*map(int, sys.argv[1:3]))
