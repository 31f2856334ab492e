"""How the server starts, without a server: what it says where it cannot."""

import socket
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import server.__main__ as serve


def test_a_port_that_another_program_holds_is_named_before_anything_starts(
    capsys: pytest.CaptureFixture[str],
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert serve.main([f"--server.port={port}"]) == 1
        assert serve.main(["--server.port", str(port), "--share"]) == 1
    lines = capsys.readouterr().err.splitlines()
    assert [f"port {port}: Address already in use." in line for line in lines] == [True, True]


def test_an_address_of_another_computer_is_refused() -> None:
    # 192.0.2.0/24 is for documentation only: RFC 5737.
    assert serve._why_not("192.0.2.1", 8501)
    assert serve._why_not("no such name", 8501)


def test_servers_that_start_at_once_on_one_folder_share_its_secret(tmp_path: Path) -> None:
    # One that had made its file, but not yet written into it, gave the other an empty secret or an exception.
    for attempt in range(20):
        store = tmp_path / str(attempt)
        with ThreadPoolExecutor(8) as servers:
            known = set(servers.map(serve._secret_of, [store] * 8))
        assert [len(one) for one in known] == [64]
        assert [one.name for one in store.iterdir()] == ["secret"]


def test_the_server_ends_where_an_interrupt_came_while_it_waited() -> None:
    """Ctrl-C within `Popen.wait` may leave its lock held: the server then once waited for ever."""
    process = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    assert process._waitpid_lock.acquire()  # type: ignore[attr-defined]
    begun = time.monotonic()
    serve._end([process])
    assert time.monotonic() - begun < 30  # generous: against hanging
    process._waitpid_lock.release()  # type: ignore[attr-defined]
    assert process.wait(timeout=30) < 0  # ended by a signal
