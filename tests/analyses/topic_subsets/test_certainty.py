"""Certainty in words: for each status, and whether fewer topics may be enough."""

from dataclasses import replace
from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.words import numbers_in
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve, subset_curve
from topicset_core.analyses.topic_subsets.report import certainty_sentence, how_evaluated
from topicset_core.analyses.topic_subsets.request import Request


@cache
def enumerated() -> SubsetCurve:
    request = Request(goodness="pearson", cardinalities=tuple(range(1, 10)), method="exhaustive", n_trials=50)
    return subset_curve(random_matrix(9, 6, seed=81), request)


def best_value(cardinality: int) -> float:
    best = enumerated().points[cardinality - 1].best
    assert best is not None
    return best.value


def target() -> float:
    """A goodness that is first reached by three topics."""
    return (best_value(2) + best_value(3)) / 2


def known(*statuses: Status, bound: float | None = None) -> SubsetCurve:
    """Return the curve with other statuses of its first best sets; a bound for sets with a gap."""
    points = list(enumerated().points)
    for place, status in enumerate(statuses):
        best = points[place].best
        assert best is not None
        one = replace(best, status=status, bound=bound if status == "gap" else None)
        points[place] = replace(points[place], ten_best=(one,))
    return replace(enumerated(), points=tuple(points))


def claim_of_fewer() -> str:
    """The claim that fewer topics are not enough: proofs of all sizes compared with a proof of one."""
    one = certainty_sentence(known("exhaustive", "heuristic", "proved"), 3, target())
    every = certainty_sentence(known("proved", "proved", "proved"), 3, target())
    assert every.startswith(one)
    assert every != one
    return every.removeprefix(one)


@pytest.mark.parametrize(
    ("statuses", "beyond_target", "numbers", "claims"),
    [
        # 84 = 9 * 8 * 7 / (3 * 2)
        pytest.param((), None, [84, 3], True, id="enumerated"),
        pytest.param(("proved", "proved", "proved"), None, [3], True, id="proved"),
        pytest.param(("exhaustive", "heuristic", "proved"), None, [3], False, id="fewer searched"),
        pytest.param(("exhaustive", "gap", "proved"), 0.001, [3], False, id="fewer open"),
        pytest.param(("exhaustive", "gap", "proved"), -1e-6, [3], True, id="fewer bounded"),
        pytest.param(("exhaustive", "exhaustive", "gap"), None, [0.98765], True, id="open"),
        pytest.param(("exhaustive", "exhaustive", "heuristic"), None, [3], True, id="searched"),
        pytest.param(("exhaustive", "heuristic", "heuristic"), None, [3], False, id="all searched"),
    ],
)
def test_sentence_on_the_smallest_sufficient_set(
    statuses: tuple[Status, ...],
    beyond_target: float | None,
    numbers: list[float],
    claims: bool,
    golden: SnapshotAssertion,
) -> None:
    curve = known(*statuses, bound=0.98765432 if beyond_target is None else target() + beyond_target)
    assert curve.crossings(target()).best == 3
    text = certainty_sentence(curve, 3, target())
    assert numbers_in(text) == numbers
    assert text.endswith(claim_of_fewer()) == claims
    assert text == golden


def test_a_proof_leaves_room_for_its_tolerance() -> None:
    """A proved value is exceeded by up to 1e-9: no claim about fewer topics within that of the target."""
    curve = known("proved", "proved", "proved")
    assert claim_of_fewer() in certainty_sentence(curve, 3, best_value(2) + 2e-9)
    assert claim_of_fewer() not in certainty_sentence(curve, 3, best_value(2) + 5e-10)


def test_no_claim_about_sizes_that_were_not_evaluated() -> None:
    points = (enumerated().points[0], *enumerated().points[2:])
    whole = certainty_sentence(enumerated(), 3, target())
    part = certainty_sentence(replace(enumerated(), points=points), 3, target())
    assert part == whole.removesuffix(claim_of_fewer()) != whole


def test_one_topic(golden: SnapshotAssertion) -> None:
    assert certainty_sentence(known("proved"), 1, best_value(1)) == golden


def test_sizes_are_counted_by_the_weaker_of_best_and_worst(golden: SnapshotAssertion) -> None:
    mixed = known("proved", "gap", "proved", "heuristic", bound=1.0)
    first = enumerated().points[0]
    assert first.worst is not None
    weaker = replace(first, ten_worst=(replace(first.worst, status="heuristic"),))
    part = replace(enumerated(), points=(weaker, enumerated().points[1]))
    sentences = [how_evaluated(curve) for curve in (enumerated(), mixed, part)]
    # Sizes done of all; those evaluated in full, proved, open.
    assert [numbers_in(one) for one in sentences] == [[], [5, 9, 1, 3, 2], [2, 9, 2]]
    assert sentences == golden
