"""The answer to a question on a page: the whole one, else what there is of it, else a preview."""

from collections.abc import Hashable
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar, cast

import streamlit as st

from pages.parts import frame
from pages.parts.computation import Computation, Job, expected_time, once, threads
from pages.parts.form import offer_link
from topicset_core.inputs import Inputs
from topicset_core.question import Work

R = TypeVar("R", bound=Inputs)
A = TypeVar("A")

_POLL_SECONDS = 1.0  # between two looks at a partial answer
_PLAY = ":material/play_arrow:"
_SO_FAR = "Result so far"


@dataclass(frozen=True)
class Known(Generic[R, A]):
    """What is known of an answer, and what it answers."""

    answer: A  # unless even a preview takes too long
    is_whole: bool
    data: Any
    request: R  # complete
    n_shown: int = 0  # partial answers before this one
    stage: str = "Preview"  # what it is, if it is not whole

    @property
    def is_there(self) -> bool:
        """Whether there is an answer."""
        return self.answer is not None


class Answers(Generic[R, A]):
    """The answers to one question on a page, or what answers a part of it."""

    def __init__(self, question: Work[R, A], page: str) -> None:
        self.question = question
        self.page = page
        self.preview_seconds = question.preview_seconds
        self.jobs: Computation[A] = Computation(page)

    def best(self, data: Any, request: R) -> Known[R, A]:
        """Return the best answer that is known by now, or a preview; raises as the analysis does."""
        question, request = self.question, self.question.complete(data, request)
        key = self._key(data, request)
        n_shown = self.jobs.n_shown(key)  # before the answer, which may be later, but not earlier
        found, stage = self.jobs.result(key), "Preview"
        part = None if found is not None else self.jobs.partial(key)
        if part is not None:
            stage = _SO_FAR if self.jobs.is_about(key) else f"{_SO_FAR}, stopped"
        if found is None and (part is None or question.laid_over is not None):
            ask = partial(question.preview, data, request, self.preview_seconds)
            few = once(("preview", question.slug, data.digest, request), ask)
            found = None if few is None else once(self._key(data, few), partial(self._preview, data, few))
        if part is not None:
            found = part if found is None or question.laid_over is None else question.laid_over(part, found)
        if found is None:
            return Known(cast(A, None), False, data, request)
        answer = question.finish(found, request)
        return Known(answer, question.is_whole(answer, request), data, request, n_shown, stage)

    def whole(self, data: Any, request: R) -> A | None:
        """Return the whole answer if it is known."""
        return self.jobs.result(self._key(data, request))

    def begun(self, data: Any, request: R) -> A | None:
        """Return the whole answer; begin its work, once: it may have been cancelled."""
        key, begun = self._key(data, request), f"{self.page}/begun"
        if self.whole(data, request) is None and st.session_state.get(begun) != key:
            self._start(data, request)
            st.session_state[begun] = key
        found = self.whole(data, request)
        return None if found is None else self.question.finish(found, request)

    def follow(self, data: Any, request: R, found: A | None) -> None:
        """Draw how far the work is that `begun` began; run the page again if it ended after that."""
        self.jobs.follow()
        if found is None and self.whole(data, request) is not None:
            st.rerun()

    def offer(self, data: Any, request: R, label: str, *, key: str = "run", icon: str | None = _PLAY) -> None:
        """Draw the button that starts the work, unless it is under way."""
        about = self._key(data, request)
        if not self.jobs.is_about(about):
            seconds = once(("seconds", about), partial(self.question.seconds, data, request))
            st.button(
                f"{label}{expected_time(seconds)}",
                key=f"{self.page}/{key}",
                on_click=self._start,
                args=(data, request),
                icon=icon,
            )

    def bar(self, known: Known[R, A], basis: str, url: str) -> None:
        """Write the basis of an answer, with progress of the whole one, the button that starts it, and the link."""
        key = self._key(known.data, known.request)
        self.jobs.follow()
        is_running = self.jobs.is_about(key)
        has_ended = self.jobs.result(key) is not None or (known.stage == _SO_FAR and not is_running)
        if not known.is_whole and has_ended:  # after the answer was read
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            frame.show_basis(basis, is_preview=not known.is_whole)
            if not known.is_whole:
                self.offer(known.data, known.request, f"Run all {self.question.noun(known.request)}")
            offer_link(url)
        if is_running and self.question.shows_partial:
            _watch(self.jobs, key, known.n_shown)

    def _key(self, data: Any, request: R) -> Hashable:
        # Digests leave names out.
        return self.question.slug, data.digest, data.name, request.computed()

    def _preview(self, data: Any, request: R) -> A:
        with threads() as executor:
            return self.question.compute(data, request.computed(), executor=executor)

    def _start(self, data: Any, request: R) -> None:
        question, request = self.question, request.computed()

        def work(job: Job) -> A:
            after = {"show_partial": job.show_partial} if question.shows_partial else {}
            return question.compute(
                data, request, report_progress=job.report_progress, executor=job.executor, **after
            )

        self.jobs.start(self._key(data, request), question.noun(request), work)


@st.fragment(run_every=_POLL_SECONDS)
def _watch(jobs: Computation[Any], key: Hashable, n_shown: int) -> None:
    """Run the page again as soon as there is more of the answer than is on screen."""
    if jobs.n_shown(key) != n_shown:
        st.rerun()
