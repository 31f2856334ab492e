"""A real server at its start: tabs that were open before come back while it begins; it ends with who started it."""

import asyncio
import os
import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import pytest
import websockets
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from tests.reference_data import REPOSITORY

N_USERS, PAGE = 20, "error-rate"
PATIENCE_SECONDS = 120  # against hanging


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


@pytest.mark.slow  # a server imports for 2 s
@pytest.mark.skipif(sys.platform != "linux", reason="other systems do not end it with who started it")
def test_users_who_come_at_once_see_their_page_and_a_killed_server_leaves_its_port() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    started = subprocess.Popen(
        [sys.executable, "serve.py", f"--server.port={port}"],
        cwd=REPOSITORY,
        stdout=subprocess.DEVNULL,
        env=os.environ | {"TOPICSET_WARM_UP": "0"},
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
