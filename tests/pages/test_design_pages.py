"""The design pages: number, charts, wrong input, links."""

import json
from urllib.parse import parse_qsl, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from tests.pages.app import big_number, errors, go, healthy, open_app, open_page
from topicset_core.designs import one_way_anova, paired_t
from topicset_core.samples.simulated import simulated_task
from topicset_core.variance import pooled

ANOVA, PAIRED_T = "pages/one_way_anova.py", "pages/paired_t.py"

# Sakai 2016, section 6.2, AP: sigma^2 .0471, minD .10, m = 10; exact 149, tool 148
# (formulas-and-expected-values 5.3 and table 7 there).
SAKAI_AP = {
    "alpha": "0.05",
    "beta": "0.2",
    "min_d": "0.1",
    "n_systems": "10",
    "within_system_variance": "0.0471",
    "measure": "AP",
}


def _submit(app: AppTest, **values: float) -> AppTest:
    for field in app.number_input:
        name = field.key.split("/")[1]
        if name in values:
            field.set_value(values[name])
    (compute,) = [button for button in app.button if button.label == "Compute"]
    return healthy(compute.click().run())


def _link(app: AppTest) -> dict[str, str]:
    (found,) = [code.value for code in app.code if "alpha=" in code.value]
    return dict(parse_qsl(urlsplit(found).query))


def _sample_variance(measure: str) -> float:
    return pooled([matrix for matrix in simulated_task() if matrix.measure == measure])


def test_anova_answers_at_once_on_the_sample() -> None:
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=_sample_variance("AP"), n_systems=10
    )
    app = open_page(ANOVA)
    assert big_number(app) == f"{one_way_anova.required_topics(wanted).required_topics} topics"
    assert any("simulated" in text.value for text in app.markdown)


def test_paired_t_answers_at_once_on_the_sample_with_twice_the_variance() -> None:
    wanted = paired_t.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, difference_variance=2 * _sample_variance("AP")
    )
    assert big_number(open_page(PAIRED_T)) == f"{paired_t.required_topics(wanted).required_topics} topics"


def test_exact_and_published_stand_side_by_side_against_sakai_2016() -> None:
    app = open_page(ANOVA, **SAKAI_AP)
    assert big_number(app) == "149 topics"
    assert any("Sakai's Excel tool says **148**, 1 fewer." in text.value for text in app.markdown)
    assert any("minus sign" in text.value for text in app.markdown)


def test_submitting_the_form_changes_the_number() -> None:
    app = _submit(open_page(ANOVA, **SAKAI_AP), n_systems=100)
    assert big_number(app) == "381 topics"  # formulas-and-expected-values, table 7 there, a100_exact


def test_choosing_another_measure_acts_at_once() -> None:
    app = open_page(ANOVA)
    healthy(app.selectbox(key="anova/scores").set_value("RR").run())
    wanted = one_way_anova.Requirements(
        alpha=0.05, beta=0.20, min_d=0.10, within_system_variance=_sample_variance("RR"), n_systems=10
    )
    assert big_number(app) == f"{one_way_anova.required_topics(wanted).required_topics} topics"


def test_a_typed_variance_is_used() -> None:
    app = open_page(ANOVA)
    healthy(app.selectbox(key="anova/scores").set_value("typed in below").run())
    assert big_number(_submit(app, within_system_variance=0.0471)) == "149 topics"
    assert _link(app)["variance_from"] == "typed in"


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"alpha": 7.0}, "α = 7 must be a number above 0 and below 1"),
        ({"beta": 0.96}, "β = 0.96 must be below 1 - alpha = 0.95"),
        ({"min_d": 0.0}, "minD = 0 must be a number above 0"),
        ({"min_d": 1e6}, "standard deviations, above the limit of 1000"),
        ({"n_systems": 1}, "m = 1 must be a whole number from 2 to 1,000"),
    ],
)
def test_wrong_input_is_named_kept_and_leaves_the_last_answer(values: dict[str, float], said: str) -> None:
    app = _submit(open_page(ANOVA, **SAKAI_AP), **values)
    (error,) = errors(app)
    assert said in error
    assert big_number(app) == "149 topics"
    ((name, value),) = values.items()
    assert app.number_input(key=f"anova/{name}").value == value


def test_no_solution_is_explained() -> None:
    app = _submit(open_page(ANOVA, **SAKAI_AP), min_d=1e-6)
    assert "not even 10,000,000 topics" in errors(app)[0]


def test_published_tool_says_which_probabilities_it_takes() -> None:
    app = _submit(open_page(ANOVA, **SAKAI_AP), alpha=0.02)
    assert any("Excel tool has no answer here" in text.value for text in app.markdown)


@pytest.mark.parametrize("page", [ANOVA, PAIRED_T])
def test_link_round_trip_shows_the_same_number_in_full_precision(page: str) -> None:
    first = _submit(open_page(page), min_d=0.0123456789012345)
    link = _link(first)
    assert float(link["min_d"]) == 0.0123456789012345
    second = open_page(page, **link)
    assert big_number(second) == big_number(first)
    assert _link(second) == link


def test_a_value_out_of_range_in_a_link_is_said_and_not_used() -> None:
    app = open_page(ANOVA, **(SAKAI_AP | {"alpha": "7", "min_d": "abc", "colour": "red"}))
    said = " ".join(errors(app))
    assert "alpha=7 in this link was not used: it must be a number above 0 and below 1." in said
    assert "min_d=abc in this link was not used" in said
    assert "colour in this link means nothing on this page" in said
    assert big_number(app) == "149 topics"


def test_values_of_a_link_that_do_not_go_together_are_said() -> None:
    app = open_page(ANOVA, **(SAKAI_AP | {"alpha": "0.5", "beta": "0.6"}))
    assert "must be below 1 - alpha" in errors(app)[0]
    assert _link(app)["alpha"] == "0.05"


def test_text_in_a_link_cannot_become_markup() -> None:
    app = open_page(ANOVA, **(SAKAI_AP | {"variance_from": "[click](http://x) **b** <i> $x$"}))
    sentence = next(text.value for text in app.markdown if "within-system variance" in text.value)
    assert r"\[click\]\(http\://x\) \*\*b\*\* \<i\> \$x\$" in sentence


def test_chart_shows_the_numbers_of_the_core() -> None:
    app = open_page(ANOVA, **SAKAI_AP)
    traces = {trace["name"]: trace for trace in json.loads(app.get("plotly_chart")[0].proto.spec)["data"]}
    assert set(traces) == {"m = 2", "m = 10", "m = 30", "m = 100", "yours"}
    assert traces["yours"]["x"] == [0.1]
    assert traces["yours"]["y"] == [149]


def test_values_asked_on_one_page_start_the_next() -> None:
    app = open_app(ANOVA)
    _submit(app, alpha=0.01, min_d=0.2)
    go(app, PAIRED_T)
    assert app.number_input(key="paired-t/alpha").value == 0.01
    assert app.number_input(key="paired-t/min_d").value == 0.2
    go(app, ANOVA)
    assert app.number_input(key="anova/alpha").value == 0.01
