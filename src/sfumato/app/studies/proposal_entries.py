"""Entries of a grid that stand for what `protect` proposes: they become recipes when the grid is compared."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.display import format_count
from sfumato.errors import ParameterError

PROTECT = "protect"
USUAL_SIZES = (3, 5, 10)
KEYS, WHOLE, STRICT = "keys", "whole records", "keys, strict"

Asked = dict[str, Any]


def proposal_entry(name: str, asked: Mapping[str, Any], sizes: Sequence[int] = USUAL_SIZES) -> dict[str, Any]:
    """Return the entry for proposals that differ in `k` alone.

    Parameters
    ----------
    name
        What they are called, without `k`.
    asked
        What else is asked of `protect`.
    sizes
        The `k` of each.
    """
    return {"name": name, PROTECT: {**asked, "k": list(sizes)}}


def is_proposal(entry: Any) -> bool:
    """Tell whether an entry stands for proposals."""
    return isinstance(entry, dict) and PROTECT in entry


def proposals_of(entry: Mapping[str, Any]) -> dict[str, Asked]:
    """Return what is asked of `protect` for each proposal of an entry, by its name.

    Examples
    --------
    >>> for name, asked in proposals_of(proposal_entry("keys", {"strict": True}, [3, 5])).items():
    ...     print(f"{name}: {asked}")
    keys, k = 3: {'strict': True, 'k': 3}
    keys, k = 5: {'strict': True, 'k': 5}
    """
    asked, name = entry[PROTECT], entry.get("name", "")
    sizes = asked.get("k")
    if not name or not isinstance(sizes, list) or not sizes or not all(isinstance(k, int) and k > 1 for k in sizes):
        raise ParameterError(["proposals must have a name, and a list of k from 2 on, as in [3, 5, 10]"])
    return {f"{name}, k = {k}": {**asked, "k": k} for k in sizes}


def proposal_words(entry: Mapping[str, Any]) -> str:
    """Return an entry as it stands in the grid.

    Examples
    --------
    >>> proposal_words(proposal_entry("whole records", {"whole_records": True}))
    'Proposed: whole records, k = 3, 5, 10 (3 candidates)'
    """
    sizes = entry[PROTECT]["k"]
    return f"Proposed: {entry['name']}, k = {', '.join(map(str, sizes))} ({format_count(len(sizes), 'candidate')})"
