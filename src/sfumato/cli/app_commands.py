"""The command that starts the workbench."""

from pathlib import Path
from typing import Annotated

import typer


def app(
    file: Annotated[
        Path | None, typer.Argument(help="The file to release, or the folder of a project; chosen on the page if none.")
    ] = None,
    folders: Annotated[
        list[Path] | None,
        typer.Option("--folder", help="Without FILE: a folder to choose files from; this one if none is named."),
    ] = None,
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; a free one when 0.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    idle_minutes: Annotated[
        float, typer.Option("--idle-minutes", min=1, help="End when no page was open for so long.")
    ] = 60.0,
    max_upload: Annotated[
        int, typer.Option("--max-upload", min=0, help="The largest file that the browser may bring, in MB.")
    ] = 500,
) -> None:
    """Open the workbench in the browser of this machine; every action is kept in a folder beside the file."""
    from sfumato.app.desk import Desk
    from sfumato.app.opening import find_project
    from sfumato.app.server import serve

    if file is not None and folders:
        raise typer.BadParameter("name a file, or folders to choose one from, not both")
    serve(
        Desk(() if file is not None else folders or [Path()]),
        None if file is None else find_project(file),
        port=port,
        opens_browser=not no_browser,
        idle_minutes=idle_minutes,
        max_upload=max_upload * 1_000_000,
        on_ready=lambda address: typer.echo(f"{address}\nStop it with Ctrl-C; every action is saved.", err=True),
    )
