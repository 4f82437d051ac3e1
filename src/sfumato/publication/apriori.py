"""What is decided of cells beforehand, in the files of tau-Argus (.hst)."""

import csv
from collections.abc import Sequence
from pathlib import Path

from sfumato.data.hierarchy_files import text_of_file
from sfumato.errors import FileError
from sfumato.tables.problem.given_cell import GivenCell, Status

STATUSES = {"u": Status.PROTECT, "p": Status.PUBLISH, "s": Status.SAFE}
COST, LEVELS = "c", "pl"


def read_apriori(path: Path | str, dimensions: Sequence[str], *, separator: str = ",") -> tuple[GivenCell, ...]:
    """Read an a-priori file: for each cell its codes, and what is decided of it.

    That is u (unsafe), p (not to be suppressed), s (safe), c and a cost, or pl and protection levels. Such a file has
    no room for reasons: for safe cells the reason is the file and line that says so.

    Parameters
    ----------
    path
        The file (.hst).
    dimensions
        The dimensions of the table, in the order of the codes.
    separator
        What stands between fields.
    """
    found = []
    for number, row in enumerate(csv.reader(text_of_file(path).splitlines(), delimiter=separator), start=1):
        words = [word.strip() for word in row]
        if not any(words):
            continue
        if len(words) <= len(dimensions):
            raise FileError(
                f"{path}, line {number}: expected {len(dimensions)} codes and a status, parted by {separator!r}; got "
                f"{len(words)} fields"
            )
        codes, (status, *numbers) = words[: len(dimensions)], words[len(dimensions) :]
        found.append(
            _given(dict(zip(dimensions, codes, strict=True)), status.lower(), numbers, f"{path}, line {number}")
        )
    return tuple(found)


def _given(where: dict[str, str], status: str, numbers: list[str], place: str) -> GivenCell:
    try:
        amounts = [float(word) for word in numbers if word]
    except ValueError:
        raise FileError(f"{place}: costs and protection levels must be numbers, with a decimal point") from None
    if status in STATUSES:
        said = f"so says {Path(place).name}" if STATUSES[status] is Status.SAFE else None
        return GivenCell(where=dict(where), status=STATUSES[status], reason=said)
    if status == COST and amounts:
        return GivenCell(where=dict(where), cost=amounts[0])
    if status == LEVELS and amounts and max(amounts) > 0:
        return GivenCell(where=dict(where), status=Status.PROTECT, protection_level=max(amounts))
    raise FileError(
        f"{place}: a status is one of {', '.join(STATUSES)}, c with a cost, or pl with levels; got '{status}'"
    )
