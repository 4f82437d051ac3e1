"""How many hold a weight, or another value, that nobody else has."""

import numpy as np
import polars as pl
from hypothesis import given
from hypothesis import strategies as st

import sfumato as sf
from sfumato.keys.weight_notices import count_with_own_value, weight_notices


@given(seed=st.integers(0, 999), units=st.integers(1, 6), values=st.integers(1, 6), n=st.integers(0, 12))
def test_values_of_one_unit_alone_are_counted_as_looking_at_all_pairs_does(
    seed: int, units: int, values: int, n: int
) -> None:
    rng = np.random.default_rng(seed)
    unit, value = rng.integers(0, units, n), rng.integers(-1, values, n)
    holders = {each: set(unit[value == each].tolist()) for each in range(values)}
    own = set().union(*(held for held in holders.values() if len(held) == 1))
    assert count_with_own_value(unit, value) == len(own)


def test_groups_of_equal_records_are_no_households_that_a_weight_tells() -> None:
    survey = sf.datasets.demo(500, seed=1)
    names = tuple(name for name in survey.schema.names if name not in {"person_id", "household_id"})
    dropped = sf.DropIdentifiers(columns=("person_id", "household_id"))
    step = sf.RecordMicroaggregation(columns=names, household=("household_id",), k=3)
    masked = sf.Recipe(steps=[step, dropped], seed=1).run(survey)
    assert weight_notices(masked) == weight_notices(masked, survey) == []


def test_equal_records_of_one_household_have_a_weight_of_their_own_by_the_original() -> None:
    home = np.repeat(np.arange(40), 3)
    frame = pl.DataFrame({"hid": home, "region": home % 4, "weight": home * 1.5 + 20})
    original = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(household=["hid"], weight=["weight"]))
    [notice] = weight_notices(original.without_columns(("hid",)), original)
    assert notice.startswith("weight: 40 of 40 households have a weight that no other has")
