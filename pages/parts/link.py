"""Links that carry a question: read at the door with every value checked, written in full precision.

Links that rest on data name them: opened without these data, a page shows no number of its own.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass
from functools import partial
from urllib.parse import parse_qs, urlencode, urlsplit

import streamlit as st

from pages.parts import frame, kept_work
from pages.parts.contents import Page, page_named
from topicset_core.errors import InputError
from topicset_core.parameters import Parameter
from topicset_core.wording import display_control, visible

MEASURE = "measure"
SOURCE = "variance_from"
DATA = "data"
"""Which data an answer rests on; see `Stamp`."""

SHOWN = kept_work.SHOWN
"""The sender's answer: its numbers are compared, and its words are not shown."""

_LONGEST_TEXT = 200
_MOST_COMPLAINTS = 6
_MOST_LISTED = 20
_DIGITS = 12  # of a digest: by chance two data sets share them once in 10^14
_LONGEST_NAME, _NAME = 60, re.compile(r"[\w.@+-]+(,? [\w.@+-]+){0,2}")
_DISMISSED, _FOREIGN, _AWAITED = "links/dismissed", "links/foreign", "links/awaited"
_SENT = "frame/links-sent"
"""Names in the session: links whose data the user does without; links to data that are not here, by page; the one
of them that waits for its data; the answer that the sender had, by page."""

OF_PAGES = "links/pages"
"""Name in the session: the link of each page with a form of its own, by its name, which saved work has."""

WAITS = "-waits"
"""Ends the names in the session of what a link or saved work has for a field, until that is drawn."""

Value = float | str | Sequence[str]


@dataclass(frozen=True)
class Complaint:
    """A complaint about a value of a link or a form."""

    text: str
    parameter: str = ""


def not_used(name: str, given: str, why: str) -> Complaint:
    """Return the complaint about a value of this link."""
    return Complaint(f"{shortened(name)}={shortened(given)} in this link was not used: {why}.", name)


@dataclass(frozen=True)
class Link:
    """The address of this page."""

    values: dict[str, float]  # parameters with valid values, by name
    # Source of the variance in the link, as text
    measure: str
    source: str
    complaints: tuple[Complaint, ...]  # one for each value that could not be used, and why


def read(parameters: Sequence[Parameter], others: Collection[str] = (MEASURE, SOURCE)) -> Link:
    """Read this page's address. A value out of range is reported, never replaced in silence."""
    values: dict[str, float] = {}
    complaints: list[Complaint] = []
    known = {parameter.name: parameter for parameter in parameters}
    for name in st.query_params:
        for given in st.query_params.get_all(name):
            if stray := display_control(given):
                complaints.append(not_used(name, given, f"{stray} controls how text is displayed"))
        if name in others or name in (DATA, SHOWN):
            continue
        if name not in known:
            complaints.append(Complaint(f"Unknown link parameter {shortened(name)} was ignored."))
            continue
        given = st.query_params[name]
        try:
            values[name] = number(known[name], given)
        except InputError as error:
            complaints.append(not_used(name, given, f"it {error.rule}"))
    return Link(values, text(MEASURE), text(SOURCE), tuple(complaints))


def one_of(name: str, options: Sequence[str]) -> tuple[str, Complaint | None]:
    """Read a choice from the address; return it and None, or the first option and the complaint."""
    # An option "" means the default, and needs no name.
    return option(name, st.query_params.get(name, options[0]), options)


def option(name: str, text: str, options: Sequence[str]) -> tuple[str, Complaint | None]:
    """Return a text that is an option and None, or the first option and the complaint."""
    if text in options:
        return text, None
    named = [option for option in options if option]
    listed = ", ".join(named) if len(named) <= _MOST_LISTED else f"the {len(named):,} there are"
    return options[0], not_used(name, text, f"it must be one of {listed}")


def write(values: Mapping[str, Value]) -> str:
    """Return the full link: every value written out, so that its meaning never changes."""
    # Numbers have as many digits as it takes to read them back; a sequence is written one by one under its
    # name.
    base = (st.context.url or "").split("?")[0]
    return f"{base}?{urlencode({name: written(value) for name, value in values.items()}, doseq=True)}"


def refused(error: InputError) -> Complaint:
    """Return the complaint about values of a link that break a rule."""
    return Complaint(f"The values in this link were not used: {shortened(str(error))}.", error.parameter)


