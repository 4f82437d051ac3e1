"""The command line: parse, call, show. Results go to stdout, progress and messages to stderr.

Exit codes: 0 fine, 1 a bad input or failed run, 2 wrong usage, 3 a stated limit is not met, 130 interrupted.
"""

import atexit
import gc
import sys
import warnings
from functools import cache
from typing import Any

from typer.main import get_command

from sfumato.cli.commands import app
from sfumato.cli.freed_memory import keep_freed_memory
from sfumato.cli.option_names import name_options
from sfumato.errors import PluginWarning, SfumatoError

_PYTHON_FORMAT = warnings.formatwarning
OBJECTS_BETWEEN_COLLECTIONS = 100_000  # Python's own 700 take a tenth of loading and compiling; a command is short


def main() -> None:
    """Run the command line, turning errors into one message and an exit code; `--debug` shows the traceback instead."""
    warnings.formatwarning = _format_warning
    gc.set_threshold(OBJECTS_BETWEEN_COLLECTIONS)
    atexit.register(gc.freeze)  # or Python looks again and again for garbage before it ends, half a second in all
    keep_freed_memory()
    arguments = [argument for argument in sys.argv[1:] if argument != "--debug"]
    if len(arguments) < len(sys.argv) - 1:
        app(arguments)
    try:
        _command()(arguments)
    except SfumatoError as error:
        _fail(name_options(str(error)))
    except KeyboardInterrupt:
        _fail("interrupted; nothing was left half-written", code=130)
    except Exception as error:  # its text may hold a record's values, so only its type is shown
        _fail(f"an unexpected {type(error).__name__}; please report it, with what --debug prints if it can be shown")


@cache
def _command() -> Any:
    """Return the command with all its options, which takes a while to put together."""
    return get_command(app)


def _format_warning(
    message: Warning | str, category: type[Warning], filename: str, lineno: int, line: str | None = None
) -> str:
    """Return a warning about another package as one line; any other as Python writes it."""
    if issubclass(category, PluginWarning):
        return f"sfumato: {message}\n"
    return _PYTHON_FORMAT(message, category, filename, lineno, line)


def _fail(message: str, code: int = 1) -> None:
    print(f"sfumato: {message}", file=sys.stderr)  # noqa: T201
    sys.exit(code)
