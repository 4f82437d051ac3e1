"""Batches of tau-Argus (.arb) as publications: the same tables, rules and decisions, protected by clusters."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np

from sfumato.errors import FileError, did_you_mean
from sfumato.publication.apriori import read_apriori
from sfumato.publication.argus_rules import is_of_holdings, is_set, manual_margin, rules_of
from sfumato.publication.build_publication import SpecifiedPublication, read_release
from sfumato.table_specification.build_tables import MIN_KEPT, decisions_of
from sfumato.tables import (
    AnyOf,
    AutomaticSuppression,
    ControlledAdjustment,
    ControlledRounding,
    GivenCell,
    Insiders,
    OptimalSuppression,
    ProtectedPublication,
    Protection,
    Publication,
    RecordColumns,
    Status,
    Table,
    TableDefinition,
    protect_publication,
    read_tau_argus,
)
from sfumato.tables.problem.build_problem import Cost
from sfumato.tables.protection import OnProgress
from sfumato.tables.tau_argus.batch import HEURISTICS, Batch, BatchTable, Call, read_batch
from sfumato.tables.tau_argus.microdata import ArgusRecords, read_argus_records
from sfumato.tables.tau_argus.recodings import recode_records

COSTS = {"": Cost.VALUE, "-1": Cost.FREQUENCY, "-2": Cost.UNITY}
MODULAR_FLAGS = slice(2, 5)


@dataclass(frozen=True, eq=False)
class SpecifiedBatch:
    """A batch as a publication, and how it is to be protected.

    Parameters
    ----------
    specified
        The tables, their rules and what is given of cells.
    protection
        How they are protected.
    cost
        What suppressing a cell costs.
    insiders
        From what units that are alone in a cell are kept.
    """

    specified: SpecifiedPublication
    protection: Protection
    cost: Cost
    insiders: Insiders

    def protect(self, last_period: Path | None = None, on_progress: OnProgress = None) -> ProtectedPublication:
        """Return the tables as they are published; what the release of the period before suppressed, if they may."""
        return protect_publication(
            self.specified.publication,
            self.protection,
            rules=self.specified.rules,
            given_cells=self.specified.given_cells,
            cost=self.cost,
            insiders=self.insiders,
            last_period=None if last_period is None else read_release(last_period, self.specified.publication),
            on_progress=on_progress,
        )


def load_batch(path: Path | str) -> SpecifiedBatch:
    """Return what a batch asks for; tables that share cells are protected together, whether it says so or not.

    Parameters
    ----------
    path
        The batch (.arb); the files that it names are looked for where it says, then beside it.
    """
    batch = read_batch(path)
    names = _names(batch.tables)
    rules = {name: AnyOf(rules=rules_of(table.rules, path)) for name, table in zip(names, batch.tables, strict=True)}
    given = [
        cell.model_copy(update={"table": name})
        for name, table in zip(names, batch.tables, strict=True)
        for file in table.apriori
        for cell in read_apriori(file.path, table.dimensions, separator=file.separator)
    ]
    if batch.microdata is not None and batch.metadata is not None:
        records = reduce(recode_records, batch.recodings, read_argus_records(batch.microdata, batch.metadata))
        publication = _from_records(batch, names, records, rules, path)
        given = [*_safe_where_missing(batch, records, path), *given]
    elif batch.recodings:
        raise FileError(f"{path}: <RECODE> is for records; give the table of cells with the coarser codes")
    else:
        publication, decided = _from_tables(batch, names, path)
        given = [*decided, *given]
    given = _with_levels(given, publication, rules, max(manual_margin(table.rules) for table in batch.tables))
    costs = {table.cost for table in batch.tables}
    if len(costs) > 1 or not costs <= set(COSTS):
        raise FileError(
            f"{path}: costs must be those of the values (empty), of frequencies (-1) or equal (-2) in all tables"
        )
    specified = SpecifiedPublication(
        publication, {name: rule for name, rule in rules.items() if rule.rules}, tuple(given)
    )
    return SpecifiedBatch(
        specified, _protection(batch.suppression, path), COSTS[costs.pop()], _insiders(batch.suppression)
    )


def _safe_where_missing(batch: Batch, records: ArgusRecords, path: Path | str) -> list[GivenCell]:
    """Return that cells of missing codes are safe, where the batch says so: MIS(1)."""
    if len({is_set(table.rules, "MIS") for table in batch.tables}) > 1:
        raise FileError(f"{path}: tables that are protected together need the same MIS(0) or MIS(1)")
    if records.missing is None or not is_set(batch.tables[0].rules, "MIS"):
        return []
    reason = f"MIS(1) of {Path(path).name}: cells of a missing code are safe"
    names = dict.fromkeys(name for table in batch.tables for name in table.dimensions)
    return [
        GivenCell(where={name: records.missing}, status=Status.SAFE, reason=reason)
        for name in names
        if records.frame[name].null_count()
    ]


def _with_levels(
    given: Sequence[GivenCell], publication: Publication, rules: Mapping[str, AnyOf], margin: float
) -> list[GivenCell]:
    """Return what is given of cells, with levels for those that are unsafe because somebody says so: MAN(margin)."""
    return [
        cell
        if cell.status is not Status.PROTECT or cell.protection_level is not None
        else cell.model_copy(update={"protection_level": _level(cell, publication, rules, margin)})
        for cell in given
    ]


def _level(cell: GivenCell, publication: Publication, rules: Mapping[str, AnyOf], margin: float) -> float | None:
    """Return the margin of the largest value of a cell, or the level of the rules where that is more."""
    levels = [0.0]
    for member in publication.members:
        if cell.table in (None, member.name) and set(cell.where) == set(member.table.names):
            cells = member.table.cells_with(**cell.where)
            levels += (margin / 100 * np.abs(member.table.values[cells])).tolist()
            levels += rules.get(member.name, AnyOf(rules=())).find(member.table).levels[cells].tolist()
    return max(levels) or None


def _names(tables: Sequence[BatchTable]) -> list[str]:
    """Return what to call the tables: by the files that the batch writes them to, or by number."""
    names = [Path(table.output).stem or f"table_{number}" for number, table in enumerate(tables, start=1)]
    return [f"{name}_{number}" if names.count(name) > 1 else name for number, name in enumerate(names, start=1)]


def _from_records(
    batch: Batch, names: Sequence[str], records: ArgusRecords, rules: dict[str, AnyOf], path: Path | str
) -> Publication:
    shadows = {table.shadow for table in batch.tables} - {""}
    if len(shadows) > 1:
        raise FileError(f"{path}: all tables must be judged by one shadow variable; got {', '.join(sorted(shadows))}")
    is_weighted = any(is_set(table.rules, "WGT") for table in batch.tables)
    of_holdings = any(is_of_holdings(table.rules) for table in batch.tables)
    if of_holdings and records.holding is None:
        raise FileError(
            f"{path}: a rule is of holdings, and the metadata name no <HOLDING>; add it, or leave the rule out"
        )
    kept = [rule.contributions for one in rules.values() for rule in one.rules]
    return Publication.from_records(
        records.frame,
        {
            name: TableDefinition(dimensions=table.dimensions, value=table.value or None)
            for name, table in zip(names, batch.tables, strict=True)
        },
        hierarchies=dict(records.hierarchies),
        columns=RecordColumns(
            weight=records.weight if is_weighted else None,
            holding=records.holding if of_holdings else None,
            shadow=next(iter(shadows), None),
            request=records.request,
            keep=max([MIN_KEPT, *kept]),
            total=records.total,
            missing=records.missing,
        ),
    )


def _from_tables(batch: Batch, names: Sequence[str], path: Path | str) -> tuple[Publication, list[GivenCell]]:
    tables, decided = {}, list[GivenCell]()
    for name, table in zip(names, batch.tables, strict=True):
        if table.data is None:
            raise FileError(
                f"{path}: table {name} has neither records nor cells; add <OPENMICRODATA> or <OPENTABLEDATA>"
            )
        argus = read_tau_argus(table.data, table.metadata, computes_totals=batch.computes_totals)
        _check_names(table, argus.table, path)
        tables[name] = argus.table
        decided += decisions_of(argus, name)
    return Publication.from_tables(tables), decided


def _check_names(asked: BatchTable, found: Table, path: Path | str) -> None:
    """Refuse a table of cells whose file has other dimensions, or another variable, than the batch names."""
    lacking = [name for name in asked.dimensions if name not in found.names]
    if lacking or len(asked.dimensions) < len(found.names):
        near = did_you_mean(lacking[0], found.names) if lacking else "; name all of them"
        raise FileError(
            f"{path}: <SPECIFYTABLE> asks for {', '.join(asked.dimensions)}, and the dimensions of {asked.data} are "
            f"{', '.join(found.names)}{near}"
        )
    if asked.value.lower() != (found.value_name or "").lower():
        raise FileError(
            f"{path}: <SPECIFYTABLE> asks for {asked.value or 'counts'}, and {asked.data} holds "
            f"{found.value_name or 'counts'}; correct the name"
        )


def _protection(call: Call | None, path: Path | str) -> Protection:
    if call is None or call.name in HEURISTICS:
        return AutomaticSuppression()
    if call.name == "OPT":
        return OptimalSuppression()
    if call.name == "RND" and len(call.numbers) > 1:
        return ControlledRounding(base=call.numbers[1])
    if call.name == "CTA":
        return ControlledAdjustment()
    if call.name == "CKM":
        raise FileError(
            f"{path}: CKM changes counts by cell keys; write a specification that names the column of record keys as "
            "'key', with 'protections: [cell_key_perturbation: {ptable: FILE}]', and use 'sfumato table protect'"
        )
    raise FileError(
        f"{path}: there is no way {call.name} to suppress; known are GH, MOD, NET, OPT, RND with a base, CTA"
    )


def _insiders(call: Call | None) -> Insiders:
    """Return from what those who are alone are kept: modular suppression protects singletons unless told not to."""
    if call is None or call.name != "MOD":
        return Insiders.NONE
    flags = call.numbers[MODULAR_FLAGS]
    return Insiders.NEIGHBOURS if not flags or any(flags) else Insiders.NONE