def offer(
    url: str,
    carries: str = "every value in full precision and shows the same answer anywhere",
    saved: str | None = None,
    commands: Sequence[str] = (),
) -> None:
    """Show a button that opens the link, ready to be copied, and its contents; the address bar follows it.

    `commands` are the line for a terminal and the call in Python that give the same answer.
    """
    # A link that rests on data also carries the headline, for recipients who do not have them. Saved work has
    # the link without it, or another one; "" if all choices of the page are those of a form that pages share.
    if (query := urlsplit(url if saved is None else saved).query) or saved is None:
        known = st.session_state.get(OF_PAGES, {})
        st.session_state[OF_PAGES] = known | {frame.current().name: query}
    headline = frame.plain_headline()
    _compare(headline, url)
    if headline and f"{DATA}=" in url:
        url = f"{url}&{urlencode({SHOWN: headline[:_LONGEST_TEXT]})}"
    with frame.head("link"):
        kept_work.follow(url)
        frame.menu("Link", ":material/link:", partial(_show, url, carries), key="link")
    if commands:
        with frame.head("command"):
            frame.menu("Command", ":material/terminal:", partial(_show_commands, commands), key="command")


def _compare(headline: str, url: str) -> None:
    """Write that the numbers of the answer are not those that the sender of the link had, until a value changes."""
    sent: dict[str, tuple[str, str]] = st.session_state.setdefault(_SENT, {})
    here = frame.current().name
    if here not in sent:
        sent[here] = "" if kept_work.is_own(frame.current()) else text(SHOWN), url
    shown, opened = sent[here]
    is_preview = any(one.startswith(frame.PREVIEW) for one in (shown, headline))
    if url != opened:
        sent[here] = "", url
    # A long answer is cut in the address.
    elif shown and not is_preview and numbers_of(shown) != numbers_of(headline[:_LONGEST_TEXT]):
        frame.note(
            "The answer had other numbers when this link was made: by another version of Topicset, or the address "
            "was changed since. The answer here is computed from the data in use."
        )


def numbers_of(text: str) -> list[float]:
    """Return the numbers in a text, of whose digits versions may write more or fewer."""
    return [float(one.replace(",", "")) for one in re.findall(r"\d[\d,]*\.?\d*|\.\d+", text)]


def _show(url: str, carries: str) -> None:
    st.markdown(f"It carries {carries}.")
    st.code(url, language=None, wrap_lines=True)


def _show_commands(commands: Sequence[str]) -> None:
    st.markdown("The command and the call in Python that give this answer.")
    for text, language in zip(commands, ("shell", "python"), strict=True):
        st.code(text, language=language, wrap_lines=True)


def complain(complaints: Sequence[Complaint], key: str | None = "complaints") -> None:
    """Write the complaints literally: they quote the link, which may hold anything, and any number."""
    # The first about a parameter has a container of its own, by which it is found on the page.
    if not complaints:
        return
    keyed = {""}
    with st.container(key=key):
        for complaint in complaints[:_MOST_COMPLAINTS]:
            of_its_own = complaint.parameter not in keyed
            keyed.add(complaint.parameter)
            with st.container(key=f"complaint-{complaint.parameter}") if of_its_own else nullcontext():
                st.error(frame.plain(complaint.text))
        left_out = len(complaints) - _MOST_COMPLAINTS
        if left_out > 0:
            st.error(f"And {left_out:,} more of this link was not used.")


def number(parameter: Parameter, text: str) -> float:
    """Return the number of a text."""
    try:
        result = float(text)
    except ValueError:
        raise InputError(parameter.name, text, parameter.rule) from None
    checked = parameter.check_given(result)
    return int(checked) if parameter.integer else checked


def texts(name: str) -> list[str]:
    """Return the texts under a name of the link, without those that `read` refuses as names in files are."""
    return [text for text in st.query_params.get_all(name) if not display_control(text)]


def text(name: str, default: str = "") -> str:
    """Return the last text under a name of the link, as much of it as fits on screen."""
    return (texts(name) or [default])[-1][:_LONGEST_TEXT]


def shortened(text: str) -> str:
    """Shorten text from a link to what fits on screen, on one line."""
    return visible(text).replace("\n", "\\n")[:_LONGEST_TEXT]


def written(value: Value) -> str | Sequence[str]:
    """Return a value as links write it."""
    if isinstance(value, float):
        return repr(float(value))  # a NumPy float would write its type
    return str(value) if isinstance(value, int) else value


