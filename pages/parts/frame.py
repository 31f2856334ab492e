"""The beginning of every page."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from functools import cache
from html import escape
from itertools import starmap
from pathlib import Path
from typing import Any, Literal, NamedTuple, TypeVar

import streamlit as st
from streamlit.delta_generator import DeltaGenerator
from streamlit.elements.lib.mutable_popover_container import PopoverContainer
from streamlit.elements.lib.mutable_tab_container import TabContainer
from streamlit.errors import StreamlitPageNotFoundError

from pages.parts.contents import Page, page_named
from pages.parts.keyboard import SCRIPTS
from topicset_core.errors import InputError, TopicsetError
from topicset_core.exports.colours import PAGE as PAGE_COLOUR
from topicset_core.exports.colours import Mode, colour_of
from topicset_core.exports.findings import found_on
from topicset_core.exports.report import Report
from topicset_core.exports.tables import Table
from topicset_core.wording import first_few, visible

S = TypeVar("S")

_HOW = Path(__file__).resolve().parents[1] / "how"
SAKAI_2016 = (
    "T. Sakai. Topic set size design. *Information Retrieval Journal* 19, 256–283 (2016). "
    "[doi:10.1007/s10791-015-9273-z](https://doi.org/10.1007/s10791-015-9273-z)"
)

# Streamlit writes white on a filled button, and on chosen options of a multiselect. In the dark theme no colour
# can carry white text and also be read as text itself on the page, at 4.5 : 1 each; so there the label takes the
# colour of the page.
_DARK_LABEL = (
    "<style>button[kind^=primary]:enabled, button[kind^=primary]:enabled:hover, "
    "[data-testid=stMultiSelectTagsContainer] :is(span, button, svg) { color: #14181F !important; }</style>"
)

# The link that has the keyboard shows it, as fields and buttons do.
_FOCUS = (
    "<style>:is([data-testid^=stTopNav], [data-testid=stPageLink] a):focus-visible "
    "{ outline: 2px solid var(--st-primary-color, #B53B0A); outline-offset: -2px; } "
    # Seen only where the keyboard is on it.
    ".to-the-form { position: fixed; left: 0.5rem; top: -10rem; z-index: 999999; padding: 0.5rem 1rem; "
    "font: 600 1rem sans-serif; color: var(--st-primary-color, #B53B0A); background: PAGE_COLOUR; } "
    ".to-the-form:focus { top: 0.5rem; }</style>"
)

# Charts are saved by the buttons below them, in print style; the chart library's own camera takes the screen. Its
# titles do not wrap: they stand above the charts, and are within them in files alone.
_CHARTS = (
    "<style>[class*=st-key-figure-] :is(.modebar-container, .gtitle, .gtitle-subtitle), .plotly-notifier "
    "{ display: none; } "
    ".chart-title { line-height: 1.3; }</style>"
)

# The text below an option is no less important, and Streamlit's grey is too faint: 4.2 : 1.
_CAPTIONS = "<style>[data-testid=stRadioCaption] [data-testid=stCaptionContainer] { opacity: 0.8; }</style>"

# On half a screen the form keeps its width; the margins shrink. Below that the answer stands around the form.
_COLUMNS = ".st-key-form-and-answer > [data-testid=stLayoutWrapper] > [data-testid=stHorizontalBlock]"
_NARROW = (
    "<style>@media (min-width: 901px) and (max-width: 1250px) { "
    "[data-testid=stMainBlockContainer] { padding-left: 2rem; padding-right: 2rem; } "
    f"{_COLUMNS} {{ flex-wrap: nowrap; }} {_COLUMNS} > [data-testid=stColumn] {{ flex: 1 1 0; min-width: 0; }} "
    f"{_COLUMNS} > [data-testid=stColumn]:first-child {{ flex: 0 0 15.5rem; }} }} "
    f"@media (max-width: 900px) {{ {_COLUMNS} > [data-testid=stColumn] {{ flex: 1 1 100%; min-width: 100%; }} "
    # The headline and the chart come before the form, and what else there is after it.
    f"{_COLUMNS} > [data-testid=stColumn]:has(.st-key-headline), "
    f"{_COLUMNS} > [data-testid=stColumn]:has(.st-key-headline) > [data-testid=stVerticalBlock] "
    "{ display: contents; } "
    "[data-testid=stLayoutWrapper]:has(> :is(.st-key-headline, .st-key-main-chart)) { order: -1; } "
    "[data-testid=stLayoutWrapper]:has(> .st-key-details) { order: 1; } }"
    "</style>"
)


# A link is read to its end. A field keeps its steppers: two stand below each other where there
# is no room for both.
_WHOLE = (
    "<style>[data-testid=stPageLink] span, [data-testid=stPageLink] p "
    "{ white-space: normal !important; overflow: visible !important; text-overflow: clip !important; } "
    f"{_COLUMNS} > [data-testid=stColumn]:first-child [data-testid=stHorizontalBlock] {{ flex-wrap: wrap; }} "
    f"{_COLUMNS} > [data-testid=stColumn]:first-child [data-testid=stHorizontalBlock] > [data-testid=stColumn] "
    "{ flex: 1 1 9.5rem; min-width: 9.5rem; }</style>"
)


# Once the headline is scrolled away, its words stand in a line below the menus (3.75 rem), 2.6 rem high. Browsers
# without scroll-driven animations never show them.
_IN_VIEW = """<style>
.headline-in-view { display: none; }
@supports (animation-timeline: view()) { @media (min-width: 901px) {
  .st-key-form-and-answer { timeline-scope: --headline; }
  .st-key-headline h1 { view-timeline: --headline block; view-timeline-inset: 6.5rem 0; }
  .headline-in-view {
    display: block; position: fixed; top: 3.75rem; max-width: 48vw; z-index: 999989; pointer-events: none;
    line-height: 2.6rem; background: PAGE_COLOUR; clip-path: inset(0 -100vmax 0 -0.5rem);
    box-shadow: 0 0 0 100vmax PAGE_COLOUR;
    overflow: hidden; text-overflow: ellipsis; white-space: nowrap; font-size: 1.25rem; font-weight: 650;
    visibility: hidden; animation: headline-in-view linear both; animation-timeline: --headline;
    animation-range: exit 0% exit 100%;
  }
  @keyframes headline-in-view { 0%, 90% { visibility: hidden; } 100% { visibility: visible; } }
} }
</style>"""


# The head line leaves the first screen to the answer and its curve.
_HEAD = (
    "<style>[data-testid=stMainBlockContainer] { padding-top: 3.9rem; padding-bottom: 2rem; } "
    ".st-key-head h1 { font-size: 1.35rem; padding: 0.25rem 0; } "
    # Streamlit's margins of a paragraph and around it cancel each other; alone, the outer one moves text down.
    ".st-key-head p, :is(.st-key-head, .st-key-headline-row) [data-testid=stMarkdownContainer] "
    "{ margin-bottom: 0; } "
    "@media (max-width: 1450px) { .st-key-head { gap: 0.5rem; } "
    ":is([class*=st-key-head-], .st-key-work) button { padding: 0.25rem 0.5rem; } "
    ":is([class*=st-key-head-], .st-key-work) button span:has(> [data-testid=stIconMaterial]):has(+ span) "
    "{ display: none; } } "
    # Menus stand on the right, also where no data is in use.
    ".st-key-head > :first-child { margin-right: auto; } "
    ".st-key-head > :has(.st-key-work) { flex: none; width: auto; } "
    ".st-key-headline h1 { font-size: 1.6rem; padding: 0; text-wrap: balance; } "
    "@media (min-width: 901px) { .st-key-headline-row { flex-wrap: nowrap; } "
    ".st-key-headline-row > :first-child { flex-shrink: 1; min-width: 0; } } "
    # An answer from before an upload that was refused.
    ".st-key-headline:has(.st-key-whose-answer) :is(.st-key-headline-row, .st-key-tiles) { opacity: 0.55; } "
    "[data-testid=stMetric] > div { padding: 0.3rem 0.8rem; } "
    "[data-testid=stMetricValue] { font-size: 1.2rem; } "
    "[data-testid=stMetric] :is(label, p, [data-testid=stMetricValue] *) { white-space: normal; } "
    # Five on half a screen, two on a phone.
    ".st-key-tiles > * { flex: 1 1 7.2rem !important; min-width: 7.2rem; max-width: 25rem; } "
    ".st-key-details [data-testid=stMarkdownContainer] > p { max-width: 48rem; } "
    # On a phone what is in use has a line of its own, below the menus.
    "@media (max-width: 900px) { .st-key-head > :has(> .st-key-data-in-use) { order: 1; flex: 1 1 100%; } "
    ".st-key-head { row-gap: 0.25rem; } }</style>"
)

# On a low screen, as a laptop's at 200 %, the head line and the tiles take one line each, in which the rest can be
# scrolled to, so that the top of the chart is seen.
_LOW = (
    "<style>@media (max-width: 900px) and (max-height: 600px) { "
    "[data-testid=stMainBlockContainer] { padding-top: 3.6rem; } "
    "[data-testid=stMainBlockContainer] > [data-testid=stVerticalBlock], .st-key-form-and-answer, "
    f"{_COLUMNS} {{ gap: 0.4rem; }} "
    ":is(.st-key-head, .st-key-tiles) { flex-wrap: nowrap; overflow-x: auto; scrollbar-width: none; gap: 0.4rem; } "
    ".st-key-head > * { flex: none !important; width: auto !important; } "
    ".st-key-head h1 { font-size: 1.1rem; white-space: nowrap; padding: 0; } "
    ".st-key-data-in-use { flex-wrap: nowrap; } .st-key-head p { white-space: nowrap; } "
    ".st-key-headline-row { flex-wrap: nowrap; } .st-key-headline h1 { font-size: 1.2rem; } "
    ".st-key-headline-row > :first-child { flex-shrink: 1; min-width: 0; } "
    ".st-key-tiles > * { flex: none !important; width: max-content !important; } "
    "[data-testid=stMetric] > div { padding: 0.05rem 0.5rem; } "
    "[data-testid=stMetric] :is(label, p, [data-testid=stMetricValue] *) { white-space: nowrap; } "
    "[data-testid=stMetricValue] { font-size: 1rem; } }</style>"
)


_REFUSED_NUMBERS = (
    "<style>.typed-number "
    "{ font-size: 0.875rem; padding-top: 0.25rem; } "
    # It would lie above the text that is to be corrected.
    "[data-testid=stNumberInput]:has(.typed-number) [data-testid=InputInstructions] { display: none; }</style>"
)

_HEAD_PLACES, _IS_OPEN, _TOP, _TILES, _CHART, _EXPLAINED = (
    f"frame/{name}" for name in ("head", "head-is-open", "top", "tiles", "chart", "explained")
)
PAGE, HEADLINE, CAUTION = "frame/page", "frame/headline", "frame/caution"
ON_SAMPLE, IS_PREVIOUS = "frame/on-sample", "frame/is-previous"
ADDED = "frame/added"
"""Names in the session: the page, its answers in this run, the place of their caution, whether they are from
simulated data, whether they are for previous values, as the value in a field is not valid, and whether
scores were added since the page was last drawn."""

_TO_TOP = "frame/to-top"
_SCROLL = "<script>document.querySelector('[data-testid=stMain]').scrollTo(0, 0)</script>"

PREVIEW = "Preview: "
"""Begins the headline of a preview in links and files."""

_REFUSED, _MOST_REFUSED = "frame/refused", 3


class _Refused(NamedTuple):
    """What became of the last upload, where not all of it was accepted."""

    what: str  # "scores.csv was refused"
    page: str  # whose answers it concerns; "" for all pages


def note_refused(files: Sequence[str], page: str = "", *, waits: bool = False) -> None:
    """Let headlines say that files are not in them, on all pages or one, until an upload is accepted."""
    verb = ("waits for your choice", "wait for your choice") if waits else ("was refused", "were refused")
    what = f"{first_few([visible(file) for file in files], _MOST_REFUSED)} {verb[len(files) > 1]}"
    st.session_state[_REFUSED] = _Refused(what, page)


def note_accepted() -> None:
    """Let headlines no longer speak of refused files."""
    st.session_state.pop(_REFUSED, None)


def _show_whose_answer() -> None:
    """Write above the headline whose answer it is, where the last upload was refused."""
    refused: _Refused | None = st.session_state.get(_REFUSED)
    if refused is None or refused.page not in ("", st.session_state[PAGE]):
        return
    without = "This answer is not for your last upload"
    whose = "This is the answer for the simulated sample" if on_sample() else without
    with st.container(key="whose-answer", gap="xsmall"):
        st.warning(plain(f"{whose}; {refused.what}."))
        st.button("Keep this answer", key="whose-answer/keep", on_click=note_accepted)


def begin(name: str) -> None:
    """Write the title and the question of the page with this file name; also for a page that runs alone."""
    page = page_named(name)
    st.session_state[ADDED] = False
    st.session_state[PAGE], st.session_state[HEADLINE] = name, ""
    st.session_state[ON_SAMPLE] = st.session_state[IS_PREVIOUS] = False
    for name in (CAUTION, _TOP, _TILES, _CHART, _EXPLAINED):
        st.session_state[name] = None
    if not st.session_state.pop(_IS_OPEN, False):
        open_head(page)
        del st.session_state[_IS_OPEN]


@cache
def _styles(mode: Mode) -> str:
    """Return all styles, in one element: each costs the server and the browser."""
    own = _DARK_LABEL if mode == "dark" else ""
    styles = (
        own + _FOCUS + _CHARTS + _CAPTIONS + _NARROW + _WHOLE + _HEAD + _LOW + _REFUSED_NUMBERS + _IN_VIEW
    )
    return styles.replace("PAGE_COLOUR", colour_of(PAGE_COLOUR, mode))


def open_head(page: Page) -> None:
    """Lay out the head line: title, data in use, and on the right the link, the text, exports and saved work."""
    st.session_state[_IS_OPEN] = True
    tab = f"{page.title} · Topicset" if page.url_path else "Topicset"
    st.set_page_config(page_title=tab, page_icon="assets/icon.svg", layout="wide")
    st.html(_styles(chart_mode()))
    line = st.container(key="head", horizontal=True, vertical_alignment="center", gap="small")
    with line:
        st.title(page.heading, anchor=False, help=page.question or None, width="content")
        row: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "gap": "xsmall"}
        places = {"data": st.container(key="data-in-use", **row), "work": line}
        for name in ("pin", "link", "command", "text", "exports"):
            places[name] = st.container(width="content", gap=None, key=f"head-{name}")
    with places["link"]:
        to_top = _SCROLL if st.session_state.pop(_TO_TOP, False) else ""
        st.html(SCRIPTS + to_top, unsafe_allow_javascript=True)
    st.session_state[_HEAD_PLACES] = places


def show_top() -> None:
    """Have the next run begin at the top of the page; call it where a button replaces the whole answer."""
    st.session_state[_TO_TOP] = True


def head(part: str) -> DeltaGenerator:
    """Return a place in the head line: "data", "pin", "link", "command", "text", "exports" or "work"."""
    place: DeltaGenerator = st.session_state[_HEAD_PLACES][part]
    return place


DRAWS_CLOSED = False
"""Whether what is closed is drawn as well: only tests without a browser ask for it, which read it all at once."""


def is_drawn(place: PopoverContainer | TabContainer) -> bool:
    """Return whether to draw what a place holds: it is open. Each element costs also where nobody sees it."""
    return DRAWS_CLOSED or bool(place.open)


@st.fragment
def menu(label: str, icon: str, draw: Callable[[], None], *, key: str) -> None:
    """Draw a menu; opening it draws what it holds, without another run of the page."""
    with st.popover(label, icon=icon, key=key, on_change="rerun") as place:
        if is_drawn(place):
            draw()


def current() -> Page:
    """Return the entry of the page that is shown."""
    return page_named(st.session_state[PAGE])


def form_and_answer() -> tuple[DeltaGenerator, DeltaGenerator]:
    """Return a place for the form and one for the answer, next to it or, on a phone, below it."""
    # On the first screen are the headline with its tiles, and right below them the first chart that the page
    # shows; all else follows in the order in which it is written.
    with st.container(key="form-and-answer"):
        form, answer = st.columns([1, 3.2], gap="medium")
    with answer:
        st.session_state[_TOP] = st.container(key="headline", gap="xsmall")
        st.session_state[_CHART] = st.session_state[CAUTION] = st.container(key="main-chart")
        details = st.container(key="details")
    return form, details


def chart_place() -> AbstractContextManager[object]:
    """Return the place of the next chart: on the first screen for the first one, else in the order of the page."""
    place, st.session_state[_CHART] = st.session_state.get(_CHART), None
    return place or nullcontext()


def headline(
    text: str,
    meaning: str = "",
    assumption: str = "",
    *,
    is_preview: bool = False,
    is_example: bool = False,
) -> None:
    """Write the answer in large letters, marked where it may change or is nobody's; explain it."""
    page = current()
    st.session_state[HEADLINE] = f"{PREVIEW}{text}" if is_preview else text
    mark = " :violet-badge[Preview]" if is_preview else ""
    mark += " :orange-badge[Sample data]" if on_sample() else ""
    mark += " :orange-badge[Example]" if is_example else ""
    if st.session_state.get(IS_PREVIOUS):
        mark += " :gray-badge[For the previous values]"
    with st.session_state.get(_TOP) or nullcontext():
        _show_whose_answer()
        with st.container(horizontal=True, vertical_alignment="center", gap="xsmall", key="headline-row"):
            st.markdown(f"# {text}{mark}", width="content")
            with st.popover("Meaning", type="tertiary", icon=":material/help:", key="meaning"):
                st.markdown(f"{meaning or page.meaning}\n\n**Assumption:** {assumption or page.assumption}")
        st.html(f'<div class="headline-in-view" aria-hidden="true">{escape(plain_headline())}</div>')


