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


def _plain_tau_ap(order: tuple[int, ...], estimated: list[int], true: list[int]) -> float:
    """Yilmaz et al. 2008, Eq. 3, of a ranking, best first; a pair that is tied in either counts one half."""
    total = 0.0
    for rank in range(1, len(order)):
        here = order[rank]
        for i in order[:rank]:
            is_tied = estimated[i] == estimated[here] or true[i] == true[here]
            total += (0.5 if is_tied else float(true[i] > true[here])) / rank
    return 2 * total / (len(order) - 1) - 1


@given(data=st.data(), true=st.lists(st.integers(0, 3), min_size=2, max_size=5))
def test_tau_ap_against_its_definition_over_all_orders_of_ties(data: st.DataObject, true: list[int]) -> None:
    estimated = data.draw(st.lists(st.integers(0, 3), min_size=len(true), max_size=len(true)))
    orders = [
        order
        for order in itertools.permutations(range(len(true)))
        if all(estimated[i] >= estimated[k] for i, k in itertools.pairwise(order))
    ]
    result = tau_ap(estimated, true)
    if result is None:
        assert len(set(true)) == 1 or len(set(estimated)) == 1
    else:
        values = [_plain_tau_ap(order, estimated, true) for order in orders]
        assert result == pytest.approx(np.mean(values), abs=1e-14)


def test_agreement_is_undefined_without_an_order() -> None:
    assert kendall_tau([1.0], [2.0]) is None
    assert tau_ap([1, 1], [1, 2]) is None
    with pytest.raises(InputError, match="same length"):
        kendall_tau([1, 2], [1, 2, 3])
