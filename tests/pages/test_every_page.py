"""Each page, alone and within the app."""

import ast
import json

import pytest

from tests.pages.app import PAGES, ROOT, open_app, open_page


@pytest.mark.parametrize(("page", "heading"), PAGES.items())
def test_runs_alone_on_the_sample(page: str, heading: str) -> None:
    assert open_page(page).title[0].value == heading


@pytest.mark.parametrize(("page", "heading"), PAGES.items())
def test_runs_within_the_app(page: str, heading: str) -> None:
    assert open_app(page).title[0].value == heading


def test_no_page_is_left_out_of_these_tests() -> None:
    files = {f"pages/{path.name}" for path in (ROOT / "pages").glob("*.py")} - {"pages/__init__.py"}
    assert files == set(PAGES)


def _pages_in_app() -> dict[str, dict[str, object]]:
    calls = [
        node
        for node in ast.walk(ast.parse((ROOT / "app.py").read_text()))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "Page"
    ]
    return {
        ast.literal_eval(call.args[0]): {
            option.arg: ast.literal_eval(option.value) for option in call.keywords if option.arg
        }
        for call in calls
    }


def test_the_app_lists_every_page() -> None:
    assert set(_pages_in_app()) == set(PAGES)


def test_no_address_equals_a_file_name() -> None:
    # Streamlit would serve the bare file, without the app around it, to a first visitor.
    stems = {page.removeprefix("pages/").removesuffix(".py") for page in PAGES}
    for page, options in _pages_in_app().items():
        address = options.get("url_path")
        assert options.get("default") or (address and address not in stems), page


@pytest.mark.parametrize("page", PAGES)
def test_charts_have_titled_axes_and_a_text_for_those_who_cannot_see_them(page: str) -> None:
    for chart in open_page(page).get("plotly_chart"):
        layout = json.loads(chart.proto.spec)["layout"]
        assert layout["xaxis"]["title"]["text"]
        assert layout["yaxis"]["title"]["text"]
        assert chart.proto.alt
