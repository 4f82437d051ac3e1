"""Serve the workbench to the browser of this machine, until it is stopped or no tab was open for a while."""

import asyncio
import secrets
import socket
import webbrowser
from collections.abc import Callable
from time import monotonic
from typing import TYPE_CHECKING
from urllib.parse import unquote

from sfumato.app.desk import Desk
from sfumato.app.guard import Guard
from sfumato.app.lanes import wait_for_ended
from sfumato.app.opening import ProjectPlace
from sfumato.app.uploads import FOLDER, NAME, UPLOAD, save_upload
from sfumato.errors import FileError, SfumatoError

if TYPE_CHECKING:
    import uvicorn
    from fastapi import FastAPI

HOST = "127.0.0.1"
SECONDS_BETWEEN_LOOKS = 5.0
MAX_UPLOAD = 500_000_000  # bytes
BAD_REQUEST = 400
MAX_SECONDS_TO_END = 3  # for tabs that do not answer, as those of a machine that sleeps


def serve(
    desk: Desk,
    first: ProjectPlace | None = None,
    *,
    port: int = 0,
    opens_browser: bool = True,
    idle_minutes: float = 60.0,
    max_upload: int = MAX_UPLOAD,
    on_ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve projects until the process is interrupted, or nobody has had a page open for a while.

    Parameters
    ----------
    desk
        The folders from which files may be opened.
    first
        The project that is opened at once; a file is chosen on the page if there is none.
    port
        The port to listen on, on 127.0.0.1 only; a free one when 0.
    opens_browser
        Whether to open the page in the browser.
    idle_minutes
        How long to wait, with no page open and no task under way, before the server ends by itself.
    max_upload
        How large a file may be, in bytes, that the browser brings into a folder.
    on_ready
        Called with the address, which holds the token.
    """
    listener = listen(port)
    token, port = secrets.token_urlsafe(32), listener.getsockname()[1]
    address = f"http://{HOST}:{port}/?token={token}"

    async def run() -> None:
        key = None if first is None else await desk.open(first)  # its processes start while the page's library loads
        application = build_application(desk, key, max_upload)
        import uvicorn

        guard = Guard(application, token, port, max_upload=max_upload if desk.folders else 0)
        server = uvicorn.Server(
            uvicorn.Config(
                guard,
                log_level="critical",
                access_log=False,
                server_header=False,
                timeout_graceful_shutdown=MAX_SECONDS_TO_END,
            )
        )
        watch = asyncio.create_task(_stop_when_idle(server, desk, guard, 60 * idle_minutes))
        on_ready(address)
        if opens_browser:
            webbrowser.open(address)
        try:
            await server.serve(sockets=[listener])
        finally:
            watch.cancel()
            desk.close()
            await wait_for_ended()

    asyncio.run(run())


def build_application(desk: Desk, first: str | None, max_upload: int) -> "FastAPI":
    """Make what answers those whom the guard lets through."""
    try:
        from fastapi import FastAPI
        from nicegui import app, ui
    except ImportError:
        raise SfumatoError("the workbench needs NiceGUI; install it with: pip install nicegui") from None
    from sfumato.app.pages import build_pages

    # the bar that the library shows while something loads has no name for screen readers; the page has one of its own
    app.config.quasar_config["loadingBar"] = {"skipHijack": True}
    application = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    build_pages(desk, first, max_upload)
    _take_uploads(application, desk)
    ui.run_with(application, title="Sfumato", language="en-GB", show_welcome_message=False, reconnect_timeout=30.0)
    return application


def _take_uploads(application: "FastAPI", desk: Desk) -> None:
    from fastapi import Request
    from fastapi.responses import PlainTextResponse

    async def upload(request: Request) -> PlainTextResponse:
        name, folder = (unquote(request.headers.get(header, "")) for header in (NAME, FOLDER))
        try:
            await save_upload(request.stream(), desk.path_within(folder), name)
        except SfumatoError as error:
            return PlainTextResponse(str(error), status_code=BAD_REQUEST)
        return PlainTextResponse("")

    application.add_route(UPLOAD, upload, methods=["POST"])


def listen(port: int) -> socket.socket:
    """Return a socket that listens on this machine only."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind((HOST, port))
        listener.listen()  # a browser that comes before the server is ready waits, and is not refused
    except OSError as error:
        listener.close()
        raise FileError(f"port {port} cannot be used: {error.strerror}; choose another, or 0 for a free one") from None
    return listener


async def _stop_when_idle(server: "uvicorn.Server", desk: Desk, guard: Guard, seconds: float) -> None:
    while desk.tasks or monotonic() - guard.last_seen < seconds:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
    server.should_exit = True
