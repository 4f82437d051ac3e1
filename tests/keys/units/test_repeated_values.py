"""Numbers that come again by no chance tell whose records these are: coordinates of a home, an income to the cent."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import MEANS_TOLD
from sfumato.keys.persons import persons_of
from sfumato.keys.units.repeated_values import find_repeated

KEYS = ["commune", "sex", "age"]
HOME = ["lat", "lon"]


def calls(seed: int = 1, persons: int = 300, *, of_one: bool = True) -> tuple[pl.DataFrame, np.ndarray]:
    """Return ambulance calls with the coordinates of each home, from which a few call often; and whose each call is."""
    rng = np.random.default_rng(seed)
    often = np.repeat(np.arange(persons // 10), rng.integers(2, 6, persons // 10))
    home = rng.permutation(np.r_[np.arange(persons), often])
    who = home if of_one else np.arange(home.size)
    lon = rng.normal(8.5, 0.12, persons).round(5)
    frame = pl.DataFrame(
        {
            "lat": rng.normal(47.2, 0.09, persons).round(5)[home],
            "lon": lon[home],
            "commune": np.array([*"ABCDEF"])[((lon - 8.2) * 10).clip(0, 5).astype(int)][home],
            "sex": rng.choice(["f", "m"], home.size)[who],
            "age": rng.integers(1, 97, home.size)[who],
            "complaint": rng.choice(["fall", "pain", "other"], home.size),
        }
    )
    return frame, home


def microdata(frame: pl.DataFrame, **roles: list[str]) -> sf.Microdata:
    schema = sf.Schema.infer(frame).with_kinds(
        continuous=[name for name in frame.columns if frame[name].dtype.is_numeric()]
    )
    return sf.Microdata(frame, schema.with_roles(**{"key": [name for name in KEYS if name in frame.columns], **roles}))


@pytest.mark.parametrize("persons", [300, 3_000])
def test_records_with_the_coordinates_of_one_home_are_of_one_person(persons: int) -> None:
    frame, home = calls(persons=persons)
    found = persons_of(microdata(frame))
    assert found is not None
    assert found.is_guessed
    assert found.columns == ("lat", "lon")
    assert (np.unique(home).size, found.count) == (persons, persons)
    assert np.unique(np.array([found.number, home]), axis=1).shape[1] == persons


def test_different_persons_at_one_place_are_a_household() -> None:
    data = microdata(calls(of_one=False)[0])
    found = find_repeated(data)
    assert found is not None
    assert not found.are_persons
    assert persons_of(data) is None


def test_no_mean_of_coordinates_is_of_fewer_places_than_k_and_persons_are_counted() -> None:
    frame, home = calls()
    found = sf.protect(microdata(frame, confidential=HOME), k=3, limits=["k=3"], seed=1)
    shown = pl.DataFrame(found.data.frame).select(HOME).with_columns(home=home)
    assert min(shown.group_by(HOME).agg(pl.col("home").n_unique())["home"].to_list()) >= 3
    assert "seem to be of 300 persons, by lat and lon" in found.after.counted_as


def test_whole_records_are_equal_to_those_of_k_callers() -> None:
    frame, home = calls()
    found = sf.protect(microdata(frame, confidential=HOME), k=5, whole_records=True, limits=["k=5"], seed=1)
    groups = pl.DataFrame(found.data.frame).with_columns(home=home).group_by(found.data.schema.names)
    assert min(groups.agg(pl.col("home").n_unique())["home"].to_list()) >= 5
    assert found.after.meets_limits


@pytest.mark.parametrize("of_one", [True, False])
def test_means_of_one_place_are_told_of_a_file_that_was_masked_without_it(of_one: bool) -> None:
    frame, _ = calls(of_one=of_one)
    data = microdata(frame, confidential=HOME)
    recipe = sf.Recipe(steps=[sf.Mdav(columns=HOME, k=3)], seed=1)
    found = sf.assess(data, recipe.run(data), methods=recipe.steps, worst_case=False, same_order=True)
    assert MEANS_TOLD in found.alarms


def test_what_is_computed_or_rounded_or_averaged_belongs_to_nobody() -> None:
    rng, n = np.random.default_rng(4), 900
    age, male, insured, hours = (
        rng.integers(18, 80, n),
        rng.integers(0, 2, n),
        rng.integers(1, 40, n),
        rng.integers(1, 400, n),
    )
    rates, wages = rng.random((100, 2)), rng.uniform(9, 30, 6)
    contract, place = rng.integers(0, 6, n), calls()[0]
    people = {"age": age, "sex": np.array(["f", "m"])[male], "commune": rng.choice([*"ABCDEF"], n)}
    computed = {"insured": insured * 5_000, "premium": (rates[age, male] * insured * 50).round(2)}
    paid = {
        "contract": np.array([*"ABCDEF"])[contract],
        "hours": hours / 10,
        "pay": (hours * wages[contract] / 10).round(2),
    }
    rounded = {"income": rng.lognormal(7.5, 0.5, n).round(-1), "rent": rng.lognormal(6, 0.4, n).round(-1)}
    for more in (computed, paid, rounded, {"premium": (100 + 900 * rates[age, male]).round(2)}):
        assert find_repeated(microdata(pl.DataFrame({**people, **more}))) is None
    averaged = sf.Mdav(columns=HOME, k=3).mask(microdata(place), rng)
    assert find_repeated(averaged) is None
