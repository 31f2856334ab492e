"""The same simulation the plain way, document by document, and small tracks to run it on."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from tests.measures.plain_reader import qrels_of
from topicset_core.collection import Run
from topicset_core.collection.judged_runs import JudgedRuns, join

Floats = NDArray[np.float64]
RankedList = tuple[Sequence[float] | Floats, Sequence[int]]
"""Scores, descending, and the ranks of relevant documents, from 1."""


def score_of(labels: NDArray[np.bool_], n_relevant: int, measure: str, depth: int | None) -> float:
    """A measure of one ranked list of relevant and other documents, from its definition."""
    cutoff = labels.size if depth is None else depth
    ranks = np.flatnonzero(labels[:cutoff]) + 1.0
    nth = np.arange(1, ranks.size + 1)
    if not ranks.size:
        return 0.0
    if measure == "AP":
        return float((nth / ranks).sum() / n_relevant)
    if measure == "P":
        return ranks.size / cutoff
    if measure == "recall":
        return ranks.size / n_relevant
    if measure == "RR":
        return 1.0 / float(ranks[0])
    best = np.arange(1, min(n_relevant, n_relevant if depth is None else depth) + 1)
    return float((1 / np.log2(ranks + 1)).sum() / (1 / np.log2(best + 1)).sum())


def simulated(
    scores: Floats,
    labels: NDArray[np.bool_],
    n_relevant: int,
    n_trials: int,
    rng: np.random.Generator,
    *,
    model: str = "bst",
    measure: str = "AP",
    depth: int | None = None,
    fixed: bool = False,
) -> Floats:
    """Draw, sort and score lists of all documents, one trial after the other.

    Documents come in the order of the run, in which copies of tied ones stay.
    """
    places = np.arange(scores.size)
    relevant, others = places[labels], places[~labels]
    kinds = (relevant, others)
    widths = [scores[kind].std(ddof=1) * kind.size**-0.2 for kind in kinds] if model == "kde" else []
    out = np.zeros(n_trials)
    for trial in range(n_trials):
        drawn = min(int(rng.poisson(relevant.size)), scores.size)
        rest = scores.size - drawn if others.size else 0
        if not drawn:
            continue
        parts = [
            kind[rng.integers(kind.size, size=size)] if size else kind[:0]
            for kind, size in zip(kinds, (drawn, rest), strict=True)
        ]
        chosen = np.concatenate(parts)
        if model == "kde":  # no two of these are equal
            values = scores[chosen]
            for part, width in zip((slice(0, drawn), slice(drawn, None)), widths, strict=True):
                values[part] += width * rng.standard_normal(values[part].size)
            order = np.argsort(-values)
        else:
            order = np.argsort(chosen)  # scores fall from place to place, and copies are equal
        total = n_relevant if fixed else n_relevant - relevant.size + drawn
        out[trial] = score_of(order < drawn, total, measure, depth)
    return out


def track(lists: Sequence[Sequence[RankedList]], extra: Sequence[int] = ()) -> tuple[list[Run], JudgedRuns]:
    """Runs and judgments from scores and ranks of relevant documents of each run on each topic.

    Each list has documents of its own. A list without scores is missing from the run. `extra` relevant
    documents of each topic are in no run.
    """
    n_topics = len(lists[0])
    runs = []
    judged: list[list[tuple[bytes, int]]] = [
        [(f"x{topic}-{k}".encode(), 1) for k in range(extra[topic] if extra else 0)] + [(b"none", 0)]
        for topic in range(n_topics)
    ]
    for number, of_run in enumerate(lists):
        documents, scores, topics, starts = [], [], [], [0]
        for topic, (values, relevant) in enumerate(of_run):
            if not len(values):
                continue
            names = [f"d{number}-{topic}-{rank:05d}".encode() for rank in range(1, len(values) + 1)]
            judged[topic] += [(names[rank - 1], 1) for rank in relevant]
            documents += names
            scores += list(values)
            topics.append(f"t{topic}")
            starts.append(len(documents))
        runs.append(
            Run(
                tag=f"run{number}",
                topics=tuple(topics),
                starts=np.array(starts),
                documents=np.array(documents),
                scores=np.array(scores, dtype=np.float64),
            )
        )
    qrels = qrels_of(
        {f"t{topic}": {d.decode(): grade for d, grade in judged[topic]} for topic in range(n_topics)}
    )
    return runs, join(runs, qrels)


def random_list(
    rng: np.random.Generator, depth: int, n_relevant: int, *, ties: bool = False, quality: float = 0.8
) -> tuple[Floats, list[int]]:
    """Scores, descending, of which relevant documents have the higher ones; with ties, whole numbers."""
    scores = np.concatenate(
        [np.exp(rng.normal(quality, 0.6, n_relevant)), np.exp(rng.normal(0, 0.6, depth - n_relevant))]
    )
    if ties:
        scores = np.round(2 * scores)
    order = np.lexsort((rng.random(depth), -scores))
    return scores[order], (np.flatnonzero(order < n_relevant) + 1).tolist()


def random_track(
    seed: int, n_runs: int, n_topics: int, depth: int = 40, step: float = 0.0
) -> tuple[list[Run], JudgedRuns]:
    """A track with 2 to 8 relevant documents in each list; each run is better than the last by a step."""
    rng = np.random.default_rng(seed)
    lists = [
        [random_list(rng, depth, int(rng.integers(2, 9)), quality=0.8 + run * step) for _ in range(n_topics)]
        for run in range(n_runs)
    ]
    return track(lists, extra=[3] * n_topics)
