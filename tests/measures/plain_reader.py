"""Runs and judgments by the plainest means, so that tests of measures do not rest on the parsers.

A run is a dict of topic to ranked document ids, judgments are a dict of topic to grades of documents.
"""

import gzip
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TypeVar

import numpy as np

from tests.reference_data import reference_file
from topicset_core.collection.judged_runs import JudgedRuns, join
from topicset_core.collection.qrels import Qrels
from topicset_core.collection.run import Run

Ranking = Mapping[str, Sequence[str]]
Judgments = Mapping[str, Mapping[str, int]]
Scores = Mapping[str, Mapping[str, float]]
Value = TypeVar("Value", int, float)


def columns(path: Path, n_columns: int) -> list[list[str]]:
    """The first columns of a file, gzipped or not; trec_eval's own test file has more in some lines."""
    content = path.read_bytes()
    text = (gzip.decompress(content) if path.suffix == ".gz" else content).decode()
    fields = text.split()
    if len(fields) != n_columns * (text.count("\n") + (not text.endswith("\n"))):
        fields = [field for line in text.splitlines() for field in line.split()[:n_columns]]
    return [fields[column::n_columns] for column in range(n_columns)]


def by_topic(
    topics: Sequence[str], documents: Sequence[str], values: Sequence[Value]
) -> dict[str, dict[str, Value]]:
    """The value of each document of each topic."""
    result: dict[str, dict[str, Value]] = {}
    begin = 0
    for topic, lines in groupby(topics):
        end = begin + len(list(lines))
        result.setdefault(topic, {}).update(zip(documents[begin:end], values[begin:end], strict=True))
        begin = end
    return result


def scores_of(path: Path) -> dict[str, dict[str, float]]:
    """Retrieval scores of a TREC run, as pytrec_eval takes them."""
    topics, _, documents, _, scores, _ = columns(path, 6)
    return by_topic(topics, documents, list(map(float, scores)))


def judgments_of(path: Path) -> dict[str, dict[str, int]]:
    """Grades of a TREC qrels file."""
    topics, _, documents, grades = columns(path, 4)
    return by_topic(topics, documents, list(map(int, grades)))


def ranked(scores: Scores) -> dict[str, list[str]]:
    """In trec_eval's order: score descending, then document id descending."""
    ordered = {}
    for topic, result in scores.items():
        # trec_eval keeps scores as 32-bit floats: scores that differ beyond 24 bits are ties.
        single = np.array(list(result.values())).astype(np.float32).tolist()
        ordered[topic] = [document for _, document in sorted(zip(single, result, strict=True), reverse=True)]
    return ordered


def run_of(ranking: Ranking, tag: str) -> Run:
    """The noun; topics without a document are left out, as a file cannot name them."""
    kept = {topic: documents for topic, documents in ranking.items() if documents}
    return Run(
        tag=tag,
        topics=tuple(kept),
        starts=np.concatenate([[0], np.cumsum([len(documents) for documents in kept.values()])]),
        documents=np.array([d.encode() for documents in kept.values() for d in documents]),
    )


def qrels_of(judgments: Judgments, name: str = "qrels") -> Qrels:
    """The noun."""
    return Qrels(
        name=name,
        topics=tuple(judgments),
        starts=np.concatenate([[0], np.cumsum([len(judged) for judged in judgments.values()])]),
        documents=np.array([d.encode() for judged in judgments.values() for d in judged]),
        grades=np.array([g for judged in judgments.values() for g in judged.values()], dtype=np.int16),
    )


def joined(rankings: Iterable[Ranking], judgments: Judgments) -> JudgedRuns:
    """Runs called run0, run1 and so on, joined with the judgments."""
    return join(
        (run_of(ranking, f"run{number}") for number, ranking in enumerate(rankings)), qrels_of(judgments)
    )


@cache
def collection(name: str) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, dict[str, int]]]:
    """Runs by tag and judgments of robust2003 or dl2019-passage, as dicts; read once a session."""
    qrels = reference_file("trec", name, "qrels.txt.gz" if name == "robust2003" else "qrels.txt")
    paths = sorted((qrels.parent / "runs").glob("*.gz"))
    return {path.name.removesuffix(".gz"): scores_of(path) for path in paths}, judgments_of(qrels)


@cache
def judged(name: str) -> JudgedRuns:
    """The same, joined."""
    runs, judgments = collection(name)
    return join((run_of(ranked(scores), tag) for tag, scores in runs.items()), qrels_of(judgments, name))
