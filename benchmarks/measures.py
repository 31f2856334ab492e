"""Scores of runs, first and again with other judgments, next to pytrec-eval-terrier.

Files are read before the clock starts, each into the input of its evaluator. Ours then joins runs with
judgments and scores them; pytrec_eval takes dicts and scores one run at a time.
"""

import gzip
import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytrec_eval

from benchmarks.data import public
from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns, join
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.runs import read_runs

PEER = "pytrec-eval-terrier"
NAMES = ("map", "ndcg")
TRACK_NAMES = ("map", "ndcg", "bpref", "infAP")
SEED = 2016
N_RUNS, N_TOPICS, DEPTH, N_JUDGED = 78, 100, 1000, 1300
SAMPLE = 3  # runs of the simulated track that the peer scores; its time is scaled up

Grading = dict[str, dict[str, int]]
Scores = dict[str, dict[str, float]]


def ours(judged: JudgedRuns, names: tuple[str, ...], grades: Grades | None = None) -> list[np.ndarray]:
    """All runs and topics by each measure."""
    graded = GradedRuns(judged, grades)
    return [measure_named(name).scores_of(graded) for name in names]


def theirs(runs: list[Scores], judgments: Grading, names: tuple[str, ...]) -> list[Scores]:
    """The same, run by run."""
    evaluator = pytrec_eval.RelevanceEvaluator(judgments, set(names))
    return [evaluator.evaluate(run) for run in runs]


def as_dicts(qrels: Qrels, grades: Grades) -> Grading:
    """Judgments as pytrec_eval takes them, without those removed."""
    result: Grading = {}
    for topic, document, grade in zip(
        qrels.topic_of.tolist(), qrels.documents.tolist(), grades.tolist(), strict=True
    ):
        if grade != REMOVED:
            result.setdefault(qrels.topics[topic], {})[document.decode()] = grade
    return result


def differ(judged: JudgedRuns, names: tuple[str, ...], grades: Grades, result: list[Scores]) -> float:
    """Largest difference of any score from the peer's, over the runs that it scored."""
    return max(
        abs(scores[row, column] - run[topic][name])
        for scores, name in zip(ours(judged, names, grades), names, strict=True)
        for column, run in enumerate(result)
        for row, topic in enumerate(judged.topics)
        if topic in run
    )


def half_removed(qrels: Qrels) -> Grades:
    """Half of the judgments, drawn at random, are taken out."""
    gone = np.random.default_rng(SEED).random(qrels.grades.size) < 0.5
    return np.where(gone, REMOVED, qrels.grades)


def parsed(path: Path) -> Scores:
    """Read a run with the peer's parser."""
    with gzip.open(path, "rt") as file:
        result: Scores = pytrec_eval.parse_run(file)
        return result


def robust_2003(data: Path) -> list[Comparison]:
    """17 real runs: the first scores, and those of half the judgments."""
    paths = sorted((data / "runs").glob("*.gz"))
    qrels = read_qrels("qrels.txt.gz", (data / "qrels.txt.gz").read_bytes()).qrels
    runs = read_runs([(path.name, path) for path in paths]).runs
    dicts = [parsed(path) for path in paths]
    judgments, cut = as_dicts(qrels, qrels.grades), half_removed(qrels)
    cut_judgments = as_dicts(qrels, cut)
    judged = join(runs, qrels)
    first = differ(judged, NAMES, qrels.grades, theirs(dicts, judgments, NAMES))
    again = differ(judged, NAMES, cut, theirs(dicts, cut_judgments, NAMES))
    return [
        Comparison(
            "Robust 2003, 17 runs: join, AP, nDCG",
            cpu_seconds(lambda: ours(join(runs, qrels), NAMES)),
            cpu_seconds(lambda: theirs(dicts, judgments, NAMES)),
            PEER,
            f"largest difference {first:.0e}",
        ),
        Comparison(
            "the same runs again, half the judgments",
            cpu_seconds(lambda: ours(judged, NAMES, cut), calls=20),
            cpu_seconds(lambda: theirs(dicts, cut_judgments, NAMES)),
            PEER,
            f"largest difference {again:.0e}; cutting their dicts is not counted",
        ),
    ]


def simulated_qrels(rng: np.random.Generator) -> Qrels:
    """Judgments of a large track, one in ten relevant, one in twenty pooled only."""
    grades = rng.choice(np.array([-1, 0, 1, 2], np.int16), N_TOPICS * N_JUDGED, p=[0.05, 0.85, 0.08, 0.02])
    return Qrels(
        name="simulated",
        topics=tuple(f"{topic}" for topic in range(N_TOPICS)),
        starts=np.arange(N_TOPICS + 1) * N_JUDGED,
        documents=np.array([f"FT{number % N_JUDGED:012}".encode() for number in range(grades.size)]),
        grades=grades,
    )


def simulated_runs(rng: np.random.Generator) -> Iterator[Run]:
    """Runs that find about 40 % of their documents among those judged."""
    names = np.array([f"FT{number:012}".encode() for number in range(N_JUDGED + 4 * DEPTH)])
    weights = np.where(np.arange(names.size) < N_JUDGED, 1.0, 0.4)
    for number in range(N_RUNS):
        # The smallest of exponential waiting times: a weighted draw without replacement, in order.
        waiting = rng.exponential(size=(N_TOPICS, names.size)) / weights
        yield Run(
            tag=f"run{number}",
            topics=tuple(f"{topic}" for topic in range(N_TOPICS)),
            starts=np.arange(N_TOPICS + 1) * DEPTH,
            documents=names[np.argsort(waiting, axis=1)[:, :DEPTH]].ravel(),
        )


def large_track() -> list[Comparison]:
    """78 simulated runs of 100 topics, 1000 documents each: scored again with other judgments."""
    rng = np.random.default_rng(SEED)
    qrels = simulated_qrels(rng)
    runs = list(simulated_runs(rng))
    tracemalloc.start()
    judged = join(runs, qrels)
    kept, peak = tracemalloc.get_traced_memory()
    tracemalloc.reset_peak()
    cut = half_removed(qrels)
    ours(judged, TRACK_NAMES, cut)
    scoring = tracemalloc.get_traced_memory()[1] - kept
    tracemalloc.stop()
    dicts = [
        {
            topic: {d.decode(): float(DEPTH - rank) for rank, d in enumerate(ranked)}
            for topic, ranked in zip(run.topics, run.documents.reshape(N_TOPICS, DEPTH).tolist(), strict=True)
        }
        for run in runs[:SAMPLE]
    ]
    judgments = as_dicts(qrels, cut)
    largest = differ(judged, TRACK_NAMES, cut, theirs(dicts, judgments, TRACK_NAMES))
    joining = cpu_seconds(lambda: join(runs, qrels), repeats=3)
    return [
        Comparison(
            f"{N_RUNS} runs, {N_TOPICS} topics, depth {DEPTH}, again: 4 measures",
            cpu_seconds(lambda: ours(judged, TRACK_NAMES, cut)),
            cpu_seconds(lambda: theirs(dicts, judgments, TRACK_NAMES), repeats=3) / SAMPLE * N_RUNS,
            PEER,
            f"theirs extrapolated from {SAMPLE} runs; largest difference {largest:.0e}; once {joining:.2g} s to "
            f"join, at most {peak / 1e6:.0f} MB beside the runs, {kept / 1e6:.0f} MB of them kept; scoring takes "
            f"{scoring / 1e6:.0f} MB",
        )
    ]


def compare() -> list[Comparison]:
    """Return the comparisons; on real runs only if these are available."""
    data = public("trec", "robust2003")
    return (robust_2003(data) if data else []) + large_track()
