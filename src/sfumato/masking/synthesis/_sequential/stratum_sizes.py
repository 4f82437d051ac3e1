"""Strata of which each gets as many synthetic records as somebody says."""

from collections.abc import Mapping
from typing import Annotated

import numpy as np
from pydantic import BeforeValidator, Field

from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.parameters import Records


def _as_text(code: object) -> object:
    return str(code) if isinstance(code, int) and not isinstance(code, bool) else code


StratumName = Annotated[str, BeforeValidator(_as_text)]
StratumSizes = dict[StratumName, Annotated[Records, Field(ge=1)]] | None
"""For some strata, by the values that make them, how many records come out; a whole number may stand for its text."""

MISSING = "missing"


def sized_strata(block: Microdata, within: tuple[str, ...], sizes: Mapping[str, int]) -> list[tuple[Microdata, int]]:
    """Return each stratum of a file with the number of its synthetic records: as many as it has, where none is said."""
    found = []
    for rows in block.strata(within):
        stratum = block.take_rows(rows)
        found.append((stratum, sizes.get(_name(stratum, within), stratum.n)))
    return found


def check_stratum_sizes(who: str, data: Microdata, within: tuple[str, ...], sizes: Mapping[str, int]) -> None:
    """Refuse sizes without strata, and those of strata that the file does not have."""
    if not within:
        raise DataError(f"{who}.stratum_sizes needs strata; name the columns that make them in within")
    known = {_name(data.take_rows(rows[:1]), within) for rows in data.strata(within)}
    strange = [name for name in sizes if name not in known]
    if strange:
        shape = ", ".join(within)
        raise DataError(
            f"{who}.stratum_sizes: the file has no stratum '{strange[0]}'; name strata by their values of {shape}, "
            f"joined by a comma and a space where there are several"
        )


def join_strata(parts: list[Microdata]) -> Microdata:
    """Return new records of several strata as one file, numbered anew so that no two have the same id."""
    order = np.concatenate([part.row_ids for part in parts])
    joined = Microdata.concatenate(parts, order)
    return Microdata(joined.frame, joined.schema, -1 - np.arange(joined.n), lineage=joined.lineage)


def _name(stratum: Microdata, within: tuple[str, ...]) -> str:
    return ", ".join(str(stratum.table[name][0]) if stratum.observed(name)[0] else MISSING for name in within)
