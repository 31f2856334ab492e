"""Kernel densities, drawn or in tables, against SciPy's gaussian_kde, which sums over all scores."""

from dataclasses import replace

import numpy as np
import pytest
import scipy
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track, track
from topicset_core.analyses.topic_variance.cells import Cells, cells_of
from topicset_core.analyses.topic_variance.kernels import upper_tail
from topicset_core.analyses.topic_variance.prepared import N_POINTS, bandwidth, densities, fit
from topicset_core.analyses.topic_variance.request import Bandwidth
from topicset_core.collection.run import Run
from topicset_core.errors import InputError


def _scores(kind: str, rng: np.random.Generator) -> np.ndarray:
    if kind == "outlier":  # as far out as one of n scores can be
        return np.concatenate([rng.normal(0, 1e-3, 999), [50.0]])
    if kind == "two":
        return np.array([3.0, 4.0])
    if kind == "ties":
        return rng.integers(0, 3, 500).astype(np.float64)
    return np.exp(rng.normal(0, 0.6, 950))


@pytest.mark.parametrize("rule", ["scott", "silverman"])
@pytest.mark.parametrize("kind", ["plain", "outlier", "two", "ties"])
def test_upper_tail_against_scipy(kind: str, rule: Bandwidth) -> None:
    rng = np.random.default_rng(1)
    others, relevant = _scores(kind, rng), rng.normal(1, 2, 30)
    result = densities(relevant, others, rule)
    assert result is not None
    theirs = scipy.stats.gaussian_kde(others, bw_method=rule)
    unit = bandwidth(others, rule)
    # Both densities are linear in the score, so two relevant scores determine the x of a score.
    slope = (result.relevant[1] - result.relevant[0]) / (relevant[1] - relevant[0])
    assert slope == pytest.approx(1 / unit, rel=1e-9)  # outliers leave 1e-10 of a score's own digits
    for score in np.linspace(others.min() - 8 * unit, others.max() + 8 * unit, 801):
        x = result.relevant[0] + (score - relevant[0]) / unit
        ours = upper_tail(result.table, 0, result.table.shape[0] - 1, x)
        # Interpolation over a quarter of a bandwidth errs by up to (1/4)^6 max|Phi^(6)| / (6! 64), and
        # |Phi^(6)| is at most 2.31: 1.23e-8.
        assert ours == pytest.approx(theirs.integrate_box_1d(score, np.inf), abs=1.3e-8)
    assert result.width == pytest.approx(bandwidth(relevant, rule) / unit, rel=1e-9)


@pytest.mark.parametrize(
    ("relevant", "others"),
    [
        ([1.0], [1.0, 2.0]),
        ([1.0, 2.0], [1.0]),
        ([2.0, 2.0], [1.0, 2.0]),
        ([1.0, 2.0], [0.1] * 7),
        ([0.0, 0.0], [0.0] * 3),
        ([1.0, 2.0], [0.3, 0.1 + 0.2, 0.3]),  # differ by 5.6e-17, which is rounding
    ],
)
def test_scores_that_do_not_vary_have_no_density(relevant: list[float], others: list[float]) -> None:
    assert densities(np.array(relevant), np.array(others), "scott") is None


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
@pytest.mark.parametrize(
    "unit", [1.0, 1e200, 1e-200]
)  # squares of the latter are beyond the range of numbers
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
