"""The simulated diversity task against its documentation."""

import numpy as np
import pytest

from topicset_core.analyses.sizing import topics_rule
from topicset_core.collection import Qrels, Run
from topicset_core.collection.judged_runs import join
from topicset_core.measures import GradedRuns, measure_named
from topicset_core.samples import simulated_diversity_track
from topicset_core.samples.simulated_diversity import DEFAULT_SEED

MEASURES = ("alpha-nDCG@10", "nERR-IA@10", "D-nDCG@10", "I-rec@10", "D#-nDCG@10")
Sample = tuple[list[Run], Qrels]


@pytest.fixture(scope="module")
def sample() -> Sample:
    return simulated_diversity_track()


def variances(runs: list[Run], qrels: Qrels) -> dict[str, float]:
    graded = GradedRuns(join(runs, qrels))
    scores = {name: measure_named(name).scores_of(graded) for name in MEASURES}
    return {name: float(result.var(axis=0, ddof=1).mean()) for name, result in scores.items()}


def test_intents_are_as_documented(sample: Sample) -> None:
    _, qrels = sample
    intents = qrels.intents
    assert intents is not None
    assert intents.probabilities is not None
    counts = np.diff(intents.starts)
    assert counts.min() >= 1  # an intent of which nothing was pooled is not known
    assert counts.max() == 6
    of_topic = np.bincount(intents.topic_of, intents.probabilities)
    # All intents of a topic together are 1, in thousandths; those not known are missing from it.
    assert of_topic.max() == pytest.approx(1, abs=1e-12)
    assert (of_topic > 0.6).all()
    assert np.allclose(
        intents.probabilities * 1000, np.round(intents.probabilities * 1000), rtol=0, atol=1e-9
    )
    # Grades 1, 2, 3 with probabilities .8, .15, .05 in about 2,000 pairs: four standard deviations.
    shares = np.bincount(intents.grades, minlength=4)[1:] / intents.grades.size
    assert shares == pytest.approx([0.8, 0.15, 0.05], abs=4 * np.sqrt(0.16 / 2000))
    several = np.bincount(intents.judgments)
    assert 0.05 < (several > 1).sum() / (several > 0).sum() < 0.35


def test_default_sample_is_pinned(sample: Sample) -> None:
    """From the generator itself, since pages print them; a variance moves less than 1e-4 if two scores of
    documents change places because a platform's exp differs in the last bit."""
    assert DEFAULT_SEED == 1
    expected = {
        "alpha-nDCG@10": 0.06066,
        "nERR-IA@10": 0.06339,
        "D-nDCG@10": 0.02497,
        "I-rec@10": 0.09882,
        "D#-nDCG@10": 0.04514,
    }
    result = variances(*sample)
    assert result == pytest.approx(expected, abs=1e-4)
    assert sample[1].documents.size == 7885
    # As Sakai 2016, section 6.2, on table 6 (c): D-nDCG fewest, alpha-nDCG and nERR-IA more than twice as many.
    rule = topics_rule("anova", alpha=0.05, beta=0.20, min_d=0.10, n_systems=10)
    topics = dict(zip(result, rule.topics(list(result.values())), strict=True))
    assert min(topics, key=topics.__getitem__) == "D-nDCG@10"
    assert min(topics["alpha-nDCG@10"], topics["nERR-IA@10"]) > 2 * topics["D-nDCG@10"]
