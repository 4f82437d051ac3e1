"""Small risks of a file, by which the functions that explain risks are tried."""

from collections.abc import Sequence
from typing import ClassVar

import numpy as np
import polars as pl

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import CATEGORICAL, Kind, Microdata, Schema, role
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import MissingKeys, coded_keys
from sfumato.parameters import Columns


class Rarity(FileRisk):
    """One over the number of records with the same keys, in percent; a record without a key has no figure."""

    symbol: ClassVar[str] = "RAR"
    family: ClassVar[str] = "toys"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL

    columns: Columns = role("key")

    def of(self, data: Microdata) -> Measurement:
        codes = coded_keys(self, data, MissingKeys.WILDCARD)[1]
        classes = classes_of(codes)
        rarity = np.where((codes < 0).any(axis=0), np.nan, 100 / classes.sizes()[classes.numbers])
        return Measurement(self.name(), self.symbol, float(np.nanmean(rarity)), per_record=rarity)


class WholeFile(Rarity):
    """The same for the whole file only; it holds that it needs the key `town`."""

    symbol: ClassVar[str] = "WHO"

    def of(self, data: Microdata) -> Measurement:
        data.select(("town",) if "town" in data.select(self.columns) else ("no such column",))
        return Measurement(self.name(), self.symbol, super().of(data).value)


def people(**columns: Sequence[str | None]) -> Microdata:
    """Return records of text, all of whose columns are keys."""
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    return Microdata(frame, Schema.infer(frame).with_kinds(nominal=list(columns)).with_roles(key=list(columns)))


def village() -> Microdata:
    """Return six records: the third is alone by work and sex, the last by work."""
    return people(
        work=["clerk", "clerk", "clerk", "cook", "cook", "smith"],
        sex=["f", "f", "m", "f", "f", "m"],
        town=["A", "A", "A", "A", "A", "A"],
    )
