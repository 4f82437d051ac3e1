"""Several synthetic copies in one file: an intruder takes the one that tells most, or all of them together."""

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.data.releases import copies_of

MeasureFile = Callable[[Microdata, Microdata, int], Measurement]
"""Measures an original and a synthetic file, as one of so many in which a leak is looked for."""
CombineParts = Callable[[Sequence[Measurement], int], dict[str, float]]
"""Makes further parts of what was found in each of so many copies, and after them in all together."""


def measure_worst_copy(
    original: Microdata, masked: Microdata, measure: MeasureFile, combine: CombineParts = lambda found, copies: {}
) -> Measurement:
    """Return what is found in the copy that tells most, or in all together where that is more.

    In copies put together a record that stands in each of them is not unique, and the nearest record may be in any: a
    figure of all alone would fall with the number of copies, however much each gives away.
    """
    copies = copies_of(original, masked)
    if len(copies) == 1:
        return measure(original, masked, 1)
    found = [measure(original, file, len(copies) + 1) for file in (*copies, masked)]
    worst = max(range(len(found)), key=lambda place: (bool(found[place].shows_leak), found[place].value))
    together = "both copies together" if len(copies) == 2 else f"all {len(copies)} copies together"
    which = f"copy {worst + 1} of {len(copies)}" if worst < len(copies) else together
    mean = float(np.mean([one.value for one in found[: len(copies)]]))
    parts = {**found[worst].parts, **combine(found, len(copies)), "mean of the copies": mean}
    trials = found[worst].trials
    return replace(
        found[worst],
        parts=parts,
        remark=f"{found[worst].remark}. So {which} tell{'s' * (worst < len(copies))}",
        trials=None if trials is None else replace(trials, comparisons=trials.comparisons * len(found)),
    )
