"""Links that rest on data name them: opened without these data, a page shows no number of its own."""

from collections.abc import Collection
from dataclasses import dataclass

import streamlit as st

from pages.parts import frame, link

_DIGITS = 12  # of a digest: by chance two data sets share them once in 10^14
_DISMISSED, _FOREIGN = "links/dismissed", "links/foreign"


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
        """Name, size and digest."""
        topics, _, runs = self.size.partition("x")
        size = f"{topics} topics × {runs} runs, " if topics.isdigit() and runs.isdigit() else ""
        return f"{self.name or 'data without a name'} ({size}SHA-256 {self.digest[:_DIGITS]}...)"


def _read(text: str) -> Stamp:
    digest, _, rest = text.partition(".")
    size, _, name = rest.partition(".")
    return Stamp(digest, size, name)


def check(digests: Collection[str], page: str, *, is_sample: bool) -> None:
    """Compare the data of the link with the data in use.

    If the user has no data of their own, the page ends here and names the missing data. If they have other ones,
    a warning is shown.
    """
    state, text = st.session_state, link.text(link.DATA)
    here = (st.context.url or "").partition("?")[0]
    foreign: dict[str, tuple[str, str]] = state.get(_FOREIGN, {})
    if text and not _is_there(text, digests):
        foreign = state[_FOREIGN] = foreign | {here: (text, link.text(link.SHOWN))}
    text, shown = foreign.get(here, ("", ""))
    if not text or _is_there(text, digests) or text in state.get(_DISMISSED, ()):
        return
    stamp = _read(text)
    was = f" The answer for them was: {frame.plain(shown)}" if shown else ""
    new = f"This link was made with {frame.plain(stamp.in_words)}.{was}"

    def dismiss() -> None:
        state[_DISMISSED] = {*state.get(_DISMISSED, ()), text}

    if not is_sample:
        with st.container(key="other-data"):
            st.warning(f"{new}\n\nThe results below are for your own data, not for the data of the link.")
            st.button("Understood", key="other-data/dismiss", on_click=dismiss)
        return
    with st.container(key="data-needed"):
        st.info(f"{new}\n\nUpload these data to see that answer here, with its charts and tables.")
        with st.container(horizontal=True, vertical_alignment="center"):
            frame.link_to(page, "Upload data")
            st.button("Show an example with simulated data", key="data-needed/dismiss", on_click=dismiss)
    st.stop()


def leave() -> None:
    """Take the data out of the address; call it where the user replaces them on the page of the answer."""
    for name in (link.DATA, link.SHOWN):
        st.query_params.pop(name, None)


def _is_there(text: str, digests: Collection[str]) -> bool:
    target = _read(text).digest
    return any(digest[:_DIGITS] == target for digest in digests)
