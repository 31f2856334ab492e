"""Headers of each answer of the server; by the middleware itself, without a server."""

import asyncio
from concurrent.futures import ThreadPoolExecutor

from starlette.types import Message, Receive, Scope, Send

import serve


def _headers_of(given: dict[str, str]) -> dict[str, str]:
    """Send an answer with some headers through the middleware; return the resulting headers."""
    sent: list[Message] = []

    async def app(_: Scope, __: Receive, send: Send) -> None:
        raw = [(name.encode(), value.encode()) for name, value in given.items()]
        await send({"type": "http.response.start", "status": 200, "headers": raw})

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.disconnect"}

    answered = serve.SecurityHeaders(app)({"type": "http", "headers": []}, receive, send)
    with ThreadPoolExecutor(1) as thread:  # this one has the loop of a browser where one was driven before
        thread.submit(asyncio.run, answered).result()
    return {name.decode(): value.decode() for name, value in sent[0]["headers"]}


def test_answers_have_security_headers() -> None:
    found = _headers_of({})
    assert found["x-content-type-options"] == "nosniff"
    assert found["referrer-policy"] == "same-origin"
    assert "frame-ancestors 'self'" in found["content-security-policy"]


def test_headers_that_are_set_stay() -> None:
    assert _headers_of({"referrer-policy": "no-referrer"})["referrer-policy"] == "no-referrer"
