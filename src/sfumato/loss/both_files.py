"""Columns of any kind taken from both files, which need not hold the same records."""

from sfumato.contracts import Measure
from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, KindError


def compared_columns(measure: Measure, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the names of the columns that a measure asks for, after checking that both files can be compared."""
    names = measure.selected(original, masked)
    who = type(measure).__name__
    if min(original.n, masked.n) < 2:
        raise DataError(
            f"{who} needs at least 2 records in each file; the original has {original.n} and the masked {masked.n}"
        )
    for name in names:
        check_same_kind(f"{who}.columns", original, masked, name)
    return names


def check_same_kind(who: str, original: Microdata, masked: Microdata, name: str) -> Kind:
    """Return the kind of a column; refuse one that is of two kinds."""
    kind, masked_kind = original.schema[name].kind, masked.schema[name].kind
    if kind is not masked_kind:
        raise KindError(
            f"{who}: '{name}' is {kind} in the original and {masked_kind} in the masked file; give both the same schema"
        )
    return kind
