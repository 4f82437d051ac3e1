"""Tell how far a study has come: a bar on standard error, a call per run, or neither."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SPEED_PERIOD = 1800.0  # seconds over which the speed is taken: runs may be long, and candidates differ


@contextmanager
def progress_of(
    total: int,
    *,
    done: int = 0,
    show: bool | None,
    on_progress: Callable[[int, int], None] | None,
    doing: str = "comparing",
) -> Iterator[Callable[[], None]]:
    """Give a function to call after each run.

    Parameters
    ----------
    total, done
        The number of runs, and of those that were done before.
    show
        Show a bar with the time that remains; only on a terminal, when None.
    on_progress
        Called with the number of runs done and their total.
    doing
        What the bar says is going on.
    """
    with _bar(total, done, _on_terminal() if show is None else show, doing) as advance:

        def one_done() -> None:
            nonlocal done
            done += 1
            advance()
            if on_progress is not None:
                on_progress(done, total)

        yield one_done


def _on_terminal() -> bool:
    return sys.stderr is not None and sys.stderr.isatty()  # a program without a console has no standard error


@contextmanager
def _bar(total: int, done: int, show: bool, doing: str) -> Iterator[Callable[[], None]]:
    if not show:
        yield lambda: None
        return
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeElapsedColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(doing), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), TextColumn("left"))
    remaining = TimeRemainingColumn()
    with Progress(*columns, remaining, console=Console(stderr=True), speed_estimate_period=SPEED_PERIOD) as bar:
        task = bar.add_task(doing, total=total, completed=done)
        yield lambda: bar.advance(task)
