"""Whether the two files were given in the wrong order: what they themselves suggest."""

from collections.abc import Callable

from sfumato.data import CATEGORICAL, Microdata, role

WARNING = "THE FILES MAY BE EXCHANGED: the one given as the original {signs}. The original comes first."


def file_order_warning(original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return a warning where all that distinguishes original from masked files points the wrong way round.

    Each sign is only a hint: masking may fill gaps, and an original may be coarse. So a sign that points the right way
    silences the others.
    """
    found = {sign: names for sign, look in SIGNS.items() if (names := look(original, masked))}
    if not found or any(look(masked, original) for look in SIGNS.values()):
        return ()
    signs = " and ".join(f"{sign} ({', '.join(names)})" for sign, names in found.items())
    return (WARNING.format(signs=signs),)


def _lacks_identifiers(first: Microdata, second: Microdata) -> list[str]:
    return [name for name in second.select(role("identifier")) if name not in first.schema]


def _has_classes(first: Microdata, second: Microdata) -> list[str]:
    names = _common(first, second)
    kinds = {name: (first.schema[name].kind, second.schema[name].kind) for name in names}
    return [name for name, (kind, other) in kinds.items() if kind in CATEGORICAL and other not in CATEGORICAL]


def _has_gaps(first: Microdata, second: Microdata) -> list[str]:
    """Return the columns with more missing values in the first of two files of one length."""
    names = _common(first, second) if first.n == second.n else []
    return [name for name in names if first.summary.missing(name) > second.summary.missing(name)]


def _has_fewer_categories(first: Microdata, second: Microdata) -> list[str]:
    """Return the columns with fewer categories in the first file, though it is not the shorter one."""
    names = _common(first, second) if first.n >= second.n else []
    both = [name for name in names if {first.schema[name].kind, second.schema[name].kind} <= CATEGORICAL]
    return [name for name in both if _categories(first, name) < _categories(second, name)]


def _categories(data: Microdata, name: str) -> int:
    return sum(count > 0 for count in data.summary.counts(name).values())


def _common(first: Microdata, second: Microdata) -> list[str]:
    return [name for name in first.schema.names if name in second.schema]


SIGNS: dict[str, Callable[[Microdata, Microdata], list[str]]] = {
    "lacks identifiers that the other has": _lacks_identifiers,
    "has classes where the other has numbers or dates": _has_classes,
    "has more missing values": _has_gaps,
    "has fewer categories": _has_fewer_categories,
}
"""What a masked file has, or has not, in comparison with its original; each returns the columns in question."""
