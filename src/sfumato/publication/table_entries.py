"""The entries of a publication's tables."""

from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from sfumato.data import Category
from sfumato.documents import Record, kind_of
from sfumato.errors import ParameterError
from sfumato.table_specification.codes import code_text
from sfumato.table_specification.entries import Rules, read_dimensions, read_file
from sfumato.table_specification.file_names import file_name, sharing_files

EXAMPLE = "{by_size: {by: [sector, size], value: turnover, where: {region: North}}}"


def _read_where(given: Any) -> Any:
    if not isinstance(given, Mapping):
        raise ValueError(f"must say which codes of which variables, as in '{{region: North}}'; got {kind_of(given)}")
    return {
        str(name): tuple(code_text(code) for code in (codes if isinstance(codes, list | tuple) else [codes]))
        for name, codes in given.items()
    }


class TableEntry(Record):
    """One table of a publication file.

    Parameters
    ----------
    dimensions
        Its dimensions, `by` in the file; a table of tau-Argus needs none, as its metadata name them.
    value
        The variable that is added up; that of the publication when not given, and records are counted without one.
    where
        The records that it is of: for each variable the codes that they have.
    title
        What readers are told that it shows.
    rules
        What makes a cell unsafe in this table; the rules of the publication when not given.
    cells
        The file of its cells, totals included, in place of records.
    count, largest
        Columns of the file of cells, as in `Table.from_cells`.
    """

    dimensions: Annotated[tuple[str, ...], BeforeValidator(read_dimensions)] = Field(default=(), alias="by")
    value: str | None = None
    where: Annotated[dict[str, tuple[Category, ...]], BeforeValidator(_read_where)] = Field(default_factory=dict)
    title: str = ""
    rules: Rules = None
    cells: Annotated[Path | None, BeforeValidator(lambda given: None if given is None else read_file(given))] = None
    count: str | None = None
    largest: tuple[str, ...] = ()


def read_table_entries(entries: Any) -> dict[str, TableEntry]:
    """Return the tables by their names; what is wrong with some is raised together."""
    if not isinstance(entries, Mapping) or not entries:
        raise ParameterError([f"must name tables with what they show, as in '{EXAMPLE}'; got {kind_of(entries)}"])
    found: dict[str, TableEntry] = {}
    problems: dict[str, tuple[Any, ...]] = {}
    for name, entry in entries.items():
        given = {"by": entry} if isinstance(entry, list | tuple | str) else entry
        if isinstance(given, TableEntry):
            found[str(name)] = given
            continue
        if not isinstance(given, Mapping):
            problems[f"table '{name}' must say what it shows, as in '{EXAMPLE}'; got {kind_of(entry)}"] = (str(name),)
            continue
        try:
            found[str(name)] = TableEntry(**{str(key): value for key, value in given.items()})
        except ParameterError as error:
            problems |= {f"table '{name}': {sentence}": (str(name), *place) for sentence, place in error.items()}
    for name, other in sharing_files(map(str, entries)):
        problems[
            f"table '{name}' would be written to the files of table '{other}', {file_name(other)}.csv and so on; "
            "rename one of them"
        ] = (name,)
    if problems:
        raise ParameterError(list(problems), list(problems.values()))
    return found
