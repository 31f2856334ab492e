"""Between the network and Streamlit: which requests are answered, how large they are, and who sent them.

Configuration is read once, when the server starts, and no other computer is asked about anything.
"""

import hashlib
import hmac
import math
import secrets
import socket
import time
from collections import Counter
from collections.abc import Iterator
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import config, runtime

from pages.parts.tabs import BROWSER, tell
from server.limits import CLOSED_SECONDS, MESSAGES, UPLOADS, Most, most_tabs

COOKIE = "topicset_work"
_MONTH_SECONDS = 30 * 86_400
_SMALL = 100_000  # bytes of a message that are not counted


class OwnNamesOnly:
    """Answer to the names of this server only, and no page of another site.

    A page of another site can have the browser of a user call this server, by the server's name or by a name of
    its own that it points to this address (DNS rebinding). An address in digits cannot be such a name. Streamlit
    refuses some of this, but first asks a host on the internet for its own address, while all users wait.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        given = (config.get_option("server.address"), config.get_option("browser.serverAddress"))
        names = ("localhost", socket.gethostname(), *given, *config.get_option("server.allowedHosts"))
        self.names = tuple(name.strip().lower() for name in names if name)
        # Streamlit would check these for websockets only, where localhost and addresses are not among them.
        config.set_option("server.allowedHosts", [])

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it with the reason."""
        refusal = self._refusal(scope) if scope["type"] in ("http", "websocket") else ""
        if not refusal:
            await self.app(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 1008, "reason": refusal})
        else:
            await PlainTextResponse(refusal, 403)(scope, receive, send)

    def _refusal(self, scope: Scope) -> str:
        headers = Headers(scope=scope)
        host, origin = headers.get("host", ""), headers.get("origin")
        if host and not self._is_own(host):
            return (
                f"Topicset does not answer to the name {host[:100]!r}. If it is a name of this server, start "
                "Topicset with --server.allowedHosts and this name."
            )
        changes = scope["type"] == "websocket" or scope["method"] not in ("GET", "HEAD")
        if changes and origin is not None and origin.partition("://")[2].lower() != host.lower():
            return (
                "Topicset takes data from its own pages only. If there is a proxy, it must not change Host."
            )
        return ""

    def _is_own(self, host: str) -> bool:
        try:
            name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
        except ValueError:
            return False
        try:
            return bool(ip_address(name))
        except ValueError:
            return any(
                name == pattern or pattern == "*" or (pattern.startswith("*.") and name.endswith(pattern[1:]))
                for pattern in self.names
            )


class ForTheOperator:
    """Show metrics, and run the app for its health check, for this computer only."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request as if these two addresses did not exist, unless it comes from this computer."""
        is_inner = scope.get("path", "").endswith(("/_stcore/metrics", "/_stcore/script-health-check"))
        if is_inner and not _is_from_here(scope):
            await PlainTextResponse("Not found", 404)(scope, receive, send)
        else:
            await self.app(scope, receive, send)


def _is_from_here(scope: Scope) -> bool:
    client, server = (scope.get(name) or ("", 0) for name in ("client", "server"))
    is_forwarded = "x-forwarded-for" in Headers(scope=scope)
    return not is_forwarded and (client[0] == server[0] or ip_address(client[0] or "::").is_loopback)


