"""Let a class of a notebook stand beside Sfumato's own, and say which package a class came from."""

import warnings
from typing import Any, TypeVar

from sfumato.catalogue import missing_sections
from sfumato.contracts import Measure
from sfumato.contracts.conformance import contract_problems
from sfumato.contracts.named import ColumnRecord
from sfumato.contracts.registry import JoinedTables, Registry
from sfumato.errors import PluginError, PluginWarning
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.risk import RISKS

Own = TypeVar("Own", bound=type[ColumnRecord])

ALL_TABLES: dict[str, Registry[Any]] = {"masking": METHODS, "risk": RISKS, "loss": LOSSES, "improve": IMPROVERS}
"""The tables by the names of their rooms."""
MEASURES: JoinedTables[Measure] = JoinedTables(RISKS, LOSSES)
"""All measures by name, those of risk first."""


def register(record: Own) -> Own:
    """Let a class of your own join for this session: recipes, studies and assessments then take it by its name.

    Use it as a decorator in a notebook or a script; a package offers its classes by entry points instead. Refused are
    a class that breaks the contract and one whose name or symbol is taken. What its docstring lacks is a warning. A
    class that is defined anew in the same place, as when a notebook's cell is run again, replaces the older one.

    Parameters
    ----------
    record
        A subclass of `MaskingMethod`, `RiskMeasure`, `LossMeasure` or `Improver`.

    Returns
    -------
    The class itself.
    """
    if problems := contract_problems(record):
        name = getattr(record, "__name__", type(record).__name__)
        raise PluginError(f"register: {name} breaks the contract: it {'; it '.join(problems)}")
    if missing := missing_sections(record):
        sentence = f"{record.__name__}: the docstring lacks {', '.join(missing)}"
        warnings.warn(PluginWarning(sentence), stacklevel=2)
    next(table for table in ALL_TABLES.values() if issubclass(record, table.contract)).add(record)
    return record


def origin_of(record: type[ColumnRecord]) -> str:
    """Return the package and version that a class came from, or `sf.register`; nothing for Sfumato's own."""
    return next(table.origin(record) for table in ALL_TABLES.values() if issubclass(record, table.contract))
