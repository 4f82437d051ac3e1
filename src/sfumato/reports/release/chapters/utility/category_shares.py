"""How far the shares of categories moved, over each variable and of single categories."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from sfumato.comparison.recoding import has_same_classes
from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Microdata
from sfumato.data.column_recoding import labelled_text
from sfumato.data.kinds import CONTENT_ROLES
from sfumato.reports.release.chapters.utility.compared_statistics import weights_of_both

MAX_NAMED = 8  # categories of a variable that are named
MIN_CATEGORY = 10  # persons of a category that is looked at by itself


class CategoryChange(NamedTuple):
    """A variable, how much of the records moved, in percent, and which of its categories lost or gained half.

    Categories that at least 10 persons had are looked at by themselves; more than half of their share counts.
    """

    name: str
    size: float
    halved: tuple[str, ...]


def category_changes(original: Microdata, released: Microdata) -> list[CategoryChange]:
    """Return for each categorical variable of the same classes how much of the records, or weights, moved."""
    weights = weights_of_both(original, released)
    counted = (None, None) if weights is None else (weights.before, weights.after)
    found = []
    for name in content_of_both(original, released):
        if original.schema[name].kind in CATEGORICAL and has_same_classes(original, released, name):
            *codes, categories = common_codes(original, released, name)
            shares = []
            for column, weight in zip(codes, counted, strict=True):
                counts = np.bincount(column + 1, weight, minlength=len(categories) + 1)
                shares.append(counts / max(float(counts.sum()), 1e-300))
            before, after = shares
            persons = np.bincount(codes[0] + 1, minlength=before.size)
            halved = (np.abs(after - before) > before / 2) & (persons >= MIN_CATEGORY)
            moved = 50 * float(np.abs(before - after).sum())
            labels = original.schema[name].value_labels
            places = np.flatnonzero(halved[1:])  # gaps are no category
            found.append(CategoryChange(name, moved, tuple(labelled_text(categories[one], labels) for one in places)))
    return found


def halved_in_words(changes: Sequence[CategoryChange], *, for_all: bool) -> str:
    """Return how many categories lost or gained half of their share, as a sentence; nothing where none did.

    Everybody is told how many, the house also which.

    Examples
    --------
    >>> halved_in_words([CategoryChange("town", 3.0, ("Ely",))], for_all=False)
    ' Of categories that at least 10 persons had, 1 lost or gained more than half of its own share: Ely (town)'
    """
    count = sum(len(one.halved) for one in changes)
    if not count:
        return ""
    told = f" Of categories that at least {MIN_CATEGORY} persons had, {count:,} lost or gained more than half of "
    told += f"{'its' if count == 1 else 'their'} own share"
    if for_all:
        return f"{told}: a rare one may do so though few records moved"
    named = [f"{', '.join(one.halved[:MAX_NAMED])} ({one.name})" for one in changes if one.halved]
    return f"{told}: {'; '.join(named)}"


def content_of_both(original: Microdata, released: Microdata) -> list[str]:
    """Return the variables of both files that describe persons."""
    return [one.name for one in original.schema.variables if one.role in CONTENT_ROLES and one.name in released.schema]
