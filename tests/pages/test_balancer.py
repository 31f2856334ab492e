"""Several server processes behind one address: who is sent to which, and what happens when one ends."""

import asyncio
import importlib.util
import os
import re
import signal
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import AsyncIterator, Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

import balancer
import serve
from balancer import Balancer, number_of
from pages.parts import limits

PATIENCE_SECONDS = 60  # against hanging
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def _run(test: Coroutine[Any, Any, None]) -> None:
    with ThreadPoolExecutor(1) as thread:  # this one has the loop of a browser where one was driven before
        thread.submit(asyncio.run, asyncio.wait_for(test, PATIENCE_SECONDS)).result()


def _process(
    number: int,
) -> Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[Any, Any, None]]:
    """A process that says its number, and then says all that it hears."""

    async def answer(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"%d" % number)
        while content := await reader.read(1000):
            writer.write(content)
            await writer.drain()
        writer.close()

    return answer


@asynccontextmanager
async def _running(n_processes: int) -> AsyncIterator[tuple[Balancer, int]]:
    """Start processes and a balancer, and yield it and its port."""
    servers = [await asyncio.start_server(_process(number), "127.0.0.1", 0) for number in range(n_processes)]
    listening = socket.create_server(("127.0.0.1", 0))
    port = listening.getsockname()[1]
    result = Balancer([server.sockets[0].getsockname()[1] for server in servers], listening)
    try:
        yield result, port
    finally:
        result.end()
        for server in servers:
            server.close()
        await asyncio.sleep(0.01)  # what was closed above ends in the next turn of the loop


async def _sent(port: int, *headers: str) -> Streams:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write("\r\n".join(["GET / HTTP/1.1", *headers, "", ""]).encode())
    return reader, writer


async def _number(port: int, *headers: str) -> int:
    reader, writer = await _sent(port, *headers)
    result = int(await reader.read(1))
    writer.close()
    return result


async def _until_closed(it: Balancer, number: int) -> None:
    while it._open[number]:
        await asyncio.sleep(0.01)


def _cookie(value: str) -> str:
    return f"Cookie: a=1; topicset_work={value}; b=2"


def test_a_browser_stays_with_its_process() -> None:
    async def test() -> None:
        async with _running(3) as (_, port):
            for value in map(str, range(20)):
                mine = number_of(value.encode(), 3)
                assert await _number(port, _cookie(value)) == mine
                secure = f"cookie: __Host-topicset_work-lab-topicset={value}"  # below the path /lab/topicset
                assert await _number(port, secure) == mine

    _run(test())
    assert {number_of(b"%d" % value, 3) for value in range(20)} == {0, 1, 2}


def test_new_browsers_go_where_the_fewest_are() -> None:
    async def test() -> None:
        async with _running(2) as (it, port):
            reader, held = await _sent(port)
            assert await reader.read(1) == b"0"
            for _ in range(3):
                assert await _number(port) == 1
                await _until_closed(it, 1)
            it.ports[1] = None  # it is started again
            assert await _number(port) == 0
            held.close()

    _run(test())


def test_content_passes_both_ways_until_a_side_closes() -> None:
    content = os.urandom(1_000_000)

    async def test() -> None:
        async with _running(1) as (it, port):
            reader, writer = await _sent(port)
            writer.write(content)  # more than buffers hold: it comes back meanwhile
            assert await reader.readexactly(len(content) + 1) == b"0" + content
            writer.close()
            await _until_closed(it, 0)

    _run(test())


def test_a_browser_waits_for_its_process_which_is_started_again() -> None:
    async def test() -> None:
        async with _running(2) as (it, port):
            value = next(value for value in map(str, range(20)) if number_of(value.encode(), 2) == 1)
            known, it.ports[1] = it.ports[1], None
            answer = asyncio.create_task(_number(port, _cookie(value)))
            await asyncio.sleep(0.05)
            assert not answer.done()
            it.ports[1] = known
            assert await answer == 1

    _run(test())


