"""Decisions of tests in each trial, against SciPy on the same topics."""

import pickle
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from scipy import stats

from tests.analyses.achieved_power import plain
from tests.variance.matrices import of
from topicset_core.analyses.achieved_power import Request, achieved_power, answer, decide, kernels
from topicset_core.analyses.achieved_power.significance_tests import TEST
from topicset_core.collection import ScoreMatrix
from topicset_core.designs.search import Floats

ALPHA, SHIFT, N_TRIALS = 0.05, 0.11, 60


def matrix(n_topics: int = 23, n_systems: int = 12, decimals: int = 4) -> ScoreMatrix:
    """Skewed scores from 0 to 1 with topic effects; few decimals give ties."""
    rng = np.random.default_rng(1)
    scores = rng.beta(1.2, 3.0, (n_topics, 1)) * rng.uniform(0.3, 1.0, (n_topics, n_systems))
    return of(np.round(scores * rng.uniform(0.8, 1.2, n_systems), decimals))


def decided(scores: ScoreMatrix, **values: object) -> tuple[list[tuple[int, ...]], dict[str, Floats]]:
    """Return the sets, and significant (n_sets, n_trials) by condition."""
    given = {"min_d": SHIFT, "n_pairs": 3, "n_trials": N_TRIALS, "n_topics": 14, "n_systems": 4} | values
    prepared = answer._prepare(scores, Request(**given))  # type: ignore[arg-type]
    setting, members = prepared.setting, prepared.sets.members
    result = decide.decided(setting, decide.Task(block=0, n_trials=N_TRIALS, first=0, after=len(members)))
    names = [one.name for one in setting.conditions]
    return [tuple(row) for row in members.tolist()], dict(zip(names, result, strict=True))


def trials(scores: Floats, members: tuple[int, ...], shift: float) -> list[Floats]:
    """Return the scores of each trial, centred, the first two systems apart by the shift."""
    topics, _ = plain.draws(0, len(scores), 14, N_TRIALS)
    x = plain.centred(scores)[:, members]
    x = x + shift / 2 * np.array([1, -1, *[0] * (len(members) - 2)])
    return [x[drawn] for drawn in topics]


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("paired-t", lambda x, **_: plain.paired_t(x, ALPHA)),
        ("two-way-f", lambda x, **_: plain.two_way_f(x, ALPHA)),
        ("tukey", lambda x, power: plain.tukey(x, ALPHA, power=power)),
        ("bonferroni", lambda x, power: plain.bonferroni(x, ALPHA, power=power)),
        ("one-way-f", lambda x, **_: plain.one_way_f(x, ALPHA)),
    ],
)
def test_decisions_against_scipy(name: str, twin: Callable[..., bool]) -> None:
    scores = matrix()
    sets, result = decided(scores, test=name, topics="shared")
    for place, members in enumerate(sets[:2]):
        for condition, shift in (("null", 0.0), ("power", SHIFT)):
            expected = [twin(x, power=condition == "power") for x in trials(scores.scores, members, shift)]
            assert result[condition][place].tolist() == expected
        if len(members) == 2:
            turned = [twin(x, power=True) for x in trials(scores.scores, members, -SHIFT)]
            assert result[answer._SECOND_BETTER][place].tolist() == turned
    assert result["power"].any()


def test_two_sample_t_has_separate_topics_per_system_against_scipy() -> None:
    scores = matrix()
    sets, result = decided(scores, test="two-sample-t")
    centred = plain.centred(scores.scores)
    for place, members in enumerate(sets):
        topics = plain.own_draws(0, list(members), 23, 14, N_TRIALS)
        for condition, shift in (("null", 0.0), ("power", SHIFT)):
            first, second = (centred[topics[k], run] for k, run in enumerate(members))
            p = np.asarray(stats.ttest_ind(first + shift / 2, second - shift / 2, axis=1).pvalue)
            assert result[condition][place].tolist() == (p <= ALPHA).tolist()


@pytest.mark.parametrize(
    ("chosen", "decimals", "twin"),
    [
        # With 1 decimal most differences are tied, and many are 0.
        ({"test": "wilcoxon"}, 1, lambda d: plain.wilcoxon(np.stack([d, 0 * d], axis=1), ALPHA)),
        ({"test": "wilcoxon"}, 4, lambda d: plain.wilcoxon(np.stack([d, 0 * d], axis=1), ALPHA)),
        ({"test": "paired-t", "null": "swapped"}, 4, lambda d: stats.ttest_1samp(d, 0).pvalue <= ALPHA),
    ],
    ids=["wilcoxon, ties", "wilcoxon", "paired t"],
)
def test_exchanging_two_systems_changes_signs_against_scipy(
    chosen: dict[str, str], decimals: int, twin: Callable[[Floats], bool]
) -> None:
    scores = matrix(decimals=decimals)
    sets, result = decided(scores, **chosen)
    topics, signs = plain.draws(0, 23, 14, N_TRIALS)
    for place, (a, b) in enumerate(sets):
        d = (scores.scores[:, a] - scores.scores[:, b])[topics] * signs
        for condition, shift in (("null", 0.0), ("power", SHIFT)):
            assert result[condition][place].tolist() == [twin(one) for one in d + shift]


