"""Trainings on samples of judgments, next to scoring the same samples with pytrec-eval-terrier.

Ours is the whole experiment once runs and judgments are joined: drawing, scoring, choosing. Theirs is the
scoring alone, judgments and runs being in the dicts that it takes; a few runs under a sample of each of a
few levels are timed, and that is scaled up.
"""

import time
from collections.abc import Iterator

import numpy as np
import pytrec_eval

from benchmarks.timing import Comparison, cpu_seconds
from topicset_core.analyses.training_sensitivity import Request, split, sweep_of, training_sensitivity
from topicset_core.analyses.training_sensitivity.experiment import usable_topics
from topicset_core.analyses.training_sensitivity.request import PAPER_LEVELS
from topicset_core.analyses.training_sensitivity.sampling import Sampler, Scorer
from topicset_core.collection import Qrels, Run
from topicset_core.collection.run import Settings

SEED = 2008
N_RUNS, N_TOPICS, DEPTH, N_JUDGED, N_SAMPLES = 100, 50, 1000, 1700, 10
TIMED_RUNS = 4
TIMED_LEVELS = (1.0, 10.0, 50.0, 90.0)
NAMES = ("map", "bpref", "infAP", "ndcg")


def judgments(rng: np.random.Generator) -> Qrels:
    """1,700 judgments per topic, as of TREC's ad hoc tracks; relevant are 3 to 700, median 95, in two grades."""
    grades = np.zeros((N_TOPICS, N_JUDGED), np.int16)
    for row in grades:
        n_relevant = int(np.clip(rng.lognormal(np.log(95), 0.8), 3, 700))
        row[:n_relevant] = rng.choice([1, 2], n_relevant, p=[0.8, 0.2])
    return Qrels(
        name="simulated",
        topics=tuple(f"{topic}" for topic in range(N_TOPICS)),
        starts=np.arange(N_TOPICS + 1) * N_JUDGED,
        documents=np.array([f"FT{number % N_JUDGED:06}".encode() for number in range(grades.size)]),
        grades=grades.ravel(),
    )


def runs(rng: np.random.Generator, qrels: Qrels) -> Iterator[Run]:
    """Runs of 1,000 documents, about a third of them judged and these nearer to the top."""
    names = np.array([f"FT{number:06}".encode() for number in range(N_JUDGED + 3 * DEPTH)])
    relevant = qrels.grades.reshape(N_TOPICS, N_JUDGED) > 0
    shared = rng.normal(size=(N_TOPICS, names.size))
    shared[:, :N_JUDGED] += 0.9 * relevant + 0.35
    for number in range(N_RUNS):
        order = np.argsort(-(shared + rng.normal(0.0, 0.7, shared.shape)), axis=1)[:, :DEPTH]
        yield Run(
            tag=f"b{number}",
            topics=qrels.topics,
            starts=np.arange(N_TOPICS + 1) * DEPTH,
            documents=names[order].ravel(),
        )


def compare() -> list[Comparison]:
    """Return the one comparison."""
    rng = np.random.default_rng(SEED)
    qrels = judgments(rng)
    swept = list(runs(rng, qrels))
    tags = tuple(run.tag for run in swept)
    sweep = sweep_of(
        swept, qrels, Settings(parameters=("b",), systems=tags, values=np.arange(float(N_RUNS))[:, None])
    )
    tasks = split(usable_topics(sweep.runs), 0)
    request = Request(n_samples=N_SAMPLES, seed=SEED)
    ours = cpu_seconds(lambda: training_sensitivity(sweep, tasks, request), repeats=3)
    start = time.perf_counter()
    training_sensitivity(sweep, tasks, request)
    wall = time.perf_counter() - start
    dicts = [
        {
            topic: {d.decode(): float(-rank) for rank, d in enumerate(ranked)}
            for topic, ranked in zip(run.topics, run.documents.reshape(N_TOPICS, DEPTH).tolist(), strict=True)
        }
        for run in swept[:TIMED_RUNS]
    ]
    rows = np.arange(N_TOPICS)
    scorer = Scorer(sweep.runs, rows, request.chosen, 1, "linear")
    sampler = Sampler(qrels, rows, 1, SEED, False)
    seconds, largest = 0.0, 0.0
    for level in TIMED_LEVELS:
        grades = sampler.sample(level, 0)
        judged: dict[str, dict[str, int]] = {topic: {} for topic in qrels.topics}
        for topic, document, grade in zip(
            qrels.topic_of.tolist(), qrels.documents.tolist(), grades.tolist(), strict=True
        ):
            judged[qrels.topics[topic]][document.decode()] = grade
        evaluator = pytrec_eval.RelevanceEvaluator(judged, set(NAMES))
        seconds += cpu_seconds(lambda on=evaluator: [on.evaluate(run) for run in dicts], repeats=3)  # type: ignore[misc]
        scores = scorer.scores(grades)
        for column, run in enumerate(dicts):
            for topic, result in evaluator.evaluate(run).items():
                for place, name in enumerate(NAMES):
                    ours_there = scores[place, qrels.topics.index(topic), column]
                    largest = max(largest, abs(float(ours_there) - result[name]))
    samplings = len(PAPER_LEVELS) * N_SAMPLES
    per_list = sweep.runs.ranks.size / sweep.runs.n_cells
    return [
        Comparison(
            f"train on {samplings} samples, {N_RUNS} runs",
            ours,
            seconds / len(TIMED_LEVELS) / TIMED_RUNS * N_RUNS * samplings,
            "pytrec-eval-terrier",
            f"{N_TOPICS} topics, 4 measures, {per_list:.0f} judged documents a list; theirs scores only, scaled up "
            f"from {TIMED_RUNS} runs at {len(TIMED_LEVELS)} levels; ours took {wall:.2g} s on one core; largest "
            f"difference {largest:.0e}",
        )
    ]