@dataclass(frozen=True)
class Stamp:
    """Which data an answer rests on."""

    digest: str  # first hexadecimal digits of the SHA-256 of the data
    size: str  # as "50x30", topics by runs
    name: str  # their name on the sender's side

    def __str__(self) -> str:
        """Return it as links write it."""
        return ".".join((self.digest[:_DIGITS], self.size, self.name))

    @property
    def in_words(self) -> str:
        """These data in Markdown, with a name like that of a file: a sender may write sentences there."""
        topics, _, runs = self.size.partition("x")
        size = f"{topics} topics × {runs} runs" if topics.isdecimal() and runs.isdecimal() else ""
        name = self.name if len(self.name) <= _LONGEST_NAME and _NAME.fullmatch(self.name) else ""
        digest = re.sub(r"[^0-9a-f]", "", self.digest[:_DIGITS])
        known = [size, f"named `{name}` by the sender" if name else "", f"SHA-256 {digest}..."]
        return f"data that are not loaded here ({', '.join(filter(None, known))})"


def _stamp_of(text: str) -> Stamp:
    digest, _, rest = text.partition(".")
    size, _, name = rest.partition(".")
    return Stamp(digest, size, name)


def check(digests: Collection[str], page: str, *, is_sample: bool) -> None:
    """Compare the data of the link with the data in use."""
    # Without data of the user's own the page ends here and names the missing ones; with other ones it warns.
    state, linked, here = st.session_state, text(DATA), frame.current()
    foreign: dict[str, str] = state.get(_FOREIGN, {})
    if linked and not _is_there(linked, digests) and not kept_work.is_own(here):
        foreign = state[_FOREIGN] = foreign | {here.name: linked}
    linked = foreign.get(here.name, "")
    if not linked or _is_there(linked, digests) or linked in state.get(_DISMISSED, ()):
        return
    new = f"This link was made with {_stamp_of(linked).in_words}."

    def dismiss() -> None:
        state[_DISMISSED] = {*state.get(_DISMISSED, ()), linked}
        state.pop(_AWAITED, None)

    if not is_sample:
        state.setdefault(_SENT, {})[here.name] = "", ""  # its numbers are for other data
        with st.container(key="other-data"):
            st.warning(f"{new}\n\nThe results below are for your own data, not for the data of the link.")
            st.button("Hide this note", key="other-data/dismiss", on_click=dismiss)
        return
    if text(DATA) == linked:
        query = {name: st.query_params.get_all(name) for name in st.query_params}
        state[_AWAITED] = here.name, linked, query
    with st.container(key="data-needed"):
        st.info(
            f"{new}\n\nUpload these data to see the answer, with its charts and tables. A link to come back is "
            "offered there."
        )
        with st.container(horizontal=True, vertical_alignment="center"):
            frame.link_to(page, "Upload data")
            st.button("Show an example with simulated data", key="data-needed/dismiss", on_click=dismiss)
    st.stop()


def is_awaited() -> bool:
    """Return, once, whether this is the address of a link that waited for its data: it is read again."""
    here, linked, _ = st.session_state.get(_AWAITED, ("", "", {}))
    result = bool(linked) and (here, linked) == (frame.current().name, text(DATA))
    if result:
        del st.session_state[_AWAITED]
    return result


def offer_awaited(page: Page, digests: Callable[[], Collection[str]]) -> None:
    """Lead from another page to that of a link that waited for these data."""
    here, linked, query = st.session_state.get(_AWAITED, ("", "", {}))
    if here in ("", page.name) or not _is_there(linked, digests()):
        return
    with st.container(key="awaited-data"):
        st.success("The data of the link that you opened are loaded.")
        frame.link_to(page_named(here).file, f"Open {page_named(here).title} as in the link", query)


def follow_saved() -> bool:
    """Put the link that saved work has of this page into an address that has none; return whether there was one."""
    if not st.query_params and is_saved():
        saved = st.session_state[OF_PAGES][frame.current().name]
        st.query_params.from_dict(parse_qs(saved, keep_blank_values=True))
        return True
    return False


def is_saved() -> bool:
    """Return whether there is a link of this page in saved work, or from before."""
    return frame.current().name in st.session_state.get(OF_PAGES, {})


def leave() -> None:
    """Take the data out of the address; call it where the user replaces them on the page of the answer."""
    for name in (DATA, SHOWN):
        st.query_params.pop(name, None)


def place_of_data(digests: Sequence[str]) -> int | None:
    """Return which of these data the link names; None if none of them."""
    target = _stamp_of(text(DATA)).digest
    return next((at for at, digest in enumerate(digests) if digest[:_DIGITS] == target), None)


def _is_there(text: str, digests: Collection[str]) -> bool:
    target = _stamp_of(text).digest
    return any(digest[:_DIGITS] == target for digest in digests)
