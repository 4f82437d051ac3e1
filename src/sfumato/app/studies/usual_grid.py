"""The usual candidates for the columns of a file, with which a comparison may begin."""

from typing import Any

from sfumato.app.studies.proposal_entries import KEYS, STRICT, WHOLE, proposal_entry
from sfumato.data import CATEGORICAL, Kind, Role, Schema

LARGE = 20  # records in a group of means that hides amounts well
MASKED = (Role.KEY, Role.CONFIDENTIAL, Role.OTHER)


def usual_grid(schema: Schema) -> list[Any]:
    """Return entries of a grid: proposals for keys, with each usual way to mask numbers, and for whole records.

    Without keys they are methods for the numbers, as nothing can be proposed.

    Examples
    --------
    >>> import polars
    >>> schema = Schema.infer(polars.DataFrame({"town": [*"AAB"], "income": [1.5, 2.5, 9.0]}))
    >>> for entry in usual_grid(schema.with_roles(key=["town"], confidential=["income"])):
    ...     print(entry["name"])
    keys, numbers averaged
    keys, numbers averaged by 20
    keys, numbers with noise
    whole records
    >>> [list(entry) for entry in usual_grid(schema.with_roles(key=[], other=["town", "income"]))]
    [['rank_swapping'], ['mdav'], ['additive_noise']]
    """
    keys = [one.name for one in schema.variables if one.role is Role.KEY]
    numbers = [one.name for one in schema.variables if one.kind is Kind.CONTINUOUS and one.role in MASKED]
    confidential = [name for name in numbers if schema[name].role is Role.CONFIDENTIAL]
    if keys and confidential:
        return [
            proposal_entry(f"{KEYS}, numbers averaged", {}),
            proposal_entry(f"{KEYS}, numbers averaged by {LARGE}", _masked_by("mdav", confidential, k=LARGE)),
            # few, as the attacks on noise and swapping take many times as long as those on means
            proposal_entry(f"{KEYS}, numbers with noise", _masked_by("additive_noise", confidential, scale=0.25), [5]),
            proposal_entry(WHOLE, {"whole_records": True}),
        ]
    if keys:
        return [
            proposal_entry(KEYS, {}),
            proposal_entry(STRICT, {"strict": True}),
            proposal_entry(WHOLE, {"whole_records": True}),
        ]
    if numbers:
        chosen = confidential or numbers
        return [
            {"rank_swapping": {"columns": chosen, "window": [2, 5, 10, 20]}},
            {"mdav": {"columns": chosen, "k": [3, 5, 10, 20]}},
            {"additive_noise": {"columns": chosen, "scale": [0.05, 0.1, 0.25, 0.5]}},
        ]
    categories = [one.name for one in schema.variables if one.kind in CATEGORICAL and one.role in MASKED]
    return [{"invariant_pram": {"columns": categories, "stay": [70, 80, 90]}}] if categories else []


def _masked_by(method: str, columns: list[str], **parameters: Any) -> dict[str, Any]:
    """Return how a proposal masks confidential numbers."""
    return {"number_steps": [{method: {"columns": columns, **parameters}}]}
