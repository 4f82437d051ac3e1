from decimal import Decimal

import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Role, Schema, Variable, numeric
from sfumato.errors import DocumentError, ParameterError, SchemaError, UnknownColumnError

SCHEMA = Schema(
    variables=(
        Variable(name="age", kind=Kind.CONTINUOUS, label="Age in years"),
        Variable(name="sex", kind=Kind.NOMINAL, role=Role.KEY, value_labels={1: "male", 2: "female"}),
        Variable(name="income", kind=Kind.CONTINUOUS, missing_codes=(-9, "refused"), missing_ranges=((-5, -1),)),
    )
)

texts = st.text(st.characters(exclude_characters="\x85\u2028\u2029", exclude_categories=["Cs"]))  # PyYAML folds these
codes = st.one_of(st.booleans(), st.integers(), st.floats(allow_nan=False, allow_infinity=False), texts)
numbers = st.floats(-1e12, 1e12)
variables = st.builds(
    Variable,
    name=texts.filter(bool),
    kind=st.sampled_from(Kind),
    role=st.sampled_from(Role),
    label=texts,
    value_labels=st.dictionaries(codes, texts, max_size=4),
    missing_codes=st.lists(codes, max_size=4).map(tuple),
    missing_ranges=st.lists(st.tuples(numbers, numbers).map(sorted).map(tuple), max_size=2).map(tuple),
    categories=st.lists(codes, max_size=4, unique=True).map(tuple),
)
schemas = st.lists(variables, max_size=4, unique_by=lambda variable: variable.name).map(
    lambda found: Schema(variables=tuple(found))
)


def types_of_codes(schema: Schema) -> list[list[type]]:
    return [
        [type(code) for code in (*variable.value_labels, *variable.missing_codes, *variable.categories)]
        for variable in schema.variables
    ]


@given(schemas)
def test_a_schema_comes_back_from_yaml_as_it_was(schema: Schema) -> None:
    back = Schema.from_yaml(schema.to_yaml())
    assert back == schema
    assert types_of_codes(back) == types_of_codes(schema)


@given(schemas)
def test_a_schema_comes_back_from_plain_values_as_it_was(schema: Schema) -> None:
    assert Schema(**schema.to_plain()) == schema


def test_yaml_keeps_the_type_of_labelled_codes() -> None:
    assert list(Schema.from_yaml(SCHEMA.to_yaml())["sex"].value_labels) == [1, 2]


def test_yaml_leaves_out_what_is_at_its_default() -> None:
    assert SCHEMA.subset(("age",)).to_yaml() == "variables:\n  age: {kind: continuous, label: Age in years}\n"


def test_a_schema_written_by_hand_is_read() -> None:
    schema = Schema.from_yaml("variables:\n  age: {kind: continuous, role: key}\n  2020: {kind: nominal}\n")
    assert schema.names == ("age", "2020")
    assert schema["age"].role is Role.KEY


@pytest.mark.parametrize("text", ["", "age: continuous", "variables: [age]", "variables: {}\nmore: {}", "- 1"])
def test_a_file_of_another_shape_is_refused_with_the_right_shape(text: str) -> None:
    with pytest.raises(DocumentError) as caught:
        Schema.from_yaml(text)
    shape = "a mapping with an entry 'name: {kind: ...}' per column"
    assert f"'variables' must be {shape}" in str(caught.value) or "a schema has no key 'more'" in str(caught.value)


def test_text_that_is_not_yaml_is_refused() -> None:
    with pytest.raises(DocumentError, match="the schema has 1 problem:\n  - line 1: not valid YAML"):
        Schema.from_yaml("variables: {age")


def test_all_problems_of_a_schema_file_are_said_at_once() -> None:
    text = "variables:\n  age: {knd: nominal}\n  sex: nominal\n  tax:\n    kind: number\n  pay:\n  pay: {name: tax}\n"
    with pytest.raises(DocumentError) as caught:
        Schema.from_yaml(text)
    shape = "must be a mapping such as {kind: nominal, role: key}"
    assert caught.value.problems == (
        "line 2: column 'age': Variable.kind is required",
        "line 2: column 'age': Variable has no parameter 'knd'; did you mean 'kind'?",
        f"line 3: column 'sex': {shape}; got text",
        "line 5: column 'tax': Variable.kind must be 'continuous', 'ordinal', 'nominal' or 'date'; got 'number'",
        "line 7: the key 'pay' is already in line 6; keep one of them",
        f"line 7: column 'pay': {shape}; got another name in it",
    )


def test_two_columns_of_one_name_are_refused() -> None:
    with pytest.raises(SchemaError, match="must be unique; repeated: 'age'"):
        Schema(variables=(SCHEMA["age"], SCHEMA["sex"], SCHEMA["age"]))


def test_a_variable_without_a_name_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"Variable.name must have at least 1 character"):
        Variable(name="", kind=Kind.NOMINAL)


def test_a_category_listed_twice_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"Variable.categories must list each category once"):
        Variable(name="size", kind=Kind.ORDINAL, categories=("small", "large", "small"))


def test_a_missing_range_from_high_to_low_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"Variable.missing_ranges must give the lower end of each range first"):
        Variable(name="age", kind=Kind.CONTINUOUS, missing_ranges=((-1, -9),))


def test_a_missing_range_may_be_a_single_point() -> None:
    assert Variable(name="age", kind=Kind.CONTINUOUS, missing_ranges=((-9, -9),)).missing_ranges == ((-9.0, -9.0),)


def test_an_unknown_column_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(UnknownColumnError, match=r"there is no column 'incme'; did you mean 'income'\?"):
        SCHEMA["incme"]