_PER_CENT = "\N{NO-BREAK SPACE}%"  # on one line with its number


# Pages draw their first chart, then the headline: its place is above, and a number never stands over an old curve.
def show_answer(
    report: Report,
    meaning: str = "",
    assumption: str = "",
    *,
    is_preview: bool = False,
    is_example: bool = False,
) -> None:
    """Write the headline of a report, and its numbers below it."""
    for finding in found_on(report.findings, "headline"):
        end = finding.start + len(finding.value)
        before, after = plain(finding.text[: finding.start]), plain(finding.text[end:])
        value = f":primary[{plain(finding.value)}]" if finding.value else ""
        headline(
            f"{before}{value}{after}".replace(" %", _PER_CENT),
            meaning,
            assumption,
            is_preview=is_preview,
            is_example=is_example,
        )
    tiles(*((found.label, found.value, plain(found.text)) for found in found_on(report.findings, "tile")))


def show_findings(report: Report, tab: str = "", *, key: str = "answer") -> None:
    """Write the sentences of a report that belong in a tab of the page."""
    with st.container(key=key):
        for finding in found_on(report.findings, "page"):
            if finding.tab == tab:
                write(finding.text)


class Tile(NamedTuple):
    """A number next to the headline."""

    label: str
    value: str
    text: str = ""  # what to know of it, in a tooltip


