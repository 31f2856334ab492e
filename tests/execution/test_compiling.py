"""Kernels run where their compiled code cannot be kept: a disk that is full, or no folder that can be written."""

import errno
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from numba import config
from numba.core.caching import CompileResultCacheImpl, IndexDataCacheFile

from topicset_core.execution import compiling
from topicset_core.execution.compiling import kernel


@pytest.fixture(autouse=True)
def _new_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    compiling._note.cache_clear()


def _twice() -> Callable[[int], int]:
    def twice(number: int) -> int:
        return 2 * number

    return kernel()(twice)


def test_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    assert _twice()(21) == 42
    assert list(tmp_path.rglob("*.nbc"))
    again = _twice()
    assert again(21) == 42
    assert sum(again.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]


@pytest.mark.parametrize("kind", ["nbi", "nbc"])
@pytest.mark.parametrize("left", [slice(0), slice(100), slice(40, None)])
def test_damaged_code_is_compiled_and_kept_anew(tmp_path: Path, kind: str, left: slice) -> None:
    assert _twice()(21) == 42
    (path,) = tmp_path.rglob(f"*.{kind}")
    path.write_bytes(path.read_bytes()[left])
    assert _twice()(21) == 42
    mended = _twice()
    assert mended(21) == 42
    assert sum(mended.stats.cache_hits.values()) == 1  # type: ignore[attr-defined]


def test_a_full_disk_is_noted_once(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    def save(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), "a-temporary-name")

    monkeypatch.setattr(IndexDataCacheFile, "save", save)
    assert _twice()(21) == 42
    assert _twice()(21) == 42
    (note,) = caplog.messages
    assert "NUMBA_CACHE_DIR" in note
    assert os.strerror(errno.ENOSPC) in note


def test_a_user_without_a_folder_has_all_kernels(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(CompileResultCacheImpl, "_locator_classes", [])
    assert _twice()(21) == 42
    assert "NUMBA_CACHE_DIR" in caplog.text
