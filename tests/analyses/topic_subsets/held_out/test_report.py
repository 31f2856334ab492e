"""Records, tables and paragraphs of held-out experiments and audits contain the results."""

import csv
import io
import json
from functools import cache

import pytest
from syrupy.assertion import SnapshotAssertion

from tests.analyses.topic_subsets.plain import random_matrix
from tests.golden.files import without_versions
from topicset_core.analyses.topic_subsets.held_out.audit import audit_subset
from topicset_core.analyses.topic_subsets.held_out.audit_report import PLACE, RANKS
from topicset_core.analyses.topic_subsets.held_out.audit_report import report as audit_report
from topicset_core.analyses.topic_subsets.held_out.curve import HeldOutCurve, held_out_curve
from topicset_core.analyses.topic_subsets.held_out.report import POINTS, report, target_sentence
from topicset_core.analyses.topic_subsets.held_out.splits import HIGH
from topicset_core.analyses.topic_subsets.request import AuditRequest, HeldOutRequest
from topicset_core.exports.records import plain
from topicset_core.exports.tables import csv_bytes

MATRIX = random_matrix(10, 9, seed=61)
RUNS = HeldOutRequest(
    hold_out="runs", goodness="pearson", n_splits=4, n_trials=10, seed=7, units=tuple(range(9))
)


def rows(table) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(csv_bytes(table).decode())))


@cache
def curve_of_runs() -> HeldOutCurve:
    return held_out_curve(MATRIX, RUNS)


def test_the_record_and_table_of_a_curve() -> None:
    curve = curve_of_runs()
    record = plain(curve)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert (record["seed"], record["n_splits"], record["status"]) == (7, 4, "heuristic")
    result = rows(POINTS.table(curve.points))
    assert [int(row["topics"]) for row in result] == list(range(1, 11))
    for row, point, recorded in zip(result, curve.points, record["cardinalities"], strict=True):
        best = point.chosen.best
        assert best is not None
        assert float(row["chosen best"]) == best.mean == recorded["chosen"]["best"]["mean"]
        (high,) = [row[name] for name in row if name.startswith("chosen best") and str(HIGH) in name]
        assert float(high) == best.high
        assert float(row["share better"]) == recorded["gain"]["share_better"]
        assert float(row["reversed pairs"]) == recorded["reversed_pairs"]["mean"]
        assert recorded["own"]["worst"]["n_splits"] == 4


def test_the_record_and_tables_of_an_audit() -> None:
    result = audit_subset(MATRIX, AuditRequest(topics=["t1", "t5", "t8"], n_splits=4, n_trials=60, seed=2))
    record = plain(result)
    assert json.loads(json.dumps(record, allow_nan=False)) == record
    assert set(record["goodness"]) == {"pearson", "kendall", "error-rate"}
    table = rows(PLACE.table(result.goodness))
    assert [row["goodness"] for row in table] == ["pearson", "kendall", "error-rate"]
    assert float(table[1]["percentile"]) == result.by("kendall").percentile
    assert [row["best is"] for row in table] == [one.best.status for one in result.goodness if one.best]
    assert [int(row["compared with"]) for row in table] == [one.n_compared for one in result.goodness]
    changes = rows(RANKS.table(result.ranking.changes))
    assert {row["run"] for row in changes} == set(MATRIX.systems)
    assert abs(float(changes[0]["ranks lost"])) == max(abs(float(row["ranks lost"])) for row in changes)


def test_a_target_that_no_size_reaches(golden: SnapshotAssertion) -> None:
    request = HeldOutRequest(hold_out="topics", goodness="kendall", n_splits=3, target=1.0)
    assert target_sentence(held_out_curve(MATRIX, request)) == golden


@pytest.mark.parametrize("which", ["runs", "topics", "audit"])
def test_paragraphs_cite_the_paper_and_report_seed_and_splits(which: str, golden: SnapshotAssertion) -> None:
    if which == "audit":
        audit = audit_subset(MATRIX, AuditRequest(topics=["t1", "t5"], n_splits=4, n_trials=60, seed=9))
        text, latex = audit_report(audit).text
        assert "(t1, t5)" in text
    elif which == "runs":
        units = (0, 0, 1, 1, 2, 3, 4, 5, 6)
        request = HeldOutRequest(hold_out="runs", goodness="pearson", units=units, n_splits=4, seed=9)
        text, latex = report(held_out_curve(MATRIX, request)).text
    else:
        request = HeldOutRequest(hold_out="topics", goodness="kendall", n_splits=4, target=0.95)
        other = random_matrix(10, 9, seed=62)
        text, latex = report(held_out_curve(MATRIX, request, evaluating=other)).text
        # Both scores have the same name, so the choosing one is not named.
        assert MATRIX.name not in text.partition(f"({MATRIX.name})")[2]
        assert "kendall1945treatment" in latex
    assert "guiver2009few" in latex
    assert "10.1145/1629096.1629099" in text
    assert without_versions(text) == golden
