"""The usual candidates for the columns of a file, with which a comparison may begin."""

from typing import Any

from sfumato.data import CATEGORICAL, Kind, Role, Schema

MASKED = (Role.KEY, Role.CONFIDENTIAL, Role.OTHER)


def usual_grid(schema: Schema) -> list[Any]:
    """Return entries of a study: methods for the numbers of a file, or for its categorical keys where it has none.

    Examples
    --------
    >>> import polars
    >>> schema = Schema.infer(polars.DataFrame({"income": [1.5, 2.5, 9.0], "tax": [0.5, 0.25, 1.0]}))
    >>> [list(entry) for entry in usual_grid(schema)]
    [['rank_swapping'], ['mdav'], ['additive_noise']]
    """
    numbers = [one.name for one in schema.variables if one.kind is Kind.CONTINUOUS and one.role in MASKED]
    confidential = [name for name in numbers if schema[name].role is Role.CONFIDENTIAL] or numbers
    if confidential:
        return [
            {"rank_swapping": {"columns": confidential, "window": [2, 5, 10, 20]}},
            {"mdav": {"columns": confidential, "k": [3, 5, 10, 20]}},
            {"additive_noise": {"columns": confidential, "scale": [0.05, 0.1, 0.25, 0.5]}},
        ]
    keys = [one.name for one in schema.variables if one.kind in CATEGORICAL and one.role is Role.KEY]
    if not keys:
        return []
    return [
        {"invariant_pram": {"columns": keys, "stay": [70, 80, 90]}},
        {"local_suppression": {"columns": keys, "k": [2, 3, 5]}},
    ]
