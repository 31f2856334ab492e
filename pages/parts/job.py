"""The answer to a question on a page: the whole one, else what there is of it, else a preview."""

from collections.abc import Callable, Hashable, Sequence
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

_SO_FAR = "Result so far"
_POLL_SECONDS = 1.0  # between two looks at a partial answer


@dataclass(frozen=True)
class Known(Generic[R, A]):
    """What is known of an answer, and what it answers."""

    answer: A
    is_whole: bool
    data: Any
    request: R  # complete
    n_shown: int = 0  # partial answers before this one
    stage: str = "Preview"  # what it is, if it is not whole


@dataclass(eq=False)
class Answers(Generic[R, A]):
    """The answers to one question on a page."""

    question: Work[R, A]
    page: str
    # Requests that one job answers together, the same for each of them, as by several models
    alike: Callable[[R], Sequence[R]] = lambda request: (request,)
    unasked_seconds: float = 0.0  # work that takes no longer starts without the button
    button: str = "run"  # last part of its key

    def __post_init__(self) -> None:
        self.preview_seconds = self.question.preview_seconds
        self.jobs: Computation[dict[R, A]] = Computation(self.page)

    def best(self, data: Any, request: R) -> Known[R, A]:
        """Return the best answer that is known by now, or a preview; raises as the analysis does."""
        return cast(Known[R, A], self.look(data, request))

    def look(self, data: Any, request: R) -> Known[R, A | None]:
        """Return the same where a preview may take too long: then there is no answer before the work starts."""
        question, request = self.question, self.question.complete(data, request)
        key = self._key(data, request)
        n_shown = self.jobs.n_shown(key)  # before the answer, which may be later, but not earlier
        # Read once: a job may end at any time, and what was part of an answer is not to be kept as the whole.
        whole = self._result(key, request)
        part = self._part(key, request) if whole is None else None
        latest, stage = whole if part is None else part, "Preview"
        if part is not None:
            stage = _SO_FAR if self.jobs.is_about(key) else f"{_SO_FAR}, stopped"
        few = None
        if latest is None or (part is not None and question.laid_over is not None):
            ask = partial(question.preview, data, request, self.preview_seconds)
            few = once(("preview", *self._name(data), request, self.preview_seconds), ask)
        if few is not None:
            preview = few.computed()
            first = once((*self._name(data), preview), lambda: self._preview(data, preview))
            latest = question.laid_over(part, first) if part is not None and question.laid_over else first
        elif latest is None and self._starts_itself(data, request):
            self._start(Known(None, is_whole=False, data=data, request=request))
            latest = part = self._part(key, request)
        if latest is None:
            return Known(None, is_whole=False, data=data, request=request, n_shown=n_shown)
        if part is not None:  # it grows
            answer = question.finish(latest, request)
        else:
            read_off = partial(question.finish, latest, request)
            answer = once(("read off", *self._name(data), request, few), read_off)
        return Known(answer, question.is_whole(answer, request), data, request, n_shown, stage)

    def bar(self, known: Known[R, Any], basis: str, url: str) -> None:
        """Write the basis of an answer, with progress of the whole one, the button that starts it, and the link."""
        self.follow(known)
        with st.container(horizontal=True, vertical_alignment="center"):
            if basis:
                frame.show_basis(basis, is_preview=not known.is_whole)
            if not self._is_all_whole(known):
                self.offer(known, f"Run all {self.question.noun(known.request)}")
            offer_link(url)
        key = self._key(known.data, known.request)
        if self.jobs.is_about(key) and self.question.shows_partial:
            _watch(self.jobs, key, known.n_shown)

    def follow(self, known: Known[R, Any]) -> None:
        """Draw how far the work is; run the page again if it ended after the answer was read."""
        key = self._key(known.data, known.request)
        self.jobs.follow()
        has_more = not known.is_whole or self.jobs.n_shown(key) != known.n_shown
        was_stopped = known.stage == _SO_FAR and not self.jobs.is_about(key)
        if has_more and (was_stopped or self._result(key, known.request) is not None):
            st.rerun()

    def offer(self, known: Known[R, Any], label: str) -> None:
        """Draw the button that starts the work, unless it is under way."""
        key, question = self._key(known.data, known.request), self.question
        if self.jobs.is_about(key):
            return
        requests = self.alike(known.request)
        seconds = once(
            ("seconds", key), lambda: sum(question.seconds(known.data, request) for request in requests)
        )
        st.button(
            f"{label}{expected_time(seconds)}",
            key=f"{self.page}/{self.button}",
            on_click=self._start,
            args=(known,),
            icon=":material/play_arrow:",
        )

    def _result(self, key: Hashable, request: R) -> A | None:
        """Return what a job that has ended answered."""
        return (self.jobs.result(key) or {}).get(request.computed())

    def _part(self, key: Hashable, request: R) -> A | None:
        """Return what a job has answered by now, which may be all."""
        return (self.jobs.partial(key) or {}).get(request.computed())

    def _name(self, data: Any) -> tuple[str, ...]:
        # Digests leave names out.
        return self.question.slug, data.digest, data.name

    def _key(self, data: Any, request: R) -> Hashable:
        """Return the key of the job that answers a request."""
        return *self._name(data), self.alike(request)[0].computed()

    def _is_all_whole(self, known: Known[R, Any]) -> bool:
        """Return whether all that the job would answer is known."""
        if not known.is_whole:
            return False
        others = (one for one in self.alike(known.request) if one != known.request)
        return all(self.look(known.data, other).is_whole for other in others)

    def _preview(self, data: Any, request: R) -> A:
        with threads() as executor:
            return self.question.compute(data, request.computed(), executor=executor)

    def _starts_itself(self, data: Any, request: R) -> bool:
        """Return whether work is to start without the button: short work, once."""
        begun = st.session_state.setdefault(f"{self.page}/begun", set())
        key = self._key(data, request)
        is_new = key not in begun
        begun.add(key)
        return is_new and self.question.seconds(data, request) <= self.unasked_seconds

    def _start(self, known: Known[R, Any]) -> None:
        question, data, asked = self.question, known.data, known.request.computed()
        key = self._key(data, asked)
        before = self.jobs.partial(key) or {}
        answers = {one: answer for one, answer in before.items() if question.is_whole(answer, one)}
        others = [one.computed() for one in self.alike(known.request)]
        requests = [one for one in dict.fromkeys((asked, *others)) if one not in answers]

        def work(job: Job) -> dict[R, A]:
            for place, request in enumerate(requests):

                def report(share: float, done: int = place) -> None:
                    job.report_progress((done + share) / len(requests))

                def show(answer: A, request: R = request) -> None:
                    job.show_partial(answers | {request: answer})

                more = {"show_partial": show} if question.shows_partial else {}
                answers[request] = question.compute(
                    data, request, report_progress=report, executor=job.executor, **more
                )
                job.show_partial(dict(answers))
            return answers

        self.jobs.start(key, question.noun(known.request), work)


@st.fragment(run_every=_POLL_SECONDS)
def _watch(jobs: Computation[Any], key: Hashable, n_shown: int) -> None:
    """Run the page again as soon as there is more of the answer than is on screen."""
    if jobs.n_shown(key) != n_shown:
        st.rerun()
