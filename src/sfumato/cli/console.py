"""Where things are shown: results on stdout, messages and progress on stderr."""

import json
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn
from rich.table import Table

from sfumato.recipe import Progress as Steps

NOT_MET = 3  # the exit code when a stated limit is not met
PLAIN_WIDTH = 120  # when the result goes to a file or a pipe


def results() -> Console:
    """Return the console for results."""
    console = Console(highlight=False)
    return console if console.is_terminal else Console(highlight=False, width=PLAIN_WIDTH)


def messages() -> Console:
    """Return the console for messages and progress."""
    return Console(stderr=True, highlight=False)


def print_json(result: Any) -> None:
    """Print a result for machines."""
    results().print(json.dumps(result, indent=2, ensure_ascii=False), soft_wrap=True, markup=False)


def as_sentences(remarks: Iterable[str]) -> list[str]:
    """Return remarks as sentences, with a capital and a full stop."""
    return [f"{remark[:1].upper()}{remark[1:]}." for remark in remarks]


def table(title: str, *columns: str, numbers: tuple[str, ...] = ()) -> Table:
    """Return an empty table; the columns named in `numbers` are set flush right."""
    made = Table(title=title, title_justify="left", title_style="bold", header_style="bold", pad_edge=False)
    for column in columns:
        made.add_column(column, justify="right" if column in numbers else "left", overflow="fold")
    return made


@contextmanager
def step_progress() -> Iterator[Any]:
    """Show the progress of a recipe's steps on stderr while the block runs; yields what `Recipe.run` calls."""
    console = messages()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    bar = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with bar:
        task = bar.add_task("reading", total=None)

        def told(progress: Steps) -> None:
            description = f"step {progress.step} of {progress.steps}: {progress.name}"
            bar.update(task, description=description, completed=progress.block, total=progress.blocks)

        yield told


@contextmanager
def working(description: str) -> Iterator[None]:
    """Show on stderr that something is being done, and for how long, while the block runs."""
    console = messages()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        bar.add_task(description, total=None)
        yield
