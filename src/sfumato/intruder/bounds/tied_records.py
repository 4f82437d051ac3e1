"""Columns that tell which records belong together, beyond the one household number that bounds take into account."""

from sfumato.data import Microdata, Role


def tying_columns(original: Microdata, released: Microdata) -> tuple[str, ...]:
    """Return the columns of a release by which records belong together in a way that no bound takes into account.

    These are household numbers where there are several columns of them, or where some records have none, which shows
    too; and identifiers that several records share, such as the pseudonym of a patient who was seen twice.
    """
    homes = [one.name for one in released.schema.variables if one.role is Role.HOUSEHOLD]
    if len(homes) == 1 and not _has_some_gaps(released, homes[0]):
        homes = []
    return (*homes, *(name for name in released.schema.names if _names_several(original, released, name)))


def _has_some_gaps(data: Microdata, name: str) -> bool:
    codes, _ = data.codes(name)
    return bool((codes < 0).any() and (codes >= 0).any())


def _names_several(original: Microdata, released: Microdata, name: str) -> bool:
    """Tell whether a column names people, in the release or before it, and some of them more than once."""
    roles = [data.schema[name].role for data in (original, released) if name in data.schema]
    if Role.IDENTIFIER not in roles:
        return False
    codes, categories = released.codes(name)
    return int((codes >= 0).sum()) > len(categories)
