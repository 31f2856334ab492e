"""The installed app at its start: tabs that were open before come back meanwhile; it ends with who started it."""

import asyncio
import os
import shutil
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from zipfile import ZipFile

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.reference_data import REPOSITORY

N_USERS, PAGE = 20, "paired-t-test"  # without kernels: those of the installed app are not compiled
PATIENCE_SECONDS = 120  # against hanging


UNUSED = ("__pycache__", "tests", "build", "*.egg-info", ".git", ".venv", ".*_cache", ".hypothesis")
APP = ("app.py", ".streamlit", "assets", "docs/statements.md", "pages", "server")


def _files(root: Path, *names: str) -> set[str]:
    """Return the files with these names, and those in folders with these names."""
    found = (path for name in names for path in (root / name, *(root / name).rglob("*")) if path.is_file())
    return {path.relative_to(root).as_posix() for path in found if path.parent.name != "__pycache__"}


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build a source archive of the checkout, a wheel of that, and unpack it as an installer does."""
    folder = tmp_path_factory.mktemp("built")
    shutil.copytree(REPOSITORY, folder / "checkout", ignore=shutil.ignore_patterns(*UNUSED))
    for kind, source in (("sdist", folder / "checkout"), ("wheel", folder / "source")):
        build = f"from setuptools import build_meta; print(build_meta.build_{kind}({str(folder)!r}))"
        built = subprocess.run(
            [sys.executable, "-c", build], cwd=source, capture_output=True, text=True, check=True
        )
        file = folder / built.stdout.split()[-1]
        if kind == "sdist":
            subprocess.run([sys.executable, "-m", "tarfile", "-e", file, folder], check=True)
            (folder / file.name.removesuffix(".tar.gz")).rename(folder / "source")
    with ZipFile(file) as wheel:
        wheel.extractall(folder / "installed")
    return folder / "installed"


def _until(port: int, *, is_open: bool) -> None:
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        answers = False
        with suppress(OSError), socket.create_connection(("localhost", port), 1):
            answers = True
        if answers is is_open:
            return
        time.sleep(0.02)
    pytest.fail(f"port {port} is {'closed' if is_open else 'open'}")


async def _opened(port: int) -> bool:
    """Open the page as a browser does; return whether it raised."""
    address, raised = f"ws://localhost:{port}/_stcore/stream", False
    protocol = websockets.Subprotocol("streamlit")
    async with (
        asyncio.timeout(PATIENCE_SECONDS),
        websockets.connect(address, subprotocols=[protocol], max_size=None, ping_interval=None) as tab,
    ):
        request = BackMsg()
        request.rerun_script.page_name = PAGE
        await tab.send(request.SerializeToString())
        while True:
            given = await tab.recv()
            message = ForwardMsg.FromString(given if isinstance(given, bytes) else given.encode())
            raised |= message.delta.new_element.WhichOneof("type") == "exception"
            if message.WhichOneof("type") == "script_finished":
                return raised


async def _all(port: int) -> list[bool]:
    return await asyncio.gather(*(_opened(port) for _ in range(N_USERS)))


@pytest.mark.slow  # it builds a wheel
def test_the_wheel_holds_the_library_and_in_one_folder_of_it_the_app(installed: Path) -> None:
    assert [path.name for path in installed.iterdir() if path.suffix != ".dist-info"] == ["topicset_core"]
    app = {f"topicset_core/_app/{file}" for file in _files(REPOSITORY, *APP)}
    assert _files(installed, "topicset_core") == _files(REPOSITORY, "topicset_core") | app


@pytest.mark.slow  # a server imports for 2 s
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not end it with who started it")
def test_users_who_come_at_once_see_their_page_and_a_killed_server_leaves_its_port(
    installed: Path, tmp_path: Path
) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = subprocess.Popen(
        [sys.executable, "-m", "topicset_core", "app", f"--port={port}"],
        cwd=tmp_path,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"TOPICSET_WARM_UP": "0", "PYTHONPATH": str(installed)},
    )
    try:
        _until(port, is_open=True)
        with ThreadPoolExecutor(
            1
        ) as thread:  # this one has the loop of a browser where one was driven before
            assert sum(thread.submit(asyncio.run, _all(port)).result()) == 0
    finally:
        started.kill()
        started.wait()
    _until(port, is_open=False)
