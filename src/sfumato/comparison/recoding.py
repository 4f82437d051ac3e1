"""Which variables a masked file has in other classes than the original, so that no category can be held beside it."""

from collections.abc import Iterable

from sfumato.comparison.side_by_side import common_codes
from sfumato.data import CATEGORICAL, Microdata


def has_same_classes(original: Microdata, masked: Microdata, name: str) -> bool:
    """Tell whether a variable is of one kind in both files, and a categorical one has no category that is new."""
    kinds = original.schema[name].kind, masked.schema[name].kind
    if kinds[0] is not kinds[1]:
        return False
    if kinds[0] not in CATEGORICAL:
        return True
    _, codes, categories = common_codes(original, masked, name)
    return bool((codes < len(original.codes(name)[1])).all()) and len(categories) > 0


def with_same_classes(original: Microdata, masked: Microdata, names: Iterable[str]) -> tuple[str, ...]:
    """Return those of some variables that kept their classes."""
    return tuple(name for name in names if has_same_classes(original, masked, name))
