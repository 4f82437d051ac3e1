"""What originals become for sure: files that do not hang on chance, as two runs with other draws show."""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.data.decimals import round_floats
from sfumato.errors import SfumatoError
from sfumato.intruder.coded_columns import coded_columns
from sfumato.intruder.shadow_masking import Runs, Shadow, draws_sample, mask_shadow, steps_by_column
from sfumato.intruder.step_columns import columns_read


def certain_values(runs: Runs, name: str, touching: list[int], shadows: Sequence[Shadow]) -> Microdata | None:
    """Return the file that says what each original becomes in a column, as `certain_file` does, or would if drawn.

    Where a sample is drawn after all steps on the column, that is what it is before the sample.
    """
    found = certain_file(runs.original, name, touching, shadows)
    drawing = [n for n, step in enumerate(runs.steps) if not step.keeps_shape and not step.drops_only_columns]
    if found is not None or not touching or not drawing or max(touching) >= drawing[0]:
        return found
    if not all(draws_sample(runs.steps[number]) for number in drawing):
        return None

    def run() -> list[Shadow]:
        steps = runs.steps[: drawing[0]]
        files = [mask_shadow(steps, runs.original, runs.seed, number) for number in range(2)]
        return [Shadow(round_floats(file.data, runs.decimals), file.rows) for file in files]

    return certain_file(runs.original, name, touching, runs.keep("before the sample", run))


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
    """Return what the originals are before a step, if neither the columns that it reads nor others hang on chance.

    Its strata may: who is in which is estimated then.
    """
    step = steps[last]
    strata = columns_present(step.strata, original)
    read = sorted(columns_read(step, original) - set(strata))
    needed = tuple(dict.fromkeys([*columns_present(step.columns, original), *read, *names]))
    earlier = steps_by_column(steps, original, (*needed, *strata))
    changed = [name for name, numbers in earlier.items() if any(number < last for number in numbers)]
    if not changed:
        return original
    try:
        shadows = [mask_shadow(steps[:last], original, seed, number) for number in range(2)]
        files = {name: certain_file(original, name, [0], shadows) for name in dict.fromkeys([*needed, *changed])}
    except SfumatoError:
        return None
    if not needed or any(files[name] is None for name in needed):
        return None
    only_strata_hang = not set(changed) & set(needed) and any(files[name] is None for name in changed)
    return original if only_strata_hang else files[needed[0]]
