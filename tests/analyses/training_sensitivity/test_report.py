"""Paragraphs, records and tables of the experiment."""

import json
import subprocess
import sys

import numpy as np
import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.training_sensitivity.sweeps import LEVELS, trained
from tests.golden.files import without_versions
from tests.words import numbers_in
from topicset_core.analyses.training_sensitivity import Answer, recommendation
from topicset_core.analyses.training_sensitivity import report as tables
from topicset_core.analyses.training_sensitivity.report import methods_text, report
from topicset_core.analyses.training_sensitivity.tables import stability


def test_the_paragraph_describes_the_method_and_cites(golden: SnapshotAssertion) -> None:
    plain, latex = methods_text(Answer(sensitivity=trained()))
    # Works, settings, tasks, topics, levels.
    assert numbers_in(plain)[:9] == [1, 2, 21, 2, 30, 1, 10, 50, 100]
    assert recommendation(trained()).sentence in plain
    assert without_versions(f"{plain}\n\n{latex}") == golden


def test_the_record_is_json_with_every_choice() -> None:
    record = json.loads(report(Answer(sensitivity=trained(), n_documents=18_000)).json())
    assert (record["measure"], record["seed"]) == ("AP", 0)
    (experiment,) = record["results"]
    assert experiment["analysis"] == "training sensitivity"
    assert len(experiment["chosen"]) == 4 * 5 * 2 * 4
    assert experiment["collection"]["relevant_share"] == pytest.approx(22.2 / 18_000, rel=0.2)
    assert experiment["sentence"] == recommendation(trained()).sentence


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


def test_the_report_of_the_command_line_needs_no_charts() -> None:
    """Charts are optional."""
    code = "import sys, topicset_core.analyses.training_sensitivity.report; sys.exit('plotly' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