def tiles(*tiles: tuple[str, ...]) -> None:
    """Show numbers next to the headline: of each the label, the value, and what to know of it, if anything.

    Called again, it adds tiles to those that are there.
    """
    place = st.session_state.get(_TILES)
    if place is None:
        with st.session_state.get(_TOP) or nullcontext():
            place = st.session_state[_TILES] = st.container(key="tiles", horizontal=True, gap="small")
    with place:
        for one in starmap(Tile, tiles):
            st.metric(one.label, one.value, help=with_tests(one.text) or None, border=True)


def caution(text: str) -> None:
    """Write what to know of an answer from few topics below its chart, once that is drawn; "" writes nothing."""
    place = st.session_state.get(CAUTION)
    if text and place is not None:
        place.markdown(f":material/warning: {text}")


def plain_headline() -> str:
    """Return the headline of this run without its Markdown; "" where not available yet."""
    written = st.session_state.get(HEADLINE, "").replace(_PER_CENT, " %")
    text = re.sub(r":[\w-]+\[((?:[^\]\\]|\\.)*)\]", r"\1", written)
    return re.sub(r"\\(.)|[*#]", r"\1", text).strip()


def on_sample() -> bool:
    """Return whether the answer of the page is from simulated data; badge, charts and exports then mark it."""
    return bool(st.session_state.get(ON_SAMPLE))


