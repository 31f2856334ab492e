"""The guide covers every page, and its worked examples show the headlines of the pages."""

from pathlib import Path

import pytest

from pages.parts.contents import PAGES
from pages.parts.guide import EXAMPLES, QUESTIONS, Example
from tests.pages.app import as_it_reads, open_page
from tests.statements.every import STATEMENTS
from tests.words import numbers_in

RECORDS = Path(__file__).parents[1] / "golden/__snapshots__/test_pages"


def test_six_questions_lead_to_pages() -> None:
    names = [name for question in QUESTIONS for _, name in question.pages]
    assert len(QUESTIONS) == 6
    assert len(set(names)) == len(names)
    assert {page.name for page in PAGES} - set(names) == {"start", "user_guide", "dossier"}
    assert set(names) <= {page.name for page in PAGES}


def test_every_page_is_on_the_guide() -> None:
    app = open_page("pages/user_guide.py")
    shown = as_it_reads("\n".join(text.value for text in app.markdown))
    for page in PAGES:
        if page.url_path and page.name != "user_guide":
            assert page.title in shown


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda example: example.page)
def test_a_worked_example_shows_the_headline_of_its_page(example: Example) -> None:
    # The golden record of the page contains its headlines; their numbers are proved right by the tests of the
    # rooms.
    headings = [
        line
        for line in (RECORDS / f"{example.page}.ambr").read_text().splitlines()
        if "markdown # " in line or " # " in line
    ]
    assert numbers_in(example.headline) == [] or any(
        numbers_in(example.headline) == numbers_in(as_it_reads(line.partition("# ")[2])) for line in headings
    )


def test_a_number_from_a_simulation_leads_to_what_was_simulated() -> None:
    app = open_page("pages/error_rate.py")
    (note,) = (one.help for one in app.metric if one.label == "90 % interval")
    assert "(guide?tested=all)" in note
    app = open_page("pages/user_guide.py", tested="all")
    assert [one.value for one in app.subheader[1:]] == [one.title for one in STATEMENTS]
