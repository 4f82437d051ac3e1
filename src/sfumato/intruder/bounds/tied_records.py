"""Columns that tell which records belong together, beyond the one household number that bounds take into account."""

from sfumato.data import Microdata, Role


def tying_columns(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the columns of a release by which records belong together in a way that no bound takes into account.

    These are household numbers where there are several columns of them, or where some records have none, which shows
    too; identifiers that several records share, such as the pseudonym of a patient who was seen twice; and several
    columns of identifiers, such as the numbers of a person and of the spouse.
    """
    homes = [one.name for one in released.schema.variables if one.role is Role.HOUSEHOLD]
    if len(homes) == 1 and not _has_some_gaps(released, homes[0]):
        homes = []
    named = [name for name in released.schema.names if _names_people(original, released, name)]
    if len(named) == 1 and not _is_shared(released, named[0]):
        named = []
    return (*homes, *named)


def _has_some_gaps(data: Microdata, name: str) -> bool:
    codes, _ = data.codes(name)
    return bool((codes < 0).any() and (codes >= 0).any())


def _names_people(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether a column has, or had before it was masked, the role identifier."""
    return any(name in data.schema and data.schema[name].role is Role.IDENTIFIER for data in (original, released))


def _is_shared(data: Microdata, name: str) -> bool:
    codes, categories = data.codes(name)
    return int((codes >= 0).sum()) > len(categories)