def link_to(page: str, label: str, query: Mapping[str, Sequence[str]] | None = None) -> None:
    """Link to another page; by file name, as an address would start a new session without the data."""
    try:
        st.page_link(
            page, label=label, icon=":material/arrow_forward:", width="content", query_params=query or None
        )
    except StreamlitPageNotFoundError:  # a page that runs alone has no neighbours
        st.markdown(label, width="content")


def go_to(page: str, label: str, before: Callable[[], None]) -> None:
    """Link to another page that starts with what `before` sets."""
    if st.button(label, icon=":material/arrow_forward:", type="tertiary", on_click=before):
        open_page(page)


def open_page(page: str) -> None:
    """Leave this page for another one."""
    with suppress(StreamlitPageNotFoundError):  # a page that runs alone has no neighbours
        st.switch_page(page)


def labelled(key: str, options: Iterable[S], label: Callable[[S], str]) -> Callable[[S], str]:
    """Return the function of the labels of a list that depend on data; call it just before the list is drawn.

    A browser keeps the label that was chosen, not the option, and sends it with every later act. Streamlit sends it
    another label only where the option has changed. So where labels change and the option stays, as the third of
    other sets, an old label would stay in sight, and with the next act the choice would be lost, as no option has
    that label. Therefore the option is then set again.
    """
    state, name, now = st.session_state, f"frame/labels/{key}", [label(option) for option in options]
    if key in state and state.get(name, now) != now:
        state[key] = state[key]
    state[name] = now
    return label


