"""The command that starts the workbench."""

from pathlib import Path
from typing import Annotated

import typer


def app(
    file: Annotated[Path, typer.Argument(help="The file to release, or the folder of a project that was begun.")],
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; a free one when 0.")] = 0,
    no_browser: Annotated[bool, typer.Option("--no-browser", help="Only print the address.")] = False,
    idle_minutes: Annotated[
        float, typer.Option("--idle-minutes", min=1, help="End when no page was open for so long.")
    ] = 60.0,
) -> None:
    """Open the workbench in the browser of this machine; every action is kept in a folder beside the file."""
    from sfumato.app.server import open_project, serve

    serve(
        open_project(file),
        port=port,
        opens_browser=not no_browser,
        idle_minutes=idle_minutes,
        on_ready=lambda address: typer.echo(f"{address}\nStop it with Ctrl-C; every action is saved.", err=True),
    )
