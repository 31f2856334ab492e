"""The experiment on Robust 2003, Cranfield and NPL, against the results of He et al."""

from functools import cache

import pytest

from tests.reference_data import reference_file
from topicset_core.analyses.training_sensitivity import (
    Request,
    Sweep,
    TrainingSensitivity,
    exchanged,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.sweep import sweep_collection
from topicset_core.analyses.training_sensitivity.tables import agreements, level_facts
from topicset_core.collection.run import without_parameters
from topicset_core.parsing.text_collection import read_text_collection
from topicset_core.parsing.trec.qrels import read_qrels
from topicset_core.parsing.trec.sweep import read_sweep_runs

pytestmark = [pytest.mark.reference_data, pytest.mark.slow]


@cache
def robust() -> Sweep:
    """The 17 runs as alternatives without parameters."""
    qrels_file = reference_file("trec", "robust2003", "qrels.txt.gz")
    files = sorted((qrels_file.parent / "runs").glob("*.gz"))
    runs = read_sweep_runs([(file.name, file) for file in files]).runs
    qrels = read_qrels("qrels.txt.gz", qrels_file.read_bytes()).qrels
    return sweep_of(runs, qrels, without_parameters([run.tag for run in runs]))


@cache
def trained_on_robust() -> TrainingSensitivity:
    """Old topics against new ones, as the track has them."""
    sweep = robust()
    old = [topic for topic in sweep.runs.topics if int(topic) <= 600]
    new = [topic for topic in sweep.runs.topics if int(topic) > 600]
    return training_sensitivity(sweep, exchanged(old, new, ("old topics", "new topics")))


@cache
def searched(name: str) -> tuple[Sweep, TrainingSensitivity]:
    """BM25 with 21 values of b."""
    read = read_text_collection(reference_file("collections", name, "qrels.txt").parent).collection
    assert read.qrels is not None
    new = sweep_collection(read, "bm25")
    sweep = sweep_of(new.runs, read.qrels, new.settings)
    return sweep, training_sensitivity(sweep, split(usable_topics(sweep.runs), 0))


def test_inferred_ap_of_samples_is_nearer_to_ap_of_all_judgments_than_ap_is() -> None:
    for one in level_facts(trained_on_robust()):
        if one["level"] < 100:
            inferred, average, complete = (
                one["scores_kept"][2],
                one["scores_kept"][0],
                one["scores_complete"][0],
            )
            assert abs(inferred - complete) < abs(average - complete)


def test_surfaces_come_apart_as_judgments_go_against_figure_3_of_he_2008() -> None:
    rho = {(one["measure"], one["level"]): one["rho"] or 0.0 for one in agreements(trained_on_robust())}
    assert rho["bpref", 1.0] < rho["bpref", 10.0] < rho["bpref", 50.0] < rho["bpref", 100.0]


@pytest.mark.parametrize(
    ("name", "verdict", "measures"),
    [
        ("npl", "no difference", set()),
        ("cranfield", "no difference", set()),
        ("robust2003", "better", {"bpref", "infAP", "nDCG"}),
    ],
)
def test_another_seed_recommends_the_same(name: str, verdict: str, measures: set[str]) -> None:
    """All splits and samples, as on the page; with one split and ten samples, the measure depended on the seed."""
    sweep = robust() if name == "robust2003" else searched(name)[0]
    tasks = split(usable_topics(sweep.runs), 1, 10)
    answer = recommendation(training_sensitivity(sweep, tasks, Request(seed=1)))
    assert (answer.verdict, set(answer.measures)) == (verdict, measures)
