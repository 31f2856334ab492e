"""All answers at once, the sentences and the report, against the numbers they are made of."""

from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track
from tests.analyses.topic_variance.simulations import usual
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core.analyses.topic_variance import (
    Findings,
    Request,
    conclusions,
    findings,
    report,
    sentences,
    topic_variance,
)
from topicset_core.analyses.topic_variance.conclusions import Estimate
from topicset_core.exports.findings import found_on
from topicset_core.exports.tables import xlsx_bytes

RUNS, JUDGED = random_track(1, 4, 6)


@cache
def found() -> Findings:
    return findings(usual())


def with_rates(*values: float | None) -> Findings:
    """The findings with other error rates in their first bins and no pairs in the rest."""
    rates = [*values, *[None] * (conclusions.N_BINS - len(values))]
    return replace(found(), error_rates=tuple(Estimate(value=rate, standard_error=None) for rate in rates))


def test_findings_are_those_of_the_simulation() -> None:
    assert found().deviations ** 2 == pytest.approx(usual().cell_variances, rel=1e-14)
    means = usual().raw_means
    assert found().largest_difference == means.max() - means.min()
    assert found().n_pairs == 15
    assert found().best_system == usual().cells.systems[int(means.argmax())]
    where = usual().cells.topics.index(found().least_stable_topic("run2"))
    assert usual().cell_variances[where, 2] == usual().cell_variances[:, 2].max()


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


def said(result: Findings, *both: Findings, tab: str = "", on: str = "page") -> list[str]:
    """The sentences of a tab of the page, or those of another place."""
    every = found_on(report.report(result, both).findings, on)
    return [one.text for one in every if one.tab == tab or on != "page"]


def test_sentences_contain_the_numbers() -> None:
    rate, both = found().overall_error_rate, found().between_collections.value
    assert rate.value is not None
    assert rate.standard_error is not None
    assert both is not None
    number = round(100 * rate.value, 1)
    (headline,) = said(found(), on="headline")
    assert numbers_in(headline) == [number]
    ends = [rate.value + side * 1.96 * rate.standard_error for side in (-1, 1)]
    expected = [200, number, 95, *(round(100 * one, 1) for one in (*ends, both))]
    reversals, order = said(found())
    assert numbers_in(reversals) == expected
    counted = [200, number, float(f"{100 * rate.standard_error:.2g}")]
    assert numbers_in(sentences.how_counted(found())) == counted
    turning = len(found().reversed_pairs)
    for rates, edge in (((0.3, 0.1, 0.0), [0.02, 5]), ((0.3,), []), ((0.0,), [])):
        expected = [15 - turning, 15, 95, turning, *edge]
        _, order = said(with_rates(*rates))
        assert numbers_in(order)[: len(expected)] == expected
    topics, split = sentences.needed(to_detect(0.1)), found().components
    assert topics == conclusions.topics_needed(split, min_d=0.1)
    assert split.noise_share == split.collection / split.residual
    shares = [split.noise_share, 0.95, split.noise_share_low or 0.0, split.noise_share_high or 0.0]
    noise = numbers_in(*said(to_detect(0.1), tab="Noise"))
    assert noise[:4] == [float(f"{100 * share:.0f}") for share in shares]
    assert topics is not None
    assert topics["with_noise"] in noise
    assert sentences.needed(to_detect(1e-9)) is None  # too small a difference to detect
    assert len(numbers_in(*said(to_detect(1e-9), tab="Noise"))) == 4  # shares, and no number of topics


def test_the_text_for_a_paper_has_the_sentences_of_the_page() -> None:
    in_paper = said(found(), on="paper")
    for sentence in (*said(found()), *said(found(), tab="Noise")):
        assert sentence in in_paper
    assert set(in_paper) - set(said(found(), on="export")) == {in_paper[0], in_paper[-1]}  # data, conventions


def to_detect(min_d: float) -> Findings:
    return replace(found(), request=replace(found().request, min_d=min_d))


NONE = Estimate(value=None, standard_error=None)
EQUAL = {"n_equal_pairs": 15, "overall_error_rate": NONE, "between_collections": NONE}
STILL = conclusions.Components(topic=0.0, system=0.0, interaction=0.0, collection=0.0, residual=0.0)


