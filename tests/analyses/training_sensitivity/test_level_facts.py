"""Facts of a level: hardly any topic left, trainings that tie, and the bias of a measure."""

import math
from dataclasses import replace

import numpy as np
import pytest

from tests.analyses.training_sensitivity.sweeps import tiny_sweep, trained
from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.training_sensitivity import (
    Request,
    level_facts,
    split,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.designs import completeness_designs
from topicset_core.analyses.training_sensitivity.sampling import Sampler


def test_facts_with_one_topic_or_no_topic_left() -> None:
    """One relevant document stays: its topic has a mean, no variance; where none stays a sample has neither."""
    sweep = tiny_sweep()
    n_relevant = int((sweep.runs.qrels.grades >= 1).sum())
    levels = (10 / n_relevant, 100 / n_relevant)  # a tenth of a document, and one
    request = Request(levels=levels, n_samples=4)
    result = training_sensitivity(sweep, split(usable_topics(sweep.runs), 0), request)
    assert result.trained.n_lost.tolist() == [[8] * 4, [7] * 4]
    assert np.isnan(result.trained.variances).all()
    assert (result.trained.slope_parts == 0).all()
    none, one, _ = level_facts(result)
    assert none.scores == none.scores_kept == none.scores_complete == (0.0,) * 4
    assert one.scores_kept == pytest.approx([8 * score for score in one.scores], rel=1e-12)
    assert min(one.scores_kept) > 0
    sampler = Sampler(sweep.runs.qrels, np.arange(8), 1, 0, False)
    left = [np.flatnonzero(sampler.sample(levels[1], number) >= 1) for number in range(4)]
    rows = sweep.runs.qrels.topic_of[np.concatenate(left)]
    assert one.scores_complete == pytest.approx(result.scores[:, rows].mean(axis=(1, 2)), rel=1e-12)
    # A sample without topics is not averaged in: half of them have no topics here.
    mixed = {
        name: np.concatenate([getattr(result.trained, name)[:1], getattr(result.trained, name)[1:]], axis=1)
        for name in vars(result.trained)
    }
    both = level_facts(replace(result, levels=(1.0,), trained=replace(result.trained, **mixed)))[0]
    assert both.scores_kept == pytest.approx(one.scores_kept, rel=1e-12)
    assert both.scores == pytest.approx([score / 2 for score in one.scores], rel=1e-12)
    designs = completeness_designs(
        result, lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), 0.05
    )
    assert [design.within_system_variance for design in designs[:8]] == [None] * 8
    assert not any(math.isnan(design.lost_share) for design in designs)


def test_tied_trainings_are_those_that_share_the_best_score() -> None:
    result = trained()
    for place, facts in enumerate(level_facts(result)):
        counts = [(result.trained.n_tied[place, :, :, row] > 1).sum() for row in range(4)]
        assert list(facts.n_tied) == counts
    n_trainings = result.trained.n_tied[0, :, :, 0].size
    assert 0 <= min(level_facts(result)[-1].n_tied) < n_trainings


def test_the_bias_of_a_measure_is_from_another_by_all_judgments() -> None:
    """infAP of samples less AP of all judgments, on the topics that samples leave."""
    result = trained()
    facts = level_facts(result)[1]
    infap, ap = result.measures.index("infAP"), result.measures.index("AP")
    scores = result.trained.mean_scores[1].mean(axis=0)
    expected = scores[infap, 1] - scores[ap, 2]
    assert facts.bias_of("infAP", "AP", result.measures) == pytest.approx(expected, rel=1e-12)
    assert expected != pytest.approx(scores[infap, 1] - scores[infap, 2], rel=1e-6)
