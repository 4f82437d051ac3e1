"""What is advised for a column can be done to it."""

import pytest

import sfumato as sf
from sfumato.app.advice import ADVICE, advice_for, methods_for
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
