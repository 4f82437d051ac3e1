"""Batches of tau-Argus (.arb) as publications: the same tables, rules and decisions, protected by clusters."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from sfumato.errors import FileError
from sfumato.publication.apriori import read_apriori
from sfumato.publication.build_publication import SpecifiedPublication, read_release
from sfumato.table_specification.build_tables import MIN_KEPT, decisions_of
from sfumato.tables import (
    PQ,
    AnyOf,
    AutomaticSuppression,
    ControlledAdjustment,
    ControlledRounding,
    Dominance,
    GivenCell,
    Insiders,
    MinUnits,
    OptimalSuppression,
    PPercent,
    ProtectedPublication,
    Protection,
    Publication,
    RecordColumns,
    Request,
    Rule,
    TableDefinition,
    ZeroUnsafe,
    protect_publication,
    read_tau_argus,
)
from sfumato.tables.problem.build_problem import Cost
from sfumato.tables.protection import OnProgress
from sfumato.tables.tau_argus.batch import HEURISTICS, Batch, BatchTable, Call, read_batch
from sfumato.tables.tau_argus.microdata import ArgusRecords, read_argus_records

COSTS = {"": Cost.VALUE, "-1": Cost.FREQUENCY, "-2": Cost.UNITY}
OF_INDIVIDUALS = {
    "P": 2,
    "NK": 2,
    "PQ": 2,
    "FREQ": 1,
    "REQ": 1,
}  # how many rules of a kind stand before those of holdings
WITHOUT_RULE = ("MAN", "MIS", "WGT")
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
    rules = {name: AnyOf(rules=_rules(table.rules, path)) for name, table in zip(names, batch.tables, strict=True)}
    given = [
        cell
        for table in batch.tables
        for file in table.apriori
        for cell in read_apriori(file.path, table.dimensions, separator=file.separator)
    ]
    if batch.microdata is not None and batch.metadata is not None:
        records = read_argus_records(batch.microdata, batch.metadata)
        publication = _from_records(batch, names, records, rules, path)
    else:
        publication, decided = _from_tables(batch, names, path)
        given = [*decided, *given]
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
    is_weighted = any(
        call.name == "WGT" and call.numbers[:1] == (1.0,) for table in batch.tables for call in table.rules
    )
    of_holdings = any(_is_of_holdings(table.rules) for table in batch.tables)
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
        argus = read_tau_argus(table.data, table.metadata)
        tables[name] = argus.table
        decided += decisions_of(argus)
    return Publication.from_tables(tables), decided


def _is_of_holdings(calls: Sequence[Call]) -> bool:
    return any(_has_numbers(call) and place >= OF_INDIVIDUALS.get(call.name, 99) for place, call in _numbered(calls))


def _numbered(calls: Sequence[Call]) -> list[tuple[int, Call]]:
    """Return each rule with its place among those of its kind."""
    return [(sum(other.name == call.name for other in calls[:place]), call) for place, call in enumerate(calls)]


def _has_numbers(call: Call) -> bool:
    return any(number > 0 for number in call.numbers)


def _rules(calls: Sequence[Call], path: Path | str) -> tuple[Rule, ...]:
    found = [_rule(call, path) for call in calls if call.name not in WITHOUT_RULE and _has_numbers(call)]
    return tuple(dict.fromkeys(found))


def _rule(call: Call, path: Path | str) -> Rule:
    first, second, third = (*call.numbers, 0.0, 0.0, 0.0)[:3]
    if call.name == "P":
        return PPercent(p=first, followers=int(second) or 1)
    if call.name == "NK":
        return Dominance(n=int(first), max_percent=second)
    if call.name == "PQ":
        return PQ(p=first, q=second, followers=int(third) or 1)
    if call.name == "FREQ":
        return MinUnits(units=int(first), margin=second or 30.0)
    if call.name == "ZERO":
        return ZeroUnsafe(protection_level=first)
    if call.name == "REQ":
        return Request(max_percent=first, margin=third or 30.0)
    raise FileError(f"{path}: there is no safety rule {call.name}; known are P, NK, PQ, FREQ, ZERO, REQ, MAN, MIS, WGT")


def _protection(call: Call | None, path: Path | str) -> Protection:
    if call is None or call.name in HEURISTICS:
        return AutomaticSuppression()
    if call.name == "OPT":
        return OptimalSuppression()
    if call.name == "RND" and len(call.numbers) > 1:
        return ControlledRounding(base=call.numbers[1])
    if call.name == "CTA":
        return ControlledAdjustment()
    raise FileError(
        f"{path}: there is no way {call.name} to suppress; known are GH, MOD, NET, OPT, RND with a base, CTA"
    )


def _insiders(call: Call | None) -> Insiders:
    """Return from what those who are alone are kept: modular suppression protects singletons unless told not to."""
    if call is None or call.name != "MOD":
        return Insiders.NONE
    flags = call.numbers[MODULAR_FLAGS]
    return Insiders.NEIGHBOURS if not flags or any(flags) else Insiders.NONE