@pytest.mark.parametrize(
    ("where", "n_turning", "changes", "numbers"),
    [
        pytest.param({}, 0, {"n_pairs": 1}, [95], id="two runs that keep their order"),
        pytest.param({}, 1, {"n_pairs": 1}, [95], id="two runs that do not"),
        pytest.param({}, 0, {}, [15, 95], id="all pairs keep their order"),
        pytest.param({}, 1, {"n_pairs": 1_200}, [1199, 1200, 95, 1], id="many pairs"),
        pytest.param({}, 1, {"n_equal_pairs": 4}, [10, 15, 95, 1, 4], id="some equal means"),
        pytest.param({}, 0, EQUAL, [], id="equal means"),
        pytest.param({"on": "headline"}, 1, {"n_pairs": 1}, [], id="headline of two runs"),
        pytest.param({"tab": "Checks"}, 1, {}, [], id="all trials kept"),
        pytest.param({"tab": "Checks"}, 1, {"n_trials_kept": 40}, [40, 200], id="trials kept"),
        pytest.param({"tab": "Noise"}, 1, {"components": STILL}, [], id="no variance"),
        # Noise of .02 next to a residual variance of .01 is 200 %, which is not cut to 100.
        pytest.param(
            {"tab": "Noise"},
            1,
            {"components": replace(STILL, collection=0.02, residual=0.01)},
            [200],
            id="more noise than variance",
        ),
    ],
)
def test_sentences_of_few_equal_or_still_runs(
    where: dict[str, str],
    n_turning: int,
    changes: dict[str, Any],
    numbers: list[float],
    golden: SnapshotAssertion,
) -> None:
    texts = said(replace(found(), reversed_pairs=found().reversed_pairs[:1] * n_turning, **changes), **where)
    assert numbers_in("".join(texts[-1:]))[: len(numbers)] == numbers
    assert texts == golden


def test_without_standard_errors_the_trials_alone_are_counted() -> None:
    result = replace(found(), overall_error_rate=Estimate(value=0.0, standard_error=None))
    assert numbers_in(sentences.how_counted(result)) == [200]


def test_runs_that_are_not_simulated_well_are_named() -> None:
    assert found().misfits == ()
    assert len(said(found())) == 2
    n_topics = len(found().topics)
    spread = np.sqrt((found().deviations ** 2).sum(axis=0)) / n_topics
    moved = found().raw.copy() * 0 + found().raw_means
    moved[:, 1] -= 5 * spread[1]
    moved[:, 3] += 4.1 * spread[3]
    moved[:, 4] += 3.9 * spread[4]
    result = replace(found(), simulated=moved)
    expected = {"run1": -5 * spread[1], "run3": 4.1 * spread[3]}
    assert dict(result.misfits) == pytest.approx(expected, rel=1e-9)
    assert [system for system, _ in result.misfits] == sorted(expected, key=lambda run: -abs(expected[run]))
    *_, misfit = said(result)
    assert f"run1 ({-5 * spread[1]:+.3f} AP)" in misfit
    # Misfits of other models are next to the agreement of all.
    other = replace(result, request=replace(result.request, model="kde"))
    misfit_of_other, fit, _ = said(found(), found(), other, tab="Pairs")
    assert misfit_of_other == misfit.replace("BST", "KDE")
    assert numbers_in(fit)[:2] == [round(one.mean_absolute_shift.value or 0.0, 3) for one in (found(), other)]
    assert said(found(), found(), other) == said(found())


@cache
def by(**choices: object) -> Findings:
    request = Request(**{"model": "bst", "n_trials": 40, "seed": 3} | choices)  # type: ignore[arg-type]
    return topic_variance(JUDGED, request, RUNS)


def test_comparisons_and_error_rates_have_columns_of_each_model() -> None:
    both = [by(), by(model="kde")]
    table, rates = report.comparisons_table(both), report.error_rates_table(both)
    tau = next(row for row, what in enumerate(table["what"]) if "KRCC" in str(what))
    for result in both:
        model, krcc = result.request.model, result.rank_correlation
        assert (table[model][tau], table[f"{model}, standard error"][tau]) == (
            krcc.value,
            krcc.standard_error,
        )
        assert rates[f"{model}, pairs"] == list(result.pairs_by_bin)
        assert rates[f"{model}, error rate"] == [rate.value for rate in result.error_rates]
        assert rates[f"{model}, standard error"] == [rate.standard_error for rate in result.error_rates]
    assert rates["difference from"][:3] == [0.0, 0.01, 0.02]
    assert rates["difference below"][-2:] == [0.2, None]


def test_more_topics_than_a_design_answers_leave_an_empty_table() -> None:
    tables = [report.report(by(min_d=min_d)).tables for min_d in (1e-9, 0.08)]
    none, some = (next(one.columns() for one in every if one.sheet == "topics needed") for every in tables)
    assert set(none) == set(some)
    assert any(some.values())
    assert not any(none.values())
    assert xlsx_bytes({"topics needed": none})


@pytest.mark.parametrize(
    "choices",
    [
        {"measure": "P@10", "alpha": 0.1},
        {"model": "kde", "bandwidth": "silverman"},
        {"denominator": "fixed"},
        {"n_trials": 1},
    ],
    ids=["precision", "silverman", "fixed", "without standard errors"],
)
def test_the_paragraph_contains_every_choice(choices: dict[str, object], golden: SnapshotAssertion) -> None:
    plain, _ = report.report(by(**choices)).text
    assert "None" not in plain
    assert without_versions(plain.partition("\n\n")[0]) == golden
