"""Numbers of designs, parameters, samples and analyses are unchanged, with notes and refusals."""

import dataclasses
import itertools
import json
import math
from typing import Any

import pytest
from syrupy.assertion import SnapshotAssertion

import topicset_core.parameters
from tests.golden.comparing import PlainRecords
from tests.golden.files import record, some
from tests.golden.names import NAMES
from topicset_core.analyses.error_rate.experiment import error_rates
from topicset_core.analyses.topic_subsets.curve import subset_curve
from topicset_core.analyses.topic_subsets.request import Request
from topicset_core.analyses.topic_variance import Request as Resampling
from topicset_core.analyses.topic_variance import topic_variance
from topicset_core.collection.judged_runs import join
from topicset_core.designs import DESIGNS
from topicset_core.errors import TopicsetError
from topicset_core.exports.records import plain
from topicset_core.measures.registry import MEASURES, measure_named
from topicset_core.parameters import Parameter
from topicset_core.samples.simulated import simulated_task
from topicset_core.samples.simulated_diversity import simulated_diversity_track
from topicset_core.samples.simulated_runs import simulated_track
from topicset_core.variance import literature, one_way, two_way

POINTS = {
    "alpha": (0.01, 0.05),
    "beta": (0.1, 0.2),
    "min_d": (0.05, 0.1),
    "max_width": (0.1, 0.3),
    "margin": (0.05, 0.1),
    "n_systems": (2, 10, 50),
    "difference_variance": (0.03, 0.1),
    "within_system_variance": (0.0471, 0.2),
    "residual_variance": (0.03, 0.1),
}


@pytest.fixture
def golden(snapshot: SnapshotAssertion) -> SnapshotAssertion:
    """Compare with the record of this file."""
    return snapshot.use_extension(PlainRecords)


METHODS = ("exact", "published")
BAD = (-1, 0, 0.5, 1, 2.5, 10_000_001, math.nan, math.inf, "x", None, True)


def written(result: Any, *options: Any) -> str:
    """Return a record by its keys, with some of its values."""
    return "\n".join(record(json.dumps(plain(result.record(*options)))))


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_design(design: Any, golden: SnapshotAssertion) -> None:
    fields = [field.name for field in dataclasses.fields(design.requirements) if field.name in POINTS]
    others = [name for name in fields if not name.endswith("_variance")]
    lines = [", ".join(f"{name} {POINTS[name]}" for name in others)]
    for variance, method in itertools.product([name for name in fields if name not in others], METHODS):
        answers, refusals = [], []
        for values in itertools.product(*(POINTS[name] for name in (*others, variance))):
            try:
                requirements = design.requirements(**dict(zip((*others, variance), values, strict=True)))
                answers.append(design.required_topics(requirements, method=method).record())
            except TopicsetError as error:
                refusals.append(str(error))
        lines.append(
            f"{method}, {variance} {POINTS[variance]}: {[one['required_topics'] for one in answers]}"
        )
        lines += [f"first: {_without(answer, 'design', 'requirements')}" for answer in answers[:1]]
        lines += dict.fromkeys(refusals)
    assert "\n".join(lines) == golden


def _without(record: dict[str, Any], *names: str) -> dict[str, Any]:
    return {key: record[key] for key in record if key not in names}


@pytest.mark.parametrize(
    "parameter",
    [result for result in vars(topicset_core.parameters).values() if isinstance(result, Parameter)],
    ids=lambda parameter: parameter.name,
)
def test_parameter(parameter: Parameter, golden: SnapshotAssertion) -> None:
    lines = [parameter.label, parameter.help, f"default {parameter.default}, step {parameter.step}"]
    accepted = []
    for value in BAD:
        try:
            accepted.append(parameter.check(value))
        except TopicsetError as error:
            lines.append(str(error).partition(": ")[2])
    lines.append(f"accepted: {accepted}")
    assert "\n".join(dict.fromkeys(lines)) == golden


def test_samples(golden: SnapshotAssertion) -> None:
    lines = [
        f"{matrix.name}, {matrix.measure}, {matrix.scores.shape}, {matrix.digest}, "
        f"one-way {one_way(matrix)!r}, two-way {two_way(matrix)!r}"
        for matrix in simulated_task()
    ]
    assert "\n".join(lines) == golden


def test_measures_of_the_samples(golden: SnapshotAssertion) -> None:
    runs, qrels = simulated_track()
    judged = join(runs, qrels)
    diverse_runs, diverse_qrels = simulated_diversity_track()[:2]
    diverse = join(diverse_runs, diverse_qrels)
    names = ["AP", "AP@10", "Q@10", "nDCG@10", "nERR@10", "ERR", "RR", "P@10", "recall@100", "Rprec"]
    names += ["bpref", "infAP", "RBP(p=.8)"]
    intents = ["alpha-nDCG@10", "nERR-IA@10", "graded-nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10"]
    lines = [f"{len(MEASURES)} measures"]
    for name, collection in [(name, judged) for name in names] + [(name, diverse) for name in intents]:
        measure = measure_named(name)
        means = [float(mean) for mean in measure.scores(collection).mean(axis=0)]
        lines.append(f"{measure.name}: mean scores {some(means)}, of the first run {means[0]!r}")
    assert "\n".join(lines) == golden


def test_texts_that_records_have_by_name(golden: SnapshotAssertion) -> None:
    assert "\n".join(f"{name.strip()} {' '.join(text.split())}" for text, name in NAMES.items()) == golden


def test_literature(golden: SnapshotAssertion) -> None:
    assert "\n".join(str(one) for one in literature.STATED_VARIANCES) == golden


def test_error_rates(golden: SnapshotAssertion) -> None:
    result = error_rates(simulated_task()[0], n_trials=300, seed=1)
    assert written(result) == golden


@pytest.mark.parametrize("goodness", ["pearson", "kendall", "error-rate"])
def test_subsets(goodness: Any, golden: SnapshotAssertion) -> None:
    request = Request(goodness=goodness, cardinalities=(1, 2, 5, 12, 40), method="local", n_trials=50, seed=1)
    assert written(subset_curve(simulated_task()[0], request), 0.9) == golden


@pytest.mark.parametrize("model", ["shared", "bst", "kde"])
def test_topic_variance(model: Any, golden: SnapshotAssertion) -> None:
    runs, qrels = simulated_track()
    result = topic_variance(join(runs, qrels), Resampling(model=model, n_trials=40, seed=1), runs)
    assert written(result) == golden
