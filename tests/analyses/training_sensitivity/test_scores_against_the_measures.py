"""The compiled scores of sampled judgments, against the measure engine and against trec_eval."""

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import simulated, tiny, tiny_sweep
from tests.measures.plain_reader import qrels_of, run_of
from topicset_core.analyses.training_sensitivity.sampling import Sampler, Scorer
from topicset_core.analyses.training_sensitivity.sweep import Sweep, sweep_of
from topicset_core.collection.judged_runs import REMOVED
from topicset_core.collection.settings import without_parameters
from topicset_core.measures import Conventions, measure_named

NAMES = ("AP", "bpref", "infAP", "nDCG")
ROUNDING = 1e-14  # sums of at most a hundred terms below 1


def _scorer(sweep: Sweep, conventions: Conventions, names: tuple[str, ...] = NAMES) -> Scorer:
    topics = np.arange(sweep.runs.n_topics)
    measures = tuple(measure_named(name, conventions) for name in names)
    return Scorer(sweep.runs, topics, measures, conventions.relevance_level, conventions.gains)


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("gains", ["linear", "exponential"])
@pytest.mark.parametrize("percent", [2.0, 30.0, 100.0])
def test_kernel_against_the_engine(level: int, gains: str, percent: float) -> None:
    for sweep in (tiny_sweep(), simulated()):
        conventions = Conventions(relevance_level=level, gains=gains)  # type: ignore[arg-type]
        names = ("P@10", *NAMES, "nDCG@10", "Q", "AP@3")
        scorer = _scorer(sweep, conventions, names)
        grades = Sampler(sweep.runs.qrels, scorer.topics, level, 5, False).sample(percent, 0)
        not_pooled = grades.copy()
        not_pooled[::3] = REMOVED
        for each in (grades, not_pooled):
            for name, scores in zip(names, scorer.scores(each), strict=True):
                expected = measure_named(name, conventions).scores(sweep.runs, each)
                np.testing.assert_allclose(scores, expected, rtol=0, atol=ROUNDING, err_msg=name)


@pytest.mark.parametrize("percent", [5.0, 20.0, 60.0])
def test_sampled_judgments_against_trec_eval(percent: float) -> None:
    import pytrec_eval

    runs, judged, settings = tiny()
    sweep = tiny_sweep()
    scorer = _scorer(sweep, Conventions())
    grades = Sampler(sweep.runs.qrels, scorer.topics, 1, 3, False).sample(percent, 1)
    sampled: dict[str, dict[str, int]] = {}
    names = [(topic, document) for topic, graded in judged.items() for document in graded]
    for (topic, document), grade in zip(names, grades.tolist(), strict=True):
        sampled.setdefault(topic, {})[document] = grade
    # pytrec_eval hangs or crashes on a topic of which nothing is judged; all is 0 there.
    judged_at_all = {topic: own for topic, own in sampled.items() if max(own.values()) >= 0}
    evaluator = pytrec_eval.RelevanceEvaluator(judged_at_all, {"map", "bpref", "infAP", "ndcg"})
    result = scorer.scores(grades)
    for topic in set(sampled) - set(judged_at_all):
        assert (result[:, sweep.runs.topics.index(topic)] == 0).all()
    n_compared = 0
    for column, ranked in enumerate(runs.values()):
        run = {topic: {d: float(-place) for place, d in enumerate(ds)} for topic, ds in ranked.items()}
        for topic, scores in evaluator.evaluate(run).items():
            row = sweep.runs.topics.index(topic)
            for place, name in enumerate(("map", "bpref", "infAP", "ndcg")):
                assert result[place, row, column] == pytest.approx(scores[name], abs=1e-12), (topic, name)
                n_compared += 1
    assert n_compared == len(settings.systems) * len(judged_at_all) * 4


def test_removed_judgments_stay_in_the_pool_for_inferred_ap() -> None:
    # Ranks: relevant, removed, relevant. AP passes over the removed one and has (1 + 2/3) / 2. infAP knows
    # that rank 2 was pooled: 1/3 + 2/3 * 2/2 * (1 + e) / (1 + 2e), so above rank 3 all judged are relevant.
    sweep = sweep_of(
        [run_of({"t": ["a", "b", "c"]}, "r1"), run_of({"t": ["c", "b", "a"]}, "r2")],
        qrels_of({"t": {"a": 1, "b": -1, "c": 1}}),
        without_parameters(["r1", "r2"]),
        assumed_pool="never",
    )
    ap, _, inferred, _ = _scorer(sweep, Conventions()).scores(sweep.runs.qrels.grades)[:, 0, 0]
    assert ap == pytest.approx((1 + 2 / 3) / 2, abs=1e-15)
    e = 0.00001
    assert inferred == pytest.approx((1 + 1 / 3 + 2 / 3 * (1 + e) / (1 + 2 * e)) / 2, abs=1e-15)
