"""What is certain, in words: for each status, and whether fewer topics may be enough."""

from dataclasses import replace

import pytest

from tests.analyses.topic_subsets.plain import random_matrix
from topicset_core.analyses.topic_subsets.certainty import certainty_sentence, statuses_sentence
from topicset_core.analyses.topic_subsets.curve import Status, SubsetCurve
from topicset_core.analyses.topic_subsets.explore import subset_curve
from topicset_core.analyses.topic_subsets.request import Request

CURVE = subset_curve(
    random_matrix(9, 6, seed=81),
    Request(goodness="pearson", cardinalities=tuple(range(1, 10)), method="exhaustive", n_trials=50),
)
SECOND = CURVE.points[1].best
assert SECOND is not None
TARGET = (SECOND.value + CURVE.points[2].best.value) / 2  # type: ignore[union-attr]  # first reached by three
NOT_FEWER = " Fewer are not enough, whichever they are."


def known(*statuses: Status, bound: float | None = None) -> SubsetCurve:
    """Return the curve with other statuses of its first best sets; a bound for those with a gap."""
    points = list(CURVE.points)
    for place, status in enumerate(statuses):
        best = points[place].best
        assert best is not None
        one = replace(best, status=status, bound=bound if status == "gap" else None)
        points[place] = replace(points[place], ten_best=(one,))
    return replace(CURVE, points=tuple(points))


@pytest.mark.parametrize(
    ("curve", "said"),
    [
        # 84 = 9 * 8 * 7 / (3 * 2)
        (CURVE, "All 84 subsets of 3 topics were looked at: none is better." + NOT_FEWER),
        (
            known("proved", "proved", "proved"),
            "Proved by branch and bound: no 3 topics do better." + NOT_FEWER,
        ),
        (
            known("exhaustive", "heuristic", "proved"),
            "Proved by branch and bound: no 3 topics do better.",
        ),
        (
            known("exhaustive", "gap", "proved", bound=TARGET + 0.001),
            "Proved by branch and bound: no 3 topics do better.",
        ),
        (
            known("exhaustive", "gap", "proved", bound=TARGET - 1e-6),
            "Proved by branch and bound: no 3 topics do better." + NOT_FEWER,
        ),
        (
            known("exhaustive", "exhaustive", "gap", bound=0.98765432),
            "The proof that no 3 topics do better was not finished: none has more than .98765." + NOT_FEWER,
        ),
        (
            known("exhaustive", "exhaustive", "heuristic"),
            "These 3 were found by search; another 3 may do better." + NOT_FEWER,
        ),
        (
            known("exhaustive", "heuristic", "heuristic"),
            "These 3 were found by search; another 3 may do better, so even fewer may be enough.",
        ),
    ],
)
def test_what_is_said_of_the_best_set_that_is_enough(curve: SubsetCurve, said: str) -> None:
    assert curve.crossings(TARGET).best == 3
    assert certainty_sentence(curve, 3, TARGET) == said


def test_a_proof_leaves_room_for_its_tolerance() -> None:
    """A proved value is exceeded by up to 1e-9: no claim about fewer topics within that of the target."""
    assert SECOND is not None
    curve = known("proved", "proved", "proved")
    assert NOT_FEWER in certainty_sentence(curve, 3, SECOND.value + 2e-9)
    assert NOT_FEWER not in certainty_sentence(curve, 3, SECOND.value + 5e-10)


def test_no_claim_about_sizes_that_were_not_looked_at() -> None:
    points = (CURVE.points[0], *CURVE.points[2:])
    assert certainty_sentence(replace(CURVE, points=points), 3, TARGET).endswith("none is better.")


def test_one_topic() -> None:
    target = CURVE.points[0].best.value  # type: ignore[union-attr]
    assert (
        certainty_sentence(known("proved"), 1, target)
        == "Proved by branch and bound: no 1 topic does better."
    )


def test_sizes_are_counted_by_the_weaker_of_best_and_worst() -> None:
    assert statuses_sentence(CURVE) == "9 sizes, 9 of them looked at in full."
    curve = known("proved", "gap", "proved", "heuristic", bound=1.0)
    assert (
        statuses_sentence(curve)
        == "9 sizes, 5 of them looked at in full, 2 with best and worst proved by branch and "
        "bound, 1 with a proof that was not finished, 1 found by search, so that others may be better or worse."
    )
    worst = CURVE.points[0].worst
    assert worst is not None
    first = replace(CURVE.points[0], ten_worst=(replace(worst, status="heuristic"),))
    part = replace(CURVE, points=(first, CURVE.points[1]))
    assert (
        statuses_sentence(part)
        == "2 of 9 sizes, 1 of them looked at in full, 1 found by search, so that others may "
        "be better or worse."
    )
