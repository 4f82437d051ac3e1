"""Files of firms for the tests of specifications: records, cells and hierarchies."""

from pathlib import Path

import polars as pl

SALES = [997, 61, 52, 489, 463, 401, 313, 307, 283, 211, 197, 181, 163, 149, 137, 113, 103, 101]
FIRMS = pl.DataFrame(
    {
        "region": [*("N1",) * 3, *("N2",) * 3, *("S1",) * 6, *("S2",) * 6],
        "sector": [*("farm",) * 3, *("shop",) * 3, *("farm", "shop") * 6],
        "size": [*("1", "2") * 9],
        "owner": list(range(18)),
        "sales": SALES,
    }
)
REGIONS = "North\n@N1\n@N2\nSouth\n@S1\n@S2\n"
SPEC = """\
data: firms.csv
by: [region, sector]
hierarchies: {region: region.hrc}
value: sales
rules:
  - p_percent: 10
protections:
  - optimal_suppression
  - controlled_rounding: {base: 50}
  - controlled_adjustment
  - cell_key_perturbation: {max_deviation: 3, variance: 2, max_percent: 30}
seed: 1
"""


def firm_files(folder: Path) -> Path:
    """Write the records, their hierarchy and a specification into a folder, and return it."""
    FIRMS.write_csv(folder / "firms.csv")
    (folder / "region.hrc").write_text(REGIONS)
    (folder / "spec.yaml").write_text(SPEC)
    return folder
