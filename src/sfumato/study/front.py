"""The Pareto front: the candidates that no other beats in both risk and loss."""

import numpy as np

from sfumato.numerics.arrays import Booleans, FloatColumn


def is_on_front(risk: FloatColumn, loss: FloatColumn) -> Booleans:
    """Tell for each candidate whether none is at least as good in both and better in one; lower is better.

    Equal candidates are on the front together or not at all. A candidate with a missing figure is never on it.

    Examples
    --------
    >>> is_on_front(np.array([1.0, 2.0, 2.0, 3.0]), np.array([9.0, 4.0, 5.0, 4.0]))
    array([ True,  True, False, False])
    """
    front = np.zeros(risk.size, dtype=np.bool_)
    lowest_loss, its_risk = np.inf, np.inf
    for candidate in np.lexsort((loss, risk)):  # by risk; the lower loss first where risks are equal
        if np.isnan(risk[candidate]) or np.isnan(loss[candidate]):
            continue
        if loss[candidate] < lowest_loss:
            lowest_loss, its_risk = loss[candidate], risk[candidate]
        front[candidate] = loss[candidate] == lowest_loss and risk[candidate] == its_risk
    return front
