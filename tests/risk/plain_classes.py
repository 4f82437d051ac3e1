"""Small files of two keys and a confidential column, and what each record's class shows, in plain Python."""

import polars as pl
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema

Record = tuple[str | None, str | None, str | None]
"""Two keys and a confidential value."""

VALUES = ["p", "q", "r", "s"]
KEY = st.sampled_from([None, "x", "y"])
RECORDS = st.lists(
    st.tuples(KEY, KEY, st.sampled_from([None, *VALUES])),
    min_size=1,
    max_size=16,
).filter(lambda records: all(any(record[place] for record in records) for place in range(3)))
READINGS = st.sampled_from(["wildcard", "category"])


def people(records: list[Record], kind: str = "nominal") -> Microdata:
    """Return the records as a file with the keys a and b and the confidential column ill."""
    columns = {name: [record[place] for record in records] for place, name in enumerate(("a", "b", "ill"))}
    frame = pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))
    schema = Schema.infer(frame).with_kinds(nominal=["a", "b", "ill"]).with_roles(key=["a", "b"], confidential=["ill"])
    ill = schema["ill"].replace(kind=kind, categories=tuple(VALUES))
    return Microdata(frame, schema.with_variables(ill))


def shown(records: list[Record], missing: str) -> list[list[str]]:
    """Return for each record the known confidential values of its class."""

    def agree(one: str | None, other: str | None) -> bool:
        return one == other or (missing == "wildcard" and None in (one, other))

    return [
        [other[2] for other in records if agree(one[0], other[0]) and agree(one[1], other[1]) and other[2] is not None]
        for one in records
    ]


def shares(values: list[str]) -> list[float]:
    """Return the share of each of VALUES among some."""
    return [values.count(value) / len(values) for value in VALUES]


def known(records: list[Record]) -> list[str]:
    """Return the confidential values of the whole file."""
    return [record[2] for record in records if record[2] is not None]
