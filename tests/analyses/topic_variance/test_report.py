"""The report of simulated collections: every number in its column, the paragraph, and the notes."""

import json
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
    sentences,
    simulate_collections,
    topic_variance,
)
from topicset_core.analyses.topic_variance.conclusions import topics_needed
from topicset_core.analyses.topic_variance.prepared import REMARKS
from topicset_core.analyses.topic_variance.report import methods_text
from topicset_core.analyses.topic_variance.settings import Model
from topicset_core.exports.citing import CITATION
from topicset_core.exports.tables import csv_bytes, xlsx_bytes

RUNS, JUDGED = random_track(1, 4, 6)


@cache
def simulated(model: Model) -> Simulation:
    return simulate_collections(JUDGED, Settings(model=model, n_trials=60), RUNS)


@pytest.fixture(scope="module")
def bst() -> Findings:
    return findings(simulated("bst"))


@pytest.fixture(scope="module")
def kde() -> Findings:
    return findings(simulated("kde"))


def test_comparisons_have_both_models_and_their_raw_counterparts(bst: Findings, kde: Findings) -> None:
    table = report.comparisons_table([bst, kde])
    tau = next(row for row, what in enumerate(table["what"]) if "KRCC" in str(what))
    printed = next(row for row, what in enumerate(table["what"]) if "ED" in str(what))
    for result in (bst, kde):
        model, krcc = result.settings.model, result.rank_correlation
        assert (table[model][tau], table[f"{model}_standard_error"][tau]) == (krcc.value, krcc.standard_error)
        assert table[model][printed] == result.estimated_difference.value
    assert table["raw"][tau] is None
    assert table["raw"][printed] == bst.raw_means.max() - bst.raw_means.min()
    assert list(report.comparisons_table([kde]))[3] == "kde"


def test_error_rates_have_one_row_per_bin(bst: Findings, kde: Findings) -> None:
    table = report.error_rates_table([bst, kde])
    assert table["difference_from"][:3] == [0.0, 0.01, 0.02]
    assert table["difference_below"][-2:] == [0.2, None]
    assert len(table["difference_from"]) == 21
    assert table["bst_error_rate"] == [rate.value for rate in bst.error_rates]
    assert table["kde_standard_error"] == [rate.standard_error for rate in kde.error_rates]
    untied = 6 * 60 - int(simulated("bst").sums[0, 0])  # 6 pairs, 60 trials
    assert sum(n for n in table["bst_pairs"] if isinstance(n, int)) == untied


def test_ranks_go_from_the_best_run_down(bst: Findings) -> None:
    table = report.ranks_table(bst)
    simulation = simulated("bst")
    assert table["raw_rank"] == [1.0, 2.0, 3.0, 4.0]
    by_run = dict(zip(simulation.cells.systems, simulation.raw_means.tolist(), strict=True))
    assert table["raw_mean"] == sorted(by_run.values(), reverse=True)
    assert [by_run[str(run)] for run in table["run"]] == table["raw_mean"]
    means = dict(zip(simulation.cells.systems, simulation.means.mean(axis=0).tolist(), strict=True))
    assert [means[str(run)] for run in table["run"]] == table["simulated_mean"]


def test_pairs_topics_and_components(bst: Findings) -> None:
    pairs = report.pairs_table(bst)
    assert pairs["turned"] == [pair.share.value for pair in bst.reversed_pairs]
    assert len(pairs["better"]) > 0
    topics = report.unstable_topics_table(bst)
    place = JUDGED.topics.index(str(topics["topic"][0]))
    assert topics["raw_mean"][0] == bst.raw[place].mean()
    assert topics["standard_deviation"][0] == max(one.standard_deviation for one in bst.unstable_topics)
    components = report.components_table(bst)
    assert components["variance"][3] == bst.components.collection
    assert sum(share for share in components["share"] if isinstance(share, float)) == pytest.approx(1.0)


def test_topics_needed_are_those_of_the_design(bst: Findings) -> None:
    topics = topics_needed(bst.components, min_d=0.08)
    table = report.topics_needed_table(bst, 0.08)
    assert table == {
        "min_d": [0.08],
        "topics_with_noise": [topics.with_noise],
        "topics_without_noise": [topics.without_noise],
        "topics_without_noise_by_halves": [None],  # runs have documents of their own by this model
    }
    none = report.topics_needed_table(bst, 1e-9)  # more topics than a design gives an answer for
    assert set(none) == set(table)
    assert not any(none.values())
    assert xlsx_bytes({"topics needed": none})


