"""Drawn densities, against scipy's, and the share of relevant documents that are ranked higher."""

from dataclasses import replace

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track, track
from topicset_core.analyses.topic_variance.cells import Cells, cells_of
from topicset_core.analyses.topic_variance.densities import N_POINTS, fit
from topicset_core.analyses.topic_variance.settings import Bandwidth
from topicset_core.collection.run import Run
from topicset_core.errors import InputError

RUNS, JUDGED = random_track(3, 4, 6, step=0.25)
CELLS = cells_of(JUDGED, 1)


def rich_cell() -> tuple[Run, str]:
    """The run and topic with the most relevant documents."""
    topic, system = np.unravel_index(int(CELLS.n_found.argmax()), CELLS.n_found.shape)
    return RUNS[int(system)], CELLS.topics[int(topic)]


def labelled(cells: Cells, run: Run, topic: str) -> tuple[np.ndarray, np.ndarray]:
    cell = cells.topics.index(topic) * cells.n_systems + cells.systems.index(run.tag)
    place = run.topics.index(topic)
    assert run.scores is not None
    scores = run.scores[run.starts[place] : run.starts[place + 1]]
    labels = np.zeros(scores.size, dtype=bool)
    labels[cells.ranks[cells.starts[cell] : cells.starts[cell + 1]] - 1] = True
    return scores[labels], scores[~labels]


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("unit", [1.0, 1e200])  # squares of the latter are beyond the range of numbers
def test_densities_against_scipy(rule: Bandwidth, unit: float) -> None:
    run, topic = rich_cell()
    assert run.scores is not None
    result = fit(CELLS, replace(run, scores=run.scores * unit), topic, rule)
    relevant, others = labelled(CELLS, run, topic)
    assert result.above_by_densities is not None
    assert result.at.size == N_POINTS
    for density, scores in ((result.relevant_density, relevant), (result.others_density, others)):
        expected = scipy.stats.gaussian_kde(scores, bw_method=rule)(result.at / unit)
        # Sums of some hundred terms, each to about 1e-15; far out terms are below any of that.
        assert density * unit == pytest.approx(expected, rel=1e-9, abs=1e-12)


def test_share_of_relevant_documents_above_others() -> None:
    run, topic = rich_cell()
    result = fit(CELLS, run, topic, "scott")
    relevant, others = labelled(CELLS, run, topic)
    above = scipy.stats.mannwhitneyu(relevant, others).statistic / (relevant.size * others.size)
    assert result.above == pytest.approx(above, rel=1e-12)
    rng = np.random.default_rng(1)
    n = 200_000
    drawn = [scipy.stats.gaussian_kde(scores).resample(n, rng)[0] for scores in (relevant, others)]
    share = (drawn[0] > drawn[1]).mean()
    # Five standard errors of a share of n draws: off by chance once in two million runs.
    assert result.above_by_densities == pytest.approx(share, abs=5 * 0.5 / np.sqrt(n))


def test_scores_that_do_not_vary_have_no_densities() -> None:
    run, topic = rich_cell()
    assert run.scores is not None
    result = fit(CELLS, replace(run, scores=np.zeros(run.scores.size)), topic, "scott")
    assert result.above_by_densities is None
    assert result.above == 0.5
    assert not result.at.size


def test_cells_without_scores_of_both_kinds_are_refused_by_run_and_topic(golden: SnapshotAssertion) -> None:
    run, topic = rich_cell()
    with pytest.raises(InputError) as caught:
        fit(CELLS, replace(run, scores=None), topic, "scott")
    assert (caught.value.parameter, caught.value.value) == ("runs", run.tag)
    lists = [[([3.0, 2.0, 1.0], []), ([2.0, 1.0], [1, 2]), ([2.0, 1.0], [2])]] * 2
    runs, judged = track(lists)
    cells = cells_of(judged, 1)
    for place, of_topic in ((1, "t0"), (0, "t1")):
        with pytest.raises(InputError) as caught:
            fit(cells, runs[place], of_topic, "scott")
        assert (caught.value.parameter, caught.value.value) == ("topic", of_topic)
        assert f"run{place}" in caught.value.rule
        assert str(caught.value) == golden
    assert fit(cells, runs[0], "t2", "scott").above == 0.0
