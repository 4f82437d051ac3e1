"""What the methods that masked a file claim of it."""

from collections.abc import Sequence
from typing import cast

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import LocalSuppression
from sfumato.risk import KAnonymity

CLAIMING = (
    *("local_suppression", "strict_local_suppression", "full_domain_recoding", "local_recoding"),
    *("categorical_microaggregation", "record_microaggregation"),
)
"""The methods that promise k-anonymity in their columns."""


def claimed_anonymity(masked: Microdata, methods: Sequence[MaskingMethod]) -> tuple[KAnonymity, ...]:
    """Return the measure of the k-anonymity that the last method to promise one claims; none where none does."""
    for method in reversed(methods):
        if method.is_a(*CLAIMING) and not _is_masked_in_parts(method):
            names = tuple(name for name in masked.schema.names if name in _columns_of(method, masked))
            shown = tuple(name for name in names if masked.summary.observed(name))
            combinations = method.combinations if isinstance(method, LocalSuppression) and shown == names else ()
            return (
                (KAnonymity(columns=shown, k=cast("LocalSuppression", method).k, combinations=combinations),)
                if shown
                else ()
            )
    return ()


def _is_masked_in_parts(method: MaskingMethod) -> bool:
    """Tell whether a method groups records anew for some columns after others, so that it promises nothing of all."""
    parts = getattr(method, "column_groups", None), getattr(method, "columns_at_a_time", None)
    return any(part is not None for part in parts)


def _columns_of(method: MaskingMethod, masked: Microdata) -> tuple[str, ...]:
    return method.columns if isinstance(method.columns, tuple) else masked.select(method.columns)
