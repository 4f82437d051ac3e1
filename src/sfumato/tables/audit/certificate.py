"""Certificates: tables that prove a pattern safe, and that anybody can check without a solver."""

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from sfumato.errors import FileError
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.storage.atomic import write_text

FORMAT = 1  # of the file; goes up when a field changes its meaning or goes away
COLUMNS = ("starts", "cells", "values", "intruders", "primaries", "above", "below")


@dataclass(frozen=True, eq=False)
class Certificates:
    """Witnesses, tables that fit all that is published, and which of them proves what; `verify` checks it all.

    The witnesses hold confidential figures: keep them with the true table.

    Parameters
    ----------
    starts
        Where each witness begins in `cells` and `values`; one entry more than there are witnesses.
    cells, values
        The cells that differ from the true table in each witness, and what they hold there.
    intruders, primaries
        For each claim the intruder and the primary cell that the claim is about. What is claimed of the outsider also
        holds for every insider whose known cells the witnesses leave alone; claims of insiders cover the others.
    above, below
        For each claim the witnesses in which the primary lies high enough and low enough; -1 is the true table.
    """

    starts: Rows
    cells: Rows
    values: FloatColumn
    intruders: Rows
    primaries: Rows
    above: Rows
    below: Rows

    @property
    def size(self) -> int:
        """How many witnesses there are."""
        return self.starts.size - 1

    def write(self, path: str | Path) -> None:
        """Write the certificates to a JSON file, all of it or nothing."""
        plain = {"format": FORMAT, **{name: getattr(self, name).tolist() for name in COLUMNS}}
        write_text(Path(path), json.dumps(plain))

    @classmethod
    def read(cls, path: str | Path) -> Self:
        """Read certificates from a file that `write` wrote."""
        try:
            plain: dict[str, Any] = json.loads(Path(path).read_text(encoding="utf-8"))
            if plain["format"] != FORMAT:
                raise FileError(f"{path} must hold certificates of format {FORMAT}; got format {plain['format']}")
            arrays = [np.array(plain[name], dtype=float if name == "values" else np.int64) for name in COLUMNS]
        except OSError as error:
            raise FileError(f"{path} cannot be read: {error.strerror}") from None
        except (ValueError, TypeError, KeyError):
            raise FileError(f"{path} is no file of certificates; write one with Certificates.write") from None
        return cls(*arrays)
