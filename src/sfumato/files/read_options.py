"""What is said of a file beyond its name: the one record that everything which reads files takes."""

from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import Field

from sfumato.data import Kind, Role, Schema
from sfumato.data.schema import unknown_column
from sfumato.errors import UnknownColumnError

Names = Annotated[tuple[str, ...], Field(exclude=True)]
Name = Annotated[str | None, Field(exclude=True)]
KINDS, ROLES = tuple(map(str, Kind)), tuple(map(str, Role))


@dataclass(frozen=True)
class ReadOptions:
    """How a file is to be read; None where it is to be found out. See `sfumato.files.read`.

    Parameters
    ----------
    format
        The format, as a suffix without its dot (`csv`, `parquet`, `sav`); that of the file's own name when None.
    separator, decimal, encoding
        How a text file is written; an encoding may be needed for SPSS, Stata and SAS files too.
    sheet
        The sheet of an Excel file.
    date_format
        How dates in text are written, as in `dd/mm/yyyy`, where they can be read in several ways. It becomes part of
        the schema once the file is read.
    schema
        What the columns are, or the file that says so. A manifest keeps it by itself, so it is no part of what is
        dumped.
    continuous, ordinal, nominal, date
        The columns of these kinds, whatever the schema says or the file seems to hold.
    identifier, key, confidential, weight, household, stratum, other
        The columns of these roles, as `Schema.with_roles` gives them: no column keeps a role that is given here to
        others. Kinds and roles become part of the schema once the file is read.
    person
        The column that says whose each record is, where a person may have several; an identifier.
    """

    format: str | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    schema: Annotated[Schema | Path | None, Field(exclude=True)] = None
    date_format: Name = None
    continuous: Names = ()
    ordinal: Names = ()
    nominal: Names = ()
    date: Names = ()
    identifier: Names = ()
    key: Names = ()
    confidential: Names = ()
    weight: Name = None
    household: Name = None
    person: Name = None
    stratum: Names = ()
    other: Names = ()

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options that only some formats know, of those that are given."""
        general = ("format", "schema", "date_format", "person", *KINDS, *ROLES)
        particular = [field.name for field in fields(self) if field.name not in general]
        return tuple(name for name in particular if getattr(self, name) is not None)

    @property
    def named_columns(self) -> frozenset[str]:
        """The columns that are given a kind or a role by name."""
        return frozenset(name for names in self._columns((*KINDS, *ROLES, "person")).values() for name in names)

    def without_columns(self) -> Self:
        """Return the options without the kinds and roles of columns."""
        default: dict[str, Any] = {name: getattr(ReadOptions, name) for name in (*KINDS, *ROLES, "person")}
        return replace(self, **default)

    def describe(self, schema: Schema) -> Schema:
        """Return the schema with the kinds and roles that are given to columns by name."""
        for option, names in self._columns((*KINDS, *ROLES, "person")).items():
            if lacking := next((name for name in names if name not in schema), None):
                raise UnknownColumnError(f"read.{option}: {unknown_column(lacking, schema.names)}")
        described = schema.with_kinds(**self._columns(KINDS)).with_roles(**self._columns(ROLES))
        return described if self.person is None else described.with_persons(self.person)

    @property
    def describes_columns(self) -> bool:
        """Whether something is said of columns that a schema would say."""
        return bool(self.named_columns or self.date_format)

    def _columns(self, meanings: tuple[str, ...]) -> dict[str, tuple[str, ...]]:
        given = {meaning: getattr(self, meaning) for meaning in meanings if getattr(self, meaning)}
        return {meaning: (names,) if isinstance(names, str) else tuple(names) for meaning, names in given.items()}

    @property
    def text_columns(self) -> frozenset[str]:
        """The columns whose codes the schema writes as text, so that `01` is not taken for a number."""
        variables = self.schema.variables if isinstance(self.schema, Schema) else ()
        return frozenset(
            variable.name
            for variable in variables
            if (codes := (*variable.value_labels, *variable.categories))
            and all(isinstance(code, str) for code in codes)
        )
