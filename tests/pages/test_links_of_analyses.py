"""Links of the pages that compare designs and audit a reported result: both ways, and hostile ones."""

from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.comparison_form import MOST_MEASURES
from tests.pages.app import big_number, errors, go, healthy, open_app, open_page

COMPARE, REPORTED = "pages/compare_designs.py", "pages/reported_result.py"

# Sakai 2016, section 6.2: AP .0471 asks for 149 (exact) and 148 (tool) topics at minD .10, m = 10
# (formulas-and-expected-values 5.3).
SAKAI_AP = ["AP:0.0471"]


def _open(page: str, query: dict[str, list[str]]) -> AppTest:
    return open_page(page, **query)  # type: ignore[arg-type]


def _link(app: AppTest) -> dict[str, list[str]]:
    (found,) = [
        code.value for code in app.code if "alpha=" in code.value and "?" in code.value.split("\n")[0]
    ]
    return parse_qs(urlsplit(found).query)


def _said(app: AppTest) -> str:
    return next(text.value for text in app.markdown if "between the best and the worst of 10" in text.value)


@pytest.mark.parametrize(("method", "topics"), [("exact", 149), ("published", 148)])
def test_a_link_carries_a_variance_without_its_scores(method: str, topics: int) -> None:
    app = _open(COMPARE, {"variance": SAKAI_AP, "method": [method]})
    assert f"**{topics}** topics" in _said(app)
    assert errors(app) == []
    assert any("variances of a link: AP σ² = 0.0471" in text.value.replace("\\", "") for text in app.markdown)


def test_a_link_of_a_comparison_shows_the_same_in_full_precision() -> None:
    first = _open(COMPARE, {"alpha": ["0.0123456789012345"], "method": ["exact"]})
    link = _link(first)
    assert link["alpha"] == ["0.0123456789012345"]
    assert len(link["variance"]) == len(link["variance_from"]) == 3  # the measures of the sample
    second = _open(COMPARE, link)
    assert _said(second) == _said(first)
    assert _link(second) == link


def test_measures_with_colons_and_markup_are_taken_as_they_are() -> None:
    app = _open(COMPARE, {"variance": ["<b>a:b</b>[x](http://y):0.05"]})
    assert _link(app)["variance"] == ["<b>a:b</b>[x](http://y):0.05"]
    heading = next(text.value for text in app.markdown if text.value.startswith("# "))
    assert r"\<b\>a\:b\</b\>\[x\]\(http\://y\)" in heading
    (chart,) = app.get("plotly_chart")
    assert "&lt;b&gt;" in chart.proto.spec
    assert "(<b>" not in chart.proto.spec


def test_variances_of_a_link_give_way_to_scores() -> None:
    app = _open(COMPARE, {"variance": SAKAI_AP})
    (instead,) = [button for button in app.button if button.label.startswith("Compare the simulated scores")]
    healthy(instead.click().run())
    assert len(_link(app)["variance"]) == 3
    assert "AP:0.0471" not in _link(app)["variance"]


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"variance": ["AP:nan"]}, "variance=AP:nan in this link was not used: it must be a number above 0."),
        ({"variance": ["AP:-1"]}, "it must be a number above 0."),
        ({"variance": ["AP"]}, 'it must be written "measure:number".'),
        ({"variance": [":0.05"]}, 'it must be written "measure:number".'),
        (
            {"variance": ["AP:0.05", "AP:0.06"]},
            "variance=AP:0.06 in this link was not used: it names a measure",
        ),
        ({"variance": ["x" * 10_000]}, "in this link was not used"),
        ({"variance": ["AP:" + "9" * 10_000]}, "it must be a number above 0."),
        ({"variance": [f"m{i}:0.05" for i in range(MOST_MEASURES + 1)]}, "one measure more than 50"),
        ({"variance": ["AP:1e300"]}, "not even 10,000,000 topics"),
        (
            {"method": ["Excel"]},
            "method=Excel in this link was not used: it must be one of exact, published.",
        ),
        ({"alpha": ["nan"]}, "alpha=nan in this link was not used: it must be a number above 0 and below 1."),
        ({"alpha": [".6"], "beta": [".6"]}, "beta = 0.6: must be below 1 - alpha = 0.4"),
        ({"min_d": ["0.1"]}, "min_d in this link means nothing on this page."),
        ({f"name{i}": ["1"] for i in range(500)}, "And 494 more of this link was not used."),
    ],
    ids=lambda value: "" if isinstance(value, str) else next(iter(value)),
)
def test_wrong_values_in_a_link_to_a_comparison_are_said(query: dict[str, list[str]], said: str) -> None:
    shown = errors(_open(COMPARE, query))
    assert said in " ".join(shown)
    assert max(map(len, shown)) < 400


