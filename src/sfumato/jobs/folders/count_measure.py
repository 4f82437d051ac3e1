"""Take a measure of keys of a folder: of the counts of all its records."""

from dataclasses import replace

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import CATEGORICAL, Selector
from sfumato.execution.folders import Spill
from sfumato.files.folders import Folder
from sfumato.jobs.folders.count_keys import KeyQuestion, count_folder
from sfumato.keys.weights import check_weights, weight_column


def measure_counts(
    measure: FileRisk, folder: Folder, spill: Spill, *, stage: str, rows_per_range: int, task_bytes: int
) -> Measurement:
    """Return what a measure of keys finds in all records of a folder, as memory does.

    Parameters
    ----------
    measure, folder
        What is asked of which records.
    spill, stage
        Where ranges leave their counts, and what they are called there.
    rows_per_range, task_bytes
        As in `count_folder`.
    """
    who = type(measure).__name__
    weight = weight_column(who, folder.schema, measure.weight) if hasattr(measure, "weight") else None
    if weight is not None:
        check_weights(who, folder, weight)
    question = KeyQuestion(_counted_columns(measure, folder), (), weight, 1.0, None, 0.0)
    counts = count_folder(
        folder, question, spill=spill, rows_per_range=rows_per_range, task_bytes=task_bytes, stage=stage
    )
    return replace(measure.of(counts.keys), per_record=None)


def _counted_columns(measure: FileRisk, folder: Folder) -> tuple[str, ...]:
    """Return the keys, and the confidential columns that are looked at beside them."""
    keys = folder.schema.select(measure.columns)
    sensitive = getattr(measure, "sensitive", ())
    names = folder.schema.select(sensitive)
    if isinstance(sensitive, Selector):
        names = tuple(name for name in names if folder.schema[name].kind in CATEGORICAL)
    return tuple(dict.fromkeys((*keys, *names)))
