"""All answers at once, the table of comparisons, and the sentences, against the numbers they are made of."""

from dataclasses import replace

import numpy as np
import pytest

from tests.analyses.topic_variance.plain_simulation import random_track
from topicset_core.analyses.topic_variance import (
    components,
    estimated_difference,
    rankings,
    sentence,
    significance,
)
from topicset_core.analyses.topic_variance.cells import cells_of
from topicset_core.analyses.topic_variance.comparisons import comparisons
from topicset_core.analyses.topic_variance.findings import Findings, findings
from topicset_core.analyses.topic_variance.first_look import first_look_trials
from topicset_core.analyses.topic_variance.settings import Settings
from topicset_core.analyses.topic_variance.study import record, topic_variance

RUNS, JUDGED = random_track(11, 6, 8, step=0.25)
SIMULATION = topic_variance(JUDGED, Settings(n_trials=100, seed=5), RUNS)
FOUND = findings(SIMULATION)


def with_rates(*values: float | None) -> Findings:
    """The findings with other error rates in their first bins and no pairs in the rest."""
    rates = [{"value": value, "standard_error": None} for value in values]
    rates += [{"value": None, "standard_error": None}] * (rankings.N_BINS - len(values))
    return replace(FOUND, plain={**FOUND.plain, "error_rates": rates})


def test_findings_are_those_of_the_simulation() -> None:
    assert FOUND.record() == record(SIMULATION)
    assert FOUND.error_rates == rankings.error_rates(SIMULATION)
    assert FOUND.rank_intervals == rankings.rank_intervals(SIMULATION)
    assert FOUND.turning_pairs == rankings.turning_pairs(SIMULATION)
    assert FOUND.unstable_topics == components.unstable_topics(SIMULATION)
    assert FOUND.components == components.components(SIMULATION)
    assert FOUND.deviations**2 == pytest.approx(SIMULATION.cell_variances, rel=1e-14)
    means = SIMULATION.raw_means
    assert FOUND.largest_difference == means.max() - means.min()
    assert FOUND.n_pairs == 15
    assert FOUND.best_system == SIMULATION.cells.systems[int(means.argmax())]
    where = SIMULATION.cells.topics.index(FOUND.least_stable_topic("run2"))
    assert SIMULATION.cell_variances[where, 2] == SIMULATION.cell_variances[:, 2].max()


