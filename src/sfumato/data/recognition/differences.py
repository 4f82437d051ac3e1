"""Numbers on both sides of zero, as one less another gives them: those below it are no codes."""

import numpy as np

from sfumato.data.recognition.missing_code_places import Scale

MAX_LONGER = 4  # times as far above zero as below it: differences are about as large on both sides


def lies_around_zero(scale: Scale) -> bool:
    """Tell whether whole numbers lie on both sides of zero and thin out on both, as differences do.

    None is left out, and above zero they go further than below it, but not much. Codes below zero go with a scale that
    begins at one, or that is far longer.

    Examples
    --------
    >>> lies_around_zero(Scale(np.array([-2.0, -1, 0, 1, 2, 3]), np.array([4, 20, 60, 30, 12, 5])))
    True
    >>> lies_around_zero(Scale(np.array([-2.0, -1, 1, 2, 3, 4, 5]), np.array([4, 20, 60, 70, 30, 12, 5])))
    False
    """
    values, counts = scale.values, scale.counts
    is_whole_range = values.size > 2 and values.size == values[-1] - values[0] + 1 and (values % 1 == 0).all()
    if not is_whole_range or not 2 <= -values[0] <= values[-1] <= MAX_LONGER * -values[0]:
        return False
    zero = int(-values[0])
    return bool((np.diff(counts[: zero + 1]) >= 0).all() and (np.diff(counts[counts.argmax() :]) <= 0).all())
