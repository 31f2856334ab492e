"""McNemar's test: powers against R, plain enumeration and simulation; levels; where the power stays reached."""

from functools import cache
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import stats

from tests.cli.running import record
from tests.reference.tables import table
from topicset_core.designs import mcnemar, paired_t
from topicset_core.designs.mcnemar import MCNEMAR, critical_counts, two_sided_p, unconditional_critical
from topicset_core.designs.shares import binomial
from topicset_core.errors import InputError, NoSolution

ROWS = table("mcnemar_powers")


def asked(p10: float, p01: float, **more: Any) -> Any:
    values: dict[str, Any] = {"alpha": 0.05, "beta": 0.2} | mcnemar.DESIGN.of_shares((p10, p01)) | more
    return mcnemar.Requirements(**values)


def plain_p(test: str, count: Any, m: Any) -> Any:
    """The p value of `count` among m, written from Fagerland et al. (2013), eqs. 5 and 6."""
    exact = 2 * stats.binom.cdf(count, m, 0.5)
    return exact if test == "exact" else exact - stats.binom.pmf(count, m, 0.5)


@cache
def plain_rejections(test: str, alpha: float, most: int) -> Any:
    """For each m the largest count that rejects; -1 if none does."""
    m, count = np.arange(most + 1)[:, np.newaxis], np.arange(most // 2 + 1)
    return ((plain_p(test, count, m) <= alpha * (1 + 1e-12)) & (2 * count < m)).sum(axis=1) - 1


def plain_powers(test: str, alpha: float, p10: float, p01: float, sizes: Any) -> Any:
    """The power of numbers of topics: binomial sums by SciPy."""
    most, psi = int(sizes[-1]), p10 + p01
    counts, m = plain_rejections(test, alpha, most), np.arange(most + 1)
    reject = stats.binom.cdf(counts, m, p10 / psi) + stats.binom.cdf(counts, m, p01 / psi)
    return stats.binom.pmf(m, sizes[:, np.newaxis], psi) @ np.where(counts >= 0, reject, 0)


def test_powers_against_r() -> None:
    assert len(ROWS) == 80
    for row in ROWS:
        n, p10, p01, alpha = (float(row[name]) for name in ("n", "p10", "p01", "alpha"))
        given = mcnemar.DESIGN.of_shares((p10, p01))
        values = given["min_d"], given["difference_variance"]
        power = float(mcnemar.power(n, *values, alpha=alpha, mcnemar=row["test"]))
        assert power == pytest.approx(float(row["power"]), abs=2e-13), row  # R printed 14 decimals


@pytest.mark.parametrize(
    ("shares", "expected", "of_t"),
    # Least topics and those from which on 80 % stays reached, by `plain_powers`; topics of the paired t plan, whose
    # powers under the exact test are rows of R: .76375 at 340, .75211 at 152 and .76848 at 214.
    [
        ((0.08, 0.03), (367, 367), 340),
        ((0.15, 0.05), (168, 168), 152),
        ((0.20, 0.05), (92, 92), 82),
        ((0.06, 0.01), (228, 228), 214),
    ],
)
def test_a_paired_t_plan_has_too_few_topics_for_mcnemar(
    shares: tuple[float, float], expected: tuple[int, int], of_t: int, capsys: pytest.CaptureFixture[str]
) -> None:
    levels: dict[str, Any] = {"alpha": 0.05, "beta": 0.2}
    given: dict[str, Any] = mcnemar.DESIGN.of_shares(shares)
    assert int(paired_t.DESIGN.plan(**levels, **given).topics()) == of_t
    texts = [str(one) for one in shares]
    printed = record(capsys, "size", "mcnemar", "--shares", *texts, "--alpha", ".05", "--beta", ".20")
    assert (printed["least_topics"], printed["required_topics"]) == expected
    sizes = np.arange(expected[0] - 30, expected[1] + 30)
    powers = dict(zip(sizes.tolist(), plain_powers("exact", 0.05, *shares, sizes).tolist(), strict=True))
    assert all((power >= 0.8) == (n >= expected[0]) for n, power in powers.items())
    assert printed["attained_power"] == pytest.approx(powers[expected[1]], abs=1e-12)
    assert printed["power_one_topic_fewer"] == pytest.approx(powers[expected[1] - 1], abs=1e-12)


@pytest.mark.parametrize("test", ["exact", "mid-p"])
@pytest.mark.parametrize(
    ("p10", "p01"), [(0.9, 0.1), (0.8, 0.2), (0.7, 0.3), (0.05, 0.0), (0.6, 0.25), (0.5, 0.0)]
)
@pytest.mark.parametrize("beta", [0.2, 0.05])
def test_power_stays_reached_against_plain_enumeration(
    test: str, p10: float, p01: float, beta: float
) -> None:
    """Where all topics are discordant the power rises and falls; three times the topics are computed one by one."""
    result = mcnemar.required_topics(asked(p10, p01, beta=beta, mcnemar=test))
    sizes = np.arange(2, 3 * result.required_topics)
    powers = plain_powers(test, 0.05, p10, p01, sizes)
    reached = powers >= 1 - beta
    assert result.least_topics == int(np.argmax(reached)) + 2
    assert result.required_topics == int(np.flatnonzero(~reached)[-1]) + 3


def test_more_topics_may_have_less_power() -> None:
    """With p10 + p01 = 1 McNemar's is the sign test: 8 of 8 or 0 of 8, then 10 of 11 or more."""
    result = mcnemar.required_topics(asked(0.9, 0.1, mcnemar="mid-p"))
    assert (result.least_topics, result.required_topics) == (8, 11)
    at = mcnemar.power([8, 10], 0.8, 0.36, alpha=0.05, mcnemar="mid-p")
    # Eight topics reject at 0, 1, 7 or 8: mid-p of 1 is 2 (1 + 8/2) / 256; ten at 0, 1, 9, 10.
    eight = 0.9**8 + 8 * 0.9**7 * 0.1 + 0.1**8 + 8 * 0.1**7 * 0.9
    ten = 0.9**10 + 10 * 0.9**9 * 0.1 + 0.1**10 + 10 * 0.1**9 * 0.9
    assert at == pytest.approx([eight, ten], abs=1e-13)
    assert "8 topics are the least, but some numbers up to 10 fall short" in "\n".join(result.lines)


def test_powers_against_simulation() -> None:
    rng, trials = np.random.default_rng(45), 1_000_000
    for test, n, p10, p01 in (
        ("exact", 367, 0.08, 0.03),
        ("mid-p", 81, 0.2, 0.05),
        ("exact", 40, 0.6, 0.3),
    ):
        x, y, _ = rng.multinomial(n, [p10, p01, 1 - p10 - p01], size=trials).T
        rejected = float((np.minimum(x, y) <= plain_rejections(test, 0.05, n)[x + y]).mean())
        given = mcnemar.DESIGN.of_shares((p10, p01))
        power = float(
            mcnemar.power(n, given["min_d"], given["difference_variance"], alpha=0.05, mcnemar=test)
        )
        assert rejected == pytest.approx(power, abs=4 * np.sqrt(power * (1 - power) / trials))


def test_level_of_each_test_over_discordant_shares() -> None:
    """The exact tests keep 5 %; mid-p exceeds it, most with 16 topics that are all discordant.

    Of these it rejects at 4 or fewer on one side, with 2 (1 + 16 + 120 + 560 + 1820) / 2^16 = 7.68 %. Of 5 to 400
    topics none has more, and from 50 topics on none has more than 6.5 %.
    """
    shares, largest = np.linspace(0.002, 1, 500)[:, np.newaxis], dict.fromkeys(MCNEMAR.options, 0.0)
    for n in (6, 10, 16, 25, 50, 82, 150):
        m = np.arange(n + 1)
        weights = stats.binom.pmf(m, n, shares)
        for test in ("exact", "mid-p"):
            counts = critical_counts(0, n, 0.05, test)
            reject = np.where(counts >= 0, 2 * stats.binom.cdf(counts, m, 0.5), 0)
            largest[test] = max(largest[test], float((weights @ reject).max()))
        x = m[:, np.newaxis]
        outside = (np.abs(2 * x - m) >= unconditional_critical(n, 0.05) * np.sqrt(m)) & (m > 0)
        reject = (stats.binom.pmf(x, m, 0.5) * outside).sum(axis=0)
        largest["unconditional"] = max(largest["unconditional"], float((weights @ reject).max()))
    assert largest["exact"] <= 0.05
    assert 0.045 < largest["unconditional"] <= 0.05
    assert largest["mid-p"] == pytest.approx(2 * 2517 / 2**16, abs=1e-12)


def test_p_values_against_r() -> None:
    """R 4.2.2: binom.test(3, 12)$p.value, and of 5 of 10, which is 1; mid-p as in Fagerland's table 1 (1 of 8)."""
    assert float(two_sided_p(3, 12)) == pytest.approx(0.1459961, abs=5e-8)
    assert float(two_sided_p(5, 10)) == 1
    assert float(two_sided_p(1, 8)) == pytest.approx(0.0703125, abs=1e-12)
    assert float(two_sided_p(1, 8, "mid-p")) == pytest.approx(0.0390625, abs=1e-12)
    assert float(two_sided_p(4, 8, "mid-p")) == pytest.approx(1 - 70 / 512, abs=1e-12)


@pytest.mark.parametrize("p", [0.0, 0.003, 0.4, 0.97, 1.0])
@pytest.mark.parametrize("n", [1, 12, 3000])
def test_binomial_weights_against_scipy(n: int, p: float) -> None:
    first, weights = binomial(n, p)
    counts = np.arange(first, first + weights.size)
    # SciPy's own error at n = 3000 is about 1e-12, relative.
    np.testing.assert_allclose(weights, stats.binom.pmf(counts, n, p), rtol=1e-11, atol=1e-17)
    assert stats.binom.cdf(first - 1, n, p) + stats.binom.sf(counts[-1], n, p) < 1e-16


def test_detected_difference_is_where_the_power_is_reached() -> None:
    plan = mcnemar.DESIGN.plan(alpha=0.05, beta=0.2, difference_variance=0.1)
    sizes = np.array([50, 200, 5000])
    detected = plan.detected(sizes)
    assert plan.power(sizes, detected) == pytest.approx([0.8] * 3, abs=1e-7)  # found to 1e-9, relative
    assert all(later < earlier for earlier, later in pairwise(detected.tolist()))


def test_shares_from_difference_and_variance_round_trip() -> None:
    result = mcnemar.required_topics(asked(0.31, 0.17))
    assert result.discordant_shares == pytest.approx((0.31, 0.17), abs=1e-15)


@pytest.mark.parametrize(
    ("shares", "message"),
    [
        ((0.1,), "must be two shares"),
        ((0.1, 0.1), "must differ"),
        ((0.7, 0.4), "must not sum to more than 1"),
        ((-0.1, 0.1), "must be a number from 0 to 1"),
    ],
)
def test_shares_that_cannot_be(shares: tuple[float, ...], message: str) -> None:
    with pytest.raises(InputError, match=message):
        mcnemar.DESIGN.of_shares(shares)


def test_variances_that_scores_of_0_and_1_cannot_have() -> None:
    with pytest.raises(InputError, match=r"difference_variance = 0.92.* must be at most 0.91"):
        mcnemar.DESIGN.plan(alpha=0.05, beta=0.2, min_d=0.3, difference_variance=0.92)
    little = mcnemar.DESIGN.plan(alpha=0.05, beta=0.2, min_d=0.3, difference_variance=0.02).required_topics()
    least = mcnemar.required_topics(asked(0.3, 0.0))
    assert (little.required_topics, little.discordant_shares) == (least.required_topics, (0.3, 0.0))
    assert (len(little.notes), least.notes) == (1, ())
    assert "at least 0.21" in "\n".join(little.lines)
    with pytest.raises(InputError, match=r"shares.*has no meaning for paired-t"):
        paired_t.DESIGN.of_shares((0.1, 0.2))


def test_the_unconditional_test_is_enumerated_for_few_topics() -> None:
    with pytest.raises(NoSolution, match=r"enumerated up to 1,000 topics.*the exact conditional test"):
        mcnemar.required_topics(asked(0.06, 0.04, mcnemar="unconditional"))
    result = mcnemar.required_topics(asked(0.2, 0.05, mcnemar="unconditional"))
    assert (result.least_topics, result.required_topics) == (
        81,
        81,
    )  # exact: 92; the powers of 80 and 81 are near R's rows


@pytest.mark.parametrize(
    ("d", "alpha", "beta", "test"),
    # A peak of the power before the bracket of the search, with few topics and with many
    [(0.07945745380889162, 0.5, 0.45, "mid-p"), (0.02, 0.3, 0.45, "mid-p"), (0.05, 0.05, 0.2, "exact")],
)
def test_the_least_topics_are_found_where_all_are_discordant(
    d: float, alpha: float, beta: float, test: str
) -> None:
    """Against the power of every number of topics, which R has checked."""
    wanted = mcnemar.Requirements(
        alpha=alpha, beta=beta, min_d=d, difference_variance=1 - d * d, mcnemar=test
    )
    found = mcnemar.required_topics(wanted)
    sizes = np.arange(2, found.required_topics + 200)
    reached = mcnemar.power(sizes, d, 1 - d * d, alpha=alpha, mcnemar=test) >= 1 - beta
    assert found.least_topics == sizes[reached][0]
    assert found.required_topics == sizes[~reached][-1] + 1


def test_many_topics_are_near_the_normal_approximation() -> None:
    """z^2 psi / d^2 by the normal approximation, plus a continuity correction of 1 / d (Connett et al. 1987)."""
    z = float(stats.norm.isf(0.025) + stats.norm.isf(0.2))
    n = int(mcnemar.required_topics_grid(0.004, 0.996, alpha=0.05, beta=0.2))
    assert n == pytest.approx(z**2 * 0.996 / 0.004**2 + 1 / 0.004, rel=1e-3)
