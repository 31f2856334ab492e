"""Within-system variances of 17 runs of Robust 2003, topics 601-650, under the conventions of Sakai 2016.

Expected values are from the project's notes, computed by separate code on pytrec_eval and NTCIREVAL;
they are printed with 4 digits. Judgments are those of the documents that one of the 17 runs returned
among its first `pool_depth`: at 125, the depth of that year's pool, they differ from all the
judgments of the collection, to which other runs contributed too.
"""

import numpy as np
import pytest

from tests.measures.plain_reader import judged
from tests.variance.matrices import of
from topicset_core.collection.judged_runs import REMOVED, Grades, JudgedRuns
from topicset_core.measures import Conventions, Measure, measure_named
from topicset_core.variance import one_way

pytestmark = [pytest.mark.reference_data, pytest.mark.slow]  # the reading of 17 runs

SAKAI_2016 = Conventions(gains="exponential", denominator="min(md, R)", largest_grade=2)
HALF_4TH = 5e-5


def pooled_to(together: JudgedRuns, depth: int) -> Grades:
    pooled = (together.best_ranks >= 1) & (together.best_ranks <= depth)
    return np.where(pooled, together.qrels.grades, REMOVED)


def variance(together: JudgedRuns, measure: Measure, grades: Grades | None = None) -> float:
    rows = [row for row, topic in enumerate(together.topics) if 601 <= int(topic) <= 650]
    assert len(rows) == 50
    return one_way(of(measure.scores(together, grades)[rows]))


@pytest.mark.parametrize(
    ("depth", "expected"),
    [
        (1000, {"AP": 0.0480, "Q": 0.0478, "nDCG": 0.0469, "nERR": 0.1154}),
        (10, {"AP": 0.0865, "Q": 0.0642, "nDCG": 0.0719, "nERR": 0.1212}),
    ],
)
def test_four_measures_against_notes(depth: int, expected: dict[str, float]) -> None:
    together = judged("robust2003")
    grades = pooled_to(together, 125)
    for name, printed in expected.items():
        measure = measure_named(f"{name}@{depth}", SAKAI_2016)
        assert variance(together, measure, grades) == pytest.approx(printed, abs=HALF_4TH)


@pytest.mark.parametrize(
    ("pool_depth", "expected"),
    [(10, 0.0731), (20, 0.0621), (30, 0.0558), (50, 0.0512), (70, 0.0498), (100, 0.0482), (125, 0.0480)],
)
def test_ap_by_pool_depth_against_notes(pool_depth: int, expected: float) -> None:
    together = judged("robust2003")
    result = variance(together, measure_named("AP"), pooled_to(together, pool_depth))
    assert result == pytest.approx(expected, abs=HALF_4TH)


def test_all_judgments_give_other_variances_than_those_of_the_17_runs_pool() -> None:
    """Computed here, so that the difference is on record; AP also by pytrec_eval's scores."""
    together = judged("robust2003")
    for name, computed in {"AP": 0.04758, "Q": 0.04771, "nDCG": 0.04756, "nERR": 0.11538}.items():
        measure = measure_named(f"{name}@1000", SAKAI_2016)
        assert variance(together, measure) == pytest.approx(computed, abs=5e-6)
