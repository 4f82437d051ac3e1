"""Judge a request: what of it may be shown beside all earlier outputs, with a status and reasons in plain words."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato.display import format_count
from sfumato.numerics.arrays import Booleans, FloatColumn, Rows
from sfumato.outputs.audit.joint_audit import Disclosure, audit_outputs, measures_of
from sfumato.outputs.audit.measures import Measure
from sfumato.outputs.audit.remembered_worlds import Cache
from sfumato.outputs.facts import Facts, is_of_records
from sfumato.outputs.least_change import SafeOutput, hide_least
from sfumato.outputs.output import Output, Status
from sfumato.outputs.rules import Concern, OutputRules
from sfumato.outputs.shown_table import ShownTable
from sfumato.outputs.split_facts import SplitFacts
from sfumato.outputs.statistics import Statistic
from sfumato.outputs.table_outputs import TableRequest, counts_shown, property_concerns, statistics_by_cell

MAX_NAMED = 5


@dataclass(frozen=True, eq=False)
class Judge:
    """What a request is judged by.

    Parameters
    ----------
    rules
        The rules of the project.
    earlier
        The facts of all earlier outputs of the project and of the log.
    values
        The variables that outputs add up.
    places, records
        Where each record of the file stands among those of the project, and how many it has.
    backend
        The dataframe library of the data.
    cache
        What audits of earlier requests found.
    """

    rules: OutputRules
    earlier: Sequence[Facts]
    values: Mapping[str, FloatColumn]
    places: Rows
    records: int
    backend: str
    cache: Cache

    def table(self, name: str, request: str, table: TableRequest, *, hide: bool) -> Output:
        """Return a table of counts."""
        facts = table.cross.facts(name, table.is_asked, rounding=self.rules.rounding)
        safe = self._hide(facts)
        counts = counts_shown(facts.totals(), safe.facts.is_shown, self.rules.rounding)
        shown = table.lay_out({"count": (counts, True)}, 0)
        more = _small_shown(safe.facts, table.is_asked, self.rules)
        return self._output(name, request, table, safe, shown, safe.hidden, more, hide=hide)

    def statistics(
        self,
        name: str,
        request: str,
        table: TableRequest,
        chosen: Mapping[str, Statistic],
        numbers: Sequence[FloatColumn],
        told: SplitFacts,
        *,
        hide: bool,
    ) -> Output:
        """Return a table of statistics of a variable."""
        safe = told.put_together(self._hide(told.facts), table.is_asked)
        is_small = table.cross.facts(name, table.is_asked).totals() < self.rules.min_units
        hidden = table.is_asked & (is_small | safe.hidden)
        figures, few = {}, np.zeros(is_small.size, dtype=np.bool_)
        for label, statistic in chosen.items():
            values, is_few = statistics_by_cell(table.cross, statistic, numbers[0], numbers[-1], self.rules)
            figures[label] = (np.where(table.is_asked & ~hidden & ~is_few, values, np.nan), label == "count")
            few |= is_few & ~hidden & table.is_asked
        reasons = []
        if few.any():
            reasons.append(
                f"{_hidden_cells(few, hide=hide)} as fewer than {self.rules.min_units} records decide a quantile or "
                f"an extreme value there"
            )
        if any(statistic.is_decided_by_few is not None for statistic in chosen.values()):
            reasons.append("quantiles do not add up: they were audited beside other quantiles of the same column alone")
        shown = table.lay_out(figures, None)
        return self._output(name, request, table, safe, shown, hidden | few, reasons, hide=hide)

    def whole(self, name: str, request: str, shown: ShownTable, facts: Facts | None, concerns: Sequence[str]) -> Output:
        """Return an output of which no part can be hidden, such as a model; for review if something is against it."""
        placed = None if facts is None else facts.placed(self.places, self.records)
        found = () if placed is None else self.audit(placed)
        reasons = [*concerns, *_name_some([str(one) for one in found])]
        return Output(
            name,
            request,
            Status.REVIEW if reasons else Status.SAFE,
            tuple(reasons),
            shown,
            placed,
            backend=self.backend,
        )

    def audit(self, facts: Facts) -> tuple[Disclosure, ...]:
        """Return what a new output gives away together with the earlier ones, and they do not by themselves."""
        hidden = facts.hide(np.ones(facts.size, np.bool_))
        before, after = (
            audit_outputs([*self.earlier, one], self.values, self.rules, self.cache) for one in (hidden, facts)
        )
        known = set(before)
        return tuple(one for one in after if one not in known)

    def _hide(self, facts: Facts) -> SafeOutput:
        placed = facts.placed(self.places, self.records)
        return hide_least(self.earlier, placed, self._measures(placed))

    def _measures(self, facts: Facts) -> list[Measure]:
        return measures_of([*self.earlier, facts], self.values, self.rules, self.cache)

    def _output(
        self,
        name: str,
        request: str,
        table: TableRequest,
        safe: SafeOutput,
        shown: ShownTable,
        hidden: Booleans,
        more: Sequence[str],
        *,
        hide: bool,
    ) -> Output:
        reasons = [*_hidden_reasons(safe, self.rules, hide=hide), *more]
        concerns = property_concerns(table, self.rules)
        before = [f"earlier outputs alone already give away: {one}" for one in safe.disclosed_before]
        reasons += [text for _, text in concerns] + _name_some(before)
        needs_eyes = bool(before) or any(concern is Concern.REVIEW for concern, _ in concerns)
        status = Status.PROTECTED if hidden.any() or safe.facts.rounding else Status.SAFE
        if hidden.any() and not hide:
            names = [safe.facts.names[cell] for cell in np.flatnonzero(hidden)]
            reasons.append(f"it becomes safe when these cells are hidden: {'; '.join(_name_some(names, 20))}")
            nothing = replace(shown, figures=tuple((None,) * len(row) for row in shown.figures))
            unsafe = replace(safe.facts, is_shown=np.zeros_like(safe.facts.is_shown))
            return Output(
                name, request, Status.UNSAFE, tuple(reasons), nothing, unsafe, int(hidden.sum()), backend=self.backend
            )
        return Output(
            name,
            request,
            Status.REVIEW if needs_eyes else status,
            tuple(reasons),
            shown,
            safe.facts,
            int(hidden.sum()),
            backend=self.backend,
        )


def _hidden_reasons(safe: SafeOutput, rules: OutputRules, *, hide: bool) -> list[str]:
    reasons = []
    own, others = safe.is_unsafe_itself, safe.hidden & ~safe.is_unsafe_itself
    if own.any():
        what = f"fewer than {rules.min_units} records"
        if not all(map(is_of_records, safe.facts.measures)):
            what += ", or one or two of them make up nearly all of the sum"
        reasons.append(f"{_hidden_cells(own, hide=hide)} for {what}")
    if others.any():
        reasons.append(
            f"{_hidden_cells(others, hide=hide)} so that nothing can be worked out from this and earlier outputs "
            f"together"
        )
    if safe.facts.rounding:
        reasons.append(f"counts are rounded to multiples of {safe.facts.rounding}")
    return reasons


def _small_shown(facts: Facts, asked: Booleans, rules: OutputRules) -> list[str]:
    """Return what to say of small counts that are shown because earlier outputs give them away already."""
    totals = facts.totals()
    small = asked & facts.is_shown & (totals > 0) & (totals < rules.min_units)
    if facts.rounding or not small.any():
        return []
    names = "; ".join(_name_some([facts.names[cell] for cell in np.flatnonzero(small)]))
    return [
        f"{format_count(int(small.sum()), 'cell')} of fewer than {rules.min_units} records {_is_are(small)} shown, as "
        f"earlier outputs give away as much: {names}"
    ]


def _hidden_cells(cells: Booleans, *, hide: bool) -> str:
    """Return how many cells are hidden; where nothing is shown, as nothing is to be hidden, how many would be."""
    return f"{format_count(int(cells.sum()), 'cell')} {_is_are(cells) if hide else 'would have to be'} hidden"


def _is_are(cells: Booleans) -> str:
    return "is" if int(cells.sum()) == 1 else "are"


def _name_some(sentences: Sequence[str], most: int = MAX_NAMED) -> list[str]:
    different = list(dict.fromkeys(sentences))
    left = len(different) - most
    return [*different[:most], *([f"and {left} more"] if left > 0 else [])]
