"""The JSON record: enough to check an answer and to compute it again."""

import io
import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, NamedTuple

import numpy as np
import pytest
from openpyxl import load_workbook

from docs.makers import records
from tests.designs.refusing import MODULES, VALID, name_of
from tests.reference_data import REPOSITORY as ROOT
from topicset_core.collection import ScoreMatrix
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.exports.findings import Finding
from topicset_core.exports.records import fields_of
from topicset_core.exports.report import SCHEMA, Report
from topicset_core.parameters import ALPHA, MIN_D, SEED, Setting
from topicset_core.version import __version__
from topicset_core.wording import few_topics

LINK = "https://host/paired-t-test?alpha=0.05"
ASKED = [Setting(SEED, 7)]
STATED_TEXTS: dict[str, Any] = {"measure": "AP", "variance_source": "TREC03new, 78 runs"}


def json_record(results: Sequence[Any], **options: Any) -> bytes:
    report = Report(
        name="answer",
        title="",
        findings=(),
        tables=(),
        results=lambda: results,
        **options,
    )
    return report.json()


def refuse_constant(name: str) -> float:
    raise AssertionError(f"{name} is not JSON")


def read(content: bytes) -> dict[str, Any]:
    result = json.loads(content, parse_constant=refuse_constant)
    assert isinstance(result, dict)
    return result


def matrix(name: str = "round 1", change: float = 0.0) -> ScoreMatrix:
    return ScoreMatrix(
        scores=np.array([[0.1, 0.2], [0.3, 0.4 + change], [0.5, 0.7]]),
        topics=("1", "2", "3"),
        systems=("A", "B"),
        measure="AP",
        name=name,
    )


def test_the_layout_matches_the_documentation() -> None:
    record = read(json_record([], **STATED_TEXTS, link=LINK, request=ASKED))
    names = "schema made_by with simulated_sample measure variance_source scores seed findings request results link"
    assert list(record) == names.split()
    assert record["schema"] == 3
    assert record["made_by"] == {"name": "topicset", "version": __version__}
    assert set(record["with"]) == {"python", "numpy", "scipy"}
    assert {name: record[name] for name in STATED_TEXTS} == STATED_TEXTS
    assert (record["seed"], record["request"], record["link"]) == (7, {"seed": 7}, LINK)
    record = read(json_record([], **STATED_TEXTS))
    assert (record["seed"], record["link"], record["scores"], record["results"]) == (None, "", [], [])


def test_scores_are_identified_by_digest_and_not_repeated() -> None:
    record = read(json_record([], **STATED_TEXTS, matrices=[matrix(), matrix("round 2", 1e-15)]))
    first, second = record["scores"]
    sizes = {"name": "round 1", "measure": "AP", "n_topics": 3, "n_systems": 2}
    assert first == sizes | {"sha256": matrix().digest}
    assert second["sha256"] != first["sha256"]
    assert len(bytes.fromhex(first["sha256"])) == 32


@pytest.mark.parametrize("design", MODULES, ids=name_of)
def test_an_answer_can_be_computed_again_from_its_record(design: Any) -> None:
    for method in ("exact", "published"):
        result = design.required_topics(design.Requirements(**VALID[design]), method=method)
        (answer,) = read(json_record([result], **STATED_TEXTS))["results"]
        assert (answer["design"], answer["method"]) == (design.DESIGN.name, method)
        again = design.required_topics(design.Requirements(**answer["requirements"]), method=answer["method"])
        assert again == result
        assert again.record() == answer


def test_there_is_no_nan_where_a_method_has_no_value() -> None:
    requirements = one_way_anova.Requirements(alpha=0.05, beta=0.20, min_delta=5.0, n_systems=2)
    result = one_way_anova.required_topics(requirements, method="published")
    (answer,) = read(json_record([result], **STATED_TEXTS))["results"]
    assert (answer["required_topics"], answer["power_one_topic_fewer"]) == (3, None)


class Pair(NamedTuple):
    low: float
    high: float


@dataclass(frozen=True)
class Inner:
    name: str
    measured: Any

    def record(self) -> dict[str, Any]:
        return fields_of(self, "name") | {"doubled": 2 * self.measured}


@dataclass(frozen=True)
class Outer:
    inner: Inner
    interval: Pair | None
    arrays: Mapping[int, Any]


def test_a_record_follows_from_the_objects_of_a_result() -> None:
    """Data classes, named tuples, arrays and their scalars; JSON has neither NaN nor infinities."""
    arrays = {5: np.array([[1, 2], [3, 4]]), 95: (np.float64("nan"), -math.inf, np.True_, np.float32(0.5))}
    record = read(json_record([Outer(Inner("a", np.int64(3)), Pair(0.25, math.inf), arrays)]))
    assert record["results"] == [
        {
            "inner": {"measured": 3, "doubled": 6},
            "interval": [0.25, None],
            "arrays": {"5": [[1, 2], [3, 4]], "95": [None, None, True, 0.5]},
        }
    ]


def test_names_with_any_characters_are_kept() -> None:
    name = 'a "quoted" \\ name, </script> σ²'
    record = read(json_record([], measure=name, variance_source=name, matrices=[matrix(name)], link=name))
    assert (record["measure"], record["variance_source"], record["link"]) == (name, name, name)
    assert record["scores"][0]["name"] == name
    assert "σ²".encode() in json_record([], measure="σ²", variance_source="")  # readable, not escaped


def test_the_first_sheet_contains_only_question_and_answer() -> None:
    requirements = paired_t.Requirements(alpha=0.05, beta=0.2, min_d=0.1, difference_variance=0.0942)
    result = paired_t.required_topics(requirements)
    report = Report(
        name="answer",
        title="Paired t test",
        findings=[Finding("You need 76 topics.")],
        tables=(),
        results=lambda: [result.record()],
        matrices=[matrix()],
        request=[*requirements.plan().settings, *ASKED],
        link=LINK,
        **STATED_TEXTS,
    )
    (sheet,) = load_workbook(io.BytesIO(report.workbook())).worksheets
    assert (sheet.title, sheet.freeze_panes) == ("Answer", "A2")
    header, *rows = sheet.iter_rows(values_only=True)
    assert header == ("Paired t test", "value")
    answer: dict[Any, Any] = dict(row for row in rows)  # type: ignore[misc]
    assert answer["answer"] == f"You need 76 topics. {few_topics(3)}"
    assert (answer[ALPHA.label], answer[MIN_D.label], answer[SEED.label]) == (0.05, 0.1, 7)
    assert not [name for name in answer if "_" in name]
    assert (answer["measure"], answer["variance from"]) == tuple(STATED_TEXTS.values())
    assert matrix().digest in answer["scores 1"]
    assert answer["link"] == LINK
    assert __version__ in answer["made by"]
    assert date.fromisoformat(answer["date"])


def test_a_name_that_goes_without_a_new_schema_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    """As `krcc` went once: scripts that read it broke."""
    monkeypatch.setattr(records, "names", lambda: {records._EVERY: ["schema"], "size": ["alpha"]})
    monkeypatch.setattr(records, "_before", lambda: (records.SCHEMA, {"size": ["alpha", "krcc", "schema"]}))
    with pytest.raises(ValueError, match=r"gone; raise SCHEMA .*: size: krcc$"):
        records.page()
    monkeypatch.setattr(records, "_before", lambda: (records.SCHEMA - 1, {"size": ["alpha", "krcc"]}))
    assert "krcc" not in records.page()


def test_the_changelog_has_a_line_on_each_schema() -> None:
    assert f"schema {SCHEMA}" in (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
