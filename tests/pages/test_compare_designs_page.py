"""Compare designs has the plan of each design's own page, and its link has it again without the scores."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

import topicset_core as topicset
from pages.parts import data
from pages.parts.variance_source import TYPED
from tests.pages.app import (
    charts,
    errors,
    go,
    heading,
    healthy,
    linked,
    open_app,
    open_page,
    planned,
    press,
    sentence,
    text_of,
)
from tests.pages.uploading import ANOVA, SMALL, upload
from topicset_core.collection import ScoreMatrix
from topicset_core.exports.tables import csv_bytes
from topicset_core.samples.simulated_conversations import simulated_conversations

COMPARE, PAIRED_T, SCORES = "pages/compare_designs.py", "pages/paired_t.py", "pages/score_matrices.py"
OF_LINKS = (
    "paired_variance",
    "two_way_variance",
    "effective_df",
    "paired_effective_df",
    "two_way_effective_df",
)


def _cells(app: AppTest) -> Any:
    return app.dataframe[0].value.set_index("method")


def _in_groups() -> AppTest:
    return upload(open_app(SCORES), conversations=csv_bytes(data.conversations()).decode())


def _two_systems() -> AppTest:
    rng = np.random.default_rng(3)
    rows = [f"q{topic},{','.join(f'{x:.4f}' for x in rng.uniform(0, 1, 2))}\n" for topic in range(30)]
    return upload(open_app(SCORES), two_ap="topic,A,B\n" + "".join(rows))


@pytest.mark.parametrize(
    "scores",
    [
        lambda: open_app(COMPARE),
        lambda: healthy(open_app(COMPARE).selectbox(key="planning/scores").set_value("AP").run()),
        lambda: upload(open_app(SCORES), first_ap=SMALL["first_ap"], second_err20=SMALL["second_err20"]),
        _two_systems,
        _in_groups,
        lambda: _with(simulated_conversations().taken([*range(5), *range(40, 300)], [*range(8)])),
    ],
    ids=["similar task", "sample", "two measures", "two systems", "groups", "unequal groups"],
)
def test_an_opened_link_shows_the_page_it_was_taken_from(scores: Any) -> None:
    first = go(scores(), COMPARE)
    link = linked(first)
    second = open_page(COMPARE, **link)
    assert errors(second) == []
    assert sentence(second) == sentence(first)
    assert second.dataframe[0].value.equals(first.dataframe[0].value)
    of_designs, again = (charts(app)["topics-by-design"]["data"] for app in (first, second))
    assert [one.get("error_x") for one in again] == [one.get("error_x") for one in of_designs]
    assert all("error_x" in one for one in again)
    assert linked(second) == link
    assert second.table[0].value.equals(first.table[0].value)
    cells, table = _cells(first), first.table[0].value  # of the paired t test, at all minD
    name = next(one for one in cells.columns if one.startswith(("groups, ", "topics, ")))
    column = table.columns[0]
    assert table[column]["0.1"] == cells[name]["paired t test"]


def test_topics_in_groups_are_the_plan_of_the_design_page() -> None:
    app = go(_in_groups(), PAIRED_T)
    own = text_of(app, "answer")
    row = _cells(go(app, COMPARE)).loc["paired t test"]
    n, low, high = (int(row[f"groups{of}, nDCG@3"]) for of in ("", " from (90 %)", " to (90 %)"))
    assert int(row["topics, nDCG@3"]) == 12 * n
    assert all(f"{number:,}" in own for number in (n, low, high, 12 * n))
    assert f"paired t test: {n} ({low} to {high})" in app.get("plotly_chart")[0].proto.spec
    assert "12" in next(one.value for one in app.markdown if "variance of their means" in one.value)


def test_groups_of_the_form_of_design_pages_are_planned_with() -> None:
    """Another number of topics per group, and groups of variances that are typed."""
    matrix = simulated_conversations()
    app = go(_in_groups(), PAIRED_T)
    app.session_state["planning/valid"] = app.session_state["planning/valid"] | {"group_size": 4}
    row = _cells(go(app, COMPARE)).loc["paired t test"]
    assert int(row["topics, nDCG@3"]) == 4 * int(row["groups, nDCG@3"])
    assert linked(app)["group_size"] == [f"{matrix.measure}:4"]


def test_two_systems_are_planned_for_where_scores_are_of_two() -> None:
    app = go(_two_systems(), COMPARE)
    assert linked(app)["n_systems"] == ["2"]
    assert "two-way ANOVA, m = 2" in _cells(app).index
    assert "systems" not in linked(app)  # the tables of others are for 2, 10 and 100


def test_too_few_groups_ask_for_the_correlation() -> None:
    matrix = simulated_conversations()
    groups = dict.fromkeys(matrix.groups or ())
    rows = [at for at, group in enumerate(matrix.groups or ()) if group in [*groups][:3]]
    few = matrix.taken(rows, [*range(matrix.n_systems)])
    app = _with(few)
    assert text_of(app, "refusal").startswith("State the intraclass correlation ρ in the form: must be given")
    field = app.number_input(key="planning/intraclass_correlation")
    healthy(field.set_value(0.25).run())
    assert not text_of(app, "refusal")
    assert linked(app)["paired_intraclass_correlation"] == ["nDCG@3:0.25"]


def _with(matrix: ScoreMatrix) -> AppTest:
    app = open_app(SCORES)
    app.session_state["loaded_scores"] = [data.Upload(matrix, (), number=1)]
    return go(app, COMPARE)


def test_old_links_have_the_numbers_that_they_had() -> None:
    """Without degrees of freedom there is no interval; without a paired variance it is 2 sigma^2."""
    old = {"variance": ["AP:0.0471"], "two_way_variance": ["AP:0.01285"], "topics": ["shared"]}
    app = open_page(COMPARE, **old)
    cells = _cells(app)["topics, AP"]
    # next-designs.md, 1.6: column B, m = 10; the paired t test at 2 x .0471.
    assert {label: cells[label] for label in ("two-way ANOVA, m = 10", "paired t test")} == {
        "two-way ANOVA, m = 10": 42,
        "paired t test": 76,
    }
    assert not any("90 %" in name for name in _cells(app).columns)
    assert {name: linked(app)[name] for name in old} == old
    assert not linked(app).keys() & {*OF_LINKS} - {"two_way_variance"}
    paired = open_page(COMPARE, **old, paired_variance=["AP:0.0257"])
    assert _cells(paired)["topics, AP"]["paired t test"] == 23  # 2 x .01285
    assert linked(paired)["paired_variance"] == ["AP:0.0257"]


def test_typed_variances_have_the_paired_t_test_of_twice_the_variance() -> None:
    app = open_app(ANOVA)
    healthy(app.selectbox(key="planning/scores").set_value(TYPED).run())
    planned(app, within_system_variance=0.0471)
    compared = go(app, COMPARE)
    (name,) = [one for one in _cells(compared).columns if one.startswith("topics, ")]
    assert _cells(compared)[name]["paired t test"] == 76
    planned(compared, residual_variance=0.01285)
    assert _cells(compared)[name]["two-way ANOVA, m = 10"] == 42


def test_numbers_of_degrees_of_freedom_in_a_link_are_checked() -> None:
    app = open_page(COMPARE, variance=["AP:0.0471"], effective_df=["AP:0"], group_size=["AP:2.5"])
    assert len(app.container(key="complaints").error) == 2
    assert not any("90 %" in name for name in _cells(app).columns)
    press(app, "compare/instead")
    assert any("90 %" in name for name in _cells(app).columns)


def test_scores_of_one_run_are_compared_as_the_command_compares_them(tmp_path: Path) -> None:
    text = "topic,A\n" + "".join(f"q{topic},{topic * 7 % 20 / 20:.2f}\n" for topic in range(30))
    (tmp_path / "one_ap.csv").write_text(text)
    page = go(go(upload(open_app(SCORES), one_ap=text), PAIRED_T), COMPARE)
    record = topicset.compare(tmp_path / "one_ap.csv", levels=[(0.05, 0.2)]).record
    assert page.segmented_control(key="planning/topics").value == "separate"
    by_command = {
        one["method_label"]: one["planned"]["AP"]["required_topics"]
        for one in record["tables"]
        if one.get("planned")
    }
    cells = _cells(page)
    by_page = {method: int(str(cells.loc[method, "topics, AP"]).split()[0]) for method in by_command}
    assert by_page == by_command


def test_pairs_that_the_sample_distinguishes_stand_beside_plans_with_the_sample_only() -> None:
    """Its simulated 67.6 % of pairs once stood without a badge beside plans for a similar task."""
    app = open_app(COMPARE)
    for scores, has_tile in ((data.SIMILAR, False), ("AP", True)):
        healthy(app.selectbox(key="planning/scores").set_value(scores).run())
        assert ("pairs distinguished" in {one.label for one in app.metric}) is has_tile
        assert ("Sample data" in heading(app)) is has_tile
