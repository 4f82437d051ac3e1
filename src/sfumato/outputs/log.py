"""The output log: a researcher asks for outputs, and gets what may be shown beside all that was shown before."""

from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.data import Kind, Microdata
from sfumato.errors import DataError, KindError
from sfumato.expressions.selection import numbers_of, rows_where
from sfumato.numerics.arrays import Booleans, FloatColumn
from sfumato.outputs.arguments import Names, log_name, names_of, request_text, values_of
from sfumato.outputs.audit.remembered_worlds import Cache
from sfumato.outputs.histogram import bins_of
from sfumato.outputs.judging import Judge
from sfumato.outputs.models import model_output
from sfumato.outputs.output import Output
from sfumato.outputs.output_list import OutputList
from sfumato.outputs.pivot_facts import pivot_facts
from sfumato.outputs.project import Project, places_of
from sfumato.outputs.rules import OutputRules
from sfumato.outputs.statistics import statistic_of
from sfumato.outputs.survival import events_of, survival_output
from sfumato.outputs.table_outputs import TableRequest
from sfumato.outputs.tabulation import cross_tabulate, dimension_of
from sfumato.outputs.variables import Variables


class OutputLog(OutputList):
    """Outputs that a researcher asks for from one file, each judged together with all of its project.

    Parameters
    ----------
    data
        A pandas or polars dataframe, a pyarrow table, or `Microdata`; one record for each unit.
    project
        The folder of the project, which remembers what was finalised in any of its logs. It is as confidential as the
        data. It is made if it is not there.
    name
        Who keeps the log.
    rules
        The rules of the project; given once, when it is made.
    record_id
        A column that tells which record is which. Without it the file must have the same rows in the same order in
        every log of the project.

    Examples
    --------
    >>> import polars as pl
    >>> people = pl.DataFrame({"town": ["A"] * 30 + ["B"] * 24, "ill": [*"y" * 14, *"n" * 16, *"y" * 3, *"n" * 21]})
    >>> log = OutputLog(people, name="anna")
    >>> output = log.crosstab("town", "ill")
    >>> output.status, output.hidden
    (<Status.PROTECTED: 'protected'>, 2)
    """

    def __init__(
        self,
        data: Any,
        project: str | Path | None = None,
        *,
        name: str = "log",
        rules: OutputRules | None = None,
        record_id: str | None = None,
    ) -> None:
        self._data = data if isinstance(data, Microdata) else Microdata(data)
        self._project = None if project is None else Project.open(Path(project), rules)
        self.name = log_name(name)
        self.rules = (rules or OutputRules()) if self._project is None else self._project.rules
        self._places, self._records = places_of(self._project, self._data, record_id)
        known = {} if self._project is None else self._project.values(self._records)
        self._variables = Variables(known, self._places, self._records)
        self._outputs: list[Output] = []
        self._seen: tuple[str, ...] = ()
        self._cache = Cache()

    @property
    def outputs(self) -> tuple[Output, ...]:
        """The outputs that were asked for and are not finalised."""
        return tuple(self._outputs)

    def to_plain(self) -> list[Mapping[str, Any]]:
        """Return the outputs as plain values."""
        return [output.to_dict() for output in self._outputs]

    def crosstab(
        self, index: Names, columns: Names = (), *, where: str | None = None, margins: bool = False, hide: bool = True
    ) -> Output:
        """Count records by columns, as `pandas.crosstab` does.

        Parameters
        ----------
        index, columns
            The columns to count by: down the rows, and across.
        where
            Which records to take: `age >= 65 and region == 'North'`; all when not given.
        margins
            Whether to show totals over all rows and over all columns.
        hide
            Hide what has to be hidden. If not, a table that is not safe is withheld, and the reasons say what to hide.
        """
        request = request_text("crosstab", index=index, columns=columns, where=where, margins=margins)
        table = self._table("crosstab", index, columns, self._select("crosstab", where), margins)
        return self._keep(self._judge.table(self._next("crosstab"), request, table, hide=hide))

    def pivot_table(
        self,
        values: str | tuple[str, str],
        index: Names,
        columns: Names = (),
        *,
        aggfunc: Names = "mean",
        where: str | None = None,
        margins: bool = False,
        hide: bool = True,
    ) -> Output:
        """Summarise a column by others, as `pandas.pivot_table` does.

        Parameters
        ----------
        values
            The column to summarise; for `ratio` two of them, of which the sums are divided.
        index, columns, where, margins, hide
            As in `crosstab`.
        aggfunc
            One or several of `count`, `sum`, `mean`, `std`, `ratio`, `median`, `min`, `max`, and quantiles as `q25`.
        """
        who = "pivot_table"
        request = request_text(who, values=values, index=index, columns=columns, aggfunc=aggfunc, where=where)
        chosen = {one: statistic_of(one) for one in names_of(aggfunc)}
        names = values_of(values, chosen)
        selected = self._select(who, where)
        numbers = [self._numbers(who, name) for name in names]
        for column in numbers:
            selected &= ~np.isnan(column)
        if not selected.any():
            raise DataError(f"{who}: no selected record has a number in {' and '.join(names)}")
        table = self._table(who, index, columns, selected, margins)
        name = self._next(who)
        told = pivot_facts(name, table, chosen, names, numbers, self._variables)
        return self._keep(self._judge.statistics(name, request, table, chosen, numbers, told, hide=hide))

    def histogram(
        self, column: str, *, bins: int | Sequence[float] = 10, where: str | None = None, hide: bool = True
    ) -> Output:
        """Count records by classes of a number; the outer classes are open, so that no extreme value is told.

        Parameters
        ----------
        column
            The numbers.
        bins
            How many classes at most, with round limits; or their limits.
        where, hide
            As in `crosstab`.
        """
        request = request_text("histogram", column=column, bins=bins, where=where)
        selected = self._select("histogram", where)
        dimension = bins_of(column, self._numbers("histogram", column), selected, bins, self.rules.min_units)
        table = TableRequest(cross_tabulate([dimension], selected), 1, margins=False)
        return self._keep(self._judge.table(self._next("histogram"), request, table, hide=hide))

    def ols(self, formula: str, *, where: str | None = None) -> Output:
        """Fit a linear regression, such as `income ~ age + sex`; see `Formula.parse`."""
        return self._model("ols", formula, where)

    def logit(self, formula: str, *, where: str | None = None) -> Output:
        """Fit a logistic regression, such as `employed ~ age + sex`."""
        return self._model("logit", formula, where)

    def survival(self, time: str, event: str, *, by: str | None = None, where: str | None = None) -> Output:
        """Estimate survival by Kaplan and Meier, at times between which enough events lie.

        Parameters
        ----------
        time
            The time until the event, or until the record is lost from sight.
        event
            A column that is 1 (or true, or `yes`) where the event was seen, and 0 where not.
        by
            A column whose categories have a curve each.
        where
            As in `crosstab`.
        """
        request = request_text("survival", time=time, event=event, by=by, where=where)
        selected = self._select("survival", where)
        dimension = None if by is None else dimension_of("survival", self._data, by)
        output = survival_output(
            self._judge,
            self._next("survival"),
            request,
            self._numbers("survival", time),
            events_of(self._data, event),
            dimension,
            selected,
        )
        return self._keep(output)

    def add_exception(self, name: str, reason: str) -> Output:
        """Ask for an output to be released although its status does not allow it, and say why."""
        place = self._place(name)
        self._outputs[place] = self._outputs[place].with_exception(reason)
        return self._outputs[place]

    def remove(self, name: str) -> None:
        """Take an output out of the log, so that later ones are no longer judged beside it."""
        del self._outputs[self._place(name)]

    def finalise(self) -> tuple[str, ...]:
        """Hand all outputs to the output checker: write them to the project's folder, and return their names there.

        Outputs that need a reason and have none are refused, and so are those that are no longer safe beside what other
        logs finalised in the meantime; nothing is written then.
        """
        if self._project is None:
            raise DataError("OutputLog.finalise: the log has no project; make it with OutputLog(data, 'folder')")
        lacking = [output.name for output in self._outputs if output.needs_reason]
        if lacking:
            raise DataError(
                f"{', '.join(lacking)}: an output with the status review or unsafe is handed on only as an exception "
                f"with a reason; use add_exception(name, reason), or remove(name)"
            )
        written = self._project.finalise(self.name, self._outputs, self._variables.values, self._seen)
        self._outputs = []
        self._seen = ()
        return written

    @property
    def _judge(self) -> Judge:
        before = [] if self._project is None else self._project.facts(self._records)
        own = [output.facts for output in self._outputs if output.facts is not None]
        return Judge(
            self.rules,
            [*before, *own],
            self._variables.values,
            self._places,
            self._records,
            str(self._data.table.implementation).split(".")[-1].lower(),
            self._cache,
        )

    def _keep(self, output: Output) -> Output:
        if self._project is not None and not self._outputs:
            self._seen = self._project.names
        self._outputs.append(output)
        return output

    def _next(self, kind: str) -> str:
        used = [] if self._project is None else self._project.names
        taken = {*used, *(output.name for output in self._outputs)}
        return next(name for number in count(1) if (name := f"{self.name}-{kind}-{number}") not in taken)

    def _place(self, name: str) -> int:
        names = [output.name for output in self._outputs]
        if name in names:
            return names.index(name)
        raise DataError(f"the log has no output {name!r}; it has {', '.join(names) or 'none'}")

    def _select(self, who: str, where: str | None) -> Booleans:
        selected = np.ones(self._data.n, dtype=np.bool_) if where is None else rows_where(who, where, self._data)
        if selected.any():
            return selected
        reason = f"where selects no record; check '{where}'" if where else "the file has no records"
        raise DataError(f"{who}: {reason}")

    def _table(self, who: str, index: Names, columns: Names, selected: Booleans, margins: bool) -> TableRequest:
        rows, across = names_of(index), names_of(columns)
        repeated = [name for name in dict.fromkeys([*rows, *across]) if [*rows, *across].count(name) > 1]
        if repeated:
            raise DataError(f"{who}: '{repeated[0]}' is named twice; a table is made by different columns")
        dimensions = [dimension_of(who, self._data, name) for name in (*rows, *across)]
        cross = cross_tabulate(dimensions, selected)
        if not len(cross.codes):
            raise DataError(f"{who}: no selected record has a category in each of {', '.join([*rows, *across])}")
        return TableRequest(cross, len(rows), margins)

    def _numbers(self, who: str, name: str) -> FloatColumn:
        numbers = numbers_of(self._data, name)
        if numbers is None or self._data.schema[name].kind is Kind.DATE:
            raise KindError(f"{who}: '{name}' must hold numbers; it is {self._data.schema[name].kind}")
        return numbers

    def _model(self, kind: str, formula: str, where: str | None) -> Output:
        request = request_text(kind, formula=formula, where=where)
        selected = self._select(kind, where)
        return self._keep(
            model_output(self._judge, self._next(kind), request, self._data, kind, formula, selected, self._variables)
        )
