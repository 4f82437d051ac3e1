"""What each column is and is for: kinds, roles, labels, missing codes, order of categories."""

from collections import Counter
from collections.abc import Iterable, Mapping
from decimal import Decimal
from functools import cached_property
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, field_validator, model_validator

from sfumato.data.date_formats import EXAMPLES, date_format
from sfumato.data.kinds import ADDED_ROLES, SINGLE_ROLES, Kind, Role
from sfumato.data.selection import Selector
from sfumato.documents import Record, dump, kind_of, load, read_places
from sfumato.errors import ParameterError, SchemaError, UnknownColumnError, did_you_mean

Category = bool | int | float | str
Selection = tuple[str, ...] | Selector


class Variable(Record):
    """One column of a file.

    Parameters
    ----------
    name
        The column's name.
    kind
        What the values mean.
    role
        What the column is for.
    label
        The question or description behind the name.
    unit
        What its numbers are counted in, as in `years` or `EUR a month`; reports write it beside them.
    value_labels
        Text for each code, as in labelled files.
    missing_codes, missing_ranges
        Codes, and closed ranges of codes, that stand for "no answer"; they are treated as missing and stay as they are.
    valid_codes
        Codes that look as if they stood for "no answer" and are values: an age of 99 years.
    categories
        The categories of an ordinal column, lowest first.
    date_format
        How dates are written that are kept as text, as in `dd/mm/yyyy`, or as numbers (`yyyymmdd`).
    numbers_persons
        Whether each value is of one person, who may have several records. Of one column at most; what else seems to
        tell whose a record is counts for nothing then.
    """

    name: str = Field(min_length=1)
    kind: Kind
    role: Role = Role.OTHER
    label: str = ""
    unit: str = ""
    value_labels: dict[Category, str] = Field(default_factory=dict)
    missing_codes: tuple[Category, ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()
    valid_codes: tuple[Category, ...] = ()
    categories: tuple[Category, ...] = ()
    date_format: str = ""
    numbers_persons: bool = False

    @field_validator("date_format")
    @classmethod
    def _check_format(cls, text: str) -> str:
        if text and not date_format(text).is_valid:
            raise ValueError(f"must be such as {EXAMPLES}; got '{text}'")
        return text

    @field_validator("categories")
    @classmethod
    def _check_unique(cls, categories: tuple[Category, ...]) -> tuple[Category, ...]:
        if len(set(categories)) < len(categories):
            raise ValueError("must list each category once")
        return categories

    @field_validator("missing_ranges")
    @classmethod
    def _check_ascending(cls, ranges: tuple[tuple[float, float], ...]) -> tuple[tuple[float, float], ...]:
        if any(low > high for low, high in ranges):
            raise ValueError("must give the lower end of each range first")
        return ranges

    @model_validator(mode="after")
    def _check_codes(self) -> Self:
        both = [code for code in self.valid_codes if code in self.missing_codes]
        if both:
            raise ValueError(f"valid_codes and missing_codes both list {both[0]}; keep one")
        if self.date_format and self.kind is not Kind.DATE:
            raise ValueError(f"date_format is for columns of kind date; this one is {self.kind}")
        return self

    def is_in_missing_range(self, code: object) -> bool:
        """Tell whether a number, and no truth value, lies in the ranges of codes that stand for "no answer"."""
        return is_in_ranges(code, self.missing_ranges)

    def with_kind(self, kind: str) -> Self:
        """Return a copy of another kind; a date format is kept only for dates."""
        return self.replace(kind=kind) if kind == Kind.DATE else self.replace(kind=kind, date_format="")


def _read_variables(content: Any) -> Any:
    """Return the variables that a mapping gives by name, as a schema file has them; a list of them as it is."""
    if isinstance(content, Mapping):
        return read_places((((str(name),), (name, entry)) for name, entry in content.items()), _read_variable)
    if isinstance(content, list | tuple) and all(isinstance(variable, Variable | Mapping) for variable in content):
        return content
    raise ValueError(f"must be a mapping with an entry 'name: {{kind: ...}}' per column; got {kind_of(content)}")


def _read_variable(named_entry: tuple[Any, Any]) -> Variable:
    name, entry = named_entry
    if not isinstance(entry, Mapping | None) or (entry and "name" in entry):
        what = kind_of(entry) if not isinstance(entry, Mapping) else "another name in it"
        raise ParameterError([f"column '{name}': must be a mapping such as {{kind: nominal, role: key}}; got {what}"])
    try:
        return Variable(**{"name": str(name), **{str(key): value for key, value in (entry or {}).items()}})
    except ParameterError as error:
        raise ParameterError([f"column '{name}': {problem}" for problem in error.problems], error.places) from None


class Schema(Record):
    """The variables of a file, in the order of its columns.

    Examples
    --------
    >>> schema = Schema(variables=(Variable(name="age", kind="continuous"), Variable(name="sex", kind="nominal")))
    >>> schema.with_roles(key=["age", "sex"])["sex"].role
    <Role.KEY: 'key'>
    """

    variables: Annotated[tuple[Variable, ...], BeforeValidator(_read_variables)]

    @classmethod
    def infer(cls, frame: Any) -> Self:
        """Guess the schema of a dataframe; see `sfumato.data.inference` for the rules."""
        from sfumato.data.inference import infer_variables

        return cls(variables=infer_variables(frame))

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all columns."""
        return tuple(self._by_name)

    def __contains__(self, name: str) -> bool:
        return name in self._by_name

    def __getitem__(self, name: str) -> Variable:
        variable = self._by_name.get(name)
        if variable is None:
            raise unknown_column(name, self.names)
        return variable

    def select(self, selection: Selection) -> tuple[str, ...]:
        """Return the names that a tuple of names or a selector stands for, checked against the schema."""
        if isinstance(selection, Selector):
            return tuple(variable.name for variable in self.variables if selection.picks(variable.kind, variable.role))
        if isinstance(selection, str):  # a tuple of its letters to Python
            raise ParameterError(
                [f"columns must be a list of names, as ['{selection}'], or a rule such as sfumato.numeric; got a text"]
            )
        return tuple(self[name].name for name in selection)

    def with_roles(self, **columns: list[str] | tuple[str, ...]) -> Self:
        """Return a copy in which the named columns have another role, as in `with_roles(key=["age", "sex"])`.

        A role that is given here no other column keeps, so that no guess stays beside what was said: `weight=[]` leaves
        no weight. Only identifiers are added to those there are, since one that is forgotten would be released; give
        such a column another role. One column at most is the weight, and one the household.
        """
        unknown = [role for role in columns if role not in list(Role)]
        if unknown:
            raise SchemaError(
                f"there is no role '{unknown[0]}'{did_you_mean(unknown[0], Role)}; roles: {', '.join(Role)}"
            )
        given = _meaning_by_name(columns)
        for role in SINGLE_ROLES:
            if len(columns.get(role, ())) > 1:
                raise SchemaError(f"one column at most is the {role}; got {', '.join(columns[role])}")
        lost = [each.name for each in self.variables if each.role in columns and each.role not in ADDED_ROLES]
        roles: dict[str, str] = dict.fromkeys(lost, Role.OTHER) | given
        return self._change_variables({name: {"role": role} for name, role in roles.items()})

    def with_kinds(self, **columns: list[str] | tuple[str, ...]) -> Self:
        """Return a copy in which the named columns have another kind, as in `with_kinds(nominal=["region"])`."""
        unknown = [kind for kind in columns if kind not in list(Kind)]
        if unknown:
            raise SchemaError(
                f"there is no kind '{unknown[0]}'{did_you_mean(unknown[0], Kind)}; kinds: {', '.join(Kind)}"
            )
        return self.with_variables(*(self[name].with_kind(kind) for name, kind in _meaning_by_name(columns).items()))

    def with_persons(self, name: str) -> Self:
        """Return a copy in which a column, an identifier from now on, says whose each record is, and no other does."""
        others = [one.name for one in self.variables if one.numbers_persons]
        cleared = self._change_variables({other: {"numbers_persons": False} for other in others})
        return cleared._change_variables({name: {"role": Role.IDENTIFIER, "numbers_persons": True}})

    @property
    def person(self) -> str:
        """The column that is said to number persons; empty where none is."""
        return next((one.name for one in self.variables if one.numbers_persons), "")

    def with_variables(self, *variables: Variable) -> Self:
        """Return a copy in which these variables take the place of those with the same names."""
        for variable in variables:
            self[variable.name]  # refuses an unknown name
        given = {variable.name: variable for variable in variables}
        return type(self)(variables=tuple(given.get(variable.name, variable) for variable in self.variables))

    def with_more(self, *variables: Variable) -> Self:
        """Return a copy with further variables at the end."""
        return self.replace(variables=(*self.variables, *variables))

    def subset(self, names: tuple[str, ...]) -> Self:
        """Return the schema of some of the columns."""
        return type(self)(variables=tuple(self[name] for name in names))

    def to_yaml(self) -> str:
        """Return the schema as YAML, one column a line, leaving out what is at its default."""
        return dump(self)

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read a schema from YAML, as `to_yaml` writes it; every problem is raised at once, with its line."""
        return load(text, cls, "schema")

    def to_plain(self) -> dict[str, Any]:
        """Return the schema as plain dicts, as its YAML file has it."""
        return {"variables": {variable.name: _plain(variable) for variable in self.variables}}

    def _change_variables(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        return self.with_variables(*(self[name].replace(**change) for name, change in changes.items()))

    @cached_property
    def _by_name(self) -> dict[str, Variable]:
        return {variable.name: variable for variable in self.variables}

    def model_post_init(self, context: object) -> None:
        """Refuse two variables of one name, and two that number persons."""
        if len(self._by_name) < len(self.variables):
            counts = Counter(variable.name for variable in self.variables)
            repeated = [name for name, count in counts.items() if count > 1]
            raise SchemaError(f"column names must be unique; repeated: {', '.join(map(repr, repeated))}")
        if len(numbering := [one.name for one in self.variables if one.numbers_persons]) > 1:
            raise SchemaError(f"one column at most numbers persons (numbers_persons); got {', '.join(numbering)}")


def is_in_ranges(code: object, ranges: Iterable[tuple[float, float]]) -> bool:
    """Tell whether a number, and no truth value, lies in closed ranges."""
    if isinstance(code, bool) or not isinstance(code, int | float | Decimal):
        return False
    return any(low <= code <= high for low, high in ranges)


def unknown_column(name: str, known: tuple[str, ...]) -> UnknownColumnError:
    """Return the error for a column that is not there: it names the nearest one, or says that these are several."""
    if len(parts := [part.strip() for part in name.split(",")]) > 1 and set(parts) <= set(known):
        return UnknownColumnError(f"there is no column '{name}': these are {len(parts)} columns, give each by itself")
    nearest = did_you_mean(name, known)
    return UnknownColumnError(f"there is no column '{name}'{nearest or f'; the columns are: {_list_names(known)}'}")


def _meaning_by_name(columns: Mapping[str, list[str] | tuple[str, ...]]) -> dict[str, str]:
    """Turn `key=["age", "sex"]` into the new role or kind of each column."""
    given: dict[str, str] = {}
    for meaning, names in columns.items():
        if isinstance(names, str):
            raise SchemaError(f"{meaning} must be a list of column names; got the text '{names}': write ['{names}']")
        for name in names:
            if given.setdefault(name, meaning) != meaning:
                raise SchemaError(f"column '{name}' is named twice: as {given[name]} and as {meaning}")
    return given


def _plain(variable: Variable) -> dict[str, Any]:
    plain = variable.model_dump(mode="json", exclude={"name", "value_labels"}, exclude_defaults=True)
    # as they are: JSON would turn the code 1 into the text '1'
    return {**plain, "value_labels": dict(variable.value_labels)} if variable.value_labels else plain


def _list_names(names: tuple[str, ...], most: int = 20) -> str:
    return ", ".join(names[:most]) + (f" and {len(names) - most} more" if len(names) > most else "")


def check_described(names: list[str], schema: Schema) -> None:
    """Refuse a schema that describes other columns than there are."""
    columns = dict.fromkeys(names)
    for name in schema.names:
        if name not in columns:
            raise unknown_column(name, tuple(columns))
    undescribed = [name for name in columns if name not in schema]
    if undescribed:
        raise SchemaError(
            f"the schema does not describe these columns: {', '.join(undescribed)}; use Schema.infer and change that"
        )
