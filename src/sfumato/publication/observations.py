"""Tables as observations with their statuses, in columns as SDMX names them: what offices transmit to each other."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sfumato.storage.atomic import write_text
from sfumato.table_specification.release_files import ReleasedTable, without_residue
from sfumato.tables import CellStatus

if TYPE_CHECKING:
    import polars as pl

CONFIDENTIALITY = {
    CellStatus.PUBLISHED: "F",  # free
    CellStatus.PRIMARY: "C",  # confidential by itself
    CellStatus.SECONDARY: "D",  # confidential to protect others
    CellStatus.SUPPRESSED: "D",
}
NORMAL, SUPPRESSED = "A", "Q"


def observation_frame(table: ReleasedTable) -> "pl.DataFrame":
    """Return a row for each cell: codes, variable, value (none where suppressed), and its statuses.

    `OBS_STATUS` is A for a normal value and Q for one that is suppressed; `CONF_STATUS` is F for free, C for cells that
    are unsafe and D for those that protect them.
    """
    import polars as pl

    values = without_residue(table.protected.values(table.number))
    suppressed = np.isnan(values)
    statuses = [CONFIDENTIALITY[status] for status in table.protected.statuses(table.number)]
    return (
        table.table.to_frame()
        .select(table.table.names)
        .with_columns(
            pl.lit(table.table.value_name or "count").alias("INDICATOR"),
            pl.Series("OBS_VALUE", values).fill_nan(None),
            pl.Series("OBS_STATUS", np.where(suppressed, SUPPRESSED, NORMAL)),
            pl.Series("CONF_STATUS", statuses),
        )
    )


def write_observations(folder: Path, tables: Sequence[ReleasedTable], file_names: Sequence[str]) -> list[Path]:
    """Write the observations of each table as CSV, and return the names of the files."""
    written = []
    for table, name in zip(tables, file_names, strict=True):
        written.append(folder / f"{name}_observations.csv")
        write_text(written[-1], observation_frame(table).write_csv())
    return written
