"""A figure of several synthetic copies in one file: the mean over the copies."""

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import Microdata
from sfumato.data.releases import copies_of


def mean_over_copies(
    original: Microdata, masked: Microdata, measure: Callable[[Microdata, Microdata], Measurement]
) -> Measurement:
    """Return what is measured of a file, on average over the copies that it holds.

    All copies put together would look nearer to the original, the more they are: what chance does to one evens out.
    Parts that not every copy has, as the largest ones, are left out.
    """
    found = [measure(original, copy) for copy in copies_of(original, masked)]
    if len(found) == 1:
        return found[0]
    shared = [name for name in found[0].parts if all(name in one.parts for one in found)]
    remark = f"mean of {len(found)} copies"
    return replace(
        found[0],
        value=float(np.mean([one.value for one in found])),
        parts={name: float(np.mean([one.parts[name] for one in found])) for name in shared},
        remark=f"{remark}; {found[0].remark}" if found[0].remark else remark,
    )