_HOW_TAB = "How, and limits"


def tabs(*labels: str) -> Sequence[TabContainer]:
    """Return a tab for each label, and keep one for `explain` behind them."""
    # Opening one runs the page. What is drawn in any case is seen at once, what takes long is drawn if
    # `.open`.
    *result, st.session_state[_EXPLAINED] = st.tabs([*labels, _HOW_TAB], key="tabs", on_change="rerun")
    return result


def explain(name: str, **values: object) -> None:
    """Write a text of `pages/how` in the last tab, with values where it has their names in double braces."""
    place = st.session_state[_EXPLAINED]
    if place is None or not is_drawn(place):  # an answer that is not there yet has no tabs
        return
    text, groups = ((_HOW / f"{one}.md").read_text(encoding="utf-8") for one in (name, "groups"))
    for key, value in {"groups": groups.strip(), "sakai_2016": SAKAI_2016, **values}.items():
        text = text.replace("{{" + key + "}}", str(value))
    place.markdown(with_tests(text))


def note(text: str) -> None:
    """Write what to know of the answer above its headline."""
    with st.session_state.get(_TOP) or nullcontext(), st.container(key="note"):
        st.warning(text)


def refuse(text: str, *, at_top: bool = False) -> None:
    """Write why there is no answer, in Markdown; in the place of the headline where that is the answer."""
    place = st.session_state.get(_TOP) if at_top else None
    with place or nullcontext(), st.container(key="refusal"):
        st.error(text)


