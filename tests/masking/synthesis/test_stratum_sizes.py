"""Strata of other sizes than the original's, and a label on every synthetic record."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Role, Schema
from sfumato.errors import DataError
from sfumato.execution import run_step
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.recipe import Recipe

RNG = np.random.default_rng(2)
REGION = np.repeat(["north", "south", None], [60, 100, 40])
PEOPLE = Microdata(
    pl.DataFrame(
        {
            "region": REGION,
            "age": np.where(REGION == "north", 20, 60) + RNG.integers(0, 10, 200),
            "weight": np.full(200, 3.5),
            "home": np.arange(200) // 2,
        }
    )
)
PEOPLE = Microdata(PEOPLE.frame, PEOPLE.schema.with_roles(weight=["weight"]))
PERSONS = PEOPLE.without_columns(("home",))


def made(**parameters: object) -> Microdata:
    method = SequentialSynthesis(columns=("age", "weight"), within=("region",), **parameters)
    return run_step(method, PERSONS, seed=1, step=0)


def test_each_stratum_has_its_size_its_values_and_its_weights() -> None:
    sizes = {"north": 150, "missing": 10}
    frame = made(stratum_sizes=sizes, releases=2).frame
    told = {region: rows for (region,), rows in frame.partition_by("region", as_dict=True).items()}
    assert {region: rows.height for region, rows in told.items()} == {"north": 300, "south": 200, None: 20}
    assert told["north"]["age"].max() < 45 < told["south"]["age"].min()
    one = told["north"].filter(pl.col("release") == 1)
    assert one["weight"].sum() == pytest.approx(60 * 3.5, abs=5)


def test_records_of_strata_are_nobodys_and_told_apart() -> None:
    file = made(stratum_sizes={"north": 5})
    assert not file.is_numbered_as(PERSONS)
    assert np.unique(file.row_ids).size == file.n == 145
    assert file.schema["weight"].role is Role.WEIGHT


def test_whole_numbers_name_strata_as_their_text_does() -> None:
    places = np.arange(90)
    frame = pl.DataFrame({"age": 20 + places % 50, "region": 1 + places % 3})
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["region"]))
    step = "sequential_synthesis: {{columns: [age], within: [region], stratum_sizes: {{{name}: 7}}}}"
    recipes = [Recipe.from_yaml(f"seed: 1\nsteps: [{step.format(name=name)}]") for name in ("2", "'2'")]
    assert recipes[0] == recipes[1] == Recipe.from_yaml(recipes[0].to_yaml())
    assert (recipes[0].run(data).frame["region"] == 2).sum() == 7


@pytest.mark.parametrize(
    ("parameters", "problem"),
    [
        ({"stratum_sizes": {"nort": 5}}, "no stratum 'nort'"),
        ({"stratum_sizes": {"north": 5}, "within": ()}, "needs strata"),
        ({"stratum_sizes": {"north": 5}, "weight_total": 9.0}, "weights of a stratum add up"),
        ({"size": 5}, "strata have sizes of their own"),
    ],
)
def test_sizes_that_mean_nothing_are_refused(parameters: dict[str, object], problem: str) -> None:
    with pytest.raises(DataError, match=problem):
        SequentialSynthesis(**{"columns": ("age", "weight"), "within": ("region",), **parameters}).bound_to(PERSONS)


def test_every_record_says_that_it_is_synthetic_where_that_is_asked_for() -> None:
    homes = HouseholdSynthesis(columns=("age",), household="home", label="not real")
    files = [made(label="not real"), run_step(homes, PEOPLE, seed=1, step=0)]
    assert all(file.frame["label"].unique().to_list() == ["not real"] for file in files)
    with pytest.raises(DataError, match="the file has one of that name"):
        run_step(SequentialSynthesis(columns=("age",), label="twice"), files[0], seed=1, step=0)
