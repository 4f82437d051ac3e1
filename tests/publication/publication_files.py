"""A small publication in files, for the tests of the rooms that read and write it."""

from pathlib import Path

import numpy as np
import polars as pl

PUBLICATION = """\
data: firms.csv
hierarchies:
  region: {tree: {North: [N1, N2], South: [S1, S2]}}
tables:
  by_region: {by: [region, sector], value: turnover, title: Turnover by region}
  by_size: {by: [sector, size], value: turnover}
  export: {by: [region, sector], value: export}
  north: {by: [sector], value: turnover, where: {region: North}}
  firms: {by: [region, size], rules: [min_units: 3]}
equations: [turnover = domestic + export]
rules: [p_percent: 15]
protection: heuristic_suppression
"""


def firms() -> pl.DataFrame:
    """Return 90 firms."""
    rng = np.random.default_rng(5)
    frame = pl.DataFrame(
        {
            "region": rng.choice(["N1", "N2", "S1", "S2"], 90),
            "sector": rng.choice(["a", "b", "c"], 90),
            "size": rng.choice(["small", "large"], 90),
            "domestic": rng.lognormal(3, 1.4, 90).round(),
            "export": rng.lognormal(2, 1.6, 90).round(),
        }
    )
    return frame.with_columns(turnover=pl.col("domestic") + pl.col("export"))


def publication_files(folder: Path, text: str = PUBLICATION) -> Path:
    """Write the records and a publication file into a folder, and return the file."""
    firms().write_csv(folder / "firms.csv")
    (folder / "publication.yaml").write_text(text)
    return folder / "publication.yaml"
