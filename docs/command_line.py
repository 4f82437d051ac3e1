"""Write the reference of the command line from the commands themselves."""

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Any

from sfumato.display import Table, text_column

INTRODUCTION = """# Command line

Results go to the standard output, messages and progress to the standard error. No message holds a record's values.

| Exit code | Means |
| --- | --- |
| 0 | it went well |
| 1 | a bad input, a run that failed, or a file that could not be verified |
| 2 | wrong usage |
| 3 | no candidate meets the limits of a study, and its results are written; or a table is not safe |
| 130 | interrupted; a study keeps what is done |
"""


def command_line_page() -> str:
    """Return the page of all commands, or nothing where there is no command line."""
    if find_spec("sfumato.cli.commands") is None:
        return ""
    from typer.main import get_command

    from sfumato.cli.commands import app

    command = get_command(app)
    return "\n".join([INTRODUCTION, *_commands(command, "sfumato")])


def _commands(command: Any, name: str) -> Iterator[str]:
    """Yield the lines about a command, or about each command of a group."""
    if hasattr(command, "commands"):
        for part, sub in sorted(command.commands.items()):
            if not sub.hidden:
                yield from _commands(sub, f"{name} {part}")
        return
    yield f"## {name}\n"
    yield f"{(command.help or '').strip()}\n"
    arguments = [parameter for parameter in command.params if parameter.param_type_name == "argument"]
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    yield f"```text\n{' '.join([name, *map(_placeholder, arguments), *(['[OPTIONS]'] if options else [])])}\n```\n"
    yield from _table("Argument", [(f"`{_placeholder(argument)}`", argument) for argument in arguments])
    yield from _table("Option", [(_spellings(option), option) for option in options if not option.hidden])


def _table(title: str, rows: list[tuple[str, Any]]) -> Iterator[str]:
    if rows:
        meanings = tuple((spelling, _meaning(parameter)) for spelling, parameter in rows)
        yield Table((text_column(title), text_column("Meaning")), meanings).to_markdown()
        yield ""


def _placeholder(argument: Any) -> str:
    word = (argument.metavar or argument.name).upper() + ("..." if argument.nargs == -1 else "")
    return word if argument.required else f"[{word}]"


def _spellings(option: Any) -> str:
    return ", ".join(f"`{spelling}`" for spelling in sorted([*option.opts, *option.secondary_opts], key=len))


def _meaning(parameter: Any) -> str:
    text = " ".join((getattr(parameter, "help", "") or "").split())
    default = parameter.default
    if parameter.required and parameter.param_type_name == "option":
        return f"{text} Required."
    is_plain = isinstance(default, str | int | float) and not isinstance(default, bool)
    return f"{text} Default: `{default}`." if is_plain else text
