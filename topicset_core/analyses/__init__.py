"""Conclusions from designs, results and data: one room per question, listed in `ANALYSES`.

Importing this package imports none of the rooms: each entry names its room, and its contents are imported when
it is asked for.
"""

from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from typing import Any


@dataclass(frozen=True, kw_only=True)
class Analysis:
    """An analysis as others find it.

    Parameters
    ----------
    slug : str
        The folder of the room below `topicset_core.analyses`, with dots for folders inside folders.
    entry : str
        Name of the function that runs the analysis; the room exports it.
    request_name : str or None
        Name of the request type that the room exports; None where the function takes its values one by one.
    warm_up_module : str or None
        The module of the room whose ``warm_up()`` compiles its kernels; None for a room without kernels.
    """

    slug: str
    entry: str
    request_name: str | None
    warm_up_module: str | None = None

    @property
    def room(self) -> str:
        """Full name of the package."""
        return f"{__name__}.{self.slug}"

    @property
    def entry_point(self) -> Callable[..., Any]:
        """The function that runs the analysis."""
        function: Callable[..., Any] = getattr(import_module(self.room), self.entry)
        return function

    @property
    def request(self) -> type | None:
        """The type of its request, if it has one."""
        if self.request_name is None:
            return None
        result: type = getattr(import_module(self.room), self.request_name)
        return result

    def warm_up(self) -> None:
        """Compile all kernels of the room by a small question; do nothing if it has no kernels."""
        if self.warm_up_module is not None:
            import_module(f"{self.room}.{self.warm_up_module}").warm_up()


ANALYSES = (
    Analysis(slug="sizing", entry="compare_designs", request_name=None),
    Analysis(slug="score_variance", entry="variance_uncertainty", request_name=None),
    Analysis(slug="run_evaluation", entry="evaluate", request_name="Request"),
    Analysis(slug="pool_depth", entry="depth_study", request_name="Request"),
    Analysis(slug="error_rate", entry="error_rate", request_name="Request", warm_up_module="experiment"),
    Analysis(slug="rank_resolution", entry="resolve", request_name="Request", warm_up_module="resolution"),
    Analysis(slug="achieved_power", entry="achieved_power", request_name="Request", warm_up_module="answer"),
    Analysis(slug="judge_study", entry="study", request_name=None),
    Analysis(slug="repeats", entry="answer", request_name=None),
    Analysis(slug="stability", entry="stability", request_name="Request"),
    Analysis(slug="topic_subsets", entry="subset_curve", request_name="Request", warm_up_module="curve"),
    Analysis(slug="topic_subsets.held_out", entry="held_out_curve", request_name="HeldOutRequest"),
    Analysis(slug="topic_variance", entry="topic_variance", request_name="Request", warm_up_module="result"),
    Analysis(
        slug="training_sensitivity",
        entry="training_sensitivity",
        request_name="Request",
        warm_up_module="experiment",
    ),
)
"""All rooms. Add a new one here; everything else that goes over all analyses is derived."""

__all__ = ["ANALYSES", "Analysis"]
