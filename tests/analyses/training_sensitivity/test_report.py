"""Paragraphs, records and tables of the experiment."""

import json
import subprocess
import sys

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, simulated, trained
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core.analyses.sizing import topics_rule
from topicset_core.analyses.training_sensitivity import (
    Answer,
    completeness_designs,
    recommendation,
    shallow_trainings,
    stability,
)
from topicset_core.analyses.training_sensitivity import report as tables
from topicset_core.analyses.training_sensitivity.report import methods_text, report
from topicset_core.exports.tables import Table, csv_bytes


def test_the_paragraph_describes_the_method_and_cites(golden: SnapshotAssertion) -> None:
    plain, latex = methods_text(Answer(sensitivity=trained()))
    # Works, settings, tasks, topics, levels.
    assert numbers_in(plain)[:9] == [1, 2, 21, 2, 30, 1, 10, 50, 100]
    assert recommendation(trained()).sentence in plain
    assert without_versions(f"{plain}\n\n{latex}") == golden
    assert "https://doi.org/10.1145/1390334.1390348" in plain
    assert "\\cite{he2008retrieval,buckley2004incomplete}" in latex
    assert "100 \\% " in latex
    assert "@inproceedings{he2008retrieval," in latex


def test_the_record_is_json_with_every_choice() -> None:
    record = json.loads(report(Answer(sensitivity=trained(), n_documents=18_000)).json())
    assert (record["measure"], record["seed"]) == ("AP", 0)
    (experiment,) = record["results"]
    assert experiment["analysis"] == "training sensitivity"
    assert len(experiment["chosen"]) == 4 * 5 * 2 * 4
    assert experiment["collection"]["relevant_share"] == pytest.approx(22.2 / 18_000, rel=0.2)
    assert experiment["sentence"] == recommendation(trained()).sentence


def _every() -> dict[str, Table]:
    result = trained()
    designs = completeness_designs(
        result, lambda d: topics_rule("paired-t", alpha=0.05, beta=0.2, min_d=d), 0.05
    )
    return {
        "levels": tables.levels_table(result),
        "gains": tables.gains_table(result),
        "evidence": tables.evidence_table(Answer(sensitivity=result)),
        "paper's rows": tables.complete_rows(result),
        "curves": tables.curves_table(result),
        "complete": tables.complete_table(result),
        "sign tests": tables.sign_tests_table(result),
        "stability": tables.stability_table(result),
        "agreement": tables.agreement_table(result),
        "surface": tables.surface_table(result),
        "chosen": tables.chosen_table(result),
        "designs": tables.designs_table(designs),
        "shallow": tables.shallow_table(shallow_trainings(simulated(), result, (1, 5))),
    }


ROWS = {
    "levels": 4,
    "gains": 3 * 4,
    "evidence": 3 * 2,
    "paper's rows": 2,
    "curves": 10 * 3 * 4,
    "complete": 10 * 2,
    "sign tests": 4 * 3 * 3,
    "stability": 4 * 2 * 4,
    "agreement": 3 * 4,
    "surface": 21,
    "chosen": 4 * 5 * 2 * 4,
    "designs": 4 * 4,
    "shallow": 2 * 2 * 4,
}


@pytest.mark.parametrize("name", ROWS)
def test_tables_are_columns_of_equal_length_for_csv(name: str) -> None:
    table = _every()[name]
    assert {len(column) for column in table.values()} == {ROWS[name]}
    assert csv_bytes(table).count(b"\r\n") == ROWS[name] + 1


def test_inverse_deviations_are_empty_where_a_deviation_is_zero() -> None:
    result = trained()
    table = tables.stability_table(result)
    sigmas = stability(result).of_parameters[..., 0].ravel()  # the same order: level, task, measure
    assert (sigmas == 0).any()  # all samples of 100 % choose the same
    for sigma, inverse in zip(sigmas.tolist(), table["1/σ_opt of b"], strict=True):
        assert inverse == (None if sigma == 0 else pytest.approx(1 / sigma))
    (of_itself,) = [name for name in table if name.startswith("σ_diff") and name.endswith(" AP")]
    assert table[of_itself][0] is None  # of the reference with itself
    at_100 = [number for number, level in enumerate(table["% of judgments"]) if level == LEVELS[-1]]
    assert {table["samples disagree"][number] for number in at_100} == {0.0}


def test_choices_are_listed_with_their_values() -> None:
    table = tables.chosen_table(trained())
    for run, value in zip(table["run"], table["parameter b"], strict=True):
        assert run == f"sim_b{value:.2f}"
    assert np.isfinite(np.array(table["parameter b"], dtype=float)).all()


def test_the_bias_of_inferred_ap_is_over_the_topics_left() -> None:
    result = trained()
    table = tables.levels_table(result)
    infap, ap = (result.measures.index(name) for name in ("infAP", "AP"))
    by_sample = result.trained.mean_scores[:, :, infap, 1] - result.trained.mean_scores[:, :, ap, 2]
    (bias,) = [name for name in table if name.startswith("bias")]
    assert table[bias] == pytest.approx(by_sample.mean(axis=1).tolist(), abs=1e-15)
    # With all judgments infAP is AP but for trec_eval's epsilon of 1e-5.
    assert abs(float(str(table[bias][-1]))) < 1e-4


def test_the_report_of_the_command_line_needs_no_charts() -> None:
    """Charts are optional."""
    code = "import sys, topicset_core.analyses.training_sensitivity.report; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
