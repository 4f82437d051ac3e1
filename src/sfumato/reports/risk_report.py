"""The risk of a file on one page: who stands out, by what, and whether that is within limits."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from sfumato.contracts import FileRisk
from sfumato.data import Microdata, Selection, role
from sfumato.display.tabular_result import TabularResult
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.keys.classes import MissingKeys, coded_keys
from sfumato.keys.findings.counted_units import counted_as
from sfumato.keys.findings.exposure import Exposure
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.keys.findings.repeated_persons import RepeatedPersons, repeated_persons
from sfumato.keys.persons import numbers_of_persons
from sfumato.keys.weights import scale_weights
from sfumato.parameters.limits import Limit, Limits, read_limits
from sfumato.reports.checked_limits import BY_KEYS, CheckedLimit, hold_limits, is_count_of_groups
from sfumato.reports.counted_file import WHO, CountedFile, count_file, count_observed, remarks_on_counts
from sfumato.reports.counted_persons import risk_alone
from sfumato.reports.further_risks import FurtherRisk, check_further_risks, further_risks
from sfumato.reports.risk_figures import FIGURES, RiskFigure, risk_figures
from sfumato.reports.risk_lists import lists_of_persons, risk_lists
from sfumato.risk import IndividualRisk, KAnonymity, risk_by_variable
from sfumato.risk._explanations.rare_combinations import CombinationRisk
from sfumato.risk._explanations.risk_breakdown import CategoryRisk, VariableRisk
from sfumato.risk._explanations.risk_table import RiskTable

if TYPE_CHECKING:
    import polars

    from sfumato.display.figure import StyledFigure

KEYS = role("key")
MIN_RECORDS = 3  # of a category or combination, or k: a page shows kinds of persons, not persons


@dataclass(frozen=True)
class RiskReport(TabularResult):
    """What a file gives away by its keys. Categories are named, single records are not.

    Parameters
    ----------
    records
        How many records there are.
    k
        How many records should share the keys of each.
    keys
        The keys with the number of their different values.
    figures
        The risk of the file, figure by figure.
    variables, categories, combinations
        Which keys, categories and combinations of categories the risk runs through.
    limits
        What was demanded of the file, and whether it has it.
    remarks
        Sentences to be read with the figures.
    further
        What measures found that were asked for beside these figures.
    counted_as, counted, homes, risk_alone
        What is counted as a person, how many records figures count, the sizes of the households among these with how
        many there are of each, and the risk in percent of whom nobody shares the keys of, at most.
    """

    records: int
    k: int
    keys: tuple[tuple[str, int], ...]
    figures: tuple[RiskFigure, ...]
    variables: RiskTable[VariableRisk]
    categories: RiskTable[CategoryRisk]
    combinations: RiskTable[CombinationRisk]
    limits: tuple[CheckedLimit, ...] = ()
    remarks: tuple[str, ...] = ()
    further: tuple[FurtherRisk, ...] = ()
    counted_as: str = ""
    risk_alone: float = 100.0
    counted: int = 0
    homes: tuple[tuple[int, int], ...] = ()

    @property
    def min_records(self) -> int:
        """How many records have each category and combination that is shown, at least."""
        return max(MIN_RECORDS, self.k)

    @property
    def meets_limits(self) -> bool:
        """Whether everything that was demanded is kept to."""
        return all(checked.is_met for checked in self.limits)

    def __getitem__(self, name: str) -> float:
        """Return the value of a figure by its name, as in `report["uniques"]`."""
        known = {figure.name: figure.value for figure in self.figures}
        if name not in known:
            near = did_you_mean(name, known) or f"; there are {', '.join(known)}"
            raise ParameterError([f"RiskReport: there is no figure '{name}'{near}"])
        return known[name]

    def to_dict(self) -> dict[str, Any]:
        """Return the report as plain dicts and lists, ready for JSON."""
        return {
            "records": self.records,
            "counted_as": self.counted_as,
            "k": self.k,
            "keys": dict(self.keys),
            "figures": {figure.name: figure.value for figure in self.figures},
            "variables": [row._asdict() for row in self.variables],
            "categories": [row._asdict() for row in self.categories],
            "combinations": [row._asdict() for row in self.combinations],
            "limits": [
                {
                    "limit": str(checked.limit),
                    "figure": checked.figure,
                    "is_met": checked.is_met,
                    "reason": checked.reason,
                }
                for checked in self.limits
            ],
            "meets_limits": self.meets_limits,
            "remarks": list(self.remarks),
            "measures": [one.to_dict() for one in self.further],
        }

    def to_frame(self) -> "polars.DataFrame":
        """Return the figures as a polars dataframe: name, value, unit, meaning."""
        import polars

        schema = {"name": polars.String, "value": polars.Float64, "unit": polars.String, "meaning": polars.String}
        return polars.DataFrame([tuple(one) for one in self.figures], schema=schema, orient="row")

    def figure(self) -> "StyledFigure":
        """Return a figure of the categories with the highest mean risk."""
        from sfumato.reports.risk_drawing import draw_categories

        return draw_categories(self)

    def __str__(self) -> str:
        from sfumato.reports.risk_text import render_text

        return render_text(self)

    def to_html(self, title: str = "Risk of the file") -> str:
        """Return the report as an HTML page that stands alone."""
        from sfumato.reports.risk_page import risk_page

        return risk_page(self, title)

    def _repr_html_(self) -> str:
        from sfumato.display import render_notebook
        from sfumato.reports.risk_page import risk_sections

        return render_notebook(risk_sections(self))


def risk_report(
    data: Microdata,
    *,
    columns: Selection = KEYS,
    k: int = 3,
    weight: str | None = None,
    household: str | None = None,
    population_size: float | None = None,
    combinations: Any = (),
    limits: Limits = (),
    original: Microdata | None = None,
    measures: Sequence[FileRisk] = (),
) -> RiskReport:
    """Return the risk of a file: uniques, violations of k-anonymity, risks in the population, and what drives them.

    Parameters
    ----------
    data
        The file.
    columns
        The keys: what others may know of a person; those of the role key when not given.
    k
        How many records should share the keys of each.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. Without one the file counts as the population.
    household
        The column that says which household a record belongs to; that of the role household when not given.
    population_size
        How many persons the sample was drawn from, for weights that were normalised: they are scaled to that sum.
    combinations
        Which keys are known together, where not all are: a number for any so many, or as in `KAnonymity`. It is for the
        groups, their violations and uniques; the other figures are about all keys.
    limits
        What is demanded, as in `["k=3", "global_risk<=1"]`, shares in percent; the figures are those of the report.
    original
        The file before it was masked, its records in the same order, where it is at hand: it tells which records are of
        one person, and figures count persons where some have several. A masked file does not: records that were made
        equal look like those of one.
    measures
        What else to measure of the file, as in `[Suda(max_size=3), LDiversity(sensitive=["diagnosis"])]`: any measure
        of one file.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"sex": [*"ffffmmm"], "town": [*"AAABBBA"]})
    >>> report = risk_report(Microdata(people), columns=("sex", "town"), limits=["k=2"])
    >>> report["uniques"], report.meets_limits
    (2.0, False)
    """
    if not isinstance(data, Microdata):
        raise DataError(
            f"risk_report needs Microdata; got a {type(data).__name__}: read a file with sf.read, or wrap a dataframe "
            f"as in sf.Microdata(frame)"
        )
    if not data.n:
        raise DataError("risk_report: the file has no records; there is nothing to report")
    check_risk_limits(limits)
    check_further_risks(measures)
    anonymity = KAnonymity(columns=columns, k=k, combinations=combinations)
    names, _ = coded_keys(anonymity, data, MissingKeys.WILDCARD)  # refuses what cannot be counted
    if population_size is not None:
        data = scale_weights(WHO, data, weight, population_size)
    teller = data if original is None else original
    file = count_file(data, names, k, weight, household, teller)
    report = report_on_counts(file, names, k=k, combinations=combinations, limits=limits)
    further = further_risks(data, measures, report.min_records, teller)
    report = replace(
        report, records=data.n, further=further, counted_as=counted_as(teller), risk_alone=risk_alone(data, weight)
    )
    if (repeated := repeated_persons(teller, data, names, k)) is None:
        return report
    categories, riskiest = lists_of_persons(data, names, report.min_records, numbers_of_persons(teller))
    return _with_persons(replace(report, categories=categories, combinations=riskiest), repeated)


def _with_persons(report: RiskReport, found: RepeatedPersons) -> RiskReport:
    """Return a report with the note on persons of several records; limits are met by persons only."""
    names = tuple(name for name, _ in report.keys)
    limits = hold_limits(report, KeyFindings(names, report.k, Exposure(), persons=found), BY_KEYS)
    remarks = [found.remark] if found.records or found.strict_records else []
    return replace(report, limits=limits, remarks=(*remarks, *report.remarks))


def report_on_counts(
    file: CountedFile, names: tuple[str, ...], *, k: int, combinations: Any = (), limits: Limits = ()
) -> RiskReport:
    """Return the report on a file of which the records were counted by the keys that are named; see `risk_report`."""
    asked, data = check_risk_limits(limits), file.keys
    individual = IndividualRisk(columns=names)
    risk = individual.of(data)
    figures, found = risk_figures(file, KAnonymity(columns=names, k=k, combinations=combinations), risk)
    categories, riskiest = risk_lists(data, individual, risk, max(MIN_RECORDS, k))
    return RiskReport(
        records=int(data.copies.sum()),
        k=k,
        keys=tuple((name, count_observed(data, name)) for name in names),
        figures=figures,
        variables=risk_by_variable(data, individual, found=risk),
        categories=categories,
        combinations=riskiest,
        limits=tuple(_check(limit, figures) for limit in asked),
        remarks=remarks_on_counts(file, names, found),
        counted=int(data.copies.sum()),
        homes=file.homes,
    )


def check_risk_limits(limits: Limits, others: Sequence[str] = ()) -> tuple[Limit, ...]:
    """Return limits as they are meant, refusing those of figures that a report, and the others, do not have."""
    asked, known = read_limits(limits), (*FIGURES, *others)
    problems = [
        f"there is no figure '{limit.figure}'{did_you_mean(limit.figure, known) or '; there are ' + ', '.join(known)}"
        for limit in asked
        if limit.figure not in known
    ]
    if problems:
        raise ParameterError(problems)
    return asked


def _check(limit: Limit, figures: Sequence[RiskFigure]) -> CheckedLimit:
    having = {figure.name: figure for figure in figures}
    if limit.figure not in having:
        figure = limit.figure.removeprefix("strict_")
        lacking = {"household_risk": "household", "single_valued": "confidential"}.get(figure, "weight")
        raise DataError(f"{limit.figure} cannot be computed: no column has the role {lacking}; give it to one")
    found = having[limit.figure]
    scope = BY_KEYS if is_count_of_groups(limit) else ""
    return CheckedLimit(limit, found.value, limit.is_met(found.value), found.unit, scope=scope)