@pytest.mark.parametrize(
    ("query", "topics"),
    [
        # The worked examples of Sakai's scripts, as in tests/analyses/test_reported_result.py.
        ({"test": "paired-t", "t": "0.953", "n_topics": "28"}, "244 topics"),
        ({"test": "one-way-anova", "f": "2.145", "n_systems": "2", "n_topics": "5"}, "16 topics"),
    ],
    ids=lambda value: value if isinstance(value, str) else value["test"],
)
def test_a_link_of_an_audit_shows_the_same(query: dict[str, str], topics: str) -> None:
    first = open_page(REPORTED, **query)
    assert big_number(first) == topics
    link = {name: values[0] for name, values in _link(first).items()}
    assert query.items() <= link.items()
    assert {"alpha": "0.05", "beta": "0.2"}.items() <= link.items()
    second = open_page(REPORTED, **link)
    assert big_number(second) == topics


def test_two_samples_in_a_link_keep_both_sizes() -> None:
    query = {"test": "two-sample-t", "t": "-2.5", "n_topics": "20", "n_topics_2": "31", "alpha": "0.01"}
    app = open_page(REPORTED, **query)
    assert errors(app) == []
    assert query.items() <= {name: values[0] for name, values in _link(app).items()}.items()


@pytest.mark.parametrize(
    ("query", "said"),
    [
        (
            {"test": "z"},
            "test=z in this link was not used: it must be one of paired-t, two-sample-t, one-way-anova.",
        ),
        ({"t": "nan"}, "t=nan in this link was not used: it must be a number."),
        ({"t": "1e300"}, "standard deviations; topics for a replication can be found"),
        ({"t": "0"}, "is an effect of 0 standard deviations"),
        ({"t": "1e-300"}, "not even 10,000,000 topics"),
        ({"t": "<img src=x>"}, "t=<img src=x> in this link was not used: it must be a number."),
        ({"t": "7" * 10_000}, "t=777"),
        ({"n_topics": "2.5"}, "it must be a whole number from 2 to 10,000,000."),
        ({"n_topics": "1e400"}, "it must be a whole number from 2 to 10,000,000."),
        ({"f": "3"}, "f in this link means nothing on this page."),
        (
            {"test": "one-way-anova", "f": "-1"},
            "f=-1 in this link was not used: it must be a number above 0.",
        ),
        ({"alpha": "0.9", "beta": "0.5"}, "must be below 1 - alpha"),
    ],
    ids=lambda value: "" if isinstance(value, str) else "-".join(value),
)
def test_wrong_values_in_a_link_to_an_audit_are_said(query: dict[str, str], said: str) -> None:
    shown = errors(open_page(REPORTED, **query))
    assert said in " ".join(shown)
    assert max(map(len, shown)) < 400


def test_an_audit_stays_while_other_pages_are_looked_at() -> None:
    app = open_app(REPORTED)
    healthy(app.radio(key="reported/test").set_value("one-way-anova").run())
    healthy(app.number_input(key="reported/one-way-anova/f").set_value(4.0).run())
    before = big_number(app)
    go(app, COMPARE)
    go(app, REPORTED)
    assert app.number_input(key="reported/one-way-anova/f").value == 4.0
    assert big_number(app) == before
