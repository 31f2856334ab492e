"""Headers of each answer of the server; by the middleware itself, without a server."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config

import serve
from pages.parts.kept_work import COOKIE


def _headers_of(
    given: dict[str, str],
    middleware: Callable[[ASGIApp], ASGIApp] = serve.SecurityHeaders,
    request: dict[str, str] | None = None,
) -> dict[str, str]:
    """Send an answer with some headers through the middleware; return the resulting headers."""
    asks = [(name.encode(), value.encode()) for name, value in (request or {}).items()]
    sent: list[Message] = []

    async def app(_: Scope, __: Receive, send: Send) -> None:
        raw = [(name.encode(), value.encode()) for name, value in given.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    async def answer() -> None:
        await middleware(app)({"type": "http", "scheme": "http", "headers": asks}, receive, send)

    with ThreadPoolExecutor(1) as thread:  # this one has the loop of a browser where one was driven before
        thread.submit(asyncio.run, answer()).result()
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_answers_have_security_headers() -> None:
    result = _headers_of({})
    assert result["x-content-type-options"] == "nosniff"
    assert result["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'self'" in result["content-security-policy"]


def test_headers_that_are_set_stay() -> None:
    assert _headers_of({"referrer-policy": "no-referrer"})["referrer-policy"] == "no-referrer"


def _cookie(**request: str) -> str:
    sent = {name.replace("_", "-"): value for name, value in request.items()}
    return _headers_of({"content-type": "text/html"}, serve.SecretOfTheBrowser, sent).get("set-cookie", "")


def test_the_cookie_is_secure_behind_a_proxy_with_https_and_below_its_path() -> None:
    assert _cookie().endswith("; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax")
    assert _cookie(x_forwarded_proto="https").endswith("; SameSite=Lax; Secure")
    assert not _cookie(cookie=f"{COOKIE}=secret")
    usual = config.get_option("server.baseUrlPath")
    config.set_option("server.baseUrlPath", "/topicset/")
    try:
        assert "; Path=/topicset; " in _cookie()
    finally:
        config.set_option("server.baseUrlPath", usual)