class SecretOfTheBrowser:
    """Give each browser a secret in a cookie that no script can read, and tell the app by it who sends a request.

    The secret is signed, so that only those count that this server issued. Over HTTPS its name begins with
    `__Host-`: browsers take it from no other computer of the same domain. Of two secrets that both count, one
    was planted, so none is taken.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.key = config.get_option("server.cookieSecret").encode()
        self.below = config.get_option("server.baseUrlPath").strip("/")
        # `__Host-` needs the path /, so the path of the server is in the name.
        self.secure_name = "-".join(["__Host-" + COOKIE, *self.below.split("/")]).rstrip("-")
        # Streamlit then refuses another browser that takes over a session by its id.
        config.set_option("server.trustedUserHeaders", {BROWSER: "browser"})

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request; a page goes with a new cookie where the browser has none."""
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        given = Headers(scope=scope)
        # A proxy takes HTTPS off and says so. Who forges that harms only the cookie of their own browser.
        is_secure = scope.get("scheme") in ("https", "wss") or given.get("x-forwarded-proto") == "https"
        known = {value for value in _cookies(given, self.secure_name) if self._is_own(value)}
        if not known and not is_secure:
            known = {value for value in _cookies(given, COOKIE) if self._is_own(value)}
        others = [(key, value) for key, value in scope["headers"] if key != BROWSER.encode()]
        if len(known) == 1:
            browser = hashlib.sha256(known.pop().encode()).hexdigest()
            await self.app(
                {**scope, "headers": [*others, (BROWSER.encode(), browser.encode())]}, receive, send
            )
            return

        async def with_cookie(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                if headers.get("content-type", "").startswith("text/html"):
                    name, path, secure = COOKIE, self.below, ""
                    if is_secure:
                        name, path, secure = self.secure_name, "", "; Secure"
                    # Lax: a link in a mail must find the user's work, which Strict would replace by nothing.
                    headers.append(
                        "set-cookie",
                        f"{name}={self._issued()}; Path=/{path}; Max-Age={_MONTH_SECONDS}; HttpOnly; "
                        f"SameSite=Lax{secure}",
                    )
            await send(message)

        await self.app({**scope, "headers": others}, receive, with_cookie)

    def _issued(self) -> str:
        secret = secrets.token_urlsafe(32)
        return f"{secret}.{self._signature(secret)}"

    def _is_own(self, value: str) -> bool:
        secret, _, signature = value.partition(".")
        return hmac.compare_digest(signature.encode(), self._signature(secret).encode())

    def _signature(self, secret: str) -> str:
        return hmac.new(self.key, secret.encode(), "sha256").hexdigest()


def _cookies(headers: Headers, name: str) -> Iterator[str]:
    """Yield all values of a cookie; a browser that has several sends them all."""
    for pair in ";".join(headers.getlist("cookie")).split(";"):
        key, _, value = pair.strip().partition("=")
        if key == name:
            yield value


class BoundedSizes:
    """Bound open tabs, and what uploads and messages take before a page reads them, per session and over all."""

    def __init__(self, app: ASGIApp, uploads: Most = UPLOADS, messages: Most = MESSAGES) -> None:
        self.app = app
        self.uploads, self.messages = uploads, messages
        self.most_tabs, self.n_tabs = most_tabs(), 0
        self.under_way: Counter[str] = Counter()  # bytes of uploads, by session
        self.largest: dict[
            object, tuple[int, float]
        ] = {}  # message of a connection, and until when it counts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse what is too large."""
        folder, session = ("", "", *scope.get("path", "").split("/"))[-3:-1]
        if scope["type"] == "websocket":
            await self._converse(scope, receive, send)
        elif folder == "upload_file" and scope["method"] == "PUT":
            await self._take(session, scope, receive, send)
        else:
            await self.app(scope, receive, send)

    async def _take(self, session: str, scope: Scope, receive: Receive, send: Send) -> None:
        length = Headers(scope=scope).get("content-length", "")
        if not length.isdecimal():
            await PlainTextResponse("An upload must state its size.", 411)(scope, receive, send)
            return
        n_bytes, of_session, of_all = int(length), *self._held(session)
        refusal = ""
        if of_session + n_bytes > self.uploads.of_one:
            refusal = (
                f"A file of {_megabytes(n_bytes)} was not uploaded: the files of one tab may have "
                f"{_megabytes(self.uploads.of_one)} together. Remove some, or upload fewer at a time."
            )
        elif of_all + n_bytes > self.uploads.of_all:
            refusal = (
                f"A file of {_megabytes(n_bytes)} was not uploaded: the files of all users take "
                f"{_megabytes(of_all)} of {_megabytes(self.uploads.of_all)} now. Try again in a few minutes."
            )
        if refusal:
            tell(session, refusal)
            await PlainTextResponse(refusal, 413)(scope, receive, send)
            return
        self.under_way[session] += n_bytes
        try:
            await self.app(scope, receive, send)
        except OSError as error:  # the web server spools files to the disk
            refusal = (
                f"A file of {_megabytes(n_bytes)} was not uploaded: the server cannot store it "
                f"({error.strerror or error}). Try again later, or tell who runs this server."
            )
            tell(session, refusal)
            await PlainTextResponse(refusal, 507)(scope, receive, send)
        finally:
            self.under_way[session] -= n_bytes
            self.under_way += Counter()  # without those of 0

    def _held(self, session: str) -> tuple[int, int]:
        """Return the bytes of files of one session and of all, with those under way."""
        files = (
            getattr(runtime.get_instance().uploaded_file_mgr, "file_storage", {}) if runtime.exists() else {}
        )
        held = {key: sum(len(file.data) for file in [*each.values()]) for key, each in [*files.items()]}
        return (
            held.get(session, 0) + self.under_way[session],
            sum(held.values()) + sum(self.under_way.values()),
        )

    async def _converse(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass messages on, but close the connection where large ones, which sessions keep, take too much."""
        if self.n_tabs >= self.most_tabs:
            await send(
                {"type": "websocket.close", "code": 1013, "reason": "Too many open tabs; try again later"}
            )
            return
        connection = object()
        self.n_tabs += 1

        async def bounded() -> Message:
            message = await receive()
            n_bytes = len(message.get("bytes") or b"")
            if n_bytes <= _SMALL:
                return message
            now = time.monotonic()
            self.largest = {key: value for key, value in self.largest.items() if value[1] > now}
            n_bytes = max(n_bytes, self.largest.pop(connection, (0, 0.0))[0])
            if n_bytes + sum(of_other for of_other, _ in self.largest.values()) > self.messages.of_all:
                await send({"type": "websocket.close", "code": 1009, "reason": "Too many large messages"})
                return {"type": "websocket.disconnect", "code": 1009}
            self.largest[connection] = n_bytes, math.inf
            return message

        try:
            await self.app(scope, bounded, send)
        finally:
            self.n_tabs -= 1
            if connection in self.largest:
                self.largest[connection] = self.largest[connection][0], time.monotonic() + CLOSED_SECONDS


def _megabytes(n_bytes: int) -> str:
    return f"{n_bytes / 1_000_000:,.0f} MB"


_HEADERS = {
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "same-origin",
    "X-Frame-Options": "SAMEORIGIN",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
    # Streamlit needs inline scripts and styles, so these are not restricted.
    "Content-Security-Policy": "default-src 'self'; script-src 'self' 'unsafe-inline' blob:; "
    "style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; worker-src 'self' blob:; "
    "object-src 'none'; frame-ancestors 'self'; base-uri 'self'; form-action 'self'",
}


class SecurityHeaders:
    """Add headers that forbid browsers to misuse pages and files of this server."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request with the headers, where they are not set."""

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in _HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        await self.app(scope, receive, with_headers if scope["type"] == "http" else send)


ALL = [
    Middleware(layer)
    for layer in (SecurityHeaders, OwnNamesOnly, ForTheOperator, SecretOfTheBrowser, BoundedSizes)
]
"""In their order; the first sees a request first."""
