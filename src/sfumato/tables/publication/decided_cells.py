"""What is decided of the cells of clusters beforehand: by whoever publishes, and by the period before."""

from collections.abc import Mapping, Sequence

import numpy as np

from sfumato.errors import DataError, did_you_mean
from sfumato.numerics.arrays import Booleans
from sfumato.tables.problem.given_cell import GivenCell
from sfumato.tables.publication.clusters import Cluster
from sfumato.tables.publication.members import Member


def suppressed_before(cluster: Cluster, last_period: Mapping[str, Booleans]) -> Booleans:
    """Return which cells of a cluster the period before suppressed in some table; refuse what fits no table."""
    suppressed = np.zeros(cluster.linked.size, dtype=np.bool_)
    for member, cells in zip(cluster.members, cluster.linked.cells, strict=True):
        if member.is_published and member.name in last_period:
            before = last_period[member.name]
            if before.dtype != np.bool_ or before.shape != cells.shape:
                raise DataError(
                    f"last_period: table '{member.name}' must have true or false for each of its {cells.size} cells; "
                    f"got {before.size} entries of {before.dtype}. If its codes have changed since, bring the cells "
                    "into the order of the table first"
                )
            suppressed[cells[before]] = True
    return suppressed


def share_given(clusters: Sequence[Cluster], given_cells: Sequence[GivenCell]) -> list[list[GivenCell]]:
    """Return for each cluster what is given of its cells; refuse what concerns no table."""
    names = [name for cluster in clusters for name in cluster.names]
    shares: list[list[GivenCell]] = [[] for _ in clusters]
    for entry in given_cells:
        if entry.table is not None and entry.table not in names:
            near = did_you_mean(entry.table, names)
            raise DataError(f"given_cells: the publication has no table '{entry.table}'{near}")
        concerned = [
            place for place, cluster in enumerate(clusters) if any(_has(member, entry) for member in cluster.members)
        ]
        if not concerned:
            raise DataError(_without_cell(clusters, entry))
        for place in concerned:
            shares[place].append(entry)
    return shares


def _without_cell(clusters: Sequence[Cluster], entry: GivenCell) -> str:
    """Return what to say of a cell that no table has: which of its codes, if one of them is to blame."""
    dimensions = [each for cluster in clusters for member in cluster.members for each in member.table.dimensions]
    known = {name: {code for each in dimensions if each.name == name for code in each.codes} for name in entry.where}
    strange = next((name for name, code in entry.where.items() if code not in known[name]), None)
    why = ""
    if strange is not None:
        lacking = f"'{strange}' has no code {entry.where[strange]!r}" if known[strange] else f"none is by '{strange}'"
        why = f" ({lacking})"
    meant = ", ".join(f"{name}={code}" for name, code in entry.where.items())
    return f"{meant} is given, but no table of the publication has such a cell{why}; correct its codes, or take it out"


def _has(member: Member, entry: GivenCell) -> bool:
    """Tell whether a table has cells of which something is given."""
    table = member.table
    if entry.table not in (None, member.name) or not set(entry.where) <= set(table.names):
        return False
    codes = {dimension.name: dimension.place for dimension in table.dimensions}
    return all(code in codes[name] for name, code in entry.where.items()) and bool(table.cells_with(**entry.where).size)
