"""Dates that nobody said how to read: an assessment goes on with them as text, as a reader of the file sees them."""

from collections.abc import Collection

from sfumato.data import Kind, Microdata


def with_unread_dates(
    original: Microdata, masked: Microdata, named: Collection[str]
) -> tuple[Microdata, Microdata, tuple[str, ...]]:
    """Return both files with such columns as nominal, and a sentence about them; those that are `named` stay."""
    unread = tuple(
        name
        for name in original.schema.names
        if name not in named and (_is_unread(original, name) or _is_unread(masked, name))
    )
    if not unread:
        return original, masked, ()
    sentence = (
        f"{', '.join(unread)}: dates that can be read in several ways, or not all; they are compared as text, the same "
        f"or not. Write date_format in the schema to have them compared as dates."
    )
    return _as_text(original, unread), _as_text(masked, unread), (sentence,)


def _is_unread(data: Microdata, name: str) -> bool:
    return name in data.schema and data.schema[name].kind is Kind.DATE and bool(data.summary.date_problem(name))


def _as_text(data: Microdata, names: tuple[str, ...]) -> Microdata:
    having = [data.schema[name] for name in names if name in data.schema]
    changed = [one.replace(kind=Kind.NOMINAL, date_format="") for one in having if one.kind is Kind.DATE]
    return data.with_schema(data.schema.with_variables(*changed))
