"""Shadow masking: the intruder runs the recipe on the original file and sees what becomes of whom."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from sfumato.contracts import MaskingMethod, columns_present
from sfumato.data import Microdata
from sfumato.data.decimals import decimals_of, round_floats
from sfumato.errors import SfumatoError
from sfumato.intruder.told_columns import with_told_columns
from sfumato.numerics.arrays import Rows

FRESH = 2000  # the number of the first shadow from which nothing is learnt, on which it is tried out
REDRAWN = 1_000_000  # between the numbers of the draws of one shadow
MAX_ATTEMPTS = 50  # at a shadow of steps that draw records
STREAM = 0x1D7AC5  # keeps the intruder's draws apart from those of any recipe with the same seed


@dataclass(frozen=True, eq=False)
class Shadow:
    """The original file, masked by the intruder.

    Parameters
    ----------
    data
        The masked records.
    rows
        For each of them the row of the original that it comes from.
    """

    data: Microdata
    rows: Rows


def shadow_generator(seed: int, number: int) -> np.random.Generator:
    """Return the draws of a shadow, which depend on the seed and the number alone."""
    return np.random.default_rng([STREAM, seed, number])


def draws_sample(step: MaskingMethod) -> bool:
    """Tell whether a step leaves out records and changes no others, but for their weights."""
    return step.family == "sampling"


def mask_shadow(
    steps: Sequence[MaskingMethod], original: Microdata, seed: int, number: int, drawn: Rows | None = None
) -> Shadow:
    """Return the original masked by all steps, with draws that depend on the seed and the number alone.

    Where `drawn` are given, the step that draws a sample draws these originals.

    Some steps refuse some files that others draw, as a regression does a sample with a record that alone decides its
    fit: then it is drawn again, as whoever made the release did.
    """
    attempt = 0
    while True:
        rng = shadow_generator(seed, number + attempt * REDRAWN)
        try:
            data = original
            for step in steps:
                if drawn is not None and draws_sample(step):
                    data = data.take_rows(data.rows_of(original.row_ids[drawn]))
                else:
                    data = step.mask_beside(original, data, rng)
            break
        except SfumatoError:
            attempt += 1
            if attempt == MAX_ATTEMPTS or all(step.keeps_shape for step in steps):
                raise
    return Shadow(with_told_columns(data, steps, original), original.rows_of(data.row_ids))


T = TypeVar("T")


@dataclass(frozen=True, eq=False)
class Runs:
    """What an intruder finds out by running a recipe on the original, kept for one file after another that it made.

    Parameters
    ----------
    original, steps, seed
        The original file, the recipe, and where the draws of the intruder begin.
    decimals
        How many decimals columns of the release were written with.
    kept
        What was found out: shadows, and what others learn from them.
    """

    original: Microdata
    steps: tuple[MaskingMethod, ...]
    seed: int
    decimals: Mapping[str, int]
    kept: dict[Hashable, Any] = field(default_factory=dict)

    @classmethod
    def of(cls, original: Microdata, masked: Microdata, steps: Sequence[MaskingMethod], seed: int) -> "Runs":
        """Return runs whose files are written as a masked file is."""
        return cls(original, tuple(steps), seed, decimals_of(masked))

    def keep(self, name: Hashable, find: Callable[[], T]) -> T:
        """Return what is kept by a name, found out the first time that it is asked for."""
        if name not in self.kept:
            self.kept[name] = find()
        found: T = self.kept[name]
        return found

    def shadow(self, number: int) -> Shadow:
        """Return the original masked with the draws of a number, with decimals as in the release."""

        def run() -> Shadow:
            shadow = mask_shadow(self.steps, self.original, self.seed, number)
            return Shadow(round_floats(shadow.data, self.decimals), shadow.rows)

        return self.keep(("shadow", number), run)

    def like(self, rows: Rows, number: int, names: Sequence[str]) -> Shadow:
        """Return a shadow of the originals in these rows, where one step draws a sample and the rest leaves nobody out.

        What a sample does to a file, chance decides for all its records at once: who is in it counts as known where a
        file is held against its recipe. A sample whose weights are among the `names` is drawn anew.
        """
        drawing = [step for step in self.steps if not step.keeps_shape and not step.drops_only_columns]
        if len(drawing) != 1 or not draws_sample(drawing[0]):
            return self.shadow(number)
        if set(names) & set(columns_present(drawing[0].columns, self.original)):
            return self.shadow(number)

        def run() -> Shadow:
            shadow = mask_shadow(self.steps, self.original, self.seed, number, np.sort(rows))
            return Shadow(round_floats(shadow.data, self.decimals), shadow.rows)

        return self.keep(("shadow of a sample", number, rows.tobytes()), run)


def steps_by_column(
    steps: Sequence[MaskingMethod], original: Microdata, names: tuple[str, ...]
) -> dict[str, list[int]]:
    """Return for each column the numbers of the steps that change it.

    Columns are picked as the original has them: a step that names a column made by an earlier one is not about these.
    """
    found: dict[str, list[int]] = {name: [] for name in names}
    for number, step in enumerate(steps):
        for name in columns_present(step.columns, original):
            if name in found:
                found[name].append(number)
    return found


def masking_steps(steps: Sequence[MaskingMethod], touching: dict[str, list[int]]) -> dict[str, list[int]]:
    """Return for each column the numbers of the steps that change it, without those that only suppress its values.

    Suppression in several columns does not make one likelihood of them; where nothing else changes a column, it stays.
    """
    found = {
        name: [number for number in some if steps[number].family != "suppression"] for name, some in touching.items()
    }
    return {name: found[name] or some for name, some in touching.items()}


def columns_together(names: list[str], touching: dict[str, list[int]]) -> list[list[str]]:
    """Return the columns in groups: columns that some step masks together are in one."""
    groups: list[tuple[list[str], set[int]]] = []
    for name in names:
        steps, members = set(touching[name]), [name]
        rest = []
        for group in groups:
            if group[1] & steps:
                members, steps = group[0] + members, steps | group[1]
            else:
                rest.append(group)
        groups = [*rest, (members, steps)]
    return [members for members, _ in groups]
