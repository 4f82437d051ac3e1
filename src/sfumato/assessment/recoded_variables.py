"""How much the categories of a file changed where some variables are in other classes than before: with them, without.

A wider class may hold the old category, and counts as a change all the same: users must read which figure is of what.
"""

from collections.abc import Sequence

from sfumato.comparison.recoding import with_same_classes
from sfumato.contracts import Measure, Measurement
from sfumato.data import Microdata
from sfumato.display import format_count, format_percent
from sfumato.loss import CategoricalDistance, ContingencyTableLoss

OF_CATEGORIES = (CategoricalDistance, ContingencyTableLoss)
"""The measures that hold categories of both files beside each other."""


def recoded_of(measure: Measure, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the variables of a measure of categories that are in other classes than before; none of other measures."""
    if not isinstance(measure, OF_CATEGORIES):
        return ()
    names = measure.common_columns(original, masked)
    kept = with_same_classes(original, masked, names)
    return tuple(name for name in names if name not in kept)


def without_recoded(
    measure: Measure, original: Microdata, masked: Microdata, recoded: Sequence[str]
) -> tuple[Measure, Measurement] | None:
    """Return a measure of categories without the recoded variables, and what it finds; None if none is left."""
    kept = tuple(name for name in measure.common_columns(original, masked) if name not in recoded)
    if not kept:
        return None
    narrow = measure.model_copy(update={"columns": kept})
    return narrow, narrow.measure(original, masked)


def recoded_remark(
    measures: Sequence[Measure], found: Sequence[Measurement], original: Microdata, masked: Microdata
) -> tuple[str, ...]:
    """Return which variables are in other classes, and the figures without them; nothing where all kept theirs."""
    names: dict[str, None] = {}
    symbols, alone = [], []
    left = 0
    for measure, one in zip(measures, found, strict=True):
        if not (recoded := recoded_of(measure, original, masked)):
            continue
        names |= dict.fromkeys(recoded)
        symbols.append(one.symbol)
        if kept := without_recoded(measure, original, masked, recoded):
            left = max(left, len(kept[0].common_columns(original, masked)))
            alone.append(f"{one.symbol} is {format_percent(kept[1].value)}")
    if not names:
        return ()
    others = (
        f"of the {format_count(left, 'variable')} in the same classes alone {' and '.join(alone)}"
        if alone
        else "no variable that is compared kept its classes"
    )
    return (
        f"Categories in other classes than before: {', '.join(names)}. {' and '.join(symbols)} "
        f"{'counts' if len(symbols) == 1 else 'count'} each new category as a change, though it may be a wider class "
        f"that holds the old one; {others}.",
    )
