"""Audit outputs together: every group that readers of all of them can come too near to."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.numerics.arrays import FloatColumn
from sfumato.outputs.audit.atoms import atoms_of
from sfumato.outputs.audit.measures import Counts, Measure, Sums, facts_telling
from sfumato.outputs.audit.remembered_worlds import Cache
from sfumato.outputs.facts import COUNT, QUANTILES, Facts, is_of_records
from sfumato.outputs.rules import OutputRules


@dataclass(frozen=True)
class Disclosure:
    """A group that readers of several outputs come too near to.

    Parameters
    ----------
    group
        What it is called.
    measure
        What they learn of it: `COUNT`, the key of a variable, or `QUANTILES` of a column.
    is_cell
        Whether it is a cell of an output, or what some cells leave of others.
    """

    group: str
    measure: str
    is_cell: bool

    def __str__(self) -> str:
        what = f"the sum of {variable_name(self.measure)} of"
        if self.measure.startswith(QUANTILES):
            return f"{self.measure} outputs that differ by few records single out {self.group}"
        if self.measure == COUNT:
            what = "the number of records of" if self.is_cell else "the number of"
        how = "can be narrowed down too far" if self.is_cell else "can be worked out, or nearly so"
        return f"{what} {self.group} {how}"


def variable_name(key: str) -> str:
    """Return the column that the key of a variable stands for."""
    return key.split("#")[0]


def measures_of(
    facts: Sequence[Facts], values: Mapping[str, FloatColumn], rules: OutputRules, cache: Cache | None = None
) -> list[Measure]:
    """Return the counts, the sums of every variable that some output adds up, and what quantiles are of."""
    told = dict.fromkeys(measure for fact in facts for measure in fact.measures if measure != COUNT)
    kept = Cache() if cache is None else cache
    further = [Counts(rules, kept, key) if is_of_records(key) else Sums(rules, key, values[key]) for key in told]
    return [Counts(rules, kept), *further]


def audit_outputs(
    facts: Sequence[Facts], values: Mapping[str, FloatColumn], rules: OutputRules, cache: Cache | None = None
) -> tuple[Disclosure, ...]:
    """Return the groups that readers of all outputs can come too near to; none if they are safe together.

    Parameters
    ----------
    facts
        What each output shows.
    values
        For each variable that is added up its value for each record of the project, NaN where it is missing.
    rules
        The rules of the project.
    cache
        What earlier audits of the same records found; it is added to.
    """
    found: list[Disclosure] = []
    for measure in measures_of(facts, values, rules, cache):
        told = facts_telling(measure, facts)
        if not told:
            continue
        atoms = atoms_of(told, told[0].groups.size)
        demands = measure.demands(told, atoms)
        demands = measure.relax(demands, np.ones(demands.groups.count, dtype=np.bool_))
        is_open = np.flatnonzero(~measure.are_safe(told, atoms, demands))
        groups = demands.groups.take(is_open)
        found += [
            Disclosure(name, measure.key, bool(is_cell))
            for name, is_cell in zip(groups.names, groups.is_cell, strict=True)
        ]
    return tuple(found)
