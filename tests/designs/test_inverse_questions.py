"""From topics back to differences and widths."""

from typing import Any

import numpy as np
import pytest

from topicset_core.designs import (
    Plan,
    confidence_interval,
    equivalence,
    group_sequential,
    non_inferiority,
    one_way_anova,
    paired_t,
    two_sample_confidence_interval,
    two_sample_t,
    two_stage,
)
from topicset_core.designs.results import Method
from topicset_core.parameters import MOST_TOPICS


@pytest.mark.parametrize("method", ["exact", "published"])
@pytest.mark.parametrize(
    ("design", "systems"),
    [(paired_t, {}), (two_sample_t, {}), *((one_way_anova, {"n_systems": m}) for m in (2, 10, 1000))],
    ids=str,
)
def test_detectable_delta_round_trip(design, systems: dict[str, int], method: Method) -> None:
    sizes = np.array([2, 3, 5, 10, 34, 96, 97, 147, 1000, 54_321, 1_000_000])
    for alpha, beta in ((0.01, 0.10), (0.05, 0.20), (0.05, 0.50), (1e-12, 1e-3)):
        if alpha < 1e-9 and design is one_way_anova:
            continue  # not in the table of the published method
        # The published ANOVA has no value at the fewest topics; with a tiny alpha fewer than 10 do not reach
        # a difference of a thousand deviations.
        n = sizes[
            sizes >= (8 if design is one_way_anova and method == "published" else 10 if alpha < 1e-9 else 2)
        ]
        given = {"alpha": alpha, "method": method} | systems
        delta = design.detectable_delta(n, beta=beta, **given)
        # The root is found to the last digits of delta; power has a slope of at most about 1 in log delta.
        np.testing.assert_allclose(design.power(n, delta, **given), 1 - beta, rtol=0, atol=1e-10)
        # A hair more is detected by n topics, a hair less needs another one.
        np.testing.assert_array_equal(design.required_topics_grid(delta * (1 + 1e-9), beta=beta, **given), n)
        less = design.required_topics_grid(delta * (1 - 1e-9), beta=beta, **given)
        np.testing.assert_array_equal(less, n + 1)


@pytest.mark.parametrize("design", [paired_t, two_sample_t, one_way_anova], ids=lambda one: one.DESIGN.slug)
def test_units_of_the_measure_round_trip(design) -> None:
    min_d, variance = np.array([0.001, 0.05, 0.1, 2.0]), np.array([1e-6, 0.0471, 0.1206, 40.0])[:, None]
    back = design.DESIGN.min_d_of(design.DESIGN.min_delta_of(min_d, variance), variance)
    np.testing.assert_allclose(back, np.broadcast_to(min_d, back.shape), rtol=1e-15)


LEVELS: dict[str, Any] = {"alpha": 0.05, "beta": 0.2}
INTERVAL_SIZES = (2, 3, 10, 147, 343, 344, 100_000, 10_000_000)
ROUNDS = tuple(range(30, 200, 7))


@pytest.mark.parametrize(
    ("plan", "variance", "sizes", "hair"),
    [
        *(
            (one.DESIGN.plan(alpha=0.05), 0.0942, INTERVAL_SIZES, 1e-12)
            for one in (confidence_interval, two_sample_confidence_interval)
        ),
        *(
            (one.DESIGN.plan(**LEVELS, true_difference=0.01, topics=topics), 0.0257, (5, 24, 106, 1000), 1e-9)
            for one in (equivalence, non_inferiority)
            for topics in ("shared", "separate")
        ),
        (group_sequential.DESIGN.plan(**LEVELS, looks=3, spending="pocock"), 0.05, ROUNDS, 1e-6),
        (two_stage.DESIGN.plan(**LEVELS, pilot_topics=20), 0.05, ROUNDS, 1e-6),
    ],
    ids=lambda value: value.design.slug if isinstance(value, Plan) else "",
)
def test_topics_and_differences_are_inverse(
    plan: Plan, variance: float, sizes: tuple[int, ...], hair: float
) -> None:
    n = np.array(sizes)
    differences = plan.detected(n, variance)
    np.testing.assert_array_equal(plan.topics(differences * (1 + hair), variance), n)
    some = n < MOST_TOPICS
    np.testing.assert_array_equal(plan.topics(differences[some] * (1 - hair), variance), n[some] + 1)
    if plan.design.has_power:
        assert (plan.power(n, differences, variance) > 0.8 - 1e-11).all()  # differences are solved to 1e-13
