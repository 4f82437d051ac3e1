"""The usual space: what it offers for which file, and that all of it can be run."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata
from sfumato.datasets import demo
from sfumato.errors import DataError
from sfumato.study.search.default_space import default_space
from sfumato.study.search.sampling import suggest
from sfumato.study.search.space import Entry
from sfumato.study.search.space_entries import read_space


class Draws:
    """Answers as a trial does, at random."""

    def __init__(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def suggest_int(self, name: str, low: int, high: int, *, log: bool = False) -> int:
        return int(self.rng.integers(low, high + 1))

    def suggest_float(self, name: str, low: float, high: float, *, log: bool = False) -> float:
        return float(self.rng.uniform(low, high))


def drawn(entry: Entry, seed: int) -> dict[str, object]:
    return {key: suggest(Draws(seed), key, dimension) for key, dimension in entry.dimensions.items()}


def labels(data: Microdata) -> list[str]:
    return [entry.label for entry in read_space(default_space(data)).entries]


def test_every_entry_for_the_demo_survey_can_be_run() -> None:
    survey = demo(60, 1)
    entries = read_space(default_space(survey)).entries
    assert len(entries) == 10 * 3 + 1
    for number, entry in enumerate(entries):
        masked = entry.recipe(drawn(entry, number)).replace(seed=number).run(survey, threads=1)
        assert masked.n == survey.n
        dropped = {"household_id"} if "drop_identifiers" in entry.label else set()
        assert set(survey.schema.names) - set(masked.schema.names) == dropped


def test_one_entry_makes_whole_records_equal_so_that_nobody_tells_them_apart() -> None:
    survey = demo(200, 1)
    (entry,) = [one for one in read_space(default_space(survey)).entries if "categorical_micro" in one.label]
    key = next(iter(entry.dimensions))
    masked = entry.recipe({key: 20}).replace(seed=1).run(survey, threads=1)
    measured = [name for name in masked.schema.names if name not in ("person_id", "sampling_weight")]
    assert masked.take_columns(tuple(measured)).frame.n_unique() <= 200 / 4


def test_numbers_alone_get_numeric_methods_and_categories_alone_their_own() -> None:
    rng = np.random.default_rng(0)
    numbers = pl.DataFrame({"a": rng.normal(size=40), "b": rng.normal(size=40)})
    categories = pl.DataFrame({"sex": rng.choice(["f", "m"], 40), "town": rng.choice(["x", "y", "z"], 40)})
    assert "mdav" in labels(Microdata(numbers))
    assert not any("pram" in label for label in labels(Microdata(numbers)))
    assert labels(Microdata(categories)) == ["invariant_pram", "local_suppression"]
    both = labels(Microdata(pl.concat([numbers, categories], how="horizontal")))
    assert {"mdav", "mdav + invariant_pram", "mdav + local_suppression"} <= set(both)


def test_parameters_fit_the_number_of_records() -> None:
    small, large = (Microdata(pl.DataFrame({"a": np.arange(n) + 0.5, "b": np.arange(n) ** 1.5})) for n in (50, 10_000))
    of_small, of_large = (read_space(default_space(data)) for data in (small, large))
    sizes = [
        max(dimension.ends[1] for key, dimension in space.dimensions.items() if key.startswith("mdav"))
        for space in (of_small, of_large)
    ]
    assert sizes == [10, 1000]
    assert any(entry.improver for entry in of_small.entries)
    assert not any(entry.improver for entry in of_large.entries)  # it would take too long


def test_empty_columns_are_left_out() -> None:
    frame = pl.DataFrame({"a": np.arange(30) + 0.5, "b": [None] * 30}, schema={"a": pl.Float64, "b": pl.Float64})
    space = read_space(default_space(Microdata(frame)))
    assert all(part.settled["columns"] == ["a"] for entry in space.entries for part in entry.parts)


def test_a_file_with_nothing_to_mask_is_refused() -> None:
    with pytest.raises(DataError, match="needs at least 10 records; the file has 3"):
        default_space(Microdata(pl.DataFrame({"a": [1.5, 2.5, 3.5]})))
    dates = pl.DataFrame({"day": pl.date_range(pl.date(2020, 1, 1), pl.date(2020, 3, 1), eager=True)})
    with pytest.raises(DataError, match="no numeric or categorical column to mask"):
        default_space(Microdata(dates))


def test_what_no_figure_looks_at_is_not_masked() -> None:
    survey = demo(60, 1)
    space = read_space(default_space(survey, ["age", "tax", "unknown"]))
    assert {tuple(part.settled["columns"]) for entry in space.entries for part in entry.parts} == {("age", "tax")}
