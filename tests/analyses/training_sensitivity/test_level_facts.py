"""Facts of a level, surfaces with chosen settings, costs, and the table of stability."""

import math
import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, rule, simulated, tiny_sweep, trained
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import (
    Request,
    recommendation,
    split,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity import report as tables
from topicset_core.analyses.training_sensitivity.designs import completeness_designs
from topicset_core.analyses.training_sensitivity.experiment import cpu_seconds
from topicset_core.analyses.training_sensitivity.sampling import Sampler
from topicset_core.analyses.training_sensitivity.tables import level_facts, stability, surface


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
    assert none["scores"] == none["scores_kept"] == none["scores_complete"] == (0.0,) * 4
    assert one["scores_kept"] == pytest.approx([8 * score for score in one["scores"]], rel=1e-12)
    assert min(one["scores_kept"]) > 0
    sampler = Sampler(sweep.runs.qrels, np.arange(8), 1, 0, False)
    left = [np.flatnonzero(sampler.sample(levels[1], number) >= 1) for number in range(4)]
    rows = sweep.runs.qrels.topic_of[np.concatenate(left)]
    assert one["scores_complete"] == pytest.approx(result.scores[:, rows].mean(axis=(1, 2)), rel=1e-12)
    # A sample without topics is not averaged in: half of them have no topics here.
    mixed = {
        name: np.concatenate([getattr(result.trained, name)[:1], getattr(result.trained, name)[1:]], axis=1)
        for name in vars(result.trained)
    }
    both = level_facts(replace(result, levels=(1.0,), trained=replace(result.trained, **mixed)))[0]
    assert both["scores_kept"] == pytest.approx(one["scores_kept"], rel=1e-12)
    assert both["scores"] == pytest.approx([score / 2 for score in one["scores"]], rel=1e-12)
    designs = completeness_designs(result, rule(0.05))
    assert [design.within_system_variance for design in designs[:8]] == [None] * 8
    assert not any(math.isnan(design.lost_share) for design in designs)


def test_the_bias_of_a_measure_is_from_another_by_all_judgments() -> None:
    """infAP of samples less AP of all judgments, on the topics that samples leave."""
    result = trained()
    table = tables.level_columns(result.measures).table(level_facts(result))
    infap, ap = result.measures.index("infAP"), result.measures.index("AP")
    scores = result.trained.mean_scores[1].mean(axis=0)
    expected = scores[infap, 1] - scores[ap, 2]
    assert table["bias of infAP"][1] == pytest.approx(expected, rel=1e-12)
    assert expected != pytest.approx(scores[infap, 1] - scores[infap, 2], rel=1e-6)


def test_a_surface_counts_every_choice_of_its_level() -> None:
    result = trained()
    for place, task in enumerate(result.tasks):
        for by, measure in enumerate(result.measures):
            one = surface(result, task.name, measure, result.levels[1])
            chosen = result.trained.chosen[1, :, place, by].tolist()
            assert one.times_chosen.tolist() == [
                chosen.count(setting) for setting in range(len(result.settings.systems))
            ]
            assert one.times_chosen.sum() == result.request.n_samples
            assert one.chosen == int(np.argmax(one.complete))  # no ties in the sample
            assert one.sample.tolist() == result.trained.means[1, 0, place, by].tolist()


def test_costs_grow_with_the_amount_of_work() -> None:
    sweep = simulated()
    least = cpu_seconds(sweep, 2, Request(levels=(5.0,), n_samples=2))
    assert least > 0
    assert cpu_seconds(sweep, 2, Request(levels=(5.0, 10.0), n_samples=6)) == pytest.approx(
        6 * least, rel=1e-9
    )
    annealing = Request(levels=(5.0,), n_samples=2, optimiser="annealing")
    more, twice = (cpu_seconds(sweep, n, annealing) for n in (2, 4))
    assert least < more < twice
    other = Request(measures=("Q",), levels=(5.0,), n_samples=2)
    assert cpu_seconds(sweep, 2, other) > least  # no kernel scores it next to the others


def test_the_sentence_reports_levels_where_the_choice_makes_no_difference(golden: SnapshotAssertion) -> None:
    result = trained()
    high = [place for place, level in enumerate(result.levels) if level > 10]
    chosen = result.trained.chosen.copy()
    chosen[high] = chosen[high][..., :1]  # every measure chooses what AP does
    resampled = result.trained.resampled.copy()
    resampled[high] = resampled[high][..., :1]
    same = replace(result, trained=replace(result.trained, chosen=chosen, resampled=resampled))
    assert numbers_in(recommendation(same).sentence)[-2:] == [0, 0]  # the ends of the interval
    assert recommendation(same).sentence == golden
    assert recommendation(same).low == recommendation(result).low


def test_inverse_deviations_are_empty_where_a_deviation_is_zero() -> None:
    result = trained()
    table = tables.stability_table(result)
    sigmas = stability(result).of_parameters[..., 0].ravel()  # the same order: level, task, measure
    assert (sigmas == 0).any()  # all samples of 100 % choose the same
    for sigma, inverse in zip(sigmas.tolist(), table["1/σ_opt of b"], strict=True):
        assert inverse == (None if sigma == 0 else pytest.approx(1 / sigma))
    (of_itself,) = [name for name in table if name.startswith("σ_diff") and name.endswith(" AP")]
    assert table[of_itself][0] is None  # of the reference with itself
    at_100 = [number for number, level in enumerate(table["% of judgments"]) if level == LEVELS[-1]]
    assert {table["samples disagree"][number] for number in at_100} == {0.0}


def test_the_report_of_the_command_line_needs_no_charts() -> None:
    """Charts are optional."""
    code = "import sys, topicset_core.analyses.training_sensitivity.report; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