def prompt(text: str) -> DeltaGenerator:
    """Write what a page needs from the user before it has an answer, in the place of the headline; return this."""
    with st.session_state.get(_TOP) or nullcontext():
        place = st.container(key="prompt")
    place.info(plain(text))
    return place


@contextmanager
def refusing(
    words: Callable[[Any], str],
    kinds: type[TopicsetError] | tuple[type[TopicsetError], ...] = InputError,
    *,
    at_top: bool = False,
) -> Iterator[None]:
    """Where a part of the page is refused, write why in these words of the error, and end the page."""
    try:
        yield
    except kinds as error:
        refuse(plain(words(error)), at_top=at_top)
        st.stop()


def show(text: str, key: str = "answer") -> None:
    """Write a text as it is, in a place with a key."""
    with st.container(key=key):
        write(text)


def write(text: str) -> None:
    """Write a text as it is; its words about a simulation lead to what was simulated."""
    st.markdown(with_tests(plain(text)).replace(" %", _PER_CENT))


TESTED = "tested"
"""Name in addresses of the guide's tab with the results of simulations."""


def with_tests(text: str) -> str:
    """Return Markdown whose first words about a simulation are a link to what was simulated."""
    return re.sub(r"\b([Ii]n simulations?)\b", rf"[\1](guide?{TESTED}=all)", text, count=1)


