"""Figures on keys of files in which persons have several records: they count persons, as those of `risk` do."""

from dataclasses import replace

import numpy as np

from sfumato.assessment.pairing import Pairing
from sfumato.contracts import FileRisk, Measure, Measurement
from sfumato.data import Microdata
from sfumato.keys.findings.counted_persons import PERSONS_COUNTED, count_persons

KEYS = "keys"  # the family of measures that ask who stands out, and not what is told of whom


def measure_persons(measure: Measure, original: Microdata, pairing: Pairing) -> Measurement:
    """Return what a measure finds: one of keys in one record of each person and combination of keys.

    Whose a record is only the original tells, so that records are counted where they are not matched.

    Parameters
    ----------
    measure
        Any measure.
    original, pairing
        The original, and the masked file as far as its records are matched.
    """
    masked = pairing.masked
    if not (isinstance(measure, FileRisk) and measure.family == KEYS and pairing.is_known):
        return measure.measure(original, masked)
    names = measure.common_columns(original, masked)
    is_aligned = np.array_equal(original.row_ids, masked.row_ids)
    teller = original if is_aligned else original.take_rows(original.rows_of(masked.row_ids))
    persons = count_persons(masked, names, teller, getattr(measure, "weight", None))
    if persons is None:
        return measure.measure(original, masked)
    found = measure.of(persons.data)
    per_record = None if found.per_record is None else found.per_record[persons.places]
    remark = "; ".join(part for part in (found.remark, PERSONS_COUNTED) if part)
    return replace(found, per_record=per_record, remark=remark)
