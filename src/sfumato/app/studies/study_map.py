"""A study on the axes that somebody chose: who is on the front of the map, and in which order the table has them."""

from collections.abc import Mapping
from typing import Any

import numpy as np

from sfumato.study.front import is_on_front

MIN_SPREAD = 1.0  # of the figures on an axis, in their unit: recipes that differ by less lie at one place


def on_axes(found: Mapping[str, Any], risk: str, loss: str) -> dict[str, Any]:
    """Return a study with another risk and loss on its axes, and the candidates that none beats in both.

    A candidate of which a run failed is not on the front.
    """
    figures = [[one["figures"].get(symbol) for one in found["candidates"]] for symbol in (risk, loss)]
    failed = [bool(one["error"]) for one in found["candidates"]]
    up, across = (
        np.array([np.nan if value is None or bad else value for value, bad in zip(axis, failed, strict=True)], float)
        for axis in figures
    )
    front = is_on_front(up, across).tolist()
    candidates = [{**one, "is_on_front": member} for one, member in zip(found["candidates"], front, strict=True)]
    return {**found, "risk": risk, "loss": loss, "candidates": candidates}


def separating(found: Mapping[str, Any], offered: list[str]) -> str:
    """Return the first of some figures in which candidates differ, or the first of all; nothing where there is none.

    Examples
    --------
    >>> study = {"candidates": [{"figures": {"a": 99.9, "b": 5.0}}, {"figures": {"a": 99.8, "b": 60.0}}]}
    >>> separating(study, ["a", "b"])
    'b'
    """
    for symbol in offered:
        known = [value for one in found["candidates"] if (value := one["figures"].get(symbol)) is not None]
        if known and max(known) - min(known) >= MIN_SPREAD:
            return symbol
    return next(iter(offered), "")
