"""The application: its own options, and its commands, which lie in the modules beside this one."""

from typing import Annotated

import typer

from sfumato import __version__
from sfumato.cli import (
    analysis_commands,
    app_commands,
    catalogue_commands,
    file_commands,
    key_commands,
    pair_commands,
    report_commands,
    study_commands,
    synthesis_commands,
)
from sfumato.cli.output_commands import outputs_app
from sfumato.cli.publication_commands import publication_app
from sfumato.cli.table_commands import table_app

app = typer.Typer(
    name="sfumato",
    help="Statistical disclosure control: mask microdata, measure what was lost and what an intruder still learns.",
    epilog="Add --debug to any command to see the traceback of an error.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)
app.add_typer(table_app)
app.add_typer(publication_app)
app.add_typer(outputs_app)
for command in (
    catalogue_commands.demo,
    file_commands.init,
    file_commands.describe,
    file_commands.mask,
    synthesis_commands.synthesise,
    pair_commands.assess,
    report_commands.report,
    pair_commands.improve,
    analysis_commands.compare_fits,
    study_commands.compare,
    study_commands.search,
    key_commands.risk,
    key_commands.protect,
    catalogue_commands.methods,
    catalogue_commands.papers,
    file_commands.verify,
    app_commands.app,
):
    app.command()(command)


def _show_version(asked: bool) -> None:
    if asked:
        typer.echo(f"sfumato {__version__}")
        raise typer.Exit


@app.callback()
def _common(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and stop.")
    ] = False,
) -> None:
    """Take the options that come before a command."""