def test_sign_flips_against_all_of_them() -> None:
    """With 12 topics all 4,096 flips can be listed; 4,000 drawn ones differ by their simulation error only."""
    scores = matrix()
    sets, result = decided(scores, test="sign-flip", n_topics=12, n_permutations=3999)
    topics, _ = plain.draws(0, 23, 12, N_TRIALS)
    flips = 1.0 - 2.0 * ((np.arange(4096)[:, np.newaxis] >> np.arange(12)) & 1)
    centred = plain.centred(scores.scores)
    for place, (a, b) in enumerate(sets):
        d = (centred[:, a] - centred[:, b])[topics] + SHIFT
        p = (np.abs(d @ flips.T) >= np.abs(d.sum(axis=1))[:, np.newaxis] - 1e-12).mean(axis=1)
        is_clear = np.abs(p - ALPHA) > 4 * np.sqrt(ALPHA * (1 - ALPHA) / 4000)  # 4 standard errors
        assert is_clear.sum() > N_TRIALS / 2
        assert (result["power"][place] == (p <= ALPHA))[is_clear].all()


def test_permuted_ranges_against_plain_permutations() -> None:
    """The share of ranges that reach a difference, against NumPy's permutations of the same scores."""
    rng = np.random.default_rng(3)
    rows = rng.normal(size=(8, 4))
    scores = np.ascontiguousarray(rows[:, :, np.newaxis])
    observed = np.array([5.5])
    shift, n_permutations = 0.6, 20_000
    counts = kernels.permuted_ranges(scores, n_permutations, shift, observed, np.uint64(5))
    moved = rows + shift / 2 * np.array([1, -1, 0, 0])
    plain_ranges = np.ptp(rng.permuted(np.tile(moved, (20_000, 1, 1)), axis=2).sum(axis=1), axis=1)
    share = (plain_ranges >= 5.5).mean()
    assert 0.2 < share < 0.8
    # Two simulated shares: 4 standard errors of their difference.
    assert counts[0] / n_permutations == pytest.approx(share, abs=4 * np.sqrt(2 * 0.25 / 20_000))


def test_randomised_tukey_of_two_systems_is_the_sign_flip_test() -> None:
    """Permuting two scores is flipping a sign; both p values are simulated with 2,000 draws."""
    _, flipped = decided(matrix(), test="sign-flip", n_permutations=1999)
    _, permuted = decided(matrix(), test="randomised-tukey", n_systems=2, n_permutations=1999)
    for condition in ("null", "power"):
        assert (flipped[condition] == permuted[condition]).mean() > 0.97  # p near alpha may fall either side


def test_permuting_within_topics_keeps_each_topics_scores() -> None:
    rows = np.random.default_rng(0).normal(size=(6, 5))
    drawn = np.random.default_rng(1).integers(0, 6, (7, 9))
    result = kernels.gathered(rows, drawn, True, np.uint64(4))
    assert np.array_equal(np.sort(result, axis=1), np.sort(rows[drawn].transpose(1, 2, 0), axis=1))
    assert not np.array_equal(result, rows[drawn].transpose(1, 2, 0))
    kept = kernels.gathered(rows, drawn, False, np.uint64(4))
    assert np.array_equal(kept, rows[drawn].transpose(1, 2, 0))


def test_resamples_without_variance_are_not_significant() -> None:
    """Two topics, of which trials often draw one twice: 0 / 0 counts as no difference."""
    scores = of([[0.9, 0.1], [0.8, 0.3]])
    result = achieved_power(scores, Request(test="paired-t", n_topics=2, n_trials=400, min_d=0.3))
    topics, _ = plain.draws(0, 2, 2, 200)
    assert result.power.value <= 1 - (topics[:, 0] == topics[:, 1]).mean() + 0.1  # the rest of the trials


@pytest.mark.parametrize("name", TEST.options)
def test_work_runs_in_other_processes(name: str) -> None:
    request = Request(test=name, n_topics=9, n_pairs=2, n_trials=20, n_systems=3, n_permutations=19)
    scores = matrix(decimals=0 if request.chosen.is_of_shares else 4)
    setting, task = (
        answer._prepare(scores, request).setting,
        decide.Task(block=0, n_trials=20, first=0, after=2),
    )
    travelled = pickle.loads(pickle.dumps(setting))
    assert travelled.test is setting.test
    assert np.array_equal(decide.decided(travelled, task), decide.decided(setting, task))


@pytest.mark.parametrize(
    "name", ["paired-t", "two-sample-t", "wilcoxon", "sign-flip", "randomised-tukey", "bonferroni"]
)
def test_results_do_not_depend_on_tasks_or_workers(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    scores = matrix()
    request = Request(
        test=name, n_topics=10, n_pairs=5, n_trials=450, n_systems=4, n_permutations=39, min_d=SHIFT
    )
    one = achieved_power(scores, request)
    monkeypatch.setattr(answer, "_TASK_SECONDS", 0.0)  # one set per task
    with ThreadPoolExecutor(3) as executor:
        other = achieved_power(scores, request, executor=executor)
    for rate in ("type_one", "power"):
        assert np.array_equal(getattr(one, rate).by_pair, getattr(other, rate).by_pair)
        # Sums of counts of sets in another order are equal: they are whole numbers.
        assert np.array_equal(getattr(one, rate).by_trial, getattr(other, rate).by_trial)
