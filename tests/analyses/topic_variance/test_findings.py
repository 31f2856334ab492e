"""All answers at once, the table of comparisons, and the sentences, against the numbers they are made of."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track
from tests.words import numbers_in
from topicset_core.analyses.topic_variance import (
    Findings,
    Settings,
    Simulation,
    conclusions,
    findings,
    sentences,
    significance,
    simulate_collections,
    topic_variance,
)
from topicset_core.analyses.topic_variance.conclusions import Estimate
from topicset_core.analyses.topic_variance.report import comparisons

RUNS, JUDGED = random_track(11, 6, 8, step=0.25)


@cache
def simulation() -> Simulation:
    return simulate_collections(JUDGED, Settings(model="bst", n_trials=100, seed=5), RUNS)


@cache
def usual() -> Findings:
    return findings(simulation())


def with_rates(*values: float | None) -> Findings:
    """The findings with other error rates in their first bins and no pairs in the rest."""
    rates = [*values, *[None] * (conclusions.N_BINS - len(values))]
    return replace(usual(), error_rates=tuple(Estimate(value=rate, standard_error=None) for rate in rates))


def test_findings_are_those_of_the_simulation() -> None:
    assert usual().rank_correlation == conclusions.rank_correlation(simulation())
    assert usual().pairs_by_bin == conclusions.pairs_by_bin(simulation())
    assert usual().error_rates == conclusions.error_rates(simulation())
    assert usual().rank_intervals == conclusions.rank_intervals(simulation())
    assert usual().reversed_pairs == conclusions.reversed_pairs(simulation())
    assert usual().unstable_topics == conclusions.unstable_topics(simulation())
    assert usual().components == conclusions.components(simulation())
    assert usual().deviations ** 2 == pytest.approx(simulation().cell_variances, rel=1e-14)
    means = simulation().raw_means
    assert usual().largest_difference == means.max() - means.min()
    assert usual().n_pairs == 15
    assert usual().best_system == simulation().cells.systems[int(means.argmax())]
    where = simulation().cells.topics.index(usual().least_stable_topic("run2"))
    assert simulation().cell_variances[where, 2] == simulation().cell_variances[:, 2].max()


@pytest.mark.slow
def test_partial_answers_are_those_of_the_first_trials() -> None:
    partial: list[Findings] = []
    whole = topic_variance(
        JUDGED, Settings(model="bst", n_trials=100, seed=5), RUNS, show_partial=partial.append
    )
    assert whole.record() == usual().record()
    assert [one.settings.n_trials for one in partial] == list(range(2, 100, 2))


def test_every_row_of_the_comparisons_is_the_number_it_names() -> None:
    rows = comparisons(usual())
    raw = significance.raw_significant_share(simulation())
    largest = float(np.ptp(simulation().raw_means))
    shifted = significance.estimated_difference_shifted
    expected = [
        ("as printed", conclusions.overall_error_rate(simulation()), None),
        ("as printed", conclusions.rank_correlation(simulation()), None),
        ("as printed", significance.almost_never_significant_share(simulation()), raw.value),
        ("beside it", significance.mean_rejection_rate(simulation()), raw.value),
        ("beside it", significance.often_significant_share(simulation()), raw.value),
        ("beside it", significance.often_significant_share(simulation(), 0.95), raw.value),
        (
            "repaired",
            significance.significant_share(simulation(), documents=True),
            significance.significant_share(simulation(), documents=False).value,
        ),
        ("as printed", significance.estimated_difference(simulation()), largest),
        ("repaired", shifted(simulation(), documents=True), shifted(simulation(), documents=False).value),
    ]
    assert [(row.reading, row.value, row.raw and row.raw.value) for row in rows] == expected


@pytest.mark.parametrize(
    ("rates", "safe"),
    [
        ((0.3, 0.04, 0.0), 0.01),
        ((0.3, 0.04, 0.06, 0.01), 0.03),  # a later bin is not safe, so what lies before it is not either
        ((0.049, 0.0), 0.0),
        ((0.3, 0.05), None),  # as often as is not tolerated, and nothing known beyond
        ((0.3, None, 0.01), 0.01),
        ((), None),
    ],
)
def test_the_safe_difference_is_the_upper_edge_of_the_last_unsafe_bin(
    rates: tuple[float | None, ...], safe: float | None
) -> None:
    assert with_rates(*rates).safe_difference == safe


def test_sentences_contain_the_numbers(golden: SnapshotAssertion) -> None:
    rate = usual().overall_error_rate.value
    assert rate is not None
    assert numbers_in(sentences.headline(usual())) == [round(100 * rate, 1)]
    turning = len(usual().reversed_pairs)
    orders = [sentences.order_sentence(with_rates(*rates)) for rates in ((0.3, 0.1, 0.0), (0.3,), (0.0,))]
    for text in orders:
        assert numbers_in(text)[:4] == [
            15 - turning,
            15,
            95,
            turning,
        ]  # pairs that keep their order, and do not
    assert numbers_in(orders[0])[4:6] == [0.02, 5]  # the difference below which pairs are undecided
    topics = sentences.needed(usual(), 0.1)
    assert topics == conclusions.topics_needed(usual().components, min_d=0.1)
    split = usual().components
    noise = sentences.noise_sentence(usual(), topics)
    assert split.noise_share == split.collection / split.residual
    low, high = split.noise_share_low, split.noise_share_high
    shares = [split.noise_share, 0.95, low or 0.0, high or 0.0]
    assert numbers_in(noise)[:4] == [float(f"{100 * share:.0f}") for share in shares]
    assert topics is not None
    assert topics.with_noise in numbers_in(noise)
    assert [sentences.headline(usual()), *orders, noise] == golden


def test_the_headline_names_its_count_and_its_uncertainty(golden: SnapshotAssertion) -> None:
    rate = usual().overall_error_rate
    assert rate.value is not None
    assert rate.standard_error is not None
    number = round(100 * rate.value, 1)
    text = sentences.reversal_sentence(usual())
    interval = [rate.value + side * 1.96 * rate.standard_error for side in (-1, 1)]
    both = usual().between_collections.value or 0.0
    expected = [95, *(round(100 * one, 1) for one in (*interval, both))]
    assert numbers_in(text) == [
        100,
        number,
        *expected,
    ]  # trials, pairs that reverse, interval, two collections
    counted = sentences.how_counted(usual())
    assert numbers_in(counted) == [100, number, float(f"{100 * rate.standard_error:.2g}")]
    pair = replace(usual(), n_pairs=1)
    assert (
        numbers_in(sentences.headline(pair)) == numbers_in(sentences.reversal_sentence(pair))[:1] == [number]
    )
    alone = replace(usual(), overall_error_rate=Estimate(value=0.0, standard_error=None))
    assert numbers_in(sentences.how_counted(alone)) == [100]
    of_a_pair = [sentences.headline(pair), sentences.reversal_sentence(pair)]
    assert [text, counted, *of_a_pair, sentences.how_counted(alone)] == golden


@pytest.mark.parametrize(
    ("n_pairs", "n_turning", "numbers"),
    [
        pytest.param(1, 0, [95], id="the pair keeps"),
        pytest.param(1, 1, [95], id="the pair does not"),
        pytest.param(15, 0, [15, 95], id="all keep"),
        pytest.param(1_200, 1, [1199, 1200, 95, 1], id="one does not"),
    ],
)
def test_pairs_that_keep_their_order_are_counted_in_plain_words(
    n_pairs: int, n_turning: int, numbers: list[float], golden: SnapshotAssertion
) -> None:
    turning = usual().reversed_pairs[:1] * n_turning
    assert len(turning) == n_turning
    result = replace(usual(), n_pairs=n_pairs, reversed_pairs=turning)
    text = sentences.order_sentence(result)
    assert numbers_in(text)[: len(numbers)] == numbers
    assert text == golden


def test_a_subset_of_stored_trials_is_reported(golden: SnapshotAssertion) -> None:
    assert sentences.kept_sentence(usual()) == ""
    assert sentences.kept_sentence(replace(usual(), n_trials_kept=40)) == golden


def test_an_undetectably_small_difference_is_left_out() -> None:
    assert sentences.needed(usual(), 1e-9) is None
    assert len(numbers_in(sentences.noise_sentence(usual(), None))) == 4  # shares, and no number of topics


def test_pairs_with_equal_means_are_counted_separately(golden: SnapshotAssertion) -> None:
    """15 pairs, 4 of them equal, of which none can be kept; and nothing but equal ones."""
    turning = usual().reversed_pairs[:1]
    some = replace(usual(), n_equal_pairs=4, reversed_pairs=turning, tied_share=0.012)
    assert some.n_kept_pairs == 10
    assert numbers_in(sentences.order_sentence(some))[:5] == [10, 15, 95, 1, 4]
    assert 1.2 in numbers_in(sentences.reversal_sentence(some))
    none = Estimate(value=None, standard_error=None)
    equal = replace(
        usual(), n_equal_pairs=15, reversed_pairs=(), overall_error_rate=none, between_collections=none
    )
    assert equal.n_kept_pairs == 0
    text = [
        sentences.order_sentence(some),
        sentences.order_sentence(equal),
        sentences.reversal_sentence(equal),
    ]
    assert text == golden


def test_runs_that_are_not_simulated_well_are_named() -> None:
    assert usual().misfits == ()
    assert sentences.misfit_sentence(usual()) == ""
    n_topics = len(usual().topics)
    spread = np.sqrt((usual().deviations ** 2).sum(axis=0)) / n_topics
    moved = usual().raw.copy() * 0 + usual().raw_means
    moved[:, 1] -= 5 * spread[1]
    moved[:, 3] += 4.1 * spread[3]
    moved[:, 4] += 3.9 * spread[4]
    result = replace(usual(), simulated=moved)
    expected = {"run1": -5 * spread[1], "run3": 4.1 * spread[3]}
    assert dict(result.misfits) == pytest.approx(expected, rel=1e-9)
    assert [system for system, _ in result.misfits] == sorted(expected, key=lambda run: -abs(expected[run]))
    assert f"run1 ({-5 * spread[1]:+.3f} AP)" in sentences.misfit_sentence(result)
    # Misfits of other models are reported with the agreement of all; its own are at the headline.
    both = sentences.fit_sentences(usual(), (usual(), result))
    assert numbers_in(both)[:2] == [
        round(one.mean_absolute_shift.value or 0.0, 3) for one in (usual(), result)
    ]
    assert both.endswith(sentences.misfit_sentence(result))
    assert sentences.fit_sentences(result, (usual(), result)) == sentences.closeness_sentence(
        (usual(), result)
    )


def test_scores_without_variance_are_reported(golden: SnapshotAssertion) -> None:
    still = conclusions.Components(topic=0.0, system=0.0, interaction=0.0, collection=0.0, residual=0.0)
    assert sentences.noise_sentence(replace(usual(), components=still), None) == golden
