"""Columns that are released as they were and tell most records apart by themselves."""

from collections.abc import Iterable

import numpy as np

from sfumato.data import Microdata, Role
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.keys.classes import UNIQUE_SHARE
from sfumato.keys.weight_notices import count_with_own_value

NOTICED_ROLES = {Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER}  # each has a notice of its own


def unique_column_notices(unchanged: Iterable[str], released: Microdata) -> list[str]:
    """Return a sentence about the columns released as they were that tell most records apart by themselves."""
    records = np.arange(released.n)
    telling = [
        name
        for name in unchanged
        if released.schema[name].role not in NOTICED_ROLES
        and not isinstance(released.table[name].dtype, NESTED)
        and count_with_own_value(records, factorise(released.table[name])[0]) >= UNIQUE_SHARE * max(released.n, 1)
    ]
    if not telling:
        return []
    them = "it" if len(telling) == 1 else "them"
    return [
        f"Released as {'it was' if them == 'it' else 'they were'}, and different for most records: "
        f"{', '.join(telling)}. Whoever knows {'its value' if them == 'it' else 'one of them'} of a person finds the "
        f"record: drop {them} (columns with the role identifier are dropped), mask {them}, or give {them} the role key."
    ]
