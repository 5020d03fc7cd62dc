# SPDX-License-Identifier: GPL-3.0-or-later
"""Who may talk to the server. Every request and every socket passes here first.

A page of another site, open in the same browser, can send requests to this server: its Origin gives
it away. It can also point a host name of its own at this machine: the Host header gives that away.
Other users of the machine do not know the token.
"""

import hmac
import ipaddress
from http import HTTPStatus
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers
from starlette.requests import HTTPConnection
from starlette.responses import HTMLResponse, PlainTextResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
HTTP_PORT = 80
TOKEN_NAME = "token"
READING_METHODS = ("GET", "HEAD")
# A socket that is closed before it is accepted is answered by 403; the code itself is not sent.
REFUSED_SOCKET = 1008

NO_TOKEN = "Open the link that kingcobra web has printed; press Enter there to see it again.\n"
WRONG_HOST = "This server does not answer under that name.\n"
WRONG_ORIGIN = "This server does not answer other sites.\n"

GO_ON = (
    '<!DOCTYPE html><title>Kingcobra</title><link rel="icon" href="/icon.svg">'
    '<meta http-equiv="refresh" content="0; url=/">'
)

# Nothing but this server's own files and its socket; no inline scripts or styles.
CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
SECURITY_HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


class AllowedHosts:
    """The names under which the server may be called, with its port. A server for the whole network
    also answers to every numeric address: those cannot be pointed elsewhere."""

    def __init__(self, host: str, port: int) -> None:
        self._port = port
        self._is_public = not is_loopback(host)
        self._names = {*LOOPBACK_NAMES, host.lower()}

    def allows(self, header: str | None) -> bool:
        """Whether a Host header names this server."""
        if not header:
            return False
        try:
            parts = urlsplit(f"//{header}")
            name, port = parts.hostname, parts.port
        except ValueError:
            return False
        if name is None or parts.netloc != header or parts.path or "@" in header:
            return False
        if (HTTP_PORT if port is None else port) != self._port:
            return False
        return name in self._names or (self._is_public and _is_address(name))


def is_loopback(host: str) -> bool:
    """Whether only this machine can reach the host."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True


class AccessGuard:
    """Lets through what comes from the server's own page and knows the token."""

    def __init__(self, app: ASGIApp, hosts: AllowedHosts, port: int, token: str) -> None:
        self._app = app
        self._hosts = hosts
        self._token = token
        self.cookie_name = f"kingcobra-{port}"

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuses, exchanges the token for a cookie, or calls the application."""
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._answer(scope, headers)
        if scope["type"] == "websocket" and answer is not None:
            await send({"type": "websocket.close", "code": REFUSED_SOCKET, "reason": ""})
            return
        target = self._app if answer is None else answer
        await target(scope, receive, _with_headers(send))

    def _answer(self, scope: Scope, headers: Headers) -> Response | None:
        """What to answer instead of the application; None to let it answer."""
        hosts, origins = headers.getlist("host"), headers.getlist("origin")
        if len(hosts) != 1 or not self._hosts.allows(hosts[0]):
            return _refusal(WRONG_HOST, HTTPStatus.MISDIRECTED_REQUEST)
        # Browsers always send the origin of a socket, and leave it out when a link is followed.
        is_socket = scope["type"] == "websocket"
        if (is_socket or origins) and origins != [f"http://{hosts[0]}"]:
            return _refusal(WRONG_ORIGIN, HTTPStatus.FORBIDDEN)
        if not is_socket and scope["method"] not in READING_METHODS:
            return _refusal("Only GET is answered.\n", HTTPStatus.METHOD_NOT_ALLOWED)
        if not is_socket and scope["path"] == "/":
            query = parse_qs(scope["query_string"].decode("latin-1"))
            if self._is_token(query.get(TOKEN_NAME, [""])[0]):
                return self._cookie_answer()
        # Starlette's parser: the standard library's gives up at a cookie of another server's.
        if not self._is_token(HTTPConnection(scope).cookies.get(self.cookie_name, "")):
            return _refusal(NO_TOKEN, HTTPStatus.FORBIDDEN)
        return None

    def _is_token(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), self._token.encode())

    def _cookie_answer(self) -> Response:
        """The token leaves the address bar. The page goes on by itself: after a redirect of a link
        that was opened from elsewhere, browsers would not send the cookie."""
        response = HTMLResponse(GO_ON)
        response.set_cookie(self.cookie_name, self._token, httponly=True, samesite="strict")
        return response


def _refusal(text: str, status: HTTPStatus) -> Response:
    return PlainTextResponse(text, status)


def _with_headers(send: Send) -> Send:
    """Adds the security headers to an answer."""
    pairs = [(name.lower().encode(), value.encode()) for name, value in SECURITY_HEADERS.items()]

    async def send_with_headers(message: Message) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *pairs]}
        await send(message)

    return send_with_headers