def test_an_unknown_column_that_is_near_none_is_refused_with_all_of_them() -> None:
    with pytest.raises(UnknownColumnError, match=r"there is no column 'zzz'; the columns are: age, sex, income$"):
        SCHEMA.select(("age", "zzz"))


def test_several_columns_in_one_name_are_told_to_be_several() -> None:
    with pytest.raises(UnknownColumnError, match=r"these are 2 columns, give each by itself$"):
        SCHEMA.select(("age, sex",))


def test_a_long_list_of_columns_is_cut() -> None:
    wide = Schema(variables=tuple(Variable(name=f"column {i}", kind=Kind.NOMINAL) for i in range(25)))
    with pytest.raises(UnknownColumnError, match=r"column 19 and 5 more$"):
        wide["zzz"]


def test_select_keeps_the_order_asked_for() -> None:
    assert SCHEMA.select(("income", "age")) == ("income", "age")
    assert SCHEMA.select(numeric) == ("age", "income")


def test_contains_tells_whether_a_column_is_described() -> None:
    assert "age" in SCHEMA
    assert "zzz" not in SCHEMA


def test_with_roles_changes_the_named_columns_of_a_copy() -> None:
    changed = SCHEMA.with_roles(key=["age"], confidential=("income", "sex"))
    assert [variable.role for variable in changed.variables] == [Role.KEY, Role.CONFIDENTIAL, Role.CONFIDENTIAL]
    assert SCHEMA["age"].role is Role.OTHER
    assert changed["age"].label == "Age in years"


def test_a_role_that_is_given_no_other_column_keeps() -> None:
    guessed = SCHEMA.with_roles(weight=["age"], household=["income"])
    changed = guessed.with_roles(weight=["income"], key=[])
    assert [variable.role for variable in changed.variables] == [Role.OTHER, Role.OTHER, Role.WEIGHT]


def test_identifiers_are_added_to_those_that_are_known() -> None:
    changed = SCHEMA.with_roles(identifier=["age"]).with_roles(identifier=["sex"])
    assert [variable.role for variable in changed.variables] == [Role.IDENTIFIER, Role.IDENTIFIER, Role.OTHER]
    assert changed.with_roles(confidential=["age"])["age"].role is Role.CONFIDENTIAL


@pytest.mark.parametrize("role", ["weight", "household"])
def test_a_file_has_one_weight_and_one_household(role: str) -> None:
    with pytest.raises(SchemaError, match=f"one column at most is the {role}; got age, income"):
        SCHEMA.with_roles(**{role: ["age", "income"]})


def test_with_kinds_changes_the_named_columns_of_a_copy() -> None:
    assert SCHEMA.with_kinds(ordinal=["age"])["age"].kind is Kind.ORDINAL
    assert SCHEMA["age"].kind is Kind.CONTINUOUS


def test_an_unknown_role_or_kind_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SchemaError, match=r"there is no role 'kye'; did you mean 'key'\?; roles: identifier, key"):
        SCHEMA.with_roles(kye=["age"])
    with pytest.raises(SchemaError, match=r"there is no kind 'zzz'; kinds: continuous, ordinal, nominal, date$"):
        SCHEMA.with_kinds(zzz=["age"])


def test_a_bare_name_in_place_of_a_list_is_refused() -> None:
    with pytest.raises(SchemaError, match=r"key must be a list of column names; got the text 'age': write \['age'\]"):
        SCHEMA.with_roles(key="age")  # type: ignore[arg-type]


def test_a_column_with_two_roles_is_refused() -> None:
    with pytest.raises(SchemaError, match="column 'age' is named twice: as key and as weight"):
        SCHEMA.with_roles(key=["age"], weight=["age"])


def test_with_roles_refuses_an_unknown_column() -> None:
    with pytest.raises(UnknownColumnError):
        SCHEMA.with_roles(key=["zzz"])


def test_with_variables_replaces_in_place() -> None:
    changed = SCHEMA.with_variables(Variable(name="sex", kind=Kind.ORDINAL))
    assert changed.names == SCHEMA.names
    assert changed["sex"].kind is Kind.ORDINAL
    with pytest.raises(UnknownColumnError):
        SCHEMA.with_variables(Variable(name="zzz", kind=Kind.ORDINAL))


def test_subset_keeps_the_order_asked_for() -> None:
    assert SCHEMA.subset(("income", "age")).names == ("income", "age")


def test_infer_describes_every_column_of_a_frame() -> None:
    assert Schema.infer(pl.DataFrame({"b": ["x"], "a": [1.5]})).names == ("b", "a")


class CountedName(str):
    """A name that counts how often it is compared with another."""

    compared = 0

    def __eq__(self, other: object) -> bool:
        self.compared += 1
        return str.__eq__(self, other)

    __hash__ = str.__hash__


@pytest.mark.parametrize("name", ["c0", "c999", "nobody"])
def test_a_column_is_found_without_a_look_at_the_others(name: str) -> None:
    schema = Schema(variables=tuple(Variable(name=f"c{place}", kind=Kind.NOMINAL) for place in range(1000)))
    asked = CountedName(name)
    assert (asked in schema) == (name != "nobody")
    if name != "nobody":
        assert schema[asked].name == name
    assert asked.compared <= 3


def test_numbers_lie_in_missing_ranges_and_text_and_truth_values_do_not() -> None:
    variable = Variable(name="age", kind="continuous", missing_ranges=((0, 1), (97, 99)))
    codes = (1, 98.5, Decimal(99), 50, True, "98", None)
    assert [variable.is_in_missing_range(code) for code in codes] == [True, True, True, False, False, False, False]
