"""Keep others out: names of this machine only, a token, one origin, a cap on what is sent, headers on all answers."""

import hmac
from collections.abc import Awaitable, Callable, MutableMapping
from http.cookies import CookieError, SimpleCookie
from time import monotonic
from typing import Any
from urllib.parse import parse_qs

from sfumato.app.uploads import UPLOAD

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Message, Receive, Send], Awaitable[None]]

COOKIE = "sfumato"
MAX_BYTES = 4 * 2**20  # of one request, but for a file that is brought here
MISDIRECTED, FORBIDDEN, TOO_LARGE = 421, 403, 413
POLICY_VIOLATION = 1008  # the code with which a socket is closed
REASONS = {
    MISDIRECTED: "This page answers this machine only.",
    FORBIDDEN: "Open the address that `sfumato app` printed: it holds the token that this page asks for.",
    TOO_LARGE: "More was sent than this page takes.",
}
POLICY = (
    "default-src 'self'; script-src 'self' 'unsafe-inline' 'unsafe-eval'; style-src 'self' 'unsafe-inline'; "
    "img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self' ws://{host}; "
    "frame-ancestors 'none'; base-uri 'none'; form-action 'self'; object-src 'none'"
)


class Guard:
    """Let requests and sockets through to an application that come from this machine's own page.

    The page's library compiles templates in the browser, so the policy must allow scripts of the page to be evaluated;
    it allows none from elsewhere.

    Parameters
    ----------
    application
        What answers those who are let through.
    token
        What the address must hold at first, and a cookie later.
    port
        The port that the server listens on.
    max_bytes
        How much one request may send.
    max_upload
        How much a request to the address of uploads may send.
    """

    def __init__(
        self, application: Application, token: str, port: int, max_bytes: int = MAX_BYTES, max_upload: int = 0
    ) -> None:
        self._application = application
        self._token = token
        self._hosts = {f"{name}:{port}" for name in ("127.0.0.1", "localhost")}
        self._max_bytes, self._max_upload = max_bytes, max_upload
        self.last_seen = (
            monotonic()
        )  # when somebody who was let through last sent something; an open page does so often

    async def __call__(self, scope: Message, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        headers = {name.decode("latin1").lower(): value.decode("latin1") for name, value in scope["headers"]}
        has_token = self._is_token(parse_qs(scope.get("query_string", b"").decode("latin1")).get("token", [""])[0])
        cap = self._max_upload if scope.get("path") == UPLOAD and scope["type"] == "http" else self._max_bytes
        status = self._refusal(headers, has_token, cap)
        if status:
            await _refuse(scope, send, status)
            return
        await self._application(
            scope, self._capped(receive, cap), self._with_headers(send, headers["host"], sets_cookie=has_token)
        )

    def _refusal(self, headers: dict[str, str], has_token: bool, cap: int) -> int:
        """Return why a request is refused, as a status, or 0."""
        origin = headers.get("origin")
        if headers.get("host") not in self._hosts or (origin and origin.removeprefix("http://") not in self._hosts):
            return MISDIRECTED
        length = headers.get("content-length", "0")
        if not length.isdigit() or int(length) > cap:
            return TOO_LARGE
        return 0 if has_token or self._is_token(_cookie(headers.get("cookie", ""))) else FORBIDDEN

    def _is_token(self, text: str) -> bool:
        return hmac.compare_digest(text.encode(), self._token.encode())

    def _capped(self, receive: Receive, cap: int) -> Receive:
        """Return `receive` for requests that may not say, or may lie about, how much they send."""
        received = 0

        async def receive_capped() -> Message:
            nonlocal received
            message = await receive()
            self.last_seen = monotonic()
            received += len(message.get("body", b""))
            return {"type": "http.disconnect"} if received > cap else message

        return receive_capped

    def _with_headers(self, send: Send, host: str, *, sets_cookie: bool) -> Send:
        added = {
            "content-security-policy": POLICY.format(host=host),
            "x-content-type-options": "nosniff",
            "referrer-policy": "no-referrer",
            "cache-control": "no-store",
        }
        if sets_cookie:
            added["set-cookie"] = f"{COOKIE}={self._token}; HttpOnly; SameSite=Strict; Path=/"
        extra = [(name.encode(), value.encode()) for name, value in added.items()]

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                kept = [header for header in message.get("headers", ()) if header[0].lower() != b"cache-control"]
                message = {**message, "headers": [*kept, *extra]}
            await send(message)

        return send_guarded


def _cookie(header: str) -> str:
    try:
        found = SimpleCookie(header).get(COOKIE)
    except CookieError:
        return ""
    return found.value if found else ""


async def _refuse(scope: Message, send: Send, status: int) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    headers = [(b"content-type", b"text/plain; charset=utf-8"), (b"x-content-type-options", b"nosniff")]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": REASONS[status].encode()})
