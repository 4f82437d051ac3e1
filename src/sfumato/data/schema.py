"""What each column is and is for: kinds, roles, labels, missing codes, order of categories."""

from collections import Counter
from collections.abc import Mapping
from typing import Any, Self

import yaml
from pydantic import Field, PrivateAttr, field_validator

from sfumato.data.kinds import Kind, Role
from sfumato.data.selection import Selector
from sfumato.documents.record import Record
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
    value_labels
        Text for each code, as in labelled files.
    missing_codes, missing_ranges
        Codes, and closed ranges of codes, that stand for "no answer"; they are treated as missing and stay as they are.
    categories
        The categories of an ordinal column, lowest first.
    """

    name: str = Field(min_length=1)
    kind: Kind
    role: Role = Role.OTHER
    label: str = ""
    value_labels: dict[Category, str] = Field(default_factory=dict)
    missing_codes: tuple[Category, ...] = ()
    missing_ranges: tuple[tuple[float, float], ...] = ()
    categories: tuple[Category, ...] = ()

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


class Schema(Record):
    """The variables of a file, in the order of its columns.

    Examples
    --------
    >>> schema = Schema(variables=(Variable(name="age", kind="continuous"), Variable(name="sex", kind="nominal")))
    >>> schema.with_roles(key=["age", "sex"])["sex"].role
    <Role.KEY: 'key'>
    """

    variables: tuple[Variable, ...]
    _by_name: dict[str, Variable] = PrivateAttr(default_factory=dict)

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
        if name not in self._by_name:
            raise unknown_column(name, self.names)
        return self._by_name[name]

    def select(self, selection: Selection) -> tuple[str, ...]:
        """Return the names that a tuple of names or a selector stands for, checked against the schema."""
        if isinstance(selection, Selector):
            return tuple(variable.name for variable in self.variables if selection.picks(variable.kind, variable.role))
        return tuple(self[name].name for name in selection)

    def with_roles(self, **columns: list[str] | tuple[str, ...]) -> Self:
        """Return a copy in which the named columns have another role, as in `with_roles(key=["age", "sex"])`."""
        unknown = [role for role in columns if role not in list(Role)]
        if unknown:
            raise SchemaError(
                f"there is no role '{unknown[0]}'{did_you_mean(unknown[0], Role)}; roles: {', '.join(Role)}"
            )
        return self._change_variables({name: {"role": role} for name, role in _meaning_by_name(columns).items()})

    def with_kinds(self, **columns: list[str] | tuple[str, ...]) -> Self:
        """Return a copy in which the named columns have another kind, as in `with_kinds(nominal=["region"])`."""
        unknown = [kind for kind in columns if kind not in list(Kind)]
        if unknown:
            raise SchemaError(
                f"there is no kind '{unknown[0]}'{did_you_mean(unknown[0], Kind)}; kinds: {', '.join(Kind)}"
            )
        return self._change_variables({name: {"kind": kind} for name, kind in _meaning_by_name(columns).items()})

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
        entries = {variable.name: _plain(variable) for variable in self.variables}
        return yaml.safe_dump(
            {"variables": entries}, sort_keys=False, allow_unicode=True, default_flow_style=None, width=10_000
        )

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read a schema from YAML, as `to_yaml` writes it."""
        try:
            content = yaml.safe_load(text)
        except yaml.YAMLError as error:
            raise SchemaError(f"the schema is not valid YAML: {error}") from None
        return cls.from_plain(content)

    def to_plain(self) -> dict[str, Any]:
        """Return the schema as plain dicts, as its YAML file has it."""
        return {"variables": {variable.name: _plain(variable) for variable in self.variables}}

    @classmethod
    def from_plain(cls, content: Any) -> Self:
        """Read a schema from the plain dicts of its YAML file."""
        if not isinstance(content, Mapping) or not isinstance(content.get("variables"), Mapping) or len(content) != 1:
            raise SchemaError(
                "a schema file must hold one key, 'variables', with an entry 'name: {kind: ...}' per column"
            )
        problems: list[str] = []
        variables: list[Variable] = []
        for name, entry in content["variables"].items():
            try:
                variables.append(Variable(name=str(name), **(entry or {})))
            except ParameterError as error:
                problems.extend(f"column '{name}': {problem}" for problem in error.problems)
            except TypeError:
                problems.append(f"column '{name}': must be a mapping such as {{kind: nominal, role: key}}")
        if problems:
            raise SchemaError("\n".join(["the schema has problems:", *(f"  - {problem}" for problem in problems)]))
        return cls(variables=tuple(variables))

    def _change_variables(self, changes: Mapping[str, Mapping[str, Any]]) -> Self:
        return self.with_variables(*(self[name].replace(**change) for name, change in changes.items()))

    def model_post_init(self, context: object) -> None:
        """Index the variables by name; refuse two of one name."""
        self._by_name.update((variable.name, variable) for variable in self.variables)
        if len(self._by_name) < len(self.variables):
            counts = Counter(variable.name for variable in self.variables)
            repeated = [name for name, count in counts.items() if count > 1]
            raise SchemaError(f"column names must be unique; repeated: {', '.join(map(repr, repeated))}")


def unknown_column(name: str, known: tuple[str, ...]) -> UnknownColumnError:
    """Return the error for a column that is not there, naming the nearest one."""
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
