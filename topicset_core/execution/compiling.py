"""Compiled loops, kept for later processes where that is possible, and compiled in each process where it is not."""

import logging
from collections.abc import Callable
from functools import cache
from typing import Any

from numba import njit
from numba.core.caching import FunctionCache

_log = logging.getLogger(__name__)


class _Kept(FunctionCache):
    """Code on disk, as of `cache=True`; a full disk, or a file that cannot be read, costs only time."""

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        try:
            return super().load_overload(sig, target_context)  # type: ignore[no-untyped-call]
        except OSError as error:
            return _note(error.strerror)
        except Exception:
            return self._forget()

    def save_overload(self, sig: Any, data: Any) -> None:
        try:
            super().save_overload(sig, data)  # type: ignore[no-untyped-call]
        except OSError as error:
            _note(error.strerror)

    def _forget(self) -> None:
        """Begin an empty index, which names no damaged file."""
        try:
            self.flush()  # type: ignore[no-untyped-call]
        except OSError as error:
            _note(error.strerror)


@cache  # once per process and reason
def _note(reason: str | None) -> None:
    _log.warning(
        "Compiled code is not kept, so that each process compiles it again, for up to a minute. Let "
        "NUMBA_CACHE_DIR name a folder that can be written. The reason: %s.",
        reason,
    )


def kernel(**options: Any) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for Numba with these options, without the lock of the interpreter."""

    def compiled(function: Callable[..., Any]) -> Any:
        result = njit(nogil=True, **options)(function)
        try:
            result._cache = _Kept(function)  # type: ignore[no-untyped-call]
        except RuntimeError:  # what Numba raises where it finds no folder
            _note("no folder was found for it")
        return result

    return compiled
