"""What a class of another package must have before it joins Sfumato's own."""

import inspect
from collections.abc import Iterator

from sfumato.contracts.improvers import Improver
from sfumato.contracts.measures import LossMeasure, Measure, RiskMeasure
from sfumato.contracts.methods import Layout, MaskingMethod
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Kind

KINDS = "a frozenset of Kind, such as frozenset({Kind.CONTINUOUS})"
CONTRACTS: tuple[type[ColumnRecord], ...] = (MaskingMethod, RiskMeasure, LossMeasure, Improver)


def contract_problems(record: object, contracts: tuple[type[ColumnRecord], ...] = CONTRACTS) -> list[str]:
    """Return what a class lacks to keep one of some contracts; an empty list when it keeps one.

    Examples
    --------
    >>> contract_problems(dict)
    ['must be a subclass of MaskingMethod, RiskMeasure, LossMeasure or Improver']
    """
    if not isinstance(record, type) or not issubclass(record, contracts):
        *others, last = (contract.__name__ for contract in contracts)
        return [f"must be a subclass of {' or '.join(filter(None, [', '.join(others), last]))}"]
    return list(_gaps(record))


def _gaps(record: type[ColumnRecord]) -> Iterator[str]:
    if inspect.isabstract(record):
        yield f"must write the method {', '.join(sorted(record.__abstractmethods__))}"
    if not _is_text(getattr(record, "family", None)):
        yield "must state its family, as in family = 'noise'"
    kinds = getattr(record, "kinds", None)
    if not isinstance(kinds, frozenset) or not kinds or not kinds <= set(Kind):
        yield f"must state its kinds of column: {KINDS}"
    if issubclass(record, MaskingMethod) and not isinstance(getattr(record, "layout", None), Layout):
        yield "must state its layout, such as Layout.ROWS"
    if issubclass(record, Measure) and not _is_text(getattr(record, "symbol", None)):
        yield "must state its symbol, as in symbol = 'DLD'"
    if not record.model_config.get("frozen") or record.model_config.get("extra") != "forbid":
        yield "must leave the model_config frozen, with extra values forbidden"


def _is_text(value: object) -> bool:
    return isinstance(value, str) and bool(value.strip())