def show_basis(text: str, *, is_preview: bool) -> None:
    """Write the basis of the numbers, within a row; a preview has a key of its own."""
    with st.container(key="preview", width="content") if is_preview else nullcontext():
        st.markdown(text.replace(" %", _PER_CENT), width="content")


# Addresses in a text become links, also behind backslashes, but not with a character without width between parts.
# Those of papers may, as pages cite them.
_NO_LINK = re.compile(r"(?i)(?<=http)(?=s?://(?!doi\.org/))|(?<=www)(?=\.)|(?<=[-.\w+])(?=@[-\w]+\.[-\w])")


def plain(text: str) -> str:
    """Return text so that Markdown shows it as it is: names in files and links may hold anything."""
    text = re.sub(r"([\\`*_{}\[\]()#+!|$~<>:^&])", r"\\\1", _NO_LINK.sub("\N{WORD JOINER}", text))
    return re.sub(r"^\s*(\d+(?=\.\s)|(?=-))", r"\g<0>\\", text)  # no list


def chart_mode() -> Mode:
    """Return how charts are to be coloured: as the theme. They are saved in print style, in either."""
    return "dark" if st.context.theme.type == "dark" else "light"


def table(
    columns: Table,
    forms: Mapping[str, str] | str = "",
    *,
    alt: str,
    width: Literal["stretch", "content"] = "stretch",
    height: int | Literal["auto"] = "auto",
    **more: Any,
) -> None:
    """Draw a table; `forms` as `aligned` takes them: formats by column, or one for all numbers with decimals."""
    # The form "image" shows addresses of images.
    if isinstance(forms, str):
        decimals = [name for name, column in columns.items() if any(isinstance(one, float) for one in column)]
        forms = dict.fromkeys(decimals, forms)
    config = {
        name: st.column_config.ImageColumn(width="medium")
        if form == "image"
        else st.column_config.NumberColumn(format="percent" if form.endswith("%") else f"%{form}")
        for name, form in forms.items()
        if form.strip(",")
    }
    st.dataframe(columns, hide_index=True, width=width, height=height, column_config=config, alt=alt, **more)
