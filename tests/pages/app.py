"""Driving the app without a browser, with full error details.

Tests read a page by the keys of its containers, fields and buttons, and by numbers; the words are in the
golden record.
"""

import json
import re
import threading
import time
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from streamlit.components.v2 import manifest_scanner
from streamlit.runtime.caching.cache_resource_api import clear_session_cache
from streamlit.runtime.scriptrunner.script_cache import ScriptCache
from streamlit.testing.v1 import AppTest, app_test, local_script_runner
from streamlit.testing.v1.element_tree import Block, Node

from pages.parts import computation, contents, frame, kept_work
from tests.words import numbers_in

PAGES = {page.file: page.heading for page in contents.PAGES}
"""Every page file and its heading."""
ROOT = Path(__file__).parents[2]
LONGEST_WAIT_SECONDS = 120  # against hanging; a page takes well under one
SESSION = "test session id"  # all sessions of AppTest have this one

# The first run of every session reads the description of every installed package, which never changes here.
manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)

# Every run compiles its pages, and makes a mock of the server by inspecting its class. One of each is enough.
_bytecode = ScriptCache.get_bytecode
_compiled = cache(lambda path: _bytecode(ScriptCache(), path))
ScriptCache.get_bytecode = lambda _, path: _compiled(path)  # type: ignore[assignment, method-assign]
app_test.MagicMock = cache(app_test.MagicMock)  # type: ignore[assignment, attr-defined]


def _wait(runner: local_script_runner.LocalScriptRunner, timeout: float = LONGEST_WAIT_SECONDS) -> None:
    """Wait for the end of a script; Streamlit asks for it a thousand times per second."""
    assert runner._script_thread is not None
    runner._script_thread.join(timeout)
    assert runner.script_stopped(), f"not ended after {timeout} s"


local_script_runner.require_widgets_deltas = _wait

# Cookies are mocks here: the browser remembers this start of the server.
kept_work._remembered = kept_work._start


def _nodes(block: Block) -> Iterator[Node]:
    """Yield a block and all in it, in the order of the page."""
    rest: list[Node] = [block]
    while rest:
        node = rest.pop()
        yield node
        if isinstance(node, Block):
            rest.extend(reversed(node.children.values()))


# A generator within a generator for each level of a page costs a third of the time that reading pages takes.
Block.__iter__ = _nodes  # type: ignore[method-assign]

frame.DRAWS_CLOSED = True
"""Tests read menus and tables without opening them."""

# A server has one thread that collects garbage. Here each test that clears the caches would leave one more.
computation._EVERY_SECONDS = 86_400


def as_on_a_new_server() -> None:
    """Forget all sessions and all that is kept of users; what is made of simulated data stays."""
    clear_session_cache(SESSION)
    kept_work._store.clear()


def open_page(page: str, **query: str | list[str]) -> AppTest:
    """Run one page file on its own, as a visitor with a link would get it."""
    return _opened(AppTest.from_file(str(ROOT / page), default_timeout=LONGEST_WAIT_SECONDS), query)


def open_app(page: str, **query: str | list[str]) -> AppTest:
    """Run the whole app and go to one page."""
    app = _opened(AppTest.from_file(str(ROOT / "app.py"), default_timeout=LONGEST_WAIT_SECONDS), query)
    return go(app, page)


def go(app: AppTest, page: str) -> AppTest:
    """Change the page within a session."""
    return healthy(app.switch_page(page).run())


def healthy(app: AppTest) -> AppTest:
    """Assert that nothing was raised, and return the app."""
    assert not app.exception, [result.message for result in app.exception]
    return app


def press(app: AppTest, key: str) -> AppTest:
    """Press the button of this key."""
    return healthy(app.button(key=key).click().run())


def is_offered(app: AppTest, key: str) -> bool:
    """Return whether there is a button of this key."""
    return any(button.key == key for button in app.button)


def typed(app: AppTest, prefix: str, **values: float | None) -> AppTest:
    """Type numbers into fields, whose keys are ``prefix/name``."""
    for name, value in values.items():
        app.number_input(key=f"{prefix}/{name}").set_value(value)
    return healthy(app.run())


def planned(app: AppTest, **values: float) -> AppTest:
    """Type numbers into the form of a design page."""
    for name, value in values.items():
        planning_field(app, name).set_value(value)
    return healthy(app.run())


def planning_field(app: AppTest, name: str) -> Any:
    """Return the field of a parameter on a design page; where its unit is a measure, each measure has its own."""
    keys = [field.key or "" for field in app.number_input]
    (key,) = [key for key in keys if key.startswith("planning/") and key.rpartition("/")[2] == name]
    return app.number_input(key=key)


def tile(app: AppTest, label: str) -> float:
    """Return the number of a tile."""
    (result,) = (one.value for one in app.metric if one.label == label)
    return numbers_in(result)[0]


def uploaders(app: AppTest) -> list[Any]:
    """Return the uploaders of the page, without that of saved work."""
    return [one for one in app.file_uploader if not str(one.key).startswith("saved_work/")]


def unfolded(app: AppTest, key: str) -> AppTest:
    """Open an expander whose content is drawn on demand."""
    app.session_state[key] = True
    return healthy(app.run())


