"""What the linkages by weights share: the files to compare, links in a neutral order, and how many are right."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

import numpy as np
from pydantic import Field

from sfumato.contracts import Correspondence, Measurement, RiskMeasure, paired_rows
from sfumato.data import Microdata, Selection
from sfumato.display import format_compact
from sfumato.errors import UnknownColumnError
from sfumato.numerics.arrays import CodeColumn, Rows
from sfumato.parameters import Records
from sfumato.risk.linkage._assignment import Linked, Links, chances_of_being_right, classes, zone
from sfumato.risk.linkage._candidates import GOLDEN, SILVER, Blocks, block_numbers, lots, pairs_of_blocks
from sfumato.risk.linkage._discrepancies import Discrepancies, Metric, discrepancies

CandidateCount = Annotated[Records, Field(ge=1, le=100_000)]
"""How many original records each masked record may be linked to."""

Linker = Callable[[Discrepancies, Blocks], tuple[Linked, str]]
"""Links the records of each block, and returns with the links a remark about them."""


@dataclass(frozen=True, eq=False)
class ComparedFiles:
    """Two files to be linked.

    Parameters
    ----------
    values
        The compared columns.
    original_blocks, masked_blocks
        The block of each record.
    rows
        For each masked record the original row that is the right one: no linker may look at it.
    """

    values: Discrepancies
    original_blocks: CodeColumn
    masked_blocks: CodeColumn
    rows: Rows


def compare_files(
    measure: RiskMeasure,
    original: Microdata,
    masked: Microdata,
    metric: Metric,
    blocking: Selection,
    nearest: Rows | None = None,
) -> ComparedFiles:
    """Return what is compared, after checking that both files have the columns.

    Who the right person of each masked record is, `nearest` tells where it is given, and else the row ids.
    """
    true, near = Correspondence.TRUE_RECORD, Correspondence.NEAREST_RECORD
    values = discrepancies(measure, original, masked, metric, true if nearest is None else near)
    names = original.select(blocking)
    for name in names:
        if name not in masked.schema:
            raise UnknownColumnError(
                f"{type(measure).__name__}.blocking: the masked file has no column '{name}'; "
                f"name only columns that both files have"
            )
    rows = paired_rows(original, masked) if nearest is None else nearest
    return ComparedFiles(values, *block_numbers(original, masked, names), rows)


def link_files(files: ComparedFiles, link: Linker) -> tuple[Links, str]:
    """Return the links by falling weight, and a remark about them; records are taken in the order of their lots."""
    before = np.argsort(lots(np.arange(len(files.values.original)), GOLDEN), kind="stable")
    after = np.argsort(lots(files.rows, SILVER), kind="stable")
    blocks = list(pairs_of_blocks(files.original_blocks[before], files.masked_blocks[after]))
    if not files.values.names or not blocks:
        nobody = np.empty(0, dtype=np.int64)
        return Links(nobody, nobody, np.empty(0)), ""
    (linked, weights), remark = link(files.values.take(before, after), blocks)
    by_weight = np.argsort(-weights, kind="stable")
    some = by_weight[linked[by_weight] >= 0]
    return Links(after[some], before[linked[some]], weights[some]), remark


def measure_links(measure: RiskMeasure, files: ComparedFiles, link: Linker, precision: float) -> Measurement:
    """Return the percent of masked records linked correctly, in the whole file and inside the zone of good links."""
    links, remark = link_files(files, link)
    moved = 100 * float((files.original_blocks[files.rows] != files.masked_blocks).mean())
    if moved:
        remark = "; ".join(
            filter(None, (f"{format_compact(moved, 3)} % of the records are in another block than before", remark))
        )
    by_link, by_record = chances_of_being_right(
        links,
        files.rows,
        classes(files.values.original, files.original_blocks),
        classes(files.values.masked, files.masked_blocks),
    )
    trusted = zone(links.weights, by_link, precision)
    value = 100 * float(by_record.mean())
    parts = {"whole file": value, f"{measure.symbol}z": 100 * float(by_link[:trusted].sum()) / len(files.rows)}
    return Measurement(measure.name(), measure.symbol, value, parts=parts, per_record=100 * by_record, remark=remark)
