"""What the jobs about tables share: the specification, its tables, and the stages of a search."""

from collections.abc import Callable
from pathlib import Path

from sfumato.files import ReadOptions
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.table_specification import SpecifiedTables, TableSpecification, build_tables
from sfumato.tables import Progress

FORMAT = 1  # of the plain form
NUMBER = ",.6g"


def load_tables(specification: TableSpecification, options: ReadOptions, on_progress: OnProgress) -> SpecifiedTables:
    """Return the tables of a specification."""
    on_progress(Stage("making the tables"))
    return build_tables(specification, options)


def load_specification(file: str | Path) -> TableSpecification:
    """Return the specification in a file."""
    return TableSpecification.load(Path(file).expanduser())


def report_search(on_progress: OnProgress) -> Callable[[Progress], None]:
    """Return what a protection calls so that the progress of its search is reported as stages."""
    on_progress(Stage("protecting"))
    return lambda found: on_progress(Stage(search_line(found)))


def search_line(progress: Progress) -> str:
    """Return how far a search has come.

    Examples
    --------
    >>> search_line(Progress(cost=1250.0, bound=1200.0))
    'best so far: cost 1,250, at least 1,200, gap 4.0 %'
    >>> search_line(Progress(cost=float("inf"), bound=1200.0))
    'no safe pattern yet; it will cost at least 1,200'
    """
    if progress.cost == float("inf"):
        return f"no safe pattern yet; it will cost at least {progress.bound:{NUMBER}}"
    return f"best so far: cost {progress.cost:{NUMBER}}, at least {progress.bound:{NUMBER}}, gap {progress.gap:.1f} %"
