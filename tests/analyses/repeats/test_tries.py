"""Passing in all of k tries: by hand, against every choice of tries, and coverage in simulation."""

from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.cli.running import record, text
from topicset_core.analyses.repeats.tries import all_of_tries
from topicset_core.collection.replicated_scores import ReplicatedScores
from topicset_core.designs.share_interval import share_interval


def scores_of(answers: Any) -> ReplicatedScores:
    """Scores of (n_topics, n_systems, n_repeats)."""
    n, m, r = answers.shape
    names = [
        [f"{letter}{place}" for place in range(size)] for letter, size in zip("tsr", (n, m, r), strict=True)
    ]
    topics, systems, repeats = map(tuple, names)
    return ReplicatedScores(
        scores=answers, topics=topics, systems=systems, repeats=repeats, measure="pass", name="tries"
    )


def test_shares_against_every_choice_of_tries() -> None:
    answers = (np.random.default_rng(1).random((12, 2, 4)) < 0.7).astype(float)
    for one in all_of_tries(scores_of(answers), 0.05):
        of_system = answers[:, int(one.system[1:])]
        plain = np.mean([of_system[:, chosen].all(axis=1) for chosen in combinations(range(4), one.tries)])
        assert one.share == pytest.approx(plain, abs=1e-14)
        assert 0 <= one.low < one.share < one.high <= 1


def test_all_tries_have_wilsons_interval() -> None:
    """Of k = r tries each topic passes or not: 7 of 10 topics."""
    answers = np.ones((10, 1, 3))
    answers[:3, 0, 0] = 0
    last = all_of_tries(scores_of(answers), 0.05)[-1]
    assert last.share == pytest.approx(0.7, abs=1e-15)
    # The variance has n - 1, so that n p (1 - p) / s^2 is 9 and not 10.
    low, high = share_interval(6.3, 9, 0.05)
    assert (last.low, last.high) == pytest.approx((float(low), float(high)), abs=1e-14)


def test_few_passes_in_all_tries_have_clopper_and_pearsons_interval() -> None:
    """3 of 20 topics: .0321 to .3789 (Clopper and Pearson 1934, by the tails of the binomial distribution)."""
    answers = np.zeros((20, 1, 8))
    answers[:3] = 1
    answers[3:9, 0, :5] = 1
    last = all_of_tries(scores_of(answers), 0.05)[-1]
    assert stats.binom.sf(2, 20, last.low) == pytest.approx(0.025, abs=1e-9)
    assert stats.binom.cdf(3, 20, last.high) == pytest.approx(0.025, abs=1e-9)
    assert (last.low, last.high) == pytest.approx((0.0321, 0.3789), abs=5e-5)


def test_few_topics_that_ever_pass_have_one_more_in_the_upper_limit() -> None:
    """Two of 50 topics passed in 3 of 8 tries, 1 / 56 of the choices of 3: one that always passes may be unseen."""
    answers = np.zeros((50, 1, 8))
    answers[:2, 0, :3] = 1
    one = all_of_tries(scores_of(answers), 0.05)[2]
    values = np.array([1 / 56] * 2 + [0] * 48 + [1])
    share = values.mean()
    n = 51 * share * (1 - share) / values.var(ddof=1)
    assert one.high == pytest.approx(float(share_interval(share * n, n, 0.05)[1]), rel=1e-12)
    assert one.low == 0


def test_topics_that_do_not_vary_count_as_topics() -> None:
    # 1 of 3 tries on each topic: thirds have a last bit, whose variance is rounding.
    one = all_of_tries(scores_of(np.tile([1.0, 0, 0], (10, 1, 1))), 0.05)[0]
    assert one.low == pytest.approx(float(share_interval(10 / 3, 10, 0.05)[0]), rel=1e-12)


def test_independent_tries_and_equal_tries() -> None:
    same = np.repeat(np.array([1.0, 0.0, 1.0, 1.0])[:, np.newaxis, np.newaxis], 3, axis=2)
    assert [(one.share, one.correlation) for one in all_of_tries(scores_of(same), 0.05)] == [(0.75, 1.0)] * 3
    rng = np.random.default_rng(2)
    found = all_of_tries(scores_of((rng.random((40_000, 1, 3)) < 0.8).astype(float)), 0.05)
    # The standard error of each share is below .003.
    assert [one.share for one in found] == pytest.approx([0.8, 0.64, 0.512], abs=0.01)
    assert found[0].correlation == pytest.approx(0, abs=0.01)
    assert all_of_tries(scores_of(same / 2), 0.05) == ()


def test_intervals_cover_in_simulation() -> None:
    """Beta-binomial answers with mean .6 and correlation .3, 50 topics: a = .6 x .7 / .3."""
    rng, a, b = np.random.default_rng(3), 0.6 * 0.7 / 0.3, 0.4 * 0.7 / 0.3
    true = [0.6, 0.6 * (a + 1) / (a + b + 1), 0.6 * (a + 1) / (a + b + 1) * (a + 2) / (a + b + 2)]
    answers = (rng.random((50, 400, 3)) < rng.beta(a, b, (50, 400, 1))).astype(float)
    found = all_of_tries(scores_of(answers), 0.05)
    for k in (1, 2, 3):
        covered = np.mean([one.low <= true[k - 1] <= one.high for one in found if one.tries == k])
        assert covered == pytest.approx(0.95, abs=0.035)  # three standard errors of 400 trials
    assert np.mean([one.correlation or 0.0 for one in found]) == pytest.approx(0.3, abs=0.02)


def test_the_command_has_them(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    answers = (np.random.default_rng(4).random((20, 2, 3)) < 0.7).astype(int)
    rows = [
        f"t{topic},s{system},{answers[topic, system, place]},{place}"
        for topic in range(20)
        for system in range(2)
        for place in range(3)
    ]
    file = tmp_path / "tries.csv"
    file.write_text("\n".join(["topic,system,pass,repeat", *rows]))
    given = ("repeats", str(file), "--kind", "repeats", "--alpha", ".05", "--beta", ".2", "--min-d", ".1")
    costs = ("--cost-topic", "1", "--cost-seed", "0", "--cost-cell", "1")
    printed = record(capsys, *given, *costs)
    assert [one["tries"] for one in printed["all_of_tries"]] == [1, 2, 3, 1, 2, 3]
    share = 100 * answers[:, 0].all(axis=1).mean()
    assert f"s0 passes in all of 3 tries on {share:.1f} % of topics" in text(capsys, *given, *costs)
