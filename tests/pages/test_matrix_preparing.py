"""Scores are prepared on the page, which says what that did; and as read they come back."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go
from tests.pages.uploading import ANOVA, opened, press, texts, with_public
from tests.reference_data import reference_matrix
from topicset_core.designs import one_way_anova
from topicset_core.preparation import Steps, prepare
from topicset_core.variance import one_way, pooled

pytestmark = pytest.mark.reference_data


def _fill(app: AppTest, **values: float | str | list[str]) -> AppTest:
    for name, value in values.items():
        key = f"score_matrices/prepare/{name}"
        kind = {"log": app.selectbox, "standardise": app.selectbox, "target": app.selectbox}
        kind |= {"reference": app.multiselect}
        kind.get(name, app.number_input)(key=key).set_value(value)
    return press(app, "Apply")


def _required(variance: float) -> int:
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=variance, n_systems=10
    )
    return one_way_anova.required_topics(wanted).required_topics


def _effects(app: AppTest) -> list[dict[str, object]]:
    (table,) = [frame.value for frame in app.dataframe if "n, now" in frame.value.columns]
    rows: list[dict[str, object]] = table.to_dict("records")
    return rows


def test_dropped_runs_change_variance_and_topics_which_is_said_and_undone() -> None:
    raw = reference_matrix("trec8_adhoc_ap")
    prepared = prepare(raw, Steps(max_zero_topics=10, worst_fraction=0.25)).matrix
    app = _fill(opened(with_public("trec8_adhoc_ap"), "closer-prepare"), zeros=10, percent=25.0)
    assert big_number(app) == f"σ² = {one_way(prepared):.4g}"
    (row,) = _effects(app)
    assert (row["σ², read"], row["σ², now"]) == (one_way(raw), one_way(prepared))
    assert (row["n, read"], row["n, now"]) == (_required(one_way(raw)), _required(one_way(prepared)))
    assert row["runs"] == f"129 → {prepared.n_systems}"
    assert "Runs with a score of 0 on more than 10 topics dropped" in texts(app)
    go(app, ANOVA)
    assert big_number(app) == f"{_required(one_way(prepared))} topics"
    assert "without the worst 25 % of the runs" in texts(app)  # the source names what was done
    go(app, "pages/score_matrices.py")
    press(app, "Undo changes")
    assert big_number(app) == f"σ² = {one_way(raw):.4g}"
    assert "Done here" not in texts(app)


def test_the_fields_are_empty_after_applying_so_that_nothing_is_done_twice() -> None:
    app = _fill(opened(with_public("trec8_adhoc_ap"), "closer-prepare"), count=33)
    before = big_number(app)
    press(app, "Apply")
    assert errors(app) == ["Nothing was asked for, so nothing changed."]
    assert big_number(app) == before


@pytest.mark.parametrize(
    ("fields", "steps"),
    [
        ({"log": "take logarithms"}, Steps(log_floor=1e-5)),
        ({"log": "take logarithms", "floor": 0.01}, Steps(log_floor=0.01)),
        ({"standardise": "z"}, Steps(standardise="z")),
        (
            {"standardise": "std-AB", "reference": ["sys1", "sys2", "sys3"]},
            Steps(standardise="std-AB", reference=("sys1", "sys2", "sys3")),
        ),
    ],
)
def test_other_scales_have_a_variance_but_no_topics_to_compare(
    fields: dict[str, float | str | list[str]], steps: Steps
) -> None:
    raw = reference_matrix("web2012_ap")
    app = _fill(opened(with_public("web2012_ap"), "closer-prepare"), **fields)
    prepared = prepare(raw, steps).matrix
    assert big_number(app) == f"σ² = {one_way(prepared):.4g}"
    assert f"web2012_ap, {prepared.measure}, " in texts(app)
    (row,) = _effects(app)
    assert row["n, read"] == _required(one_way(raw))
    assert row["n, now"] is None
    assert "required topics do not compare" in texts(app)


def test_all_matrices_of_a_measure_are_prepared_together() -> None:
    names = ("web2011_ap", "web2012_ap")
    app = _fill(
        opened(with_public(*names, "web2012_p10"), "closer-prepare"),
        percent=50.0,
        target="all 2 matrices of AP",
    )
    prepared = [prepare(reference_matrix(name), Steps(worst_fraction=0.5)).matrix for name in names]
    assert big_number(app) == f"σ² = {pooled(prepared):.4g}"
    assert [row["matrix"] for row in _effects(app)] == ["web2011_ap (AP)", "web2012_ap (AP)"]
    press(app, "Undo all changes of web2011_ap (AP)")
    assert [row["matrix"] for row in _effects(app)] == ["web2012_ap (AP)"]


def test_where_one_matrix_refuses_none_is_changed() -> None:
    names = ("web2011_ap", "web2012_ap")
    app = _fill(
        opened(with_public(*names), "closer-prepare"), count=50, target="all 2 matrices of AP"
    )  # 62 and 48 runs
    (error,) = errors(app)
    assert error == (
        "Worst runs, number = 50: must leave at least 1 of the 48 runs (web2012_ap (AP)). Nothing changed."
    )
    assert big_number(app) == f"σ² = {pooled([reference_matrix(name) for name in names]):.4g}"
    assert app.number_input(key="score_matrices/prepare/count").value == 50


def test_what_does_not_go_together_is_refused() -> None:
    app = _fill(opened(with_public("web2012_ap"), "closer-prepare"), percent=10.0, count=3)
    assert "Worst runs, number = 3: must be left out where Worst runs, % is given" in errors(app)[0]
    app = _fill(app, percent=None, count=None, reference=["sys1", "sys2"])
    assert "must be left out where scores are not standardised" in errors(app)[0]


def test_a_percentage_out_of_range_is_named_as_it_was_typed() -> None:
    app = _fill(opened(with_public("web2012_ap"), "closer-prepare"), percent=100.0)
    assert errors(app) == ["Worst runs, % = 100.0: must be from 0 to below 100. Nothing changed."]


def test_logarithms_of_logarithms_are_refused() -> None:
    app = _fill(opened(with_public("web2012_ap"), "closer-prepare"), log="take logarithms")
    _fill(app, log="take logarithms")
    assert "scores = " in errors(app)[0]
    assert "must be 0 or more to have a logarithm" in errors(app)[0]