def test_cells_are_ordered_by_topic(kde: Findings) -> None:
    table = report.cells_table(kde)
    assert list(zip(table["topic"], table["run"], strict=True))[:5] == [
        ("t0", "run0"),
        ("t0", "run1"),
        ("t0", "run2"),
        ("t0", "run3"),
        ("t1", "run0"),
    ]
    assert table["raw"][5] == kde.raw[1, 1]
    assert table["simulated"][5] == kde.simulated[1, 1]
    assert table["standard_deviation"][5] == kde.deviations[1, 1]


def test_cells_with_remarks_are_named_with_the_reason() -> None:
    rng = np.random.default_rng(1)
    usual = random_list(rng, 20, 4)
    one_relevant = random_list(rng, 20, 1)
    runs, judged = track([[usual, one_relevant], [usual, ([], [])]])
    result = topic_variance(judged, Settings(model="kde", n_trials=5), runs)
    table = report.remarks_table(result)
    rows = set(zip(table["run"], table["topic"], table["remark"], strict=True))
    assert rows == {("run0", "t1", REMARKS["one_relevant"]), ("run1", "t1", REMARKS["missing"])}


@pytest.mark.parametrize("name", ["ranks_table", "pairs_table", "unstable_topics_table", "remarks_table"])
def test_tables_can_be_written(name: str, kde: Findings) -> None:
    table = getattr(report, name)(kde)
    assert csv_bytes(table).startswith(next(iter(table)).encode())
    assert xlsx_bytes({"table": table})


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
        "(made)",
        f"{100 * is_reversed.value:.1f} % ({100 * is_reversed.standard_error:.2g})",
        f"{tau.value:.3f} (",
        f"{100 * (one.raw_significant_share.value or 0):.1f} %",
        "α = 0.1",
        f"{shifted.value:.3f} (",
        f"Topicset {__version__}",
        "https://doi.org/10.1145/3209978.3210122",
        "https://doi.org/10.1145/2348283.2348402",
        "https://doi.org/10.1145/1148170.1148261",
    ):
        assert text in plain
    assert in_a_row([10, 4, 6], plain)  # depth of the measure, runs, topics
    assert in_a_row([40, 3], plain)  # trials and seed
    assert r"\cite{yang2018pertopic,robertson2012pertopic,sakai2006bootstrap}" in latex
    assert CITATION not in plain + latex
    assert without_versions(f"{plain}\n\n{latex}") == golden


@pytest.mark.parametrize(
    "settings",
    [
        {"model": "bst"},
        {"model": "kde"},
        {"model": "kde", "bandwidth": "silverman"},
        {"denominator": "drawn"},
        {"denominator": "fixed"},
    ],
    ids=["bst", "kde", "silverman", "drawn", "fixed"],
)
def test_the_paragraph_contains_every_choice(settings: dict[str, object], golden: SnapshotAssertion) -> None:
    plain, _ = methods_text(result(**settings))
    assert without_versions(plain.partition("\n\n")[0]) == golden


def test_a_single_trial_has_no_standard_errors_to_write(golden: SnapshotAssertion) -> None:
    plain, _ = methods_text(result(n_trials=1))
    assert "None" not in plain
    assert without_versions(plain.partition("\n\n")[0]) == golden


def test_the_record_takes_the_answers() -> None:
    one = result()
    record = json.loads(report.report(one, min_d=0.05).json())["results"][0]
    assert record["analysis"] == "topic variance"
    assert record["krcc"] == one.record()["krcc"]


@pytest.mark.parametrize(
    "note",
    [
        sentences.ORDER,
        sentences.SIGNIFICANCE,
        sentences.DIFFERENCE,
        sentences.INDEPENDENCE,
        sentences.DENSITIES,
        sentences.PAPER,
    ],
)
def test_notes_are_a_few_sentences(note: str) -> None:
    assert 1 <= note.count(". ") <= 3
    assert note.endswith(".")
