"""A bound is told only where all that a release shows is on the list of what the proofs speak of."""

from datetime import date

import numpy as np
import pandas as pd
import polars as pl
import pytest

import sfumato as sf
from sfumato.intruder.bounds.proof_conditions import (
    PROVEN_STEPS,
    Proven,
    is_proven,
    reasons_without_bound,
    tying_columns,
)

N = 80
RNG = np.random.default_rng(6)
NUMBERS = {"income": RNG.normal(0, 1, N), "savings": RNG.normal(0, 1, N)}
NOISE = sf.AdditiveNoise(columns=("income", "savings"), scale=0.8)


def people(**columns: object) -> sf.Microdata:
    return sf.Microdata(pl.DataFrame({**columns, **NUMBERS}, strict=False))


def households(*numbers: str) -> sf.Microdata:
    data = people(**{name: np.arange(N) // (2 + place) for place, name in enumerate(numbers)})
    homes = [variable.replace(role="household") for variable in data.schema.variables if variable.name in numbers]
    return data.with_schema(data.schema.with_variables(*homes))


def links(data: sf.Microdata, *steps: sf.contracts.MaskingMethod) -> sf.contracts.Measurement:
    recipe = sf.Recipe(steps=(*steps, NOISE), seed=2)
    knowledge = sf.contracts.Knowledge.of(recipe.parts, data)
    linkage = sf.LikelihoodLinkage(columns=("income", "savings")).informed_by(knowledge)
    return linkage.measure(data, recipe.run(data))


def bound(data: sf.Microdata, *steps: sf.contracts.MaskingMethod) -> float:
    told = links(data, *steps).bound
    assert told is not None
    return told


def test_one_household_number_that_everybody_has_leaves_a_bound() -> None:
    data = households("home")
    assert tying_columns(data, data) == ()
    assert bound(data) < 100


def test_a_second_household_number_leaves_no_bound_and_is_named() -> None:
    data = households("home", "dwelling")
    found = links(data)
    assert (found.bound, tying_columns(data, data)) == (100, ("home", "dwelling"))
    assert "home, dwelling: such a column tells which records belong together" in found.remark


def test_household_numbers_that_some_lack_leave_no_bound() -> None:
    data = households("home")
    frame = data.frame.with_columns(pl.when(pl.col("home") > 20).then(pl.col("home")))
    assert bound(sf.Microdata(frame, data.schema)) == 100


def test_pseudonyms_that_records_share_leave_no_bound_and_others_do() -> None:
    several = people(patient=[f"P{number // 4:05}" for number in range(N)])
    each = people(patient=[f"P{number:05}" for number in range(N)])
    several, each = (data.with_schema(data.schema.with_roles(identifier=["patient"])) for data in (several, each))
    secret = sf.Pseudonymise(columns=("patient",))
    assert bound(several, secret) == 100
    assert bound(each, secret) < 100
    assert bound(several, sf.DropIdentifiers()) < 100


def test_numbers_of_persons_and_of_their_spouses_leave_no_bound() -> None:
    numbers = [f"P{number:05}" for number in range(N)]
    couples = people(person=numbers, spouse=[numbers[number ^ 1] for number in range(N)])
    couples = couples.with_schema(couples.schema.with_roles(identifier=["person", "spouse"]))
    assert bound(couples, sf.Pseudonymise(columns=("person", "spouse"))) == 100


def test_households_with_the_numbers_of_persons_leave_no_bound() -> None:
    data = people(home=np.arange(N) // 2, person=np.arange(N))
    data = data.with_schema(data.schema.with_roles(household=["home"], identifier=["person"]))
    assert tying_columns(data, data) == ("home", "person")
    together = sf.Pseudonymise(columns=("person", "home")).mask(data, np.random.default_rng(3))
    assert tying_columns(data, together) == ()  # households have pseudonyms of their own


def test_pseudonyms_that_some_lack_leave_no_bound() -> None:
    numbers = [None if number < 20 else f"P{number:05}" for number in range(N)]
    data = people(person=numbers)
    data = data.with_schema(data.schema.with_roles(identifier=["person"]))
    assert bound(data, sf.Pseudonymise(columns=("person",))) == 100


def test_households_that_are_not_those_of_the_original_leave_no_bound() -> None:
    data = households("home")
    mixed = data.frame.with_columns(pl.col("home").reverse() // 2)
    assert tying_columns(data, sf.Microdata(mixed, data.schema, data.row_ids)) == ("home",)
    renumbered = data.frame.with_columns(-pl.col("home"))
    assert tying_columns(data, sf.Microdata(renumbered, data.schema, data.row_ids)) == ()


def test_several_records_of_one_person_leave_no_bound() -> None:
    data = people()
    twice = data.take_rows(np.repeat(np.arange(N), 2))
    assert reasons_without_bound(data, data, ("income",)) == ()
    (told,) = reasons_without_bound(data, twice, ("income",))
    assert "several records of the release come from one of the original" in told


FAR = np.datetime64("9999-01-01T00:00:00.000000")
PLAIN = {
    "text": pl.Series(["a", "b"] * (N // 2)),
    "truth": pl.Series([True, False] * (N // 2)),
    "whole numbers": pl.Series([1, 2] * (N // 2)),
    "decimals": pl.Series([1, 2] * (N // 2)).cast(pl.Decimal(10, 2)),
    "enum": pl.Series(["a", "b"] * (N // 2), dtype=pl.Enum(["b", "a"])),
    "days": pl.Series([date(1990, 1, 1), None] * (N // 2)),
    "times": pl.Series(np.datetime64("2024-01-01T00:00:00.000000") + np.arange(N)),
    "categories of pandas": pd.Series(pd.Categorical([1, 2] * (N // 2))),
}
ODD = {
    "bytes": pl.Series([b"a", b"b"] * (N // 2)),
    "objects": pd.Series([1, "a"] * (N // 2), dtype=object),
    "periods": pd.Series(pd.PeriodIndex(["2024-01", "2024-02"] * (N // 2), freq="M")),
    "sparse numbers": pd.Series(pd.arrays.SparseArray([1.0, 0.0] * (N // 2))),
    "intervals": pd.Series(pd.cut(NUMBERS["income"], 3)),
    "microseconds that days as numbers do not tell apart": pl.Series(FAR + np.arange(N)),
}


@pytest.mark.parametrize("kind", [*PLAIN, *ODD])
def test_cells_of_types_that_are_not_listed_leave_no_bound(kind: str) -> None:
    column = {**PLAIN, **ODD}[kind]
    library = pl if isinstance(column, pl.Series) else pd
    data = sf.Microdata(library.DataFrame({"seen": column, **NUMBERS}))
    data = data.with_schema(data.schema.with_roles(other=["seen"]))
    told = reasons_without_bound(data, data, ("seen", "income"))
    assert told == () if kind in PLAIN else told[0].startswith("seen: cells of such a column may show more")


class Louder(sf.AdditiveNoise):
    """A method from outside that has the density of another, and not its draws: neighbours in the file share them."""

    def mask_block(self, block: sf.Microdata, rng: np.random.Generator) -> sf.Microdata:
        draws = np.repeat(rng.normal(size=(-(-block.n // 2), 2)), 2, axis=0)[: block.n]
        names = block.select(self.columns)
        return block.map_matrix(names, lambda matrix: matrix + self.scale * matrix.std(axis=0) * draws)


def test_nothing_is_proven_of_methods_from_outside() -> None:
    step = Louder(columns=("income", "savings"), scale=0.8)
    assert not is_proven(step, Proven.DENSITY)
    assert is_proven(NOISE, Proven.DENSITY)
    data = people()
    knowledge = sf.contracts.Knowledge.of([step], data)
    masked = step.mask(data, np.random.default_rng(1))
    found = sf.LikelihoodLinkage(columns=step.columns).informed_by(knowledge).measure(data, masked)
    assert found.bound == 100
    assert found.unproven == ("louder",)


def test_the_list_of_steps_names_methods_that_say_the_same_of_themselves() -> None:
    """What is proven of a step is what its class states, so that no change of a class goes unnoticed."""
    base = sf.contracts.MaskingMethod
    for name, what in PROVEN_STEPS.items():
        method = sf.METHODS[name]
        assert not method.reads_original
        assert (Proven.DENSITY not in what) or method.likelihood is not base.likelihood
        assert (Proven.GROUPS not in what) or method.groups_alike is not base.groups_alike
        is_alone = method.layout is sf.contracts.Layout.ROWS or method.family == "sampling"
        assert (Proven.ALIKE not in what) or method.ignores_order or is_alone
