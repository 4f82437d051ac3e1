"""The entries of a specification that are no plain values: dimensions, files of cells, and what is given of cells."""

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any

from pydantic import BeforeValidator, InstanceOf, TypeAdapter, ValidationError

from sfumato.documents import ExistingFile, ListOf, OneOf, kind_of, read_list
from sfumato.errors import ParameterError
from sfumato.table_specification.codes import code_text
from sfumato.table_specification.file_names import file_name, sharing_files
from sfumato.tables import PROTECTIONS, RULES, GivenCell, Insiders, Protection, Rule

EXAMPLE_DIMENSIONS = "[region, sector]"
EXAMPLE_TABLES = "{by_region: [sector, region], by_size: [sector, size]}"
EXAMPLE_GIVEN = "{where: {region: North}, status: publish}"
EXISTING: TypeAdapter[Path] = TypeAdapter(ExistingFile)

RULE: OneOf[Rule] = OneOf(RULES, noun="rule", example="p_percent: 10", number_alone=True)
PROTECTION: OneOf[Protection] = OneOf(
    PROTECTIONS, noun="protection", example="optimal_suppression: {time_limit: 60}", number_alone=True
)


def read_dimensions(names: Any) -> tuple[str, ...]:
    """Return names of columns; one alone may stand without brackets."""
    listed = [names] if isinstance(names, str) else names
    if isinstance(listed, list | tuple) and listed and all(isinstance(name, str) for name in listed):
        return tuple(listed)
    raise ValueError(
        f"must list the columns that are its dimensions, as in '{EXAMPLE_DIMENSIONS}'; got {kind_of(names)}"
    )


def read_tables(entries: Any) -> dict[str, tuple[str, ...]]:
    """Return the dimensions of each table, or say which tables would be written to the same files."""
    if not isinstance(entries, Mapping) or not entries:
        raise ValueError(f"must name tables with their dimensions, as in '{EXAMPLE_TABLES}'; got {kind_of(entries)}")
    found, problems = {}, {}
    for name, dimensions in entries.items():
        try:
            found[str(name)] = read_dimensions(dimensions)
        except ValueError as error:
            problems[f"table '{name}' {error}"] = (str(name),)
    for name, other in sharing_files(map(str, entries)):
        sentence = (
            f"table '{name}' would be written to the files of table '{other}', {file_name(other)}.csv and so on; "
            "rename one of them"
        )
        problems[sentence] = (name,)
    if problems:
        raise ParameterError(list(problems), list(problems.values()))
    return found


def read_file(given: Any) -> Path:
    """Return the path of a file that is there."""
    try:
        return EXISTING.validate_python(given)
    except ValidationError as error:
        raise ValueError(str(error.errors()[0]["ctx"]["error"])) from None


def read_cells(given: Any) -> Path | dict[str, Path]:
    """Return the file of cells, or that of each table."""
    if not isinstance(given, Mapping):
        return read_file(given)
    found, problems = {}, {}
    for name, file in given.items():
        try:
            found[str(name)] = read_file(file)
        except ValueError as error:
            problems[f"the cells of '{name}' {error}"] = (str(name),)
    if problems:
        raise ParameterError(list(problems), list(problems.values()))
    return found


def read_zeros(given: Any) -> bool | Path:
    """Return whether all combinations are cells, or the file that lists those that are."""
    return given if isinstance(given, bool) else read_file(given)


def read_given_cells(entries: Any) -> tuple[GivenCell, ...]:
    """Return what is decided of some cells; all codes are text."""
    return read_list(entries, _read_decision, "decision", EXAMPLE_GIVEN) if entries else ()


def _read_decision(entry: Any) -> GivenCell:
    if isinstance(entry, GivenCell):
        return entry
    if not isinstance(entry, Mapping):
        raise ParameterError(
            [f"expected cells and what is decided of them, as in '- {EXAMPLE_GIVEN}'; got {kind_of(entry)}"]
        )
    content = {str(key): value for key, value in entry.items()}
    if isinstance(content.get("where"), Mapping):
        content["where"] = {str(name): code_text(code) for name, code in content["where"].items()}
    return GivenCell(**content)


def _read_insiders(given: Any) -> Any:
    """Return the choice that true or false stands for; words stay as they are."""
    return Insiders.parse(given) if isinstance(given, bool) else given


def _unless_none(read: Callable[[Any], Any]) -> BeforeValidator:
    return BeforeValidator(lambda given: None if given is None else read(given))


Dimensions = Annotated[tuple[str, ...] | None, _unless_none(read_dimensions)]
Tables = Annotated[dict[str, tuple[str, ...]] | None, _unless_none(read_tables)]
Zeros = Annotated[bool | Path, BeforeValidator(read_zeros)]
GivenCells = Annotated[tuple[InstanceOf[GivenCell], ...], BeforeValidator(read_given_cells)]
InsidersWord = Annotated[Insiders, BeforeValidator(_read_insiders)]
Rules = Annotated[tuple[InstanceOf[Rule], ...] | None, ListOf(RULE)]
Protections = Annotated[tuple[InstanceOf[Protection], ...], ListOf(PROTECTION)]
