"""Begin with a file: propose what its columns are and are for, ask where it matters, and write that as a schema."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.data import CATEGORICAL, Kind, Microdata, Role, Schema, Variable, column_names
from sfumato.data.dates import is_calendar
from sfumato.data.distinct_values import NESTED
from sfumato.data.inference import Guess
from sfumato.data.recognition.birth_dates import birth_column
from sfumato.data.recognition.measured_weights import may_be_measured
from sfumato.data.schema_document import commented_yaml
from sfumato.display import format_count
from sfumato.errors import FileError, ParameterError
from sfumato.files import ReadOptions
from sfumato.files.folders import is_folder_name, schema_beside
from sfumato.files.folders.opening import count_rows
from sfumato.files.sidecar import sidecar_of
from sfumato.jobs._column_doubts import (
    Ask,
    Question,
    answer_to,
    decide_code,
    decide_format,
    read_with_doubts,
    take_proposal,
)
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.keys.findings.counted_units import counted_as
from sfumato.keys.persons import is_released_number_of_persons, persons_of
from sfumato.keys.units.household_numbers import undeclared_households
from sfumato.storage.atomic import write_text

FIRST_ROWS = "Only {rows} were looked at, the first of each part: list codes and categories that others have."
SUFFIXES = (".yaml", ".yml")
SINGLE_ROLES = (Role.WEIGHT, Role.HOUSEHOLD)
MAX_LABEL_WORDS = 6  # longer ones are the question itself, in which any word may occur
MIN_TOLD_APART = 20  # records: of fewer, values may all be different by chance
MIN_SHARING = 2  # records for each value, on average, of a column that may be a key
LEFT_AS_OTHER = (
    "left as other, which is released as it is, unless the file is synthesised: say role: key if somebody outside may "
    "know it"
)
LEFT_APART = (
    "left as other, which is released as it is, unless the file is synthesised, though most records have a value of "
    "their own: say role: confidential to have numbers masked, identifier to leave it out, or key if somebody outside "
    "may know it"
)
MAY_WEIGH = "may be a sampling weight: say role: weight if it tells how many persons a record stands for"
NUMBERS_HOUSEHOLDS = (
    "as a few records share each value, and agree in other columns, so that it seems to number households, couples or "
    "firms; if its members should be known to belong together, give it the role household"
)
NUMBERS_PERSONS = "as records that share a value agree in what stays the same of a person: it seems to number persons"
NOBODY = "none"
WHOSE = "May a person have several records? Name the column that numbers the persons"
MIN_YEARS, DAYS_OF_YEAR = 20, 365.25


@dataclass(frozen=True, kw_only=True)
class InitResult(JobResult):
    """The schema that was written, and what is to be looked at in it, column by column."""

    output: Path
    schema: Schema
    remarks: dict[str, tuple[str, ...]]

    def to_dict(self) -> dict[str, Any]:
        """Return the schema and the remarks."""
        return {"output": str(self.output), "schema": self.schema.to_plain(), "remarks": self.remarks}

    def __str__(self) -> str:
        marked = sum(bool(remarks) for remarks in self.remarks.values())
        return (
            f"{self.output}: {format_count(len(self.schema.names), 'column')}, {marked} of them with a remark to read"
        )


def init(
    file: str | Path,
    output: str | Path | None = None,
    *,
    options: ReadOptions = ReadOptions(),
    ask: Ask = take_proposal,
    on_progress: OnProgress = ignore_progress,
) -> InitResult:
    """Write a commented schema of a file: kinds, roles and missing codes of its columns, and the choices there are.

    Parameters
    ----------
    file, options
        The file, and how it is to be read. Of a folder of Parquet parts or a glob the first rows of each part are.
    output
        Where to write the schema, as YAML; beside the file, where it is found when the file is read, if not given. A
        file that is there already is left alone.
    ask
        Called with each question; what is proposed is taken when not given.
    on_progress
        Called with each stage.
    """
    file = Path(file).expanduser()
    is_folder = is_folder_name(file)
    if is_folder and output is None and not file.is_dir():
        raise ParameterError([f"init.output must tell where to write the schema of {file}, which is several files"])
    beside = schema_beside(file) if is_folder else sidecar_of(file)
    target = beside if output is None else Path(output).expanduser()
    if target.suffix.lower() not in SUFFIXES:
        raise FileError(f"a schema is written as YAML; got '{target.name}': give it a name that ends in .yaml")
    if target.exists():
        raise FileError(f"{target} is there already; correct it, remove it, or choose another name")
    on_progress(Stage("reading"))
    data, doubts = read_with_doubts(file, options)
    decided: list[tuple[Variable, list[str]]] = []
    for each in data.schema.variables:
        given = {variable.role: variable.name for variable, _ in decided if variable.role in SINGLE_ROLES}
        decided.append(_decide(data, each, doubts.get(each.name, Guess(each)), ask, given))
    schema = _with_persons(data, Schema(variables=tuple(variable for variable, _ in decided)), ask)
    remarks = {variable.name: tuple(found) for variable, found in decided}
    title = (
        f"What the columns of {file.name} are and are for. Correct what is wrong; describe, risk and protect then",
        "take it from here. What was guessed or proposed is marked above its column.",
        counted_as(data.with_schema(schema)),
    )
    write_text(target, commented_yaml(schema, title, remarks))
    steps = (*_next_steps(schema, remarks), counted_as(data.with_schema(schema)))
    if is_folder and count_rows(file) != data.n:
        steps = (*steps, FIRST_ROWS.format(rows=format_count(data.n, "record")))
    return InitResult(output=target, schema=schema, remarks=remarks, notices=steps)


def _with_persons(data: Microdata, schema: Schema, ask: Ask) -> Schema:
    """Return the schema with the column that says whose each record is, if there is one."""
    if schema.person:
        return schema
    found = persons_of(data.with_schema(schema))
    proposed = NOBODY if found is None or found.is_guessed else found.column
    answer = answer_to(ask, Question(proposed, WHOSE, (NOBODY, *schema.names), proposed))
    return schema if answer == NOBODY else schema.with_persons(answer)


def _decide(
    data: Microdata, variable: Variable, guess: Guess, ask: Ask, given: Mapping[Role, str]
) -> tuple[Variable, list[str]]:
    """Return the variable as it is to be written, and the remarks to be written above it.

    `given` are the columns before it that have a role which only one column can have.
    """
    name, remarks = variable.name, [guess.doubt] if guess.doubt else []
    if guess.doubt and not guess.is_about_role:
        kind = answer_to(ask, Question(name, f"{name}: {guess.doubt}. Kind?", tuple(Kind), str(variable.kind)))
        variable = variable.with_kind(kind)
    if data.summary.date_problem(name) and variable.kind is Kind.DATE:
        variable, remark = decide_format(data, variable, ask)
        remarks.append(remark)
    proposed, why = _propose_role(data, variable)
    meant = proposed
    about = f"{name}: {guess.doubt}" if guess.is_about_role else f"{_title(variable)} (kind: {variable.kind})"
    if proposed is Role.OTHER and Role.WEIGHT not in given and _may_weigh(data, variable):
        remarks.append(MAY_WEIGH)
        about = f"{about}: {MAY_WEIGH}"
    if proposed in given:
        remarks.append(f"looks like the {proposed} too, but that is {given[proposed]}; only one column can be it")
        proposed = Role.OTHER
    if variable.role is Role.WEIGHT and variable.kind is not Kind.CONTINUOUS:
        raise ParameterError([f"weight: '{name}' is {variable.kind}; expected a continuous column of numbers above 0"])
    unfit = () if variable.kind is Kind.CONTINUOUS else (Role.WEIGHT,)
    choices = tuple(each for each in Role if each not in (*given, *unfit))
    role = answer_to(ask, Question(name, f"{about}. Role?", choices, str(proposed)))
    if role != variable.role and role == proposed and why:
        remarks.append(f"proposed as {proposed}, {why}")
    elif role == meant == Role.OTHER and not why and (left := _left_as_other(data, name)):
        remarks.append(left)
    variable = variable.replace(role=role)
    for suspect in data.summary.suspected_codes(name):
        variable, remark = decide_code(variable, suspect, ask, birth_column(data, name, suspect.code))
        remarks.append(remark)
    return variable, remarks


def _propose_role(data: Microdata, variable: Variable) -> tuple[Role, str]:
    """Return the role of a variable, or for content the one that its name, label or values suggest, and why."""
    if variable.role is Role.WEIGHT and column_names.is_measured_weight(variable.label):
        return Role.OTHER, "because of its label"
    if variable.role is not Role.OTHER:
        return variable.role, ""
    if is_released_number_of_persons(data, variable.name):
        return Role.IDENTIFIER, NUMBERS_PERSONS
    if variable.name in undeclared_households(data):
        return Role.IDENTIFIER, NUMBERS_HOUSEHOLDS
    label = variable.label if len(variable.label.split()) <= MAX_LABEL_WORDS else ""
    if (named := _role_by_label(data, variable, label.strip().replace(" ", "_"))) is not None:
        return named, "because of its label"
    for what, words in (("name", variable.name), ("label", label)):
        if column_names.is_usually_confidential(words):
            return Role.CONFIDENTIAL, f"because of its {what}"
        is_count = column_names.is_number(words) or column_names.is_count_of_persons(words)
        can_be_key = variable.kind in {*CATEGORICAL, Kind.DATE} or is_count
        if can_be_key and column_names.is_usual_key(words):
            return Role.KEY, f"because of its {what}"
    if _is_only_date_of_decades(data, variable):
        return Role.KEY, "as it is the only date that spans decades, so that it may be one of birth"
    return Role.OTHER, ""


def _may_weigh(data: Microdata, variable: Variable) -> bool:
    """Tell whether a column of numbers above 0 has the name that formulas give a weight, and nothing else says so."""
    if variable.name.casefold() != "w" or variable.kind is not Kind.CONTINUOUS:
        return False
    values = data.values(variable.name)
    return bool((values[np.isfinite(values)] > 0).all())


def _left_as_other(data: Microdata, name: str) -> str:
    """Return what to look at in a column that is released as it is: it tells records apart, in groups or one by one."""
    values = data.table[name].filter(data.observed(name))
    if isinstance(values.dtype, NESTED) or values.n_unique() <= 1:
        return ""
    if values.n_unique() <= len(values) / MIN_SHARING:
        return LEFT_AS_OTHER
    return LEFT_APART if len(values) >= MIN_TOLD_APART else ""


def _role_by_label(data: Microdata, variable: Variable, label: str) -> Role | None:
    """Return what a label says of numbers whose name says nothing: a weight, or the number of a household or person."""
    numbers = data.table[variable.name]
    if variable.kind is not Kind.CONTINUOUS or not numbers.dtype.is_numeric() or not numbers.count():
        return None
    if column_names.is_weight(label):
        return Role.WEIGHT if float(numbers.min()) > 0 and not _may_be_measured(data, variable, label) else None
    if column_names.is_household(label):
        return Role.HOUSEHOLD
    tells_persons = column_names.is_identifier(label) and 2 * numbers.n_unique() > len(numbers)
    return Role.IDENTIFIER if tells_persons else None


def _may_be_measured(data: Microdata, variable: Variable, label: str) -> bool:
    """Tell whether numbers whose label calls them a weight may be what persons weigh."""
    labels = (one.label.replace(" ", "_") for one in data.schema.variables)
    has_height = any(map(column_names.is_body_measure, (*data.schema.names, *labels)))
    values = data.values(variable.name)
    is_plain = column_names.is_plain_weight(label)
    return is_plain and may_be_measured(values[np.isfinite(values)], is_beside_height=has_height)


def _is_only_date_of_decades(data: Microdata, variable: Variable) -> bool:
    """Tell whether dates reach over as many years as births do, and those of no other column."""
    dates = [other.name for other in data.schema.variables if other.kind is Kind.DATE]
    return variable.name in dates and [name for name in dates if _spans_decades(data, name)] == [variable.name]


def _spans_decades(data: Microdata, name: str) -> bool:
    """Tell whether the dates of a column can be read, and reach over decades."""
    if data.summary.date_problem(name) or not is_calendar(data.table[name]):
        return False
    days = data.values(name)[data.observed(name)]
    return bool(days.size) and bool(np.ptp(days) >= MIN_YEARS * DAYS_OF_YEAR)


def _title(variable: Variable) -> str:
    return f"{variable.name}, {variable.label}" if variable.label else variable.name


def _next_steps(schema: Schema, remarks: dict[str, tuple[str, ...]]) -> tuple[str, ...]:
    steps = []
    if any(remarks.values()):
        steps.append("Read the remarks in it, and correct what is wrong, before you rely on it.")
    if not any(variable.role is Role.KEY for variable in schema.variables):
        steps.append("No column has the role key: give it to the columns that others may know of a person.")
    return tuple(steps)
