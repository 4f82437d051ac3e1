"""How many records fit each person by the keys, and persons each record, against a count of every pair."""

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.keys.findings.sides_by_keys import sides_by_keys
from tests.reports.release.surveys import survey


def test_each_pair_of_person_and_record_is_counted_from_both_sides() -> None:
    keys = ("sex", "town")
    map_of_town = {"Dell": "elsewhere", "Ely": "elsewhere"}
    persons = [(sex, map_of_town.get(town, town)) for sex, town in survey().frame.select(keys).iter_rows()]
    steps = [
        sf.Recoding(columns=("town",), map=map_of_town, keeps_others=True),
        sf.LocalSuppression(columns=keys, k=30),
    ]
    masked = sf.Recipe(steps=steps, seed=1).run(survey())
    records = list(masked.frame.select(keys).iter_rows())
    fits = np.array(
        [[all(s in (None, p) for p, s in zip(one, shown, strict=True)) for shown in records] for one in persons]
    )
    found = sides_by_keys(survey(), masked, keys)
    assert found is not None
    assert found.records.tolist() == fits.sum(axis=1).tolist()
    assert found.persons.tolist() == fits.sum(axis=0).tolist()
    assert any(shown.count(None) for shown in records)


def test_fewer_records_may_fit_a_person_than_fit_any_record() -> None:
    frame = pl.DataFrame({"sex": [*"fffmmm"], "town": [*"aabaab"]})
    data = sf.Microdata(frame, sf.Schema.infer(frame).with_roles(key=["sex", "town"]))
    place = pl.int_range(6)
    gaps = [
        pl.when(place < 3).then(None).otherwise(pl.col("sex")).alias("sex"),
        pl.when(place > 2).then(None).otherwise(pl.col("town")).alias("town"),
    ]
    masked = sf.Microdata(frame.with_columns(gaps), data.schema)
    found = sides_by_keys(data, masked, ("sex", "town"))
    assert found is not None
    assert (found.fewest_records, found.fewest_persons) == (1, 2)


def test_nobody_knows_what_a_person_shows_of_a_key_that_was_swapped() -> None:
    swapped = sf.Microdata(survey().frame.with_columns(pl.col("town").shuffle(seed=1)), survey().schema)
    assert sides_by_keys(survey(), swapped, ("sex", "town")) is None
