"""Runs, judgments and scores that the examples of formats are made of, drawn with fixed seeds."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

SEED = 11
TOPICS = ("0001", "0002", "0003")
RUNS = ("A", "B")
Table = Sequence[Sequence[float]]
"""Topics by runs."""

Files = tuple[tuple[str, str], ...]


class Example(NamedTuple):
    """Files, and the scores that are in them by measure; those not named are not checked."""

    files: Files
    scores: Mapping[str, Table]


def _drawn() -> tuple[dict[str, dict[str, int]], dict[str, dict[str, list[str]]]]:
    """Judgments by topic, and rankings by run and topic; each finds the highest grade at rank 1 to 8."""
    rng = np.random.default_rng(SEED)
    documents = [f"d{number:02}" for number in range(1, 13)]
    qrels: dict[str, dict[str, int]] = {}
    runs: dict[str, dict[str, list[str]]] = {run: {} for run in RUNS}
    for topic in TOPICS:
        judged = rng.permutation(documents)[:9]
        grades = [3, 2, 2, 1, 1, *[0] * 4]
        qrels[topic] = {str(document): grade for document, grade in zip(judged, grades, strict=True)}
        for run in RUNS:
            others = [str(one) for one in rng.permutation(documents) if one != judged[0]][:7]
            others.insert(int(rng.integers(0, 8)), str(judged[0]))
            runs[run][topic] = others
    return qrels, runs


QRELS, RANKINGS = _drawn()
INTENTS = {topic: {document: grade % 2 for document, grade in of.items()} for topic, of in QRELS.items()}
"""One of two intents for each document: 0 or 1."""


def table(score: Callable[[str, str], float]) -> list[list[float]]:
    """Scores of topics by runs."""
    return [[score(topic, run) for run in RUNS] for topic in TOPICS]


def run_lines(run: str, topics: Sequence[str] = TOPICS) -> str:
    return "".join(
        f"{topic} Q0 {document} {rank} {100 - rank} {run}\n"
        for topic in topics
        for rank, document in enumerate(RANKINGS[run][topic], start=1)
    )


def qrels_lines() -> str:
    return "".join(
        f"{topic} 0 {document} {grade}\n" for topic in TOPICS for document, grade in QRELS[topic].items()
    )


def rel(topic: str) -> str:
    """A rel file of NTCIR."""
    return "".join(f"{document} L{grade}\n" for document, grade in QRELS[topic].items())


def drawn_scores(measures: Sequence[str], seed: int) -> dict[str, list[list[float]]]:
    rng = np.random.default_rng(seed)
    return {one: rng.random((len(TOPICS), len(RUNS))).round(4).tolist() for one in measures}
