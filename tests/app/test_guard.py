"""Nobody but the page of this machine, opened with the token, is answered."""

import asyncio
from typing import Any

import pytest

from sfumato.app.guard import Guard

TOKEN, PORT = "a-token-of-some-length", 8123
HOST = ("host", f"127.0.0.1:{PORT}")
COOKIE = ("cookie", f"sfumato={TOKEN}")


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "websocket":
        await send({"type": "websocket.accept"})
        return
    body = b""
    while (message := await receive())["type"] == "http.request":
        body += message.get("body", b"")
        if not message.get("more_body"):
            break
    gone = message["type"] == "http.disconnect"
    await send(
        {"type": "http.response.start", "status": 499 if gone else 200, "headers": [(b"cache-control", b"public")]}
    )
    await send({"type": "http.response.body", "body": body})


def ask(
    *headers: tuple[str, str],
    query: str = "",
    kind: str = "http",
    chunks: tuple[bytes, ...] = (b"",),
    cap: int = 1000,
    path: str = "/",
) -> list[dict[str, Any]]:
    """Return what the guard sends in answer to a request."""
    sent: list[dict[str, Any]] = []
    waiting = [
        {"type": "http.request", "body": chunk, "more_body": number + 1 < len(chunks)}
        for number, chunk in enumerate(chunks)
    ]

    async def receive() -> dict[str, Any]:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    scope = {
        "type": kind,
        "headers": [(name.encode(), value.encode()) for name, value in headers],
        "query_string": query.encode(),
        "path": path,
    }
    asyncio.run(Guard(application, TOKEN, PORT, cap, 3 * cap)(scope, receive, send))
    return sent


def status(answer: list[dict[str, Any]]) -> int:
    return int(answer[0]["status"])


def test_the_token_opens_the_page_and_becomes_a_cookie_that_scripts_cannot_read() -> None:
    answer = ask(HOST, query=f"token={TOKEN}")
    headers = dict(answer[0]["headers"])
    assert status(answer) == 200
    assert headers[b"set-cookie"] == f"sfumato={TOKEN}; HttpOnly; SameSite=Strict; Path=/".encode()


def test_the_cookie_is_enough_later_and_is_not_sent_again() -> None:
    answer = ask(HOST, COOKIE)
    assert status(answer) == 200
    assert b"set-cookie" not in dict(answer[0]["headers"])


@pytest.mark.parametrize(
    ("headers", "query", "expected"),
    [
        ((HOST,), "", 403),
        ((HOST,), "token=another", 403),
        ((HOST, ("cookie", "sfumato=another")), "", 403),
        ((HOST, ("cookie", "sf umato")), "", 403),
        (((("host", f"evil.example:{PORT}")), COOKIE), "", 421),
        (((("host", "127.0.0.1:1")), COOKIE), "", 421),
        ((COOKIE,), "", 421),
        ((HOST, COOKIE, ("origin", "http://evil.example")), "", 421),
        ((HOST, COOKIE, ("origin", "null")), "", 421),
        ((HOST, COOKIE, ("origin", f"https://127.0.0.1:{PORT}")), "", 421),
        ((HOST, COOKIE, ("content-length", "1001")), "", 413),
        ((HOST, COOKIE, ("content-length", "-1")), "", 413),
    ],
)
def test_everything_else_is_refused(headers: tuple[tuple[str, str], ...], query: str, expected: int) -> None:
    assert status(ask(*headers, query=query)) == expected


def test_a_request_that_sends_more_than_it_says_is_cut_off() -> None:
    assert status(ask(HOST, COOKIE, chunks=(b"x" * 600, b"x" * 600))) == 499
    assert status(ask(HOST, COOKIE, chunks=(b"x" * 500, b"x" * 500))) == 200


def test_a_file_may_be_larger_where_files_are_taken_and_nowhere_else() -> None:
    chunks = (b"x" * 1000, b"x" * 1000)
    assert status(ask(HOST, COOKIE, chunks=chunks, path="/upload")) == 200
    assert status(ask(HOST, COOKIE, chunks=(*chunks, *chunks), path="/upload")) == 499
    assert status(ask(HOST, COOKIE, ("content-length", "3001"), path="/upload")) == 413
    assert status(ask(HOST, COOKIE, ("content-length", "2000"), path="/uploads")) == 413
    assert status(ask(HOST, ("content-length", "10"), path="/upload")) == 403


def test_sockets_of_other_pages_are_closed() -> None:
    own = ("origin", f"http://127.0.0.1:{PORT}")
    assert ask(HOST, COOKIE, own, kind="websocket") == [{"type": "websocket.accept"}]
    for headers in ((HOST, own), (HOST, COOKIE, ("origin", "http://evil.example"))):
        assert ask(*headers, kind="websocket") == [{"type": "websocket.close", "code": 1008}]


def test_answers_allow_nothing_from_elsewhere_and_are_not_kept() -> None:
    headers = dict(ask(HOST, COOKIE)[0]["headers"])
    assert headers[b"cache-control"] == b"no-store"
    assert headers[b"x-content-type-options"] == b"nosniff"
    assert headers[b"referrer-policy"] == b"no-referrer"
    policy = headers[b"content-security-policy"].decode()
    assert "default-src 'self'" in policy
    assert "frame-ancestors 'none'" in policy
    assert "*" not in policy
    assert "https:" not in policy