def test_every_row_of_the_table_is_the_number_it_names() -> None:
    rows = comparisons(FOUND)
    topics = significance.significant_share_topics(SIMULATION)
    raw = significance.raw_significant_share(SIMULATION)
    largest = float(np.ptp(SIMULATION.raw_means))
    expected = [
        ("as printed", rankings.overall_error_rate(SIMULATION), None),
        ("as printed", rankings.rank_correlation(SIMULATION), None),
        ("as printed", significance.almost_never_significant_share(SIMULATION), raw.value),
        ("beside it", significance.mean_rejection_rate(SIMULATION), raw.value),
        ("beside it", significance.often_significant_share(SIMULATION), raw.value),
        ("beside it", significance.often_significant_share(SIMULATION, 0.95), raw.value),
        ("repaired", significance.significant_share_both(SIMULATION), topics.value),
        ("as printed", estimated_difference.estimated_difference(SIMULATION), largest),
        (
            "repaired",
            estimated_difference.estimated_difference_shifted(SIMULATION),
            estimated_difference.estimated_difference_topics(SIMULATION).value,
        ),
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
def test_the_safe_difference_is_the_edge_above_the_last_bin_that_is_not(
    rates: tuple[float | None, ...], safe: float | None
) -> None:
    assert with_rates(*rates).safe_difference == safe


def test_sentences_say_the_numbers() -> None:
    rate = FOUND.estimate("overall_error_rate").value
    assert rate is not None
    assert sentence.headline(FOUND) == f"{100 * rate:.1f} of 100 pairs"
    turning = len(FOUND.turning_pairs)
    said = sentence.order_sentence(with_rates(0.3, 0.1, 0.0))
    assert (
        f"{15 - turning} of the 15 pairs of runs keep their order in more than 95 % of them, {turning} do"
        in said
    )
    assert "A difference of 0.02 AP or more is reversed in fewer than 5 %" in said
    assert "No difference is safe" in sentence.order_sentence(with_rates(0.3))
    assert "Even the smallest" in sentence.order_sentence(with_rates(0.0))
    topics = sentence.needed(FOUND, 0.1)
    assert topics == components.topics_needed(FOUND.components, min_d=0.1)
    split = FOUND.components
    said = sentence.noise_sentence(FOUND, topics)
    assert f"{100 * split.collection / split.total:.0f} % of the variance" in said
    assert f"{100 * split.collection / split.residual:.0f} % of the noise in comparing two runs" in said
    assert topics is not None
    assert f"a paired t test needs {topics.with_noise:,} topics" in said


def test_what_the_headline_counts_and_how_sure_it_is_are_said() -> None:
    rate = FOUND.estimate("overall_error_rate")
    assert rate.value is not None
    assert rate.standard_error is not None
    number = f"{100 * rate.value:.1f}"
    said = sentence.swap_sentence(FOUND)
    assert said.startswith(f"Of 100 pairs of runs, {number} stand in another order than in the original")
    assert said.endswith("on average over 100 simulated ones.")
    error = f"{100 * rate.standard_error:.2g}"
    assert sentence.how_counted(FOUND) == (
        f"100 simulated collections; the standard error of the {number} is {error}"
    )
    pair = replace(FOUND, plain={**FOUND.plain, "n_pairs": 1})
    assert sentence.headline(pair) == f"the two runs in {number} of 100 cases"
    assert sentence.swap_sentence(pair).startswith(f"In {number} % of 100 simulated collections the two runs")
    alone = replace(
        FOUND, plain={**FOUND.plain, "overall_error_rate": {"value": 0.0, "standard_error": None}}
    )
    assert sentence.how_counted(alone) == "100 simulated collections"


@pytest.mark.parametrize(
    ("n_pairs", "n_turning", "said"),
    [
        (1, 0, "They keep their order in more than 95 % of them."),
        (1, 1, "They do not keep their order in more than 95 % of them."),
        (15, 0, "All 15 pairs of runs keep their order in more than 95 % of them."),
        (1_200, 1, "1,199 of the 1,200 pairs of runs keep their order in more than 95 % of them, 1 do"),
    ],
)
def test_pairs_that_keep_their_order_are_counted_in_plain_words(
    n_pairs: int, n_turning: int, said: str
) -> None:
    turning = FOUND.plain["turning_pairs"][:1] * n_turning
    assert len(turning) == n_turning
    found = replace(FOUND, plain={**FOUND.plain, "n_pairs": n_pairs, "turning_pairs": turning})
    assert sentence.order_sentence(found).startswith(said)


def test_which_trials_are_kept_is_said_where_it_is_not_all() -> None:
    assert sentence.kept_sentence(FOUND) == ""
    fewer = replace(FOUND, plain={**FOUND.plain, "n_trials_kept": 40})
    assert "are from the first 40 of the 100 simulated collections" in sentence.kept_sentence(fewer)


def test_closeness_is_said_for_each_model() -> None:
    kde = findings(topic_variance(JUDGED, Settings(model="kde", n_trials=20), RUNS))
    off = [np.abs(found.simulated - found.raw).mean() for found in (FOUND, kde)]
    said = sentence.closeness_sentence((FOUND, kde))
    assert f"is off the original one by {off[0]:.3f} by BST and {off[1]:.3f} by KDE, on average" in said
    assert "KDE" not in sentence.closeness_sentence([FOUND])


def test_a_difference_so_small_that_no_number_of_topics_shows_it_is_left_out() -> None:
    assert sentence.needed(FOUND, 1e-9) is None
    assert "topics" not in sentence.noise_sentence(FOUND, None)


def test_runs_that_are_not_simulated_well_are_named() -> None:
    assert FOUND.misfits == ()
    assert sentence.misfit_sentence(FOUND) == ""
    n_topics = len(FOUND.topics)
    spread = np.sqrt((FOUND.deviations**2).sum(axis=0)) / n_topics
    moved = FOUND.raw.copy() * 0 + FOUND.raw_means
    moved[:, 1] -= 5 * spread[1]
    moved[:, 3] += 4.1 * spread[3]
    moved[:, 4] += 3.9 * spread[4]
    found = replace(FOUND, simulated=moved)
    expected = {"run1": -5 * spread[1], "run3": 4.1 * spread[3]}
    assert dict(found.misfits) == pytest.approx(expected, rel=1e-9)
    assert [system for system, _ in found.misfits] == sorted(expected, key=lambda run: -abs(expected[run]))
    assert f"run1 ({-5 * spread[1]:+.3f} AP)" in sentence.misfit_sentence(found)
    # Those of the model beside it are said with how close both are, its own above all else.
    assert sentence.fit_sentences(FOUND, (FOUND, found)).endswith(sentence.misfit_sentence(found))
    assert sentence.fit_sentences(found, (FOUND, found)) == sentence.closeness_sentence((FOUND, found))


def test_scores_that_do_not_vary_are_said_to() -> None:
    still = dict.fromkeys(("topic", "system", "interaction", "collection", "residual"), 0.0)
    assert (
        sentence.noise_sentence(replace(FOUND, plain={"components": still}), None)
        == "The scores do not vary."
    )


def test_a_first_look_has_fewer_trials_the_larger_the_collection() -> None:
    cells = cells_of(JUDGED, 1)
    assert first_look_trials(cells, "bst") == 200
    big = replace(cells, depths=np.zeros((100, 40), dtype=np.int64), ranks=np.zeros(100_000, dtype=np.int64))
    bst = first_look_trials(big, "bst")
    # 4,000 cells of 0.1 us, 100,000 relevant documents of 0.05 us and 78,000 pairs and topics of 3 ns take
    # 5.6 ms: 35 trials in 0.2 s, in whole tens.
    assert bst == 30
    assert first_look_trials(replace(big, ranks=np.zeros(10_000_000, dtype=np.int64)), "bst") is None
