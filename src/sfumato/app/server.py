"""Serve the workbench to the browser of this machine, until it is stopped or no tab was open for a while."""

import asyncio
import json
import secrets
import socket
import webbrowser
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic
from typing import TYPE_CHECKING

from sfumato.app.guard import Guard
from sfumato.app.project import FACTS, REMARKS, Project, project_folder
from sfumato.errors import FileError, SfumatoError
from sfumato.jobs.init import init
from sfumato.storage.atomic import write_text

if TYPE_CHECKING:
    import uvicorn

    from sfumato.app.workbench import Workbench

HOST = "127.0.0.1"
SECONDS_BETWEEN_LOOKS = 5.0
PROPOSED = "proposed.schema.yaml"


def open_project(target: Path) -> Project:
    """Open the project of a file, or begin one beside it; a project's folder is opened as it is."""
    target = target.expanduser()
    if (target / FACTS).exists():
        return Project.open(target)
    if target.is_dir():
        raise FileError(f"{target} is a folder and no project; name a file, or the folder of a project")
    folder = project_folder(target)
    return Project.open(folder) if folder.exists() else begin_project(folder, target)


def begin_project(folder: Path, file: Path) -> Project:
    """Begin a project with what `init` proposes of the columns."""
    with TemporaryDirectory() as scratch:
        proposed = init(file, Path(scratch) / PROPOSED)
    project = Project.create(folder, file, proposed.schema)
    write_text(folder / REMARKS, json.dumps(proposed.remarks))
    return project


def serve(
    project: Project,
    *,
    port: int = 0,
    opens_browser: bool = True,
    idle_minutes: float = 60.0,
    on_ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve a project until the process is interrupted, or nobody has had the page open for a while.

    Parameters
    ----------
    project
        The project.
    port
        The port to listen on, on 127.0.0.1 only; a free one when 0.
    opens_browser
        Whether to open the page in the browser.
    idle_minutes
        How long to wait, with no page open and no task under way, before the server ends by itself.
    on_ready
        Called with the address, which holds the token.
    """
    try:
        import uvicorn
        from fastapi import FastAPI
        from nicegui import app, ui
    except ImportError:
        raise SfumatoError("the workbench needs NiceGUI; install it with: pip install nicegui") from None
    from sfumato.app.page import build_page
    from sfumato.app.workbench import Workbench

    workbench = Workbench(project)
    # the bar that the library shows while something loads has no name for screen readers; the page has one of its own
    app.config.quasar_config["loadingBar"] = {"skipHijack": True}
    application = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    build_page(workbench)
    ui.run_with(application, title="Sfumato", language="en-GB", show_welcome_message=False, reconnect_timeout=30.0)
    listener = listen(port)
    token, port = secrets.token_urlsafe(32), listener.getsockname()[1]
    guard = Guard(application, token, port)
    server = uvicorn.Server(uvicorn.Config(guard, log_level="critical", access_log=False, server_header=False))

    async def run() -> None:
        watch = asyncio.create_task(_stop_when_idle(server, workbench, guard, 60 * idle_minutes))
        try:
            await server.serve(sockets=[listener])
        finally:
            watch.cancel()
            workbench.close()

    address = f"http://{HOST}:{port}/?token={token}"
    on_ready(address)
    if opens_browser:
        webbrowser.open(address)
    asyncio.run(run())


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


async def _stop_when_idle(server: "uvicorn.Server", workbench: "Workbench", guard: Guard, seconds: float) -> None:
    while workbench.tasks or monotonic() - guard.last_seen < seconds:
        await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
    server.should_exit = True
