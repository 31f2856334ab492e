"""A question that an analysis answers, declared once: command, page, link, record and cache key follow from it.

It is to an analysis what `Design` is to a test: the room of an analysis ends in ``QUESTION = Question(...)``.
"""

from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from topicset_core.exports.report import Report
from topicset_core.inputs import Inputs
from topicset_core.progress import ReportProgress, silently

R = TypeVar("R", bound=Inputs)
A = TypeVar("A")


@dataclass(frozen=True, kw_only=True, eq=False)
class Work(Generic[R, A]):
    """Something long that is done for a request, alone or as a part of an answer."""

    slug: str  # of its command, and in keys
    request: type[R]
    compute: Callable[..., A]  # of data and a request, with `report_progress` and `executor`
    noun: Callable[[R], str] = str  # what all of it is: "20,000 sign flips"
    # The request with what follows from the data where it was left open
    complete: Callable[[Any, R], R] = lambda _, request: request
    # From the answer to a request without what is read off, to the answer
    finish: Callable[[A, R], A] = lambda answer, _: answer
    # About how many CPU seconds it takes; and a request that takes no longer than that, for a preview, or None
    seconds: Callable[[Any, R], float] = lambda _, __: 0.0
    preview: Callable[[Any, R, float], R | None] = lambda _, request, __: request
    preview_seconds: float = 0.4
    # Whether an answer is the one to the whole request, and not to its preview or a part
    is_whole: Callable[[A, R], bool] = lambda _, __: True
    shows_partial: bool = False  # whether `compute` takes `show_partial`, for answers on the way
    # From an answer on the way and the preview to what is shown, where the first lacks what the second has
    laid_over: Callable[[A, A], A] | None = None

    def answer(
        self,
        data: Any,
        request: R | None = None,
        *,
        report_progress: ReportProgress = silently,
        executor: Executor | None = None,
    ) -> A:
        """Answer the whole question."""
        request = self.complete(data, self.request() if request is None else request)
        found = self.compute(data, request.computed(), report_progress=report_progress, executor=executor)
        return self.finish(found, request)


@dataclass(frozen=True, kw_only=True, eq=False)
class Question(Work[R, A]):
    """A question about data."""

    description: str  # what its command does, with the papers
    takes: str  # its data, by a name that the command line knows: "matrix", "matrices", ...
    report: Callable[..., Report]  # from an answer: what is said, tables, charts
    # What a terminal prints below the sentences of the report: lines of tables
    text: Callable[[A], Sequence[str]] = lambda _: ()
    # What the JSON of the command has beyond the report
    details: Callable[[A], Mapping[str, Any]] = lambda _: {}
    # Exit status of the command, for those who ask it in a script
    status: Callable[[A], int] = lambda _: 0
