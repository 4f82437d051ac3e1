"""What is said of a file beyond its name: the one record that everything which reads files takes."""

from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated

from pydantic import Field

from sfumato.data import Schema


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
    schema
        What the columns are, or the file that says so. A manifest keeps it by itself, so it is no part of what is
        dumped.
    """

    format: str | None = None
    separator: str | None = None
    decimal: str | None = None
    encoding: str | None = None
    sheet: str | None = None
    schema: Annotated[Schema | Path | None, Field(exclude=True)] = None

    @property
    def given(self) -> tuple[str, ...]:
        """The names of the options that only some formats know, of those that are given."""
        particular = [field.name for field in fields(self) if field.name not in ("format", "schema")]
        return tuple(name for name in particular if getattr(self, name) is not None)

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
