"""What the middleware answers, refuses and adds; by itself, without a server."""

import asyncio
import errno
import logging
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, runtime

from pages.parts import tabs
from pages.parts.tabs import BROWSER
from server import middleware
from server.limits import Most
from server.middleware import COOKIE
from server.web import OutOfFiles

_CHANGED = ("server.allowedHosts", "server.baseUrlPath", "server.trustedUserHeaders", "server.address")


@pytest.fixture(autouse=True)
def _usual_options() -> Iterator[None]:
    usual = {name: config.get_option(name) for name in _CHANGED}
    yield
    for name, value in usual.items():
        config.set_option(name, value)


class _Inner:
    """The app behind the middleware: it keeps the requests that reach it, and answers with a page."""

    def __init__(self, given: dict[str, str] | None = None) -> None:
        self.given = {"content-type": "text/html"} if given is None else given
        self.seen: list[dict[str, str]] = []
        self.received: list[Message] = []

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.seen.append({name.decode(): value.decode() for name, value in scope["headers"]})
        if scope["type"] == "websocket":
            while not self.received or self.received[-1]["type"] == "websocket.receive":
                self.received.append(await receive())
        else:
            raw = [(name.encode(), value.encode()) for name, value in self.given.items()]
            await send({"type": "http.response.start", "status": 200, "headers": raw})


def _sent(
    app: ASGIApp,
    kind: str = "http",
    messages: list[Message] | None = None,
    scope: dict[str, Any] | None = None,
    request: dict[str, str] | None = None,
) -> list[Message]:
    """Send a request with these headers, and return what comes back."""
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in (request or {}).items()]
    whole = {"type": kind, "scheme": kind.replace("websocket", "ws"), "method": "GET", "path": "/"}
    left, sent = list(messages or [{"type": f"{kind}.disconnect"}]), []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return left.pop(0)

    async def answer() -> None:
        await app(whole | {"headers": raw} | (scope or {}), receive, send)

    with ThreadPoolExecutor(1) as thread:  # this one has the loop of a browser where one was driven before
        thread.submit(asyncio.run, answer()).result()
    return sent


def _headers_of(app: ASGIApp, **request: str) -> dict[str, str]:
    return {name.decode(): value.decode() for name, value in _sent(app, request=request)[0]["headers"]}


def _status(app: ASGIApp, kind: str = "http", scope: Any = None, **request: str) -> int:
    first, *_ = [*_sent(app, kind, None, scope, request), {"type": "passed"}]
    return {"passed": 101, "websocket.close": 403}.get(first["type"]) or first["status"]


