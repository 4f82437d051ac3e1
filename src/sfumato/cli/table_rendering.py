"""What the commands for tables show: progress on stderr, tables and sentences on stdout."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from rich.progress import BarColumn, TextColumn, TimeElapsedColumn
from rich.progress import Progress as Bar

from sfumato.cli.console import messages, results
from sfumato.tables import Progress
from sfumato.tables.rendering.crosstab import Crosstab

LEGEND = "[p] unsafe   [s] hidden to protect unsafe cells   [h] hidden as given"


@contextmanager
def search_progress() -> Iterator[Callable[[Progress], None]]:
    """Show on stderr, while the block runs, the cost of the best pattern, the proven bound and the gap between them."""
    console = messages()
    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Bar(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("looking for cells to hide", total=None)
        yield lambda progress: bar.update(task, description=progress_line(progress))


def progress_line(progress: Progress) -> str:
    """Return how far a search has come.

    Examples
    --------
    >>> progress_line(Progress(cost=1250.0, bound=1200.0))
    'hidden so far: cost 1,250, at least 1,200, gap 4.0 %'
    >>> progress_line(Progress(cost=float("inf"), bound=1200.0))
    'no safe pattern yet; it will cost at least 1,200'
    """
    if progress.cost == float("inf"):
        return f"no safe pattern yet; it will cost at least {progress.bound:,.6g}"
    return f"hidden so far: cost {progress.cost:,.6g}, at least {progress.bound:,.6g}, gap {progress.gap:.1f} %"


def show_tables(laid: Mapping[str, Crosstab], *, with_legend: bool) -> None:
    """Print tables, as wide as the console is."""
    console = results()
    for name, table in laid.items():
        console.print(f"{name}: {table.title}\n", markup=False, soft_wrap=True)
        console.print(table.to_text(width=console.width), markup=False, soft_wrap=True)
        console.print()
    if with_legend and any(table.has_hidden_cells for table in laid.values()):
        console.print(f"{LEGEND}\n", markup=False, soft_wrap=True)


def show_lines(*lines: str) -> None:
    """Print sentences as results."""
    for line in lines:
        results().print(line, markup=False, soft_wrap=True)


def tell(*lines: str) -> None:
    """Print sentences as messages."""
    for line in lines:
        messages().print(line, markup=False, soft_wrap=True)


def names_of(files: list[Path]) -> list[str]:
    """Return file names as JSON holds them."""
    return [str(file) for file in files]
