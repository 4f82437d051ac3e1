"""The small pictures of a report: the shares of each variable before and after, no bar of fewer than ten records."""

from typing import Any

from sfumato.comparison.recoding import has_same_classes
from sfumato.data import Microdata, Role
from sfumato.errors import SfumatoError
from sfumato.reports.column_shares import ColumnShares, column_shares

MAX_PICTURES = 30
LEFT_OUT = {Role.IDENTIFIER, Role.HOUSEHOLD}


def pictured_columns(released: Microdata, original: Microdata | None = None) -> tuple[str, ...]:
    """Return the variables to be pictured: those with values in all files given, without identifiers."""
    files = [released] if original is None else [original, released]
    return tuple(
        one.name
        for one in released.schema.variables
        if one.role not in LEFT_OUT and all(one.name in file.schema and file.observed(one.name).any() for file in files)
    )[:MAX_PICTURES]


def column_pictures(original: Microdata | None, released: Microdata) -> list[dict[str, Any]]:
    """Return the shares of each variable as plain values; of the released file alone where no original is given."""
    pictures: list[dict[str, Any]] = []
    for name in pictured_columns(released, original):
        about = _about(released if original is None else original, name)
        if original is None:
            pictures.append({**about, "after": _side(_alone(released, name), "after")})
        elif has_same_classes(original, released, name) and (both := _both(original, released, name)):
            pictures.append({**about, "before": _side(both, "before"), "after": _side(both, "after")})
        else:
            before, after = _alone(original, name), _alone(released, name)
            pictures.append(
                {
                    **about,
                    "is_recoded": True,
                    "before": _side(before, "before"),
                    "after": _side(after, "after"),
                }
            )
    return pictures


def _about(data: Microdata, name: str) -> dict[str, Any]:
    """Return the name, the label and the unit of a variable."""
    variable = data.schema[name]
    return {"name": name, "label": variable.label, "unit": variable.unit}


def _both(original: Microdata, released: Microdata, name: str) -> ColumnShares | None:
    try:
        return column_shares(original, released, name)
    except SfumatoError:
        return None


def _alone(data: Microdata, name: str) -> ColumnShares:
    return column_shares(data, data, name)


def _side(shares: ColumnShares, when: str) -> dict[str, Any]:
    """Return the shares of one file: classes of a number first, then categories or ways to be missing."""
    found = shares.original if when == "before" else shares.synthetic
    return {
        "labels": list(shares.labels),
        "edges": shares.edges.tolist(),
        "shares": [None if share != share else share for share in found.tolist()],
        "is_date": shares.is_date,
    }
