"""Which improver a request asks for."""

from collections.abc import Mapping, Sequence
from typing import Any

from sfumato.contracts import Improver
from sfumato.errors import ParameterError, did_you_mean
from sfumato.improve import IMPROVERS, MomentMatching, PostMaskingOptimisation

AUTO = "auto"
MAX_CLIMBING_RECORDS = 2_000  # up to here hill climbing comes to an end by its usual number of steps


def choose_improver(
    method: str, columns: Sequence[str], parameters: Mapping[str, Any], numeric: Sequence[str], records: int
) -> Improver:
    """Return the improver that is asked for.

    Parameters
    ----------
    method
        An improver's name, or `auto`: the published one for few records, the fast one for many.
    columns
        The columns to improve; all numeric ones when none is named.
    parameters
        The improver's other parameters, by name.
    numeric, records
        The numeric columns of the file, and how many records it has.
    """
    improver = _by_records(parameters, records) if method == AUTO else _by_name(method)
    return improver(**{"columns": tuple(columns or numeric), **parameters})


def _by_name(name: str) -> type[Improver]:
    if name not in IMPROVERS:
        nearest = did_you_mean(name, IMPROVERS) or f"; the improvers are {', '.join(IMPROVERS)}"
        raise ParameterError([f"there is no improver '{name}'{nearest}"])
    return IMPROVERS[name]


def _by_records(parameters: Mapping[str, Any], records: int) -> type[Improver]:
    """Return the usual improver for so many records, or the other if only that has all parameters that are given."""
    usual: list[type[Improver]] = [PostMaskingOptimisation, MomentMatching]
    ordered = usual if records <= MAX_CLIMBING_RECORDS else usual[::-1]
    return next((improver for improver in ordered if set(parameters) <= set(improver.model_fields)), ordered[0])
