"""What is advised for a column can be done to it."""

import pytest

import sfumato as sf
from sfumato.app.advice import ADVICE, advice_for, methods_for, schema_at
from sfumato.app.project import State
from sfumato.masking import METHODS

SCHEMA = sf.datasets.demo(20).schema


@pytest.mark.parametrize("name", SCHEMA.names)
def test_every_method_that_is_offered_takes_the_column(name: str) -> None:
    offered = methods_for(SCHEMA, name)
    assert offered
    assert all(not METHODS[method].kinds or SCHEMA[name].kind in METHODS[method].kinds for method in offered)
    if advised := [advice.family for advice in advice_for(SCHEMA, name)]:
        assert METHODS[next(iter(offered))].family == advised[0]


def test_only_families_that_there_are_are_advised() -> None:
    families = {method.family for method in METHODS.values()}
    assert {one.family for kinds in ADVICE.values() for advice in kinds.values() for one in advice} <= families


def test_without_a_column_all_methods_are_offered() -> None:
    assert set(methods_for(SCHEMA, None)) == set(METHODS)


def test_a_number_in_classes_is_offered_to_later_steps_as_a_category_but_not_to_earlier_ones() -> None:
    schema = SCHEMA.with_kinds(continuous=["age"])
    recipe = "steps: [{top_coding: {columns: [age], at: 70}}, {discretisation: {columns: [age], breaks: [40]}}]"
    state = State("opened", schema.to_yaml(), recipe)
    kinds = [schema_at(state, number)["age"].kind for number in (0, 1, 2, None)]
    assert kinds == ["continuous", "continuous", "ordinal", "ordinal"]
    assert "local_suppression" in methods_for(schema_at(state), "age")
    assert "local_suppression" not in methods_for(schema_at(state, 1), "age")


def test_a_step_of_a_column_that_is_not_there_is_left_to_the_run() -> None:
    state = State("opened", SCHEMA.to_yaml(), "steps: [{discretisation: {columns: [ages], breaks: [40]}}]")
    assert schema_at(state) == SCHEMA
