"""The reference files that the papers mask."""

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from sfumato.data import Kind, Microdata, Schema, Variable, numeric
from sfumato.datasets import reference


@dataclass(frozen=True)
class Files:
    """The files that the papers mask, each read when it is first asked for.

    Parameters
    ----------
    folder
        Where they are; when not given, where `sfumato.datasets.reference` looks.
    """

    folder: Path | None = None

    @cached_property
    def census(self) -> Microdata:
        """Census: 1080 records, 13 continuous columns."""
        return reference("census", self.folder)

    @cached_property
    def eia(self) -> Microdata:
        """The ten continuous columns of EIA: 4092 records."""
        data = reference("eia", self.folder)
        return data.take_columns(data.select(numeric))


def printed_file(text: str) -> Microdata:
    r"""Return a printed table of numbers, a record a line, as a file with the continuous columns v1, v2, ...

    Examples
    --------
    >>> printed_file("4173 27\n2639 808").matrix(("v2",)).tolist()
    [[27.0], [808.0]]
    """
    import polars

    records = [[float(value) for value in line.split()] for line in text.strip().splitlines()]
    names = [f"v{place + 1}" for place in range(len(records[0]))]
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.CONTINUOUS) for name in names))
    return Microdata(polars.DataFrame(records, schema=names, orient="row"), schema)
