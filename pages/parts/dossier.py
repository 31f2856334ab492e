"""The answers that a user keeps for a proposal; held like all work of a browser, see `kept_work`."""

import streamlit as st

from pages.parts.contents import Page
from topicset_core.exports.dossier import Chapter, chapter
from topicset_core.exports.report import Report

KEPT, _NEW = "dossier/kept", "frame/dossier/new"
MOST = 20
"""Answers in a dossier."""


def kept() -> tuple[Chapter, ...]:
    """Return the answers, in their order."""
    chapters: tuple[Chapter, ...] = st.session_state.get(KEPT, ())
    return chapters


def keep(report: Report, page: Page, headline: str) -> None:
    """Put an answer of a page behind the others, in place of what saved work has of it. Call it from a callback."""
    if not is_full():
        title = f"{page.title}: {headline}" if headline else report.title
        others = (one for one in kept() if not (one.is_saved and one.link == report.link))
        st.session_state[KEPT] = (*others, chapter(report, page.question, page.assumption, title))
        st.session_state[_NEW] = True


def is_new() -> bool:
    """Return whether an answer was put there since the last call."""
    return bool(st.session_state.pop(_NEW, False))


def has(report: Report) -> bool:
    """Return whether this answer is kept already."""
    return any(
        not one.is_saved and (one.sentence, one.link) == (report.cautioned, report.link) for one in kept()
    )


def is_full() -> bool:
    """Return whether no more answers can be kept."""
    return len(kept()) >= MOST


def move(place: int, by: int) -> None:
    """Move an answer up or down."""
    ordered = list(kept())
    ordered.insert(place + by, ordered.pop(place))
    st.session_state[KEPT] = tuple(ordered)


def remove(place: int) -> None:
    """Take an answer out."""
    st.session_state[KEPT] = kept()[:place] + kept()[place + 1 :]
