"""What originals become for sure: files that do not hang on chance, as two runs with other draws show."""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.shadow_masking import Shadow, mask_shadow, steps_by_column


def certain_file(original: Microdata, name: str, touching: list[int], shadows: Sequence[Shadow]) -> Microdata | None:
    """Return the file that says what each original becomes in a column that is masked without chance, if it is."""
    if not touching and not any(_is_changed(original, name, shadow) for shadow in shadows):
        return original
    first, second = shadows
    if not all(shadow.data.n == original.n and np.array_equal(shadow.rows, first.rows) for shadow in shadows):
        return None
    (one, other), _ = coded_columns([first.data, second.data], name)
    if not np.array_equal(one, other, equal_nan=True):
        return None
    return first.data.take_rows(np.argsort(first.rows))


def _is_changed(original: Microdata, name: str, shadow: Shadow) -> bool:
    (before, after), _ = coded_columns([original, shadow.data], name)
    return not np.array_equal(before[shadow.rows], after, equal_nan=True)


def draws_records(steps: Sequence[MaskingMethod], original: Microdata, seed: int) -> bool:
    """Tell whether steps leave out records or repeat some, so that what comes after them is scaled by others."""
    if all(step.keeps_shape for step in steps):
        return False
    try:
        rows = mask_shadow(steps, original, seed, 0).rows
    except SfumatoError:
        return True
    return not np.array_equal(np.sort(rows), np.arange(original.n))


def file_before(
    steps: Sequence[MaskingMethod], last: int, original: Microdata, seed: int, names: Sequence[str] = ()
) -> Microdata | None:
    """Return what the originals are before a step, if neither the columns that it masks nor others hang on chance."""
    asked = tuple(dict.fromkeys([*columns_present(steps[last].columns, original), *names]))
    earlier = steps_by_column(steps, original, asked)
    if not any(number < last for numbers in earlier.values() for number in numbers):
        return original
    try:
        shadows = [mask_shadow(steps[:last], original, seed, number) for number in range(2)]
        files = [certain_file(original, name, [0], shadows) for name in asked]
    except SfumatoError:
        return None
    return None if not files or any(file is None for file in files) else files[0]
