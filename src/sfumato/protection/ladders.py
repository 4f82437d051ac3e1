"""Ladders: for each key ever broader categories, from the values as they are to a few classes."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Code, CodeColumn, FloatColumn, Hierarchy, Kind, Microdata, Variable
from sfumato.masking import Discretisation, Generalisation, Recoding

WIDTHS = (1, 2, 5)  # classes of numbers are so wide, or 10, 100, ... times as wide
FEWEST_CLASSES = 3  # fewer say hardly anything of a number or of an order
OTHER = "other"


@dataclass(frozen=True, eq=False)
class Rung:
    """One way to release a key.

    Parameters
    ----------
    step
        The method that makes the broader categories; none for the key as it is.
    codes
        The category of each record, -1 where missing.
    loss
        What is lost: 0 when all categories are told apart, 1 when none is.
    """

    step: MaskingMethod | None
    codes: CodeColumn
    loss: float


def ladder(data: Microdata, name: str, hierarchy: Hierarchy | None = None) -> tuple[Rung, ...]:
    """Return the ways to release a key, finest first.

    Parameters
    ----------
    data
        The file.
    name
        The key.
    hierarchy
        The tree by which its categories are to be joined. Without it numbers are put into classes of ever greater
        width, neighbours in an order are joined, and of nominal categories the rarest go into one.
    """
    codes, categories = data.codes(name)
    rungs = [Rung(None, codes, 0.0)]
    for step in _steps(data, name, hierarchy, codes, categories):
        broader = step.mask(data.take_columns((name,)), np.random.default_rng(0)).codes(name)[0]
        if np.unique(broader).size < np.unique(rungs[-1].codes).size:
            rungs.append(Rung(step, broader, loss_of(codes, broader)))
    return tuple(rungs)


def loss_of(codes: CodeColumn, broader: CodeColumn) -> float:
    """Return how much of what a key tells is lost: the mean share of its categories that a record may have.

    It is 0 where each record shows its own category, and 1 where all categories are one.

    Examples
    --------
    >>> loss_of(np.array([0, 1, 2, 3]), np.array([0, 0, 1, 2]))
    0.16666666666666666
    """
    known = codes >= 0
    pairs = np.unique(np.stack([codes, broader])[:, known], axis=1)
    count = pairs.shape[1]
    if count < 2:
        return 0.0
    share = np.bincount(pairs[1])[broader[known]] / count
    return float((share.mean() - 1 / count) / (1 - 1 / count))


def _steps(
    data: Microdata, name: str, hierarchy: Hierarchy | None, codes: CodeColumn, categories: tuple[Code, ...]
) -> list[MaskingMethod]:
    variable = data.schema[name]
    if hierarchy is not None:
        levels = range(hierarchy.depth - 1, 0, -1)
        return [Generalisation(columns=(name,), hierarchy=hierarchy, level=level) for level in levels]
    if variable.kind is Kind.CONTINUOUS:
        return [Discretisation(columns=(name,), breaks=breaks) for breaks in class_breaks(data.values(name))]
    counts = np.bincount(codes[codes >= 0], minlength=len(categories))
    present = [category for category, count in zip(categories, counts, strict=True) if count]
    if variable.kind is Kind.ORDINAL:
        return [_with_joined_neighbours(variable, groups) for groups in _neighbours(present)]
    order = np.argsort(-counts[counts > 0], kind="stable")
    return [_with_others(variable, present, rare) for rare in _rarest([present[place] for place in order])]


def class_breaks(values: FloatColumn) -> list[tuple[float, ...]]:
    """Return where classes of numbers begin, for ever wider ones at round numbers.

    Examples
    --------
    >>> class_breaks(np.array([1.0, 9.0]))
    [(2.0, 4.0, 6.0, 8.0)]
    """
    known = values[~np.isnan(values)]
    low, high = float(known.min()), float(known.max())
    found = []
    for width in (base * 10.0**power for power in range(12) for base in WIDTHS):
        if width == 1:
            continue
        starts = np.arange(np.floor(low / width) + 1, np.floor(high / width) + 1) * width
        if starts.size + 1 < FEWEST_CLASSES:
            break
        found.append(tuple(starts.tolist()))
    return found


def _neighbours(ordered: list[Code]) -> list[list[list[Code]]]:
    """Return the groups of 2, then of 4, 8, ... neighbours in an order."""
    found, size = [], 2
    while -(-len(ordered) // size) >= FEWEST_CLASSES:
        groups = [ordered[start : start + size] for start in range(0, len(ordered), size)]
        found.append([group for group in groups if len(group) > 1])
        size *= 2
    return found


def _rarest(by_frequency: list[Code]) -> list[list[Code]]:
    """Return ever more of the rarest categories: all but half of them, a quarter, ..., one; at first the two rarest."""
    found, kept = [], len(by_frequency) - 2
    while kept >= 1:
        found.append(by_frequency[kept:])
        kept = kept // 2
    return found


def _with_joined_neighbours(variable: Variable, groups: list[list[Code]]) -> Recoding:
    """Return the step that makes each group of an order one; a number stands for its group, and a label says so."""
    spans = [_span(variable, group) for group in groups]
    is_text = isinstance(groups[0][0], str)
    new: list[Code] = [span if is_text else group[0] for group, span in zip(groups, spans, strict=True)]
    moved = {code: joined for group, joined in zip(groups, new, strict=True) for code in group}
    labels = None if is_text else dict(zip(new, spans, strict=True))
    return Recoding(columns=(variable.name,), map=moved, keeps_others=True, labels=labels)


def _with_others(variable: Variable, present: list[Code], rare: list[Code]) -> Recoding:
    """Return the step that puts rare categories into one: called other, or a number of its own with that label."""
    if any(isinstance(code, str) for code in present):
        return Recoding(columns=(variable.name,), map=dict.fromkeys(rare, OTHER), keeps_others=True)
    free = int(max(present)) + 1
    return Recoding(columns=(variable.name,), map=dict.fromkeys(rare, free), keeps_others=True, labels={free: OTHER})


def _span(variable: Variable, group: list[Code]) -> str:
    first, last = (variable.value_labels.get(code, str(code)) for code in (group[0], group[-1]))
    return f"{first} to {last}"
