import pytest

import sfumato as sf
from sfumato.comparison.columns_left import columns_left
from sfumato.errors import UnknownColumnError


def test_a_key_that_is_not_released_helps_nobody_to_link() -> None:
    original = sf.datasets.demo(200)
    masked = original.without_columns(("region",))
    by_rule = sf.WorstCaseLinkage(columns=sf.role("key"))
    keys = [name for name in original.select(sf.role("key")) if name != "region"]
    assert list(columns_left(by_rule, original, masked)) == keys
    assert by_rule.measure(original, masked).value == sf.WorstCaseLinkage(columns=keys).measure(original, masked).value
    with pytest.raises(UnknownColumnError, match="the masked file has no column 'region'"):
        sf.WorstCaseLinkage(columns=("region", "age")).measure(original, masked)


def test_linkable_columns_are_all_but_those_that_name_a_person_or_a_household() -> None:
    schema = sf.datasets.demo(20).schema
    left_out = {one.name for one in schema.variables} - set(schema.select(sf.linkable))
    assert left_out == {"person_id", "household_id"}
