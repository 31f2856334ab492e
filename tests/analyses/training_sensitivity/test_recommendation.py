"""Recommendations against plain loops, against known populations, and where there is nothing to gain."""

from dataclasses import replace

import numpy as np
import pytest
import scipy

from tests.analyses.training_sensitivity.sweeps import tiny_sweep, trained
from topicset_core.analyses.training_sensitivity import (
    Request,
    recommendation,
    split,
    sweep_of,
    training_sensitivity,
    usable_topics,
)
from topicset_core.analyses.training_sensitivity.answer import Gain, gain, gains_by_level
from topicset_core.analyses.training_sensitivity.experiment import TrainingSensitivity
from topicset_core.analyses.training_sensitivity.sampling import Floats, Sampler, Scorer
from topicset_core.analyses.training_sensitivity.significance import (
    N_DRAWS,
    Resampler,
    signed_rank,
    spread,
)
from topicset_core.collection.judged_runs import Grades
from topicset_core.designs import holm
from topicset_core.samples import simulated_sweep


def test_draws_of_topics_against_plain_loops() -> None:
    sweep = tiny_sweep()
    tasks = split(usable_topics(sweep.runs), 4, 2)
    result = training_sensitivity(sweep, tasks, Request(levels=(20.0, 60.0), n_samples=2, seed=3))
    rows = np.arange(len(result.topics))
    scorer = Scorer(sweep.runs, rows, Request().chosen, 1, "linear")
    drawn = np.random.Generator(np.random.PCG64(np.random.SeedSequence(3, spawn_key=(0, 0, 0, 0))))
    weights = drawn.exponential(size=(N_DRAWS, 1, rows.size))[:, 0]
    sampler = Sampler(sweep.runs.qrels, rows, 1, 3, False)
    for place, level in enumerate(result.levels):
        scores = scorer.scores(sampler.sample(level, 1))
        for draw in (0, 7, N_DRAWS - 1):
            expected = np.zeros((4, 4))
            n_clear = 0
            for task in tasks:
                training, test = (
                    [result.topics.index(topic) for topic in own] for own in (task.training, task.test)
                )
                for y in range(4):
                    means = np.average(scores[y, training], axis=0, weights=weights[draw, training])
                    best = np.flatnonzero(means >= means.max() - 1e-12)
                    n_clear += best.size == 1
                    of_best = np.average(result.scores[:, test], axis=1, weights=weights[draw, test])
                    expected[:, y] += of_best[:, best[0]] / len(tasks)
            if n_clear == 4 * len(tasks):  # ties are drawn from
                # Sums of the same numbers in another order.
                np.testing.assert_allclose(result.trained.resampled[place, 1, draw], expected, atol=1e-12)


