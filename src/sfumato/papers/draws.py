"""A method run several times, and what a printed figure may differ from the mean by."""

from collections.abc import Iterator
from zlib import crc32

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.execution import run_step

DEVIATIONS = 3


def draws(method: MaskingMethod, data: Microdata, seed: int, times: int) -> Iterator[Microdata]:
    """Yield `data` masked so many times, with seeds that follow from `seed` and the method: rows differ."""
    sequence = np.random.SeedSequence(seed, spawn_key=(crc32(repr(method).encode()),))
    for own in sequence.generate_state(times):
        yield run_step(method, data, seed=int(own), step=0)


def spread(figures: list[float], unit: float) -> float:
    """Return how far a printed draw may be from the mean of ours: three standard deviations and half a printed unit.

    Examples
    --------
    >>> round(spread([0.20, 0.21, 0.22], unit=0.001), 6)
    0.0305
    """
    return DEVIATIONS * float(np.std(figures, ddof=1)) + unit / 2
