"""Columns that are released as they were and tell records apart by themselves: most of them, or a few."""

from collections.abc import Iterable

import numpy as np

from sfumato.data import CATEGORICAL, Microdata, Role
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.display import format_count
from sfumato.keys.classes import UNIQUE_SHARE
from sfumato.keys.weight_notices import count_with_own_value

NOTICED_ROLES = {Role.WEIGHT, Role.HOUSEHOLD, Role.IDENTIFIER}  # each has a notice of its own


def unique_column_notices(unchanged: Iterable[str], released: Microdata) -> list[str]:
    """Return sentences about the columns released as they were that tell records apart by themselves.

    Such are those that differ for most records, and texts and categories that only one record has.
    """
    records = np.arange(released.n)
    own = {
        name: count_with_own_value(records, factorise(released.table[name])[0])
        for name in unchanged
        if released.schema[name].role not in NOTICED_ROLES and not isinstance(released.table[name].dtype, NESTED)
    }
    telling = [name for name, count in own.items() if count >= UNIQUE_SHARE * max(released.n, 1)]
    rare = {
        name: count
        for name, count in own.items()
        if count and name not in telling and released.schema[name].kind in CATEGORICAL
    }
    return [*_telling_notice(telling), *_rare_notice(rare)]


def _telling_notice(telling: list[str]) -> list[str]:
    if not telling:
        return []
    them = "it" if len(telling) == 1 else "them"
    return [
        f"Released as {'it was' if them == 'it' else 'they were'}, and different for most records: "
        f"{', '.join(telling)}. Whoever knows {'its value' if them == 'it' else 'one of them'} of a person finds the "
        f"record: drop {them} (columns with the role identifier are dropped), mask {them}, or give {them} the role key."
    ]


def _rare_notice(rare: dict[str, int]) -> list[str]:
    if not rare:
        return []
    listed = ", ".join(f"{name} ({format_count(count, 'record')})" for name, count in rare.items())
    return [
        f"Released as it was, with a text or category that no other record has: {listed}. It may tell who that is, as "
        f"a remark that names somebody does: read these values, drop the column (role identifier), recode it, or give "
        f"it the role key."
    ]
