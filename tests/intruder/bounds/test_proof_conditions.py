"""No bound is told where columns tie records together in a way that it does not take into account."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.intruder.bounds.proof_conditions import tying_columns

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
