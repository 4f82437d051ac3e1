import pickle

import pytest
from pydantic import ValidationError

from sfumato.data import Kind, Role, Schema, Selector, categorical, numeric, role
from sfumato.errors import ParameterError

CONTENT = (Role.KEY, Role.CONFIDENTIAL, Role.OTHER)


def test_numeric_picks_continuous_columns_that_describe_someone(awkward_schema: Schema) -> None:
    assert awkward_schema.select(numeric) == ("age", "income", "tax", "constant")


def test_categorical_picks_nominal_and_ordinal_columns_that_describe_someone(awkward_schema: Schema) -> None:
    assert awkward_schema.select(categorical) == ("region", "health", "is_urban")


def test_a_role_picks_its_columns_of_every_kind(awkward_schema: Schema) -> None:
    assert awkward_schema.select(role("key")) == ("region", "is_urban", "age")
    assert awkward_schema.select(role("weight")) == ("sampling_weight",)
    assert awkward_schema.select(role("stratum")) == ()


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("place", Role)
def test_every_kind_and_role_follows_the_stated_rule(kind: Kind, place: Role) -> None:
    assert numeric.picks(kind, place) == (kind == "continuous" and place in CONTENT)
    assert categorical.picks(kind, place) == (kind in ("nominal", "ordinal") and place in CONTENT)
    assert [name for name in Role if role(name).picks(kind, place)] == [place]


def test_a_rule_is_written_as_in_a_recipe() -> None:
    assert str(role("key")) == "role(key)"
    assert repr(numeric) == "sfumato.numeric"


def test_rules_are_values() -> None:
    assert role("key") == Selector("role(key)")
    assert len({role("key"), role("key"), numeric}) == 2
    assert pickle.loads(pickle.dumps(numeric)) == numeric  # noqa: S301 - made here


def test_an_unknown_role_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(ParameterError, match=r"got 'kye'; did you mean 'key'\?$"):
        role("kye")


def test_an_unknown_rule_is_refused() -> None:
    with pytest.raises(ValidationError):
        Selector("everything")
