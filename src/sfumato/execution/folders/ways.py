"""How a method runs over a file larger than memory, in a sentence."""

from sfumato.contracts import Layout, MaskingMethod
from sfumato.execution.folders.run_step import refusal

RANKS = 10**9
"""So many ranks a file may have; a method that moves a value among all of them needs the whole column."""
WAYS = {
    Layout.ROWS: "yes, range by range",
    Layout.RANKS: "yes, column by column; a run of ranks, 20 times as long as values may move, must fit into memory",
    Layout.NEIGHBOURS: "yes, in sets of near records",
}


def way(method: MaskingMethod) -> str:
    """Return whether a method runs over files larger than memory, and what must fit there; read off its contract.

    Examples
    --------
    >>> from sfumato.masking import LocalSuppression, Mdav
    >>> way(Mdav(columns=("income",)))
    'where the columns that it reads fit into memory; with within, where each stratum does'
    >>> way(LocalSuppression(columns=("region", "sex")))
    'yes; the different combinations of the columns that it reads must fit into memory'
    """
    if refused := refusal(method):
        return f"no: {refused}"
    if not method.keeps_shape:
        return "yes, at no cost"
    if method.masks_by_kind:
        return "yes; the different combinations of the columns that it reads must fit into memory"
    if method.layout is Layout.RANKS and method.reach(RANKS) == RANKS:
        return "yes, column by column; a column must fit into memory"
    if method.layout in WAYS:
        return WAYS[method.layout]
    with_strata = "; with within, where each stratum does" if "within" in type(method).model_fields else ""
    return f"where the columns that it reads fit into memory{with_strata}"
