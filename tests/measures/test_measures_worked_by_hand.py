"""One topic worked out by hand, and what trec_eval, NTCIREVAL and gdeval print for it.

Grades d1=3 d2=1 d3=0 d4=2 d5=0 d6=-1 d7=1; the run is d3 d1 d6 d9 d4 d7, so that grades 3, 2 and 1 are at
ranks 2, 5 and 6; d6 is pooled and not judged, d9 is unknown. R = 4.
"""

from math import log2

import pytest

from tests.measures.plain_reader import joined
from topicset_core.collection.judged_runs import JudgedRuns
from topicset_core.measures import TREC_EVAL, Conventions, measure_named
from topicset_core.measures.binary import RBP
from topicset_core.measures.conventions import SAKAI

GRADES = {"d1": 3, "d2": 1, "d3": 0, "d4": 2, "d5": 0, "d6": -1, "d7": 1}
RUN = ["d3", "d1", "d6", "d9", "d4", "d7"]
EPSILON = 0.00001
LINEAR_IDEAL = 3 + 2 / log2(3) + 1 / log2(4) + 1 / log2(5)
EXPONENTIAL_IDEAL = 7 + 3 / log2(3) + 1 / log2(4) + 1 / log2(5)


@pytest.fixture(scope="module")
def one_topic() -> JudgedRuns:
    return joined([{"1": RUN}], {"1": GRADES})


@pytest.mark.parametrize(
    ("name", "conventions", "worked", "printed"),
    [
        # (1/2 + 2/5 + 3/6) / 4; printed by trec_eval
        ("AP", TREC_EVAL, (1 / 2 + 2 / 5 + 3 / 6) / 4, 0.35),
        ("AP@3", TREC_EVAL, (1 / 2) / 4, 0.1250),  # map_cut_3
        ("AP@3", SAKAI, (1 / 2) / 3, 0.1667),  # NTCIREVAL
        # d3 is above each of the three; of N = 2 judged not relevant and R = 4 the smaller is 2.
        ("bpref", TREC_EVAL, 3 * (1 - 1 / 2) / 4, 0.375),
        (
            "infAP",
            TREC_EVAL,
            (
                (1 / 2 + 1 / 2 * (1 / 1) * EPSILON / (1 + 2 * EPSILON))
                + (1 / 5 + 4 / 5 * (3 / 4) * (1 + EPSILON) / (2 + 2 * EPSILON))
                + (1 / 6 + 5 / 6 * (4 / 5) * (2 + EPSILON) / (3 + 2 * EPSILON))
            )
            / 4,
            0.4028,
        ),
        # d1 at rank 2 is the first relevant document; trec_eval prints success_1 0 and success_5 1.
        ("success@1", TREC_EVAL, 0, 0.0),
        ("success@2", TREC_EVAL, 1, 1.0),
        ("success@5", TREC_EVAL, 1, 1.0),
        ("success@5", Conventions(relevance_level=4), 0, 0.0),  # no document has grade 4
        ("nDCG@5", TREC_EVAL, (3 / log2(3) + 2 / log2(6)) / LINEAR_IDEAL, 0.5135),
        ("nDCG@5", SAKAI, (7 / log2(3) + 3 / log2(6)) / EXPONENTIAL_IDEAL, 0.5677),
        # Blended ratios (1 + 3)/(2 + 5), (2 + 5)/(5 + 7), (3 + 6)/(6 + 7) over R; NTCIREVAL prints .4618.
        ("Q", TREC_EVAL, (4 / 7 + 7 / 12 + 9 / 13) / 4, 0.4618),
        ("Q@5", TREC_EVAL, (4 / 7 + 7 / 12) / 4, 0.2887),
        # Stops with 7/16, 3/16, 1/16 where the largest grade is 4; gdeval prints .2398.
        ("ERR@5", Conventions(largest_grade=4), 7 / 16 / 2 + 9 / 16 * 3 / 16 / 5, 0.2398),
        ("RBP(p=.8)", TREC_EVAL, 0.2 * (0.8 + 0.8**4 + 0.8**5), 0.3075),
    ],
)
def test_one_topic(
    one_topic: JudgedRuns, name: str, conventions: Conventions, worked: float, printed: float
) -> None:
    measure = measure_named(name, conventions)
    assert measure.name == name
    ((score,),) = measure.scores(one_topic)
    assert score == pytest.approx(worked, rel=1e-14)  # a handful of operations in double precision
    assert score == pytest.approx(printed, abs=5e-5)  # 4 digits are printed


def test_residual_of_one_topic(one_topic: JudgedRuns) -> None:
    """Ranks 3 and 4 are not judged, and no document below rank 6 is."""
    ((residual,),) = RBP(persistence=0.8).residuals(one_topic)
    assert residual == pytest.approx(0.2 * (0.8**2 + 0.8**3) + 0.8**6, rel=1e-14)


def test_residual_of_a_deep_judged_run_is_not_lost_in_rounding() -> None:
    documents = [f"d{rank}" for rank in range(300)]
    deep = joined([{"1": documents}], {"1": dict.fromkeys(documents, 1)})
    # 1 - RBP would leave 0 or some 1e-16 of it.
    assert RBP(persistence=0.8).residuals(deep)[0, 0] == pytest.approx(0.8**300, rel=1e-12)
