"""The report of simulated collections: every number in its column, and the paragraph."""

from functools import cache

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_list, random_track, track
from tests.exports.paragraphs import in_a_row
from tests.golden.files import without_versions
from topicset_core import __version__
from topicset_core.analyses.topic_variance import (
    Findings,
    Settings,
    Simulation,
    findings,
    report,
    simulate_collections,
    topic_variance,
)
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.report import methods_text
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.exports.tables import xlsx_bytes

RUNS, JUDGED = random_track(1, 4, 6)


@cache
def simulated(model: Model) -> Simulation:
    return simulate_collections(JUDGED, Settings(model=model, n_trials=60), RUNS)


@cache
def by(model: Model) -> Findings:
    return findings(simulated(model))


def test_comparisons_and_error_rates_have_columns_of_each_model() -> None:
    both = [by("bst"), by("kde")]
    table = report.comparisons_table(both)
    tau = next(row for row, what in enumerate(table["what"]) if "KRCC" in str(what))
    rates = report.error_rates_table(both)
    for result in both:
        model, krcc = result.settings.model, result.rank_correlation
        assert (table[model][tau], table[f"{model}_standard_error"][tau]) == (krcc.value, krcc.standard_error)
        assert rates[f"{model}_pairs"] == list(result.pairs_by_bin)
        assert rates[f"{model}_error_rate"] == [rate.value for rate in result.error_rates]
        assert rates[f"{model}_standard_error"] == [rate.standard_error for rate in result.error_rates]
    assert rates["difference_from"][:3] == [0.0, 0.01, 0.02]
    assert rates["difference_below"][-2:] == [0.2, None]
    untied = 6 * 60 - int(simulated("bst").sums[0, 0])  # 6 pairs, 60 trials
    assert sum(n for n in rates["bst_pairs"] if isinstance(n, int)) == untied


def test_ranks_go_from_the_best_run_down() -> None:
    table = report.ranks_table(by("bst"))
    simulation = simulated("bst")
    assert table["raw_rank"] == [1.0, 2.0, 3.0, 4.0]
    by_run = dict(zip(simulation.cells.systems, simulation.raw_means.tolist(), strict=True))
    assert table["raw_mean"] == sorted(by_run.values(), reverse=True)
    assert [by_run[str(run)] for run in table["run"]] == table["raw_mean"]
    means = dict(zip(simulation.cells.systems, simulation.means.mean(axis=0).tolist(), strict=True))
    assert [means[str(run)] for run in table["run"]] == table["simulated_mean"]


def test_pairs_topics_components_and_cells() -> None:
    bst = by("bst")
    pairs = report.pairs_table(bst)
    assert pairs["turned"] == [pair.share.value for pair in bst.reversed_pairs]
    assert len(pairs["better"]) > 0
    topics = report.unstable_topics_table(bst)
    place = JUDGED.topics.index(str(topics["topic"][0]))
    assert topics["raw_mean"][0] == bst.raw[place].mean()
    components = report.components_table(bst)
    assert components["variance"][3] == bst.components.collection
    assert sum(share for share in components["share"] if isinstance(share, float)) == pytest.approx(1.0)
    cells = report.cells_table(bst)  # 4 runs of the first topic, then those of the next
    assert (cells["topic"][5], cells["run"][5]) == ("t1", "run1")
    for name, values in (
        ("raw", bst.raw),
        ("simulated", bst.simulated),
        ("standard_deviation", bst.deviations),
    ):
        assert cells[name] == values.ravel().tolist()


def test_more_topics_than_a_design_answers_leave_an_empty_table() -> None:
    none = report.topics_needed_table(by("bst"), 1e-9)
    assert set(none) == set(report.topics_needed_table(by("bst"), 0.08))
    assert not any(none.values())
    assert xlsx_bytes({"topics needed": none})


def test_cells_with_remarks_are_named_with_the_reason() -> None:
    rng = np.random.default_rng(1)
    usual = random_list(rng, 20, 4)
    one_relevant = random_list(rng, 20, 1)
    runs, judged = track([[usual, one_relevant], [usual, ([], [])]])
    result = topic_variance(judged, Settings(model="kde", n_trials=5), runs)
    table = report.remarks_table(result)
    rows = set(zip(table["run"], table["topic"], table["remark"], strict=True))
    assert rows == {("run0", "t1", REMARKS["one_relevant"]), ("run1", "t1", REMARKS["missing"])}


def result(**settings: object) -> Findings:
    request = Settings(**{"model": "bst", "n_trials": 40, "seed": 3} | settings)  # type: ignore[arg-type]
    return topic_variance(JUDGED, request, RUNS)


def test_the_paragraph_contains_every_number_and_cites(golden: SnapshotAssertion) -> None:
    one = result(measure="P", depth=10, alpha=0.1)
    plain, latex = methods_text(one)
    tau, shifted = one.rank_correlation, one.estimated_difference_shifted
    is_reversed = one.overall_error_rate
    assert is_reversed.value is not None
    assert is_reversed.standard_error is not None
    for text in (
        f"{100 * is_reversed.value:.1f} % ({100 * is_reversed.standard_error:.2g})",
        f"{tau.value:.3f} (",
        f"{100 * (one.raw_significant_share.value or 0):.1f} %",
        "α = 0.1",
        f"{shifted.value:.3f} (",
        f"Topicset {__version__}",
    ):
        assert text in plain
    assert in_a_row([10, 4, 6], plain)  # depth of the measure, runs, topics
    assert in_a_row([40, 3], plain)  # trials and seed
    assert without_versions(f"{plain}\n\n{latex}") == golden


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "bst"},
        {"model": "kde"},
        {"model": "kde", "bandwidth": "silverman"},
        {"denominator": "drawn"},
        {"denominator": "fixed"},
        {"n_trials": 1},
    ],
    ids=["bst", "kde", "silverman", "drawn", "fixed", "without standard errors"],
)
def test_the_paragraph_contains_every_choice(settings: dict[str, object], golden: SnapshotAssertion) -> None:
    plain, _ = methods_text(result(**settings))
    assert "None" not in plain
    assert without_versions(plain.partition("\n\n")[0]) == golden
