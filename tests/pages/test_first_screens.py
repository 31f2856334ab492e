"""First screens: tiles say what the headline does not, symbols have their meaning, fields show all words."""

import re

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from pages.parts.contents import PAGES, Page
from pages.parts.data import SIMILAR
from pages.parts.guide import GLOSSARY
from tests.pages.app import as_it_reads, go, heading, healthy, linked, open_app, open_page, text_of, texts
from tests.pages.uploading import PAGE as SCORES
from tests.pages.uploading import upload
from tests.words import numbers_in
from topicset_core.samples.simulated import simulated_task

WITH_TILES = [
    page.name
    for page in PAGES
    if page.name not in ("user_guide", "dossier", "score_matrices", "runs_and_qrels")
]
LONGEST_OPTION, LONGEST_PLACEHOLDER = 38, 28
"""Characters that a list of options and a number field of the form show at 1400 pixels."""

WIDE = "Design", "Best subsets"
"""Lists beside the form, which have more room."""


@pytest.mark.parametrize("name", WITH_TILES)
def test_no_tile_repeats_the_headline(name: str) -> None:
    app = open_page(f"pages/{name}.py")
    said = as_it_reads(heading(app))
    for tile in app.metric:
        numbers = numbers_in(str(tile.value))
        # A depth that the headline's range begins with is the answer to another question.
        is_new = not set(numbers) <= set(numbers_in(said)) or tile.label == "cheapest of them"
        assert not numbers or is_new, (tile.label, tile.value, said)


@pytest.mark.parametrize("name", WITH_TILES)
def test_tiles_with_a_symbol_have_its_meaning(name: str) -> None:
    for tile in open_page(f"pages/{name}.py").metric:
        assert not re.search("[α-ωΔ]", tile.label) or len(tile.help) > len("Here: ."), tile.label


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_words_of_fields_are_not_cut(page: Page) -> None:
    app = open_page(page.file)
    cut = [
        (one.label, option)
        for one in app.selectbox
        for option in (() if one.label.startswith(WIDE) else one.options)
        if len(option) > LONGEST_OPTION
    ]
    cut += [
        (one.label, one.placeholder)
        for one in app.number_input
        if len(one.placeholder or "") > LONGEST_PLACEHOLDER
    ]
    assert not cut


def test_a_page_says_which_scores_are_in_use_in_few_words() -> None:
    """Two collections that differ are not pooled for a plan; a page of results offers both."""
    rng = np.random.default_rng(1)
    files = {
        name: "topic,a,b,c\n"
        + "\n".join(f"{at},{x:.3f},{y:.3f},{z:.3f}" for at, (x, y, z) in enumerate(scores))
        for name, scores in (("one", rng.uniform(size=(30, 3))), ("other", 0.01 * rng.uniform(size=(30, 3))))
    }
    app = upload(open_app(SCORES), **files)
    said = {page: text_of(go(app, f"pages/{page}.py"), "data-in-use") for page in ("error_rate", "paired_t")}
    assert said == {"error_rate": "Your scores: 2 matrices.", "paired_t": "Your scores: 1 of 2 matrices."}


def test_a_plan_that_is_opened_again_names_its_source_and_no_link() -> None:
    app = open_app("pages/paired_t.py")
    healthy(app.selectbox(key="planning/scores").set_value(SIMILAR).run())
    again = open_page("pages/paired_t.py", **{name: value for name, (value,) in linked(app).items()})
    (said,) = again.container(key="data-in-use").markdown
    assert said.value == "Variance of a similar task."
    assert said.help.startswith("median of 5 collections of TREC Deep Learning")


def test_a_reported_result_is_an_example_until_one_is_entered() -> None:
    app = open_app("pages/reported_result.py")
    assert "Example" in heading(app)
    healthy(app.number_input(key="reported/paired-t/t").set_value(2.1).run())
    assert "Example" not in heading(app)


def test_two_runs_are_asked_for_once_they_are_wanted() -> None:
    def is_open(app: AppTest) -> bool:
        return next(one.proto.expanded for one in app.expander if one.label == "Two runs by name")

    assert not is_open(open_page("pages/error_rate.py"))
    first, second = simulated_task()[0].systems[:2]
    assert is_open(open_page("pages/error_rate.py", run_a=first, run_b=second))


def test_one_system_has_topics_and_not_topics_per_system() -> None:
    app = open_page("pages/right_or_wrong.py", aim="one")
    specs = "".join(one.proto.spec for one in app.get("plotly_chart"))
    assert "per system" not in f"{specs}{texts(app)}"
    assert "per system" in open_page("pages/one_way_anova.py").get("plotly_chart")[0].proto.spec


def test_the_glossary_is_text_that_wraps() -> None:
    app = open_page("pages/user_guide.py")
    assert all(as_it_reads(term.meaning) in texts(app) for term in GLOSSARY)


@pytest.mark.parametrize("name", ["paired_t", "error_rate"])
def test_a_number_and_its_per_cent_sign_are_on_one_line(name: str) -> None:
    said = [one.value for one in open_page(f"pages/{name}.py").container(key="answer").markdown]
    assert any("\N{NO-BREAK SPACE}%" in one for one in said)
    assert not any(" %" in one for one in said)
