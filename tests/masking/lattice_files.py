"""The made file with eight keys and their hierarchies whose optimal recodings are known."""

from functools import cache

import polars as pl

from sfumato.data import Hierarchy, Kind, Microdata, Schema, Variable
from sfumato.datasets import reference_folder

KEYS = ("sex", "age", "race", "marital", "education", "country", "workclass", "occupation")


@cache
def census_like() -> tuple[Microdata, dict[str, Hierarchy]]:
    """Return the file and the hierarchies of its keys."""
    folder = reference_folder() / "lattice"
    frame = pl.read_csv(folder / "census_like.csv", infer_schema=False)
    lines = {key: (folder / f"hierarchy_{key}.csv").read_text().splitlines() for key in KEYS}
    hierarchies = {key: Hierarchy.from_levels([line.split(";") for line in rows]) for key, rows in lines.items()}
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in frame.columns))
    return Microdata(frame, schema), hierarchies
