"""The report of simulated collections: columns of several models, an empty table, and the paragraph."""

from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_variance.plain_simulation import random_track
from tests.golden.files import without_versions
from topicset_core.analyses.topic_variance import Findings, Settings, report, topic_variance
from topicset_core.analyses.topic_variance.report import methods_text
from topicset_core.exports.tables import xlsx_bytes

RUNS, JUDGED = random_track(1, 4, 6)


@cache
def by(**settings: object) -> Findings:
    request = Settings(**{"model": "bst", "n_trials": 40, "seed": 3} | settings)  # type: ignore[arg-type]
    return topic_variance(JUDGED, request, RUNS)


def test_comparisons_and_error_rates_have_columns_of_each_model() -> None:
    both = [by(), by(model="kde")]
    table, rates = report.comparisons_table(both), report.error_rates_table(both)
    tau = next(row for row, what in enumerate(table["what"]) if "KRCC" in str(what))
    for result in both:
        model, krcc = result.settings.model, result.rank_correlation
        assert (table[model][tau], table[f"{model}_standard_error"][tau]) == (krcc.value, krcc.standard_error)
        assert rates[f"{model}_pairs"] == list(result.pairs_by_bin)
        assert rates[f"{model}_error_rate"] == [rate.value for rate in result.error_rates]
        assert rates[f"{model}_standard_error"] == [rate.standard_error for rate in result.error_rates]
    assert rates["difference_from"][:3] == [0.0, 0.01, 0.02]
    assert rates["difference_below"][-2:] == [0.2, None]


def test_cells_and_components_are_in_their_rows() -> None:
    """Cells are the runs of the first topic, then those of the next."""
    cells, components = report.cells_table(by()), report.components_table(by())
    assert (cells["topic"][5], cells["run"][5]) == ("t1", "run1")
    assert cells["raw"] == by().raw.ravel().tolist()
    assert components["variance"][3] == by().components.collection


def test_more_topics_than_a_design_answers_leave_an_empty_table() -> None:
    none = report.topics_needed_table(by(), 1e-9)
    assert set(none) == set(report.topics_needed_table(by(), 0.08))
    assert not any(none.values())
    assert xlsx_bytes({"topics needed": none})


@pytest.mark.parametrize(
    "settings",
    [
        {"measure": "P", "depth": 10, "alpha": 0.1},
        {"model": "kde", "bandwidth": "silverman"},
        {"denominator": "fixed"},
        {"n_trials": 1},
    ],
    ids=["precision", "silverman", "fixed", "without standard errors"],
)
def test_the_paragraph_contains_every_choice(settings: dict[str, object], golden: SnapshotAssertion) -> None:
    plain, _ = methods_text(by(**settings))
    assert "None" not in plain
    assert without_versions(plain.partition("\n\n")[0]) == golden
