"""The sensitive column that keys must not tell: what may be one."""

from sfumato.data import CATEGORICAL, Microdata
from sfumato.errors import DataError, KindError


def check_sensitive(who: str, data: Microdata, names: tuple[str, ...], sensitive: str, different: int) -> None:
    """Refuse a sensitive column that is a key, is not categorical, or has fewer values than each class must have."""
    if sensitive in names:
        raise DataError(f"{who}.sensitive: '{sensitive}' is one of the keys; name another column, or take it out there")
    kind = data.schema[sensitive].kind
    if kind not in CATEGORICAL:
        raise KindError(
            f"{who}.sensitive: '{sensitive}' is {kind}; expected a nominal or ordinal column: make classes of it first"
        )
    held = sum(count > 0 for count in data.summary.counts(sensitive).values())
    least = max(different, 1)
    if held < least:
        raise DataError(
            f"{who}.sensitive: '{sensitive}' has {held} different values in the file; each class must have {least}: "
            f"ask for fewer"
        )
