"""The cell key method as a specification asks for it."""

from typing import TYPE_CHECKING

import numpy as np

from sfumato.errors import ParameterError
from sfumato.table_plan.making import frame_of, table_of_records
from sfumato.table_plan.plan import TablePlan
from sfumato.tables.perturbation._perturbation_table import PerturbationTable
from sfumato.tables.perturbation.cell_key_perturbation import Perturbed, draw_record_keys, perturb

if TYPE_CHECKING:
    import polars as pl

DRAWN = "record_key_of_this_run"


def perturbed_tables(plan: TablePlan) -> dict[str, Perturbed]:
    """Return the tables of a specification, each cell deviating by its cell key."""
    asked = plan.cell_keying
    if asked is None:
        raise ParameterError(
            ["the specification does not say how far cells may deviate; add 'cell_key: {largest: 3, variance: 2}'"]
        )
    if plan.data is None:
        raise ParameterError(["the cell key method needs records, as each has a key; name their file: 'data: FILE'"])
    frame = frame_of(plan.data, plan.schema_file)
    frame = frame if asked.key is not None else _with_drawn_keys(frame, asked.seed)
    of_keys = plan.replace(value=asked.key or DRAWN, weight=None, holding=None, shadow=None, request=None, count=None)
    table = PerturbationTable.of_maximum_entropy(asked.largest, asked.variance, smallest=asked.smallest)
    return {
        name: perturb(table_of_records(plan, frame, by), table_of_records(of_keys, frame, by), table, share=asked.share)
        for name, by in plan.tables.items()
    }


def _with_drawn_keys(frame: "pl.DataFrame", seed: int | None) -> "pl.DataFrame":
    import polars as pl

    rng = None if seed is None else np.random.default_rng(seed)
    return frame.with_columns(pl.Series(DRAWN, draw_record_keys(frame.height, rng)))
