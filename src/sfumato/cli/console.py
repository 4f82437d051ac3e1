"""Where things are shown: results on stdout, messages and progress on stderr."""

import json
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console, JustifyMethod
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.prompt import Prompt
from rich.table import Table as RichTable

from sfumato.cli.option_names import name_options
from sfumato.display import ColumnKind, Table
from sfumato.display.table import as_cell
from sfumato.errors import ParameterError
from sfumato.jobs.progress import Stage
from sfumato.jobs.result import JobEnding, JobResult

if TYPE_CHECKING:
    from sfumato.jobs._column_doubts import Question

EXIT_CODES = {JobEnding.DONE: 0, JobEnding.FAILED: 1, JobEnding.NOT_MET: 3, JobEnding.INTERRUPTED: 130}
PLAIN_WIDTH = 120  # when the result goes to a file or a pipe


def results() -> Console:
    """Return the console for results."""
    console = Console(highlight=False)  # as wide as the terminal, or as COLUMNS says
    is_told = console.is_terminal or os.environ.get("COLUMNS", "").isdigit()
    return console if is_told else Console(highlight=False, width=PLAIN_WIDTH)


def messages() -> Console:
    """Return the console for messages and progress."""
    return Console(stderr=True, highlight=False)


def show(result: JobResult, *texts: str, as_json: bool) -> None:
    """Print a result, then its notices, and end the command with the exit code of how the job ended.

    `texts` are printed in place of what the result shows by itself.
    """
    if as_json:
        print_json(result.to_dict())
    else:
        for number, part in enumerate(texts or result.parts()):
            print_part(part, is_first=not number)
    for notice in result.notices:
        messages().print(name_options(notice), markup=False, soft_wrap=True)
    if result.ending is not JobEnding.DONE:
        raise typer.Exit(EXIT_CODES[result.ending])


def print_part(part: str | Table, *, is_first: bool) -> None:
    """Print a text or a table with its notes, below an empty line unless it is the first."""
    if not is_first:
        results().print()
    if isinstance(part, str):
        results().print(name_options(part), markup=False, soft_wrap=True)
        return
    results().print(rich_table(part))
    for note in part.notes:
        results().print(name_options(note), markup=False, soft_wrap=True)


def print_json(result: Any) -> None:
    """Print a result for machines."""
    results().print(json.dumps(result, indent=2, ensure_ascii=False), soft_wrap=True, markup=False)


def rich_table(table: Table) -> RichTable:
    """Return a table as the console shows it: framed, and as wide as the console is."""
    framed = RichTable(title=table.title, title_justify="left", title_style="bold", header_style="bold", pad_edge=False)
    for column in table.columns:
        side: JustifyMethod = "right" if column.kind is ColumnKind.NUMBER else "left"
        framed.add_column(escape(column.heading), justify=side, overflow="fold")
    for row in table.rows:
        framed.add_row(*(escape(as_cell(value).text) for value in row))
    return framed


def ask_question(question: "Question") -> str:
    """Ask a question on the terminal; the Enter key takes what is proposed."""
    if not sys.stdin.isatty():
        raise ParameterError(["init asks questions, and there is no terminal to answer them; add --yes"])
    text = escape(question.text)
    return Prompt.ask(text, choices=list(question.choices), default=question.proposed, console=messages())


@contextmanager
def progress() -> Iterator[Callable[[Stage], None]]:
    """Show on stderr, while the block runs, what a job does and how far it is; yields what the job calls."""
    console = messages()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("beginning", total=None)

        def show_stage(stage: Stage) -> None:
            counted = "" if stage.total is None else f" ({stage.done} of {stage.total})"
            bar.update(task, description=f"{stage.description}{counted}", completed=stage.done, total=stage.total)

        yield show_stage