def in_tab(app: AppTest, label: str) -> AppTest:
    """Open a tab below the main chart."""
    app.session_state["tabs"] = label
    return healthy(app.run())


def is_busy(app: AppTest) -> bool:
    """Return whether the page shows work in the background."""
    return any((button.key or "").endswith("/job-cancel") for button in app.button)


def finished(app: AppTest) -> AppTest:
    """Wait until no work is in the background, and run the page until it shows that."""
    while is_busy(app):
        for thread in threading.enumerate():
            if thread.name.startswith("job of "):
                thread.join(LONGEST_WAIT_SECONDS)
                assert not thread.is_alive()
        healthy(app.run())
    return app


def until(app: AppTest, reached: Callable[[AppTest], bool]) -> AppTest:
    """Run the page until it shows something while work is under way."""
    started = time.monotonic()
    while not reached(app):
        assert time.monotonic() - started < LONGEST_WAIT_SECONDS
        time.sleep(0.05)
        healthy(app.run())
    return app


def wait_for_work(patch: pytest.MonkeyPatch) -> None:
    """Let pages wait for the work that they start, so that one run shows its result."""
    patch.setattr(computation, "_PATIENCE_SECONDS", LONGEST_WAIT_SECONDS)


def blocks(app: AppTest) -> dict[str, Block]:
    """Return the containers of the page by their keys."""
    return {block.key: block for block in app.container if block.key}


def text_of(app: AppTest, key: str) -> str:
    """Return the text in the container of this key, of an answer with its headline; "" where there is none."""
    keys = ("headline", key) if key == "answer" else (key,)
    return "\n".join(_text(blocks(app)[one]) for one in keys if one in blocks(app))


def _text(block: Block) -> str:
    texts = (*block.markdown, *block.error, *block.warning, *block.info)
    return "\n".join(as_it_reads(text.value) for text in texts if id(text) not in _explained(block))


def _explained(block: Block) -> set[int]:
    """Return the texts in popovers."""
    return {id(text) for popover in block.get("popover") for text in popover.get("markdown")}


def paragraph(app: AppTest, start: str) -> str:
    """Return the paragraph on screen that begins with this."""
    (found,) = (one for text in app.markdown for one in text.value.split("\n\n") if one.startswith(start))
    return as_it_reads(found)


def texts(app: AppTest) -> str:
    """Return all Markdown on screen as it reads, to search for sentences of the core."""
    return as_it_reads("\n".join(text.value for text in app.markdown))


def heading(app: AppTest) -> str:
    """Return the heading of the answer, in Markdown."""
    return next(text.value for text in app.container(key="headline").markdown if text.value.startswith("# "))


def sentence(app: AppTest) -> str:
    """Return the claim of a plan, of others the first sentence below the heading of the answer, in Markdown."""
    said = [str(one.value).replace("\N{NO-BREAK SPACE}", " ") for one in app.container(key="answer").markdown]
    return next((one for one in said if one.startswith("With n = ")), said[0])


def emphasised(app: AppTest) -> list[str]:
    """Return the coloured text in the heading of the answer."""
    return [as_it_reads(result) for result in re.findall(r":primary\[((?:[^\]\\]|\\.)*)\]", heading(app))]


def big_number(app: AppTest) -> float | None:
    """Return the one large number of the page; None where the answer has no number."""
    (text,) = emphasised(app)
    return next(iter(numbers_in(text)), None)


def errors(app: AppTest) -> list[str]:
    """Return the error messages on screen."""
    return [as_it_reads(error.value) for error in app.error]


def complained_of(app: AppTest) -> set[str]:
    """Return the parameters that the page complains of."""
    return {key.removeprefix("complaint-") for key in blocks(app) if key.startswith("complaint-")}


def link_of(app: AppTest) -> str:
    """Return the link to the answer."""
    return str(app.container(key="head-link").code[0].value)


def linked(app: AppTest) -> dict[str, list[str]]:
    """Return the values that the link to the answer carries."""
    return parse_qs(urlsplit(link_of(app)).query, keep_blank_values=True)


def charts(app: AppTest) -> dict[str, dict[str, Any]]:
    """Return the charts of the page as Plotly gets them, by their keys."""
    drawn = {}
    for key, block in blocks(app).items():
        if key.startswith("figure-"):
            (chart,) = block.get("plotly_chart")
            drawn[key.removeprefix("figure-")] = json.loads(chart.proto.spec)
    return drawn


def as_it_reads(text: str) -> str:
    """Return Markdown without the marks at signs that it would take as its own, and with plain spaces."""
    return re.sub(r"\\(.)", r"\1", text).replace("\N{NO-BREAK SPACE}", " ").replace("\N{WORD JOINER}", "")


def _opened(app: AppTest, query: dict[str, Any]) -> AppTest:
    clear_session_cache(SESSION)  # those before have left: their work stops, and nothing of theirs is found
    for name, value in query.items():
        app.query_params[name] = value
    app.session_state["planning/scores"] = "AP"  # of the simulated sample; visitors begin with a similar task
    return healthy(app.run())
