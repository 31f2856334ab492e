"""Simulated document collections: a large track of 110 runs and 249 topics, next to drawing every document."""

import os
import time
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from benchmarks.timing import Comparison, cpu_seconds, shown
from topicset_core.analyses.topic_variance import Request
from topicset_core.analyses.topic_variance.cells import Cells, Floats
from topicset_core.analyses.topic_variance.kernels import AP, simulate
from topicset_core.analyses.topic_variance.prepared import bandwidth, prepare
from topicset_core.analyses.topic_variance.request import Model
from topicset_core.analyses.topic_variance.simulation import simulate_trials
from topicset_core.collection.run import Run
from topicset_core.progress import silently

N_RUNS, N_TOPICS, DEPTH = 110, 249, 1000
"""As many as Robust 2004 has."""

MEDIAN_ESTIMATE, LOG_SD_ESTIMATE, MOST_RETURNED = 28, 0.9, 400
_PLAIN_TRIALS, _FAST_TRIALS, _PLAIN_CELLS, _WHOLE_TRIALS = 20, 300, 40, 1000


def new(n_runs: int, n_topics: int) -> tuple[Cells, list[Run]]:
    """Runs with log-normal scores and numbers of relevant documents, both as spread as in real tracks."""
    rng = np.random.default_rng(1)
    result = np.clip(
        rng.lognormal(np.log(MEDIAN_ESTIMATE), LOG_SD_ESTIMATE, (n_topics, n_runs)), 1, MOST_RETURNED
    ).astype(int)
    ranks = [[np.empty(0, np.int64)] * n_runs for _ in range(n_topics)]
    topics = tuple(f"t{topic}" for topic in range(n_topics))
    runs = []
    for number in range(n_runs):
        scores = np.empty((n_topics, DEPTH))
        for topic in range(n_topics):
            r = result[topic, number]
            drawn = np.exp(rng.normal(0, 0.6, DEPTH) + np.where(np.arange(DEPTH) < r, 1.0, 0.0))
            order = np.argsort(-drawn)
            scores[topic] = drawn[order]
            ranks[topic][number] = np.flatnonzero(order < r) + 1
        runs.append(
            Run(
                tag=f"run{number}",
                topics=topics,
                starts=np.arange(n_topics + 1, dtype=np.int64) * DEPTH,
                documents=np.full(n_topics * DEPTH, b"d"),
                scores=scores.ravel(),
            )
        )
    cells = Cells(
        topics=topics,
        systems=tuple(run.tag for run in runs),
        collection="made",
        starts=np.concatenate([[0], np.cumsum(result.ravel())]),
        ranks=np.concatenate([part for row in ranks for part in row]),
        depths=np.full((n_topics, n_runs), DEPTH),
        n_relevant=result.max(axis=1).astype(np.int64),
        n_unjudged=0,
        n_tied=(0,) * n_runs,
    )
    return cells, runs


def every_document(
    relevant: Floats, others: Floats, n_trials: int, rng: np.random.Generator, widths: tuple[float, float]
) -> Floats:
    """Average precision of simulated lists as a user would write it with NumPy; all relevant ones are found."""
    out = np.zeros(n_trials)
    for trial in range(n_trials):
        drawn = min(int(rng.poisson(relevant.size)), DEPTH)
        rest = DEPTH - drawn
        parts = [rng.choice(relevant, drawn), rng.choice(others, rest)]
        if widths[0] > 0:
            parts[0] += widths[0] * rng.standard_normal(drawn)
            parts[1] += widths[1] * rng.standard_normal(rest)
        order = np.argsort(-np.concatenate(parts), kind="stable")
        ranks = np.flatnonzero(order < drawn) + 1
        out[trial] = (np.arange(1, drawn + 1) / ranks).sum() / max(drawn, 1)
    return out


def compare() -> list[Comparison]:
    """Time both models on a sample of cells next to the plain way, and the whole by the clock."""
    cells, runs = new(N_RUNS, N_TOPICS)
    return [_compare(model, cells, runs) for model in ("bst", "kde")]


def _compare(model: Model, cells: Cells, runs: list[Run]) -> Comparison:
    few, few_runs = new(4, _PLAIN_CELLS // 4)
    request = Request(model=model, n_trials=_FAST_TRIALS)
    lists = []
    for cell in range(_PLAIN_CELLS):
        topic, system = divmod(cell, 4)
        scores = few_runs[system].scores
        assert scores is not None
        own = scores[topic * DEPTH : (topic + 1) * DEPTH]
        places = few.ranks[few.starts[cell] : few.starts[cell + 1]] - 1
        kinds = own[places], np.delete(own, places)
        widths = tuple(bandwidth(kind, "scott") if model == "kde" else 0.0 for kind in kinds)
        lists.append((*kinds, (widths[0], widths[1])))

    def plain() -> None:
        rng = np.random.default_rng(1)
        for relevant, others, widths in lists:
            every_document(relevant, others, _PLAIN_TRIALS, rng, widths)

    def fast() -> None:
        arguments = [*prepare(few, request, few_runs, silently, None).arguments]
        arguments += [(AP, 2**62, False), np.uint64(1), (0, _FAST_TRIALS)]
        simulate(*arguments)

    theirs = cpu_seconds(plain, repeats=3) / (_PLAIN_CELLS * _PLAIN_TRIALS)
    ours = cpu_seconds(fast, repeats=3) / (_PLAIN_CELLS * _FAST_TRIALS)
    start, cpu = time.perf_counter(), time.process_time()
    with ThreadPoolExecutor(os.cpu_count()) as executor:
        simulate_trials(cells, Request(model=model, n_trials=_WHOLE_TRIALS), runs, executor=executor)
    wall, cpu = shown(time.perf_counter() - start), time.process_time() - cpu
    return Comparison(
        f"{model}: a simulated list of {DEPTH:,} documents",
        ours,
        theirs,
        "NumPy, drawn and sorted document by document",
        f"{N_RUNS} runs x {N_TOPICS} topics x {_WHOLE_TRIALS:,} trials and all pairs, "
        f"{os.cpu_count()} threads: {wall} by the clock, {shown(cpu)} of CPU time",
    )
