"""Compare the protections that a specification names: what each costs, and how safe it is."""

from collections.abc import Container
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from sfumato.files import ReadOptions
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.jobs.tables._table_stages import FORMAT, load_specification, load_tables, report_search
from sfumato.storage.atomic import write_text
from sfumato.table_specification import find_unsafe_cells, protect_tables
from sfumato.table_specification.protect_tables import check_rules
from sfumato.tables import ProtectedCells, ProtectionComparison, compare_protections
from sfumato.tables.comparison.protection_comparison import CONFIDENTIAL

ONLY_ONE = "There is one protection only; add others to 'protections' to compare it with."


@dataclass(frozen=True, kw_only=True)
class TableCompareResult(JobResult):
    """The same measures for each protection."""

    comparison: ProtectionComparison

    def to_dict(self) -> dict[str, Any]:
        """Return the measures of each protection."""
        return {"format": FORMAT, "protections": [asdict(each) for each in self.comparison.measures]}

    def __str__(self) -> str:
        return str(self.comparison)


def table_compare(
    specification_file: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    output: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> TableCompareResult:
    """Protect the tables in every way that the specification names, and measure what each comes to.

    Parameters
    ----------
    specification_file
        The specification file.
    options
        How its data are to be read.
    output
        File for a page of the measures.
    on_progress
        Called with each stage.
    """
    specification = load_specification(specification_file)
    specified = load_tables(specification, options, on_progress)
    check_rules(specification, specified)
    outcomes: dict[str, ProtectedCells] = {}
    for protection in specification.protections:
        found = protect_tables(specification, specified, protection, on_progress=report_search(on_progress))
        outcomes[unused_name(protection.name(), outcomes)] = found.outcome
    on_progress(Stage("comparing"))
    compared = compare_protections(outcomes, find_unsafe_cells(specification, specified).problem)
    notices = (ONLY_ONE, CONFIDENTIAL) if len(outcomes) == 1 else (CONFIDENTIAL,)
    if output is not None:
        facts = [f"{name}: {outcome}." for name, outcome in outcomes.items()]
        title = f"Protections of {', '.join(specified.tables)}"
        write_text(Path(output).expanduser(), compared.to_page(title, facts))
        notices = (*notices, f"{output} has the measures, and what they say.")
    return TableCompareResult(comparison=compared, notices=notices)


def unused_name(name: str, used: Container[str]) -> str:
    """Return a name, with a number where it is used already.

    Examples
    --------
    >>> unused_name("controlled_rounding", {}), unused_name("controlled_rounding", {"controlled_rounding"})
    ('controlled_rounding', 'controlled_rounding 2')
    """
    number = 1
    while (numbered := name if number == 1 else f"{name} {number}") in used:
        number += 1
    return numbered
