"""Sweeps that the tests train on."""

from dataclasses import replace
from functools import cache

import numpy as np

from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.training_sensitivity import Request, Sweep, TrainingSensitivity, split, sweep_of
from topicset_core.analyses.training_sensitivity.experiment import (
    Trained,
    training_sensitivity,
    usable_topics,
)
from topicset_core.collection.run import Settings
from topicset_core.designs import Plan, paired_t
from topicset_core.samples.simulated_sweep import simulated_sweep

LEVELS = (1.0, 10.0, 50.0, 100.0)


def rule(min_d: float) -> Plan:
    """Topics of the paired t test."""
    return paired_t.DESIGN.plan(alpha=0.05, beta=0.2, min_d=min_d)


def tiny() -> tuple[dict[str, dict[str, list[str]]], dict[str, dict[str, int]], Settings]:
    """Six runs of eight topics, twelve documents each: rankings, judgments, settings. Seed 11."""
    rng = np.random.default_rng(11)
    documents = [f"d{number:02}" for number in range(20)]
    judged = {
        f"t{topic}": {
            document: int(grade)
            for document, grade in zip(documents, rng.choice([-1, 0, 0, 1, 2], 20), strict=True)
            if rng.random() < 0.9
        }
        for topic in range(8)
    }
    for grades in judged.values():
        grades["d00"] = 1
    runs = {
        f"r_b{value}": {topic: [documents[place] for place in rng.permutation(20)[:12]] for topic in judged}
        for value in range(6)
    }
    settings = Settings(parameters=("b",), systems=tuple(runs), values=np.arange(6.0)[:, None])
    return runs, judged, settings


def tiny_sweep() -> Sweep:
    """The same, joined."""
    runs, judged, settings = tiny()
    return sweep_of(
        [run_of(ranked, tag) for tag, ranked in runs.items()],
        qrels_of(judged),
        settings,
        assumed_pool="never",
    )


@cache
def simulated() -> Sweep:
    """The built-in sample."""
    return sweep_of(*simulated_sweep(8))


@cache
def trained() -> TrainingSensitivity:
    """The built-in sample, trained at four levels, the last of them complete."""
    sweep = simulated()
    request = Request(levels=LEVELS, n_samples=5, seed=0)
    return training_sensitivity(sweep, split(usable_topics(sweep.runs), 0), request)


def up_to(sensitivity: TrainingSensitivity, level: float) -> TrainingSensitivity:
    """The same with the levels up to this one alone."""
    n_levels = sum(one <= level for one in sensitivity.levels)
    kept = {name: values[:n_levels] for name, values in vars(sensitivity.trained).items()}
    return replace(sensitivity, levels=sensitivity.levels[:n_levels], trained=Trained(**kept))