def test_the_spread_of_a_mean_over_draws_is_its_standard_error() -> None:
    """Settings that never change: the gain is a mean over topics, whose standard error is s / sqrt(n)."""
    rng = np.random.default_rng(5)
    n_topics = 40
    scores = np.zeros((2, n_topics, 2))
    scores[0, :, 0] = rng.normal(0.3, 0.1, n_topics)
    scores[:, :, 1] = 1.0
    half = np.arange(n_topics // 2)
    tasks = [(half, half + n_topics // 2), (half + n_topics // 2, half)]
    resampler = Resampler(scores, tasks, 0, n_draws=20_000)
    training = np.zeros_like(scores)
    training[0, :, 0] = training[1, :, 1] = 1.0  # the first measure always trains to setting 0
    result = resampler.effectiveness(training, 50.0, 0)
    by_first = result[:, 0, 0]
    halves = [scores[0, rows, 0] for rows in np.split(np.arange(n_topics), 2)]
    expected = np.sqrt(sum(own.var(ddof=1) / own.size for own in halves) / 4)
    # 20,000 draws know a standard deviation to 0.5 %; four times that.
    assert float(spread(by_first, 20)) == pytest.approx(expected, rel=0.02)
    assert spread(by_first, 1) == np.inf


def test_an_interval_against_its_parts() -> None:
    result = trained()
    one = gain(result, "infAP", "AP", evaluated_by="AP", levels=(1.0, 10.0), n_compared=3)
    own, reference = (result.effectiveness[:2, ..., 0, place] for place in (2, 0))
    assert one.difference == pytest.approx((own - reference).mean(), abs=1e-15)
    draws = result.trained.resampled[:2, ..., 0, :].mean(axis=(0, 1))
    topics = (draws[:, 2] - draws[:, 0]).std(ddof=1) * np.sqrt(31 / 29)  # 30 test topics a half
    samples = (own - reference).mean(axis=2)
    error = np.sqrt(topics**2 + samples.var(axis=1, ddof=1).sum() / 5 / 4)
    low, high = scipy.stats.t.interval(1 - 0.05 / 3, 59, one.difference, error)
    assert (one.low, one.high) == pytest.approx((low, high), rel=1e-9)
    p_value = min(3 * 2 * scipy.stats.t.sf(abs(one.difference) / error, 59), 1)
    assert one.p_value == pytest.approx(p_value, rel=1e-9)
    assert one.samples_p_value == signed_rank(samples.mean(axis=0))[1]
    adjusted = recommendation(result).low
    raw = [gain(result, name, "AP", evaluated_by="AP", levels=(1.0, 10.0)) for name in result.alternatives]
    assert [each.samples_p_value for each in adjusted] == holm.adjusted(
        [each.samples_p_value for each in raw]
    )


def test_gains_end_at_all_judgments_without_sampling() -> None:
    result = trained()
    for name, rows in gains_by_level(result, "nDCG").items():
        assert [level for level, _ in rows] == list(result.levels)
        place = result.measures.index(name)
        expected = result.complete_effectiveness[:, 3, place] - result.complete_effectiveness[:, 3, 0]
        assert rows[-1][1].difference == pytest.approx(expected.mean(), abs=1e-15)


@pytest.mark.parametrize(
    ("low", "difference", "n_better", "is_better"),
    [
        (0.001, 0.01, 15, True),
        (0.0, 0.02, 20, False),  # the interval has 0
        (0.001, 0.0099, 20, False),  # not worthwhile
        (0.001, 0.02, 14, False),  # in too few of 20 trainings
    ],
)
def test_a_gain_must_be_worthwhile_significant_and_stable_over_trainings(
    low: float, difference: float, n_better: int, is_better: bool
) -> None:
    one = Gain(
        measure="M",
        against="AP",
        mean=difference,
        reference_mean=0.0,
        low=low,
        high=1.0,
        p_value=0.01,
        n_better=n_better,
        n_tasks=20,
        samples_p_value=1e-9,
    )
    assert one.is_better(0.01) == is_better
    mirrored = replace(one, mean=0.0, reference_mean=difference, low=-1.0, high=-low, n_better=20 - n_better)
    assert mirrored.is_worse(0.01) == is_better
    assert not one.is_worse(0.01)


def _choosing(*ranks: int) -> TrainingSensitivity:
    """The sample's experiment, but each measure chooses the setting of a rank by AP on the test topics."""
    result = trained()
    order = np.argsort(result.test_means[:, 0], axis=1, kind="stable")  # tasks, the worst first
    chosen = np.broadcast_to(order[:, list(ranks)], result.trained.chosen.shape)
    test = np.take_along_axis(result.test_means[:, 0], order[:, list(ranks)], axis=1).mean(axis=0)
    noise = np.random.default_rng(1).normal(0, 1e-4, (N_DRAWS, 4))
    resampled = np.zeros(result.trained.resampled.shape)
    resampled[..., 0, :] = test + noise
    return replace(result, trained=replace(result.trained, chosen=chosen, resampled=resampled))


@pytest.mark.parametrize(
    ("ranks", "verdict", "measures"),
    [
        ((0, 0, 20, 1), "better", ("infAP",)),  # by far the best
        ((0, 20, 20, 0), "better", ("bpref", "infAP")),  # two that cannot be distinguished
        ((20, 0, 1, 0), "better", ("AP",)),
        ((20, 20, 20, 20), "no difference", ()),
        ((20, 20, 20, 0), "undecided", ()),  # one is worse, none better
    ],
)
def test_verdicts(ranks: tuple[int, ...], verdict: str, measures: tuple[str, ...]) -> None:
    answer = recommendation(_choosing(*ranks))
    assert (answer.verdict, answer.measures) == (verdict, measures)
    assert all(measure in answer.headline for measure in measures)


def test_a_least_worthwhile_gain_above_all_gains() -> None:
    assert recommendation(_choosing(0, 0, 20, 1), 0.9).verdict == "no difference"


@pytest.mark.slow
def test_exchangeable_measures_are_recommended_in_at_most_five_percent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Measures that are AP with noise of their own: all four are exchangeable."""

    def scores(self: Scorer, grades: Grades) -> Floats:
        by_ap = by_kernel(self, grades)[:1]
        whole = grades is self.runs.qrels.grades
        rng = np.random.default_rng([trial, *np.flatnonzero(grades < 0)[:20].tolist()])
        result = np.repeat(by_ap, 4, axis=0)
        return result if whole else result + 0.2 * rng.normal(size=result.shape)

    by_kernel = Scorer.scores
    monkeypatch.setattr(Scorer, "scores", scores)
    n_false = 0
    for trial in range(60):
        sweep = sweep_of(*simulated_sweep(trial, n_topics=16))  # topics of their own
        tasks = split(usable_topics(sweep.runs), trial, 4)
        result = training_sensitivity(sweep, tasks, Request(levels=(5.0,), n_samples=4, seed=trial))
        n_false += bool(recommendation(result, 1e-6).measures)
    # Binomial: 8 or more of 60 would have a probability of .01 at 5 %.
    assert n_false <= 7


@pytest.mark.slow
def test_equally_good_settings_are_separated_in_at_most_five_percent() -> None:
    """Each measure always trains to a setting of its own; only the topics drawn make one better than another."""
    rng = np.random.default_rng(2)
    n_topics, n_trials, n_apart = 30, 400, 0
    halves = np.split(np.arange(n_topics), 2)
    tasks = [(halves[0], halves[1]), (halves[1], halves[0])]
    training = np.stack([np.eye(2)[[place] * n_topics] for place in range(2)])
    for _ in range(n_trials):
        scores = np.repeat(rng.beta(1, 3, (1, n_topics, 2)), 2, axis=0)
        draws = Resampler(scores, tasks, 0).effectiveness(training, 50.0, 0)[:, 0]
        error = float(spread(draws[:, 1] - draws[:, 0], n_topics // 2))
        difference = (scores[0, :, 1] - scores[0, :, 0]).mean()
        n_apart += int(abs(difference) / error > scipy.stats.t.isf(0.025, n_topics - 1))
    # Binomial(400, .05): 20 and four standard deviations of 4.4 each.
    assert 3 <= n_apart <= 37
