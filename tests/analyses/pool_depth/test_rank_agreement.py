"""Kendall's tau-b and the AP correlation."""

import itertools

import numpy as np
import pytest
import scipy
from hypothesis import given
from hypothesis import strategies as st

from topicset_core.analyses.pool_depth.study import kendall_tau, tau_ap
from topicset_core.errors import InputError

_SCORES = st.lists(st.integers(0, 5), min_size=2, max_size=7)


@given(data=st.data(), first=_SCORES)
def test_tau_b_against_scipy(data: st.DataObject, first: list[int]) -> None:
    second = data.draw(st.permutations(first))
    result = kendall_tau(first, second)
    if result is None:
        assert len(set(first)) == 1
    else:
        # The same quotient of whole numbers, rounded a few times.
        assert result == pytest.approx(scipy.stats.kendalltau(first, second).statistic, abs=1e-14)


def _plain_tau_ap(estimated: list[float], true: list[float]) -> float:
    """Yilmaz et al. 2008, Eq. 3, for an estimated ranking without ties."""
    order = sorted(range(len(estimated)), key=lambda i: -estimated[i])
    total = 0.0
    for rank in range(1, len(order)):
        above = [true[i] - true[order[rank]] for i in order[:rank]]
        correct = sum(1.0 if difference > 0 else 0.5 if difference == 0 else 0.0 for difference in above)
        total += correct / rank
    return 2 * total / (len(order) - 1) - 1


@given(true=_SCORES, seed=st.integers(0, 1000))
def test_tau_ap_against_its_definition(true: list[int], seed: int) -> None:
    estimated = np.random.default_rng(seed).permutation(len(true)).astype(float).tolist()
    result = tau_ap(estimated, true)
    if result is None:
        assert len(set(true)) == 1
    else:
        assert result == pytest.approx(_plain_tau_ap(estimated, [float(t) for t in true]), abs=1e-14)


@pytest.mark.parametrize("estimated", [[3, 3, 1, 0], [2, 1, 1, 1], [1, 1, 0, 0], [2, 2, 2, 0]])
def test_ties_in_the_estimated_ranking_are_averaged_over_all_orders(estimated: list[int]) -> None:
    true = [4.0, 1.0, 3.0, 2.0]
    values = []
    for order in itertools.permutations(range(4)):
        ranks = [-order.index(i) for i in range(4)]
        if all(ranks[i] > ranks[j] for i in range(4) for j in range(4) if estimated[i] > estimated[j]):
            values.append(_tau_ap_half_for_ties(order, true, estimated))
    assert tau_ap(estimated, true) == pytest.approx(np.mean(values), abs=1e-14)


def _tau_ap_half_for_ties(order: tuple[int, ...], true: list[float], estimated: list[int]) -> float:
    total = 0.0
    for rank in range(1, len(order)):
        here = order[rank]
        for i in order[:rank]:
            tied = estimated[i] == estimated[here]
            total += (0.5 if tied else float(true[i] > true[here])) / rank
    return 2 * total / (len(order) - 1) - 1


def test_agreement_is_undefined_without_an_order() -> None:
    assert kendall_tau([1.0], [2.0]) is None
    assert tau_ap([1, 1], [1, 2]) is None
    with pytest.raises(InputError, match="same length"):
        kendall_tau([1, 2], [1, 2, 3])
