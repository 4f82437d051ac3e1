"""What the methods that masked a file claim of it."""

from collections.abc import Sequence

from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata
from sfumato.masking import FullDomainRecoding, LocalRecoding, LocalSuppression, StrictLocalSuppression
from sfumato.risk import KAnonymity


def claimed_anonymity(masked: Microdata, methods: Sequence[MaskingMethod]) -> tuple[KAnonymity, ...]:
    """Return the measure of the k-anonymity that the last method to promise one claims; none where none does."""
    for method in reversed(methods):
        if isinstance(method, LocalSuppression | StrictLocalSuppression | FullDomainRecoding | LocalRecoding):
            names = tuple(name for name in masked.schema.names if name in _columns_of(method, masked))
            shown = tuple(name for name in names if masked.summary.observed(name))
            combinations = method.combinations if isinstance(method, LocalSuppression) and shown == names else ()
            return (KAnonymity(columns=shown, k=method.k, combinations=combinations),) if shown else ()
    return ()


def _columns_of(method: MaskingMethod, masked: Microdata) -> tuple[str, ...]:
    return method.columns if isinstance(method.columns, tuple) else masked.select(method.columns)
