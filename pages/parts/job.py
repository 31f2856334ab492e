"""The answer to a question on a page: the whole one, else what there is of it, else a preview."""

from collections.abc import Hashable
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from pages.parts import frame
from pages.parts.computation import Computation, Job, expected_time, once, threads
from pages.parts.form import offer_link
from topicset_core.inputs import Inputs
from topicset_core.question import Question

R = TypeVar("R", bound=Inputs)
A = TypeVar("A")

_POLL_SECONDS = 1.0  # between two looks at a partial answer


@dataclass(frozen=True)
class Known(Generic[R, A]):
    """What is known of an answer, and what it answers."""

    answer: A
    is_whole: bool
    data: Any
    request: R  # complete
    n_shown: int = 0  # partial answers before this one


class Answers(Generic[R, A]):
    """The answers to one question on a page."""

    def __init__(self, question: Question[R, A], page: str) -> None:
        self.question = question
        self.page = page
        self.preview_seconds = question.preview_seconds
        self.jobs: Computation[A] = Computation(page)

    def best(self, data: Any, request: R) -> Known[R, A]:
        """Return the best answer that is known by now, or a preview; raises as the analysis does."""
        question, request = self.question, self.question.complete(data, request)
        key = self._key(data, request)
        n_shown = self.jobs.n_shown(key)  # before the answer, which may be later, but not earlier
        found = self.jobs.result(key)
        if found is None:
            found = self.jobs.partial(key)
        if found is None:
            few = question.preview(data, request.computed(), self.preview_seconds)
            found = once(self._key(data, few), lambda: self._preview(data, few))
        answer = question.finish(found, request)
        return Known(answer, question.is_whole(answer, request), data, request, n_shown)

    def bar(self, known: Known[R, A], basis: str, url: str) -> None:
        """Write the basis of an answer, with progress of the whole one, the button that starts it, and the link."""
        key, running = self._key(known.data, known.request), self.jobs.is_running()
        self.jobs.follow()
        if not known.is_whole and self.jobs.result(key) is not None:  # it ended after the answer was read
            st.rerun()
        with st.container(horizontal=True, vertical_alignment="center"):
            frame.show_basis(basis, is_preview=not known.is_whole)
            if not known.is_whole and not running:
                seconds = self.question.seconds(known.data, known.request)
                st.button(
                    f"Run all {self.question.noun(known.request)}{expected_time(seconds)}",
                    key=f"{self.page}/run",
                    on_click=self._start,
                    args=(known,),
                    icon=":material/play_arrow:",
                )
            offer_link(url)
        if running and self.question.shows_partial:
            _watch(self.jobs, key, known.n_shown)

    def _key(self, data: Any, request: R) -> Hashable:
        # Digests leave names out.
        return self.question.slug, data.digest, data.name, request.computed()

    def _preview(self, data: Any, request: R) -> A:
        with threads() as executor:
            return self.question.compute(data, request.computed(), executor=executor)

    def _start(self, known: Known[R, A]) -> None:
        question, data, request = self.question, known.data, known.request.computed()

        def work(job: Job) -> A:
            partial = {"show_partial": job.show_partial} if question.shows_partial else {}
            return question.compute(
                data, request, report_progress=job.report_progress, executor=job.executor, **partial
            )

        self.jobs.start(self._key(data, request), question.noun(request), work)


@st.fragment(run_every=_POLL_SECONDS)
def _watch(jobs: Computation[Any], key: Hashable, n_shown: int) -> None:
    """Run the page again as soon as there is more of the answer than is on screen."""
    if jobs.n_shown(key) != n_shown:
        st.rerun()