@pytest.mark.parametrize(
    ("seconds", "content"), [(0.05, b"GET / HTTP/1.1\r\nHost: slow"), (PATIENCE_SECONDS, b"x" * 200_000)]
)
def test_a_connection_without_a_request_is_closed(
    monkeypatch: pytest.MonkeyPatch, seconds: float, content: bytes
) -> None:
    monkeypatch.setattr(balancer, "_HEAD_SECONDS", seconds)

    async def test() -> None:
        async with _running(1) as (_, port):
            reader, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.write(content)
            with suppress(ConnectionResetError):  # closed before all was read
                assert await reader.read() == b""
            writer.close()

    _run(test())


def test_processes_share_the_memory_of_all_users(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(limits.WORKER, "1/4")
    spec = importlib.util.spec_from_file_location("limits_of_four", str(limits.__file__))
    assert spec is not None
    assert spec.loader is not None
    mine: Any = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(mine)
    for of_mine, of_all in (
        (mine.MOST_BYTES, limits.MOST_BYTES),
        (mine.UPLOADS.of_all, limits.UPLOADS.of_all),
        (mine.MESSAGES.of_all, limits.MESSAGES.of_all),
    ):
        assert of_mine == of_all // 4
    assert mine.UPLOADS.of_one <= mine.UPLOADS.of_all
    assert limits.OF_RUNS.megabytes == mine.MOST_MEGABYTES_OF_PARSING  # or nobody could upload runs


_STAND_IN = """
import os, sys
from http.server import BaseHTTPRequestHandler, HTTPServer
class Answers(BaseHTTPRequestHandler):
    def do_GET(self):
        mine = self.headers.get("TOPICSET_PARENT") == os.environ["TOPICSET_PARENT"]
        text = f"{os.environ['TOPICSET_WORKER']} {os.getpid()}"
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"ok" if mine else text.encode())
port = next(one.partition("=")[2] for one in sys.argv if one.startswith("--server.port="))
HTTPServer(("127.0.0.1", int(port)), Answers).serve_forever()
"""


def test_a_process_that_ends_is_started_again_and_all_end_together(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "streamlit.py").write_text(_STAND_IN)
    monkeypatch.setattr(serve, "_HERE", tmp_path)
    monkeypatch.setenv("TOPICSET_WARM_UP", "0")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    values = {number_of(str(value).encode(), 2): str(value) for value in range(20)}
    has_ended = threading.Event()

    def answer(number: int) -> tuple[str, int]:
        request = urllib.request.Request(
            f"http://127.0.0.1:{port}/_stcore/metrics", headers={"Cookie": f"topicset_work={values[number]}"}
        )
        with urllib.request.urlopen(request, timeout=PATIENCE_SECONDS) as given:
            worker, pid = given.read().decode().split()
        return worker, int(pid)

    def use() -> list[tuple[str, int]]:
        try:
            until = time.monotonic() + PATIENCE_SECONDS
            while time.monotonic() < until and not has_ended.is_set():
                try:
                    answer(0)
                except (urllib.error.URLError, ConnectionError):
                    time.sleep(0.02)
                else:
                    break
            before = [answer(0), answer(1)]
            os.kill(before[0][1], signal.SIGKILL)
            while True:
                try:
                    after = answer(0)
                except ConnectionError:  # it had a connection of the killed one
                    continue
                return [*before, after, answer(1)]
        finally:
            if not has_ended.wait(0.1):  # where it fails, it may be ending
                signal.raise_signal(signal.SIGTERM)

    handlers = {one: signal.getsignal(one) for one in (signal.SIGINT, signal.SIGTERM)}
    try:
        with ThreadPoolExecutor(1) as thread:
            used = thread.submit(use)
            code = serve.main([f"--server.port={port}", "--workers=2"])
            has_ended.set()
            assert code == 0
            first, second, again, still = used.result()
    finally:
        for one, handler in handlers.items():
            signal.signal(one, handler)
    assert [worker for worker, _ in (first, second, again)] == ["0/2", "1/2", "0/2"]
    assert second == still
    assert again[1] != first[1]
    for _, pid in (second, again):
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)
    assert re.search("process 1 of 2 ended", capfd.readouterr().err)


def test_workers_have_no_https_of_their_own(capsys: pytest.CaptureFixture[str]) -> None:
    assert serve.main(["--workers=2", "--server.sslCertFile=cert.pem"]) == 1
    assert "HTTPS" in capsys.readouterr().err
