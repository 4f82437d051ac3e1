"""Which columns a step reads: whatever it makes of a record hangs on no others."""

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, Selector


def columns_read(step: MaskingMethod, data: Microdata) -> set[str]:
    """Return all columns that the parameters of a step name: those that it changes and those that it only reads."""
    found: set[str] = set()
    for field in type(step).model_fields:
        value = getattr(step, field)
        if isinstance(value, Selector):
            found |= set(data.select(value))
        else:
            found |= {name for name in _texts(value) if name in data.schema}
    return found


def _texts(value: object) -> set[str]:
    if isinstance(value, str):
        return {value}
    if isinstance(value, dict):
        return set().union(*(_texts(one) for pair in value.items() for one in pair)) if value else set()
    if isinstance(value, list | tuple | set | frozenset):
        return set().union(*(_texts(one) for one in value)) if value else set()
    return set()
