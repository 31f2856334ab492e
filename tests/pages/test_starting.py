"""How the server starts, without a server: what it says where it cannot."""

import socket

import pytest

import serve


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
