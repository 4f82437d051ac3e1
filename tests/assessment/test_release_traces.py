"""What the order and the numbers of a release tell leaves no bound on links."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_traces import release_traces
from sfumato.recipe import Recipe

N = 120
NOISE = sf.AdditiveNoise(columns=("income", "savings"), scale=0.8)


def people() -> sf.Microdata:
    rng = np.random.default_rng(6)
    frame = pl.DataFrame(
        {
            "home": [f"H{number // 2:03}" for number in range(N)],
            "income": rng.normal(size=N),
            "savings": rng.normal(size=N),
        }
    )
    schema = sf.Microdata(frame).schema.with_kinds(nominal=["home"]).with_roles(household=["home"])
    return sf.Microdata(frame, schema)


def told(recipe: Recipe, *, is_release: bool = True) -> sf.contracts.Measurement:
    data = people()
    released = recipe.release(recipe.run(data), 7)
    linkage = sf.WorstCaseLinkage(columns=("income", "savings"))
    found = sf.assess(data, released, [linkage], (), methods=recipe.parts, is_release=is_release)
    return found.measurements[0]


def test_a_release_in_random_order_with_new_numbers_has_a_bound() -> None:
    bound = told(sf.Recipe(steps=[NOISE], seed=1)).bound
    assert bound is not None
    assert bound < 100


@pytest.mark.parametrize(
    ("kept", "sentence"),
    [
        ("keep_order", "the records are in the order of the original"),
        ("keep_households", "home: such numbers are those of the original"),
    ],
)
def test_what_a_recipe_keeps_leaves_no_bound_and_is_named(kept: str, sentence: str) -> None:
    recipe = sf.Recipe(steps=[NOISE], seed=1).replace(**{kept: True})
    found = told(recipe)
    assert found.bound == 100
    assert sentence in found.remark
    assert "which is proven" not in found.remark
    before = told(recipe, is_release=False).bound  # as a file that is still to be released
    assert before is not None
    assert before < 100


def test_few_records_may_stand_in_order_by_chance() -> None:
    data = people().without_columns(("home",))
    for count, traces in ((5, 0), (6, 1)):
        some = data.take_rows(np.arange(count))
        assert len(release_traces(data, some)) == traces
    assert release_traces(data, data.take_rows(np.arange(N)[::-1])) == ()
