"""Columns that a recipe replaces by others, which tell between which values each lay: the intruder reads them back."""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import MaskingMethod, Spans, columns_present
from sfumato.data import Kind, Microdata, Variable
from sfumato.errors import SfumatoError


def with_told_columns(file: Microdata, steps: Sequence[MaskingMethod], original: Microdata) -> Microdata:
    """Return a released file with the columns that it lacks and tells by intervals: the middle of each."""
    for step in steps:
        if step.keeps_shape:
            continue
        for name in columns_present(step.columns, original):
            if name in file.schema or original.schema[name].kind is not Kind.CONTINUOUS:
                continue
            nothing = np.full(file.n, np.nan)
            try:
                spans = step.values_before(file, name, Spans(nothing, nothing))
            except SfumatoError:  # as where a later step made classes of the ends
                continue
            if spans is not None:
                middles = ((spans.low + spans.high) / 2).tolist()
                values = [None if value != value else value for value in middles]
                variable = Variable(name=name, kind=Kind.CONTINUOUS, role=original.schema[name].role)
                file = file.with_column(variable, values)
    return file