def test_answers_have_security_headers() -> None:
    result = _headers_of(middleware.SecurityHeaders(_Inner()))
    assert result["x-content-type-options"] == "nosniff"
    assert result["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'self'" in result["content-security-policy"]


def test_headers_that_are_set_stay() -> None:
    app = middleware.SecurityHeaders(_Inner({"referrer-policy": "no-referrer"}))
    assert _headers_of(app)["referrer-policy"] == "no-referrer"


@pytest.mark.parametrize("kind", ["http", "websocket"])
@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("localhost:8501", True),
        ("LOCALHOST.:8501", True),
        ("127.0.0.1", True),
        ("[::1]:8501", True),
        ("192.168.1.7:8501", True),  # no name that could be pointed here
        ("topics.example.org", True),
        ("a.lab.example.org", True),
        ("lab.example.org.evil.example", False),
        ("evil.example:8501", False),
        ("localhost.evil.example", False),
        ("user@localhost", True),  # the name is localhost
        ("localhost@evil.example", False),
        ("[evil", False),
    ],
)
def test_other_names_are_refused(host: str, is_own: bool, kind: str) -> None:
    config.set_option("server.allowedHosts", ["Topics.Example.org", "*.lab.example.org"])
    app = middleware.OwnNamesOnly(_Inner())
    given = {"host": host} | ({"origin": f"http://{host}"} if kind == "websocket" else {})
    assert (_status(app, kind, None, **given) != 403) == is_own


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://localhost:9", "file://", "http://localhost.evil"]
)
def test_pages_of_other_sites_are_refused_without_asking_anyone(
    origin: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.getaddrinfo", None)
    app = middleware.OwnNamesOnly(_Inner())
    assert _status(app, "websocket", host="localhost:8501", origin=origin) == 403
    assert _status(app, "http", {"method": "PUT"}, host="localhost:8501", origin=origin) == 403
    assert _status(app, "http", host="localhost:8501", origin=origin) == 200  # a link may lead here
    assert _status(app, "websocket", host="localhost:8501", origin="http://localhost:8501") == 101
    assert _status(app, "websocket", host="localhost:8501") == 101  # no browser


def test_a_refusal_names_the_option() -> None:
    *_, body = _sent(middleware.OwnNamesOnly(_Inner()), request={"host": "elsewhere.example"})
    assert b"'elsewhere.example'" in body["body"]
    assert b"--server.allowedHosts" in body["body"]


@pytest.mark.parametrize("path", ["/_stcore/metrics", "/topicset/_stcore/script-health-check"])
@pytest.mark.parametrize(
    ("client", "forwarded", "status"),
    [("127.0.0.1", "", 200), ("10.0.0.5", "", 200), ("10.0.0.6", "", 404), ("127.0.0.1", "10.0.0.6", 404)],
)
def test_metrics_are_for_this_computer(path: str, client: str, forwarded: str, status: int) -> None:
    scope = {"path": path, "client": (client, 5), "server": ("10.0.0.5", 8501)}
    given = {"x_forwarded_for": forwarded} if forwarded else {}
    assert _status(middleware.ForTheOperator(_Inner()), "http", scope, **given) == status


def _new_cookie(app: ASGIApp, **request: str) -> str:
    return _headers_of(app, **request).get("set-cookie", "")


def test_the_cookie_is_secure_behind_a_proxy_with_https_and_below_its_path() -> None:
    app = middleware.SecretOfTheBrowser(_Inner())
    assert _new_cookie(app).endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")
    secure = _new_cookie(app, x_forwarded_proto="https")
    assert secure.startswith(f"__Host-{COOKIE}=")
    assert secure.endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure")
    config.set_option("server.baseUrlPath", "/lab/topicset/")
    app = middleware.SecretOfTheBrowser(_Inner())
    assert "; Path=/lab/topicset; " in _new_cookie(app)
    # Browsers take a name with __Host- for the path / only.
    assert _new_cookie(app, x_forwarded_proto="https").startswith(f"__Host-{COOKIE}-lab-topicset=")


def test_only_an_issued_secret_is_taken() -> None:
    inner = _Inner()
    app = middleware.SecretOfTheBrowser(inner)

    def browser(**request: str) -> str:
        set_again = _new_cookie(app, **request)
        result = inner.seen.pop().get(BROWSER, "")
        assert bool(set_again) != bool(result)  # who has none gets one
        return result

    first, second = (_new_cookie(app).partition(";")[0] for _ in range(2))
    inner.seen.clear()
    mine = browser(cookie=first)
    assert len(mine) == 64
    assert browser(cookie=f"a=1; {first}; b") == mine != browser(cookie=second)
    invented = f"{COOKIE}={'A' * 43}"
    assert browser(cookie=invented) == browser(cookie=f"{invented}.{'0' * 64}") == browser() == ""
    assert browser(cookie=first + "0") == browser(cookie=f"{COOKIE}=é") == ""
    assert browser(cookie=f"{invented}; {first}") == mine
    assert browser(cookie=f"{first}; {second}") == ""  # one of them was planted
    assert browser(**{BROWSER: mine}) == ""  # by the cookie only
    assert browser(**{"cookie": first, BROWSER: "other"}) == mine
    # Over HTTPS another computer of the domain can set the plain name, but not the other one.
    assert browser(cookie=first, x_forwarded_proto="https") == ""
    secure = _new_cookie(app, x_forwarded_proto="https").partition(";")[0]
    inner.seen.clear()
    assert browser(cookie=f"{first}; {secure}", x_forwarded_proto="https") == browser(cookie=secure)
    other_server = middleware.SecretOfTheBrowser(inner)
    other_server.key = b"of another server"
    assert other_server._is_own(first.partition("=")[2]) is False


class _Session:
    """A live session that counts its runs."""

    def __init__(self) -> None:
        self.session, self.n_runs, self._client_state = self, 0, object()

    def request_rerun(self, state: object) -> None:
        assert state is self._client_state  # any other one leads to the first page
        self.n_runs += 1


class _Runtime:
    """A runtime with files of sessions, and with one live session."""

    def __init__(self, **files: int) -> None:
        self.uploaded_file_mgr = self._session_mgr = self
        self.file_storage = {name: {"0": _File(n)} for name, n in files.items()}
        self.live = _Session()

    def get_active_session_info(self, session: str) -> _Session | None:
        return self.live if session == "mine" else None


class _File:
    def __init__(self, n_bytes: int) -> None:
        self.data = bytes(n_bytes)


def _upload(app: ASGIApp, length: str, session: str = "mine") -> int:
    scope = {"method": "PUT", "path": f"/topicset/_stcore/upload_file/{session}/file"}
    return _status(app, "http", scope, **({"content_length": length} if length else {}))


def test_uploads_are_bounded_by_session_and_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    running = _Runtime(mine=60, other=30)
    monkeypatch.setattr(runtime, "exists", lambda: True)
    monkeypatch.setattr(runtime, "get_instance", lambda: running)
    at_once: list[dict[str, int]] = []

    async def inner(*request: Any) -> None:
        at_once.append(dict(app.under_way))
        await _Inner()(*request)

    app = middleware.BoundedSizes(inner, uploads=Most(100, 150))
    assert _upload(app, "40") == 200
    assert at_once == [{"mine": 40}]
    assert _upload(app, "41") == 413  # 101 of 100
    assert "the files of one tab" in tabs.told("mine")
    assert running.live.n_runs == 1  # so that the page shows it
    assert _upload(app, "60", "new") == 200
    assert _upload(app, "61", "new") == 413  # 151 of 150
    assert "the files of all users" in tabs.told("new")
    assert tabs.told("nobody") == ""
    assert _upload(app, "") == _upload(app, "-1") == 411
    app.under_way["other"] = 40  # they are not in memory yet
    assert _upload(app, "21", "new") == 413
    assert app.under_way == {"other": 40}


def test_a_full_disk_is_named_on_the_page() -> None:
    async def inner(*_: Any) -> None:
        raise OSError(errno.ENOSPC, "DISK FULL")

    assert _upload(middleware.BoundedSizes(inner), "40", "full") == 507
    assert "DISK FULL" in tabs.told("full")


def test_large_messages_are_bounded_over_all(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [0.0]
    monkeypatch.setattr("server.middleware.time.monotonic", lambda: now[0])
    inner = _Inner()
    app = middleware.BoundedSizes(inner, messages=Most(0, 1_000_000))

    def converse(*sizes: int) -> list[Message]:
        inner.received.clear()
        messages = [{"type": "websocket.receive", "bytes": bytes(size)} for size in sizes]
        return _sent(app, "websocket", [*messages, {"type": "websocket.disconnect"}])

    assert converse(*[100_000] * 20, 600_000, 500_000) == []  # small ones are free; the largest counts
    assert len(inner.received) == 23
    (closed,) = converse(400_001, 5)
    assert closed["code"] == 1009
    assert len(inner.received) == 1  # the app sees the end, and not the message
    assert converse(400_000) == []
    now[0] = 121.0  # Streamlit keeps a session for two minutes after its tab is closed
    assert converse(1_000_000) == []


def test_open_tabs_are_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    async def inner(scope: Scope, receive: Receive, send: Send) -> None:
        await app(scope, receive, send) if nested.pop() else await send({"type": "websocket.accept"})

    nested = [False, True]
    monkeypatch.setattr("server.middleware.most_tabs", lambda: 1)
    app = middleware.BoundedSizes(inner)
    # The second connection is made within the first, which stays open meanwhile.
    assert [message["type"] for message in _sent(app, "websocket", [])] == ["websocket.close"]
    nested.append(False)
    assert [message["type"] for message in _sent(app, "websocket", [])] == ["websocket.accept"]


def test_errors_of_accept_are_logged_once_per_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 1000.0
    monkeypatch.setattr("server.web.time.monotonic", lambda: now)
    only = OutOfFiles()
    full = logging.makeLogRecord({"msg": "socket.accept() out of system resource\nsocket: ..."})
    assert [only.filter(full) for _ in range(3)] == [True, False, False]
    assert only.filter(logging.makeLogRecord({"msg": "another error"}))
    now += 60
    assert only.filter(full)
