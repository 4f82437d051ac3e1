"""Awkward surveys go through init, describe, risk, protect and assess and come back in their own format.

What is promised of the released file is checked by plain loops over what other programs read of it.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pyreadstat
import pytest

from tests.cli.commands import Ran
from tests.cli.surveys.files import COLUMNS, KEYS, SURVEYS, TITLES, Columns, Survey, people

K = 3


@pytest.mark.parametrize("survey", SURVEYS, ids=str)
def test_an_awkward_survey_is_released_safely_in_its_own_format(
    survey: Survey, sfumato: Callable[..., Ran], tmp_path: Path
) -> None:
    path, released = tmp_path / survey.name, tmp_path / f"released_{survey.name}"
    survey.write(path, people(seed=SURVEYS.index(survey)))
    for command in (
        (
            "init",
            path,
            "--yes",
            "--identifier",
            "person_id",
            "--household",
            "hid",
            "--weight",
            "weight",
            *survey.options,
        ),
        ("describe", path),
        ("risk", path),
        ("protect", path, "-o", released, "--k", str(K), "--strict", "--keep", "score"),  # which tells who is who below
        ("assess", path, released),
    ):
        ran = sfumato(*command)
        assert ran.code == 0, f"{command[0]}: {ran.err}"
    before, after = survey.read(path), survey.read(released)
    assert sorted(after) == sorted(set(COLUMNS) - {"person_id"})
    assert_no_identifier_is_left(before, after, released)
    assert_order_and_households_are_new(before, after)
    assert_no_missing_code_is_averaged(survey, before, after)
    assert_every_record_hides_among_others(survey, after)
    if survey.is_labelled:
        assert_labels_and_declarations_are_intact(path, released)


def assert_no_identifier_is_left(before: Columns, after: Columns, released: Path) -> None:
    names = set(before["person_id"])
    assert not any(value in names for values in after.values() for value in values)
    content = released.read_bytes()
    assert not any(name.encode() in content for name in names)


def assert_order_and_households_are_new(before: Columns, after: Columns) -> None:
    assert sorted(before["score"]) == sorted(after["score"])
    places = [before["score"].index(score) for score in after["score"]]
    assert abs(np.corrcoef(places, np.arange(len(places)))[0, 1]) < 0.4  # 5 standard errors
    old = [before["hid"][place] for place in places]
    assert not set(old) & set(after["hid"])
    assert len(set(zip(old, after["hid"], strict=True))) == len(set(old)) == len(set(after["hid"]))
    by_size = [number for number, _ in sorted(zip(after["hid"], old, strict=True), key=lambda pair: pair[1])]
    assert by_size != sorted(by_size)  # the new numbers do not follow the old ones


def assert_no_missing_code_is_averaged(survey: Survey, before: Columns, after: Columns) -> None:
    codes = survey.missing["income"]
    places = [before["score"].index(score) for score in after["score"]]
    old = [before["income"][place] for place in places]
    told = [value is not None and value not in codes for value in old]
    assert 100 < sum(told) < len(told)
    assert [value for value, is_told in zip(after["income"], told, strict=True) if not is_told] == [
        value for value, is_told in zip(old, told, strict=True) if not is_told
    ]
    pairs = [
        (float(value), float(new)) for value, new, is_told in zip(old, after["income"], told, strict=True) if is_told
    ]
    new = Counter(masked for _, masked in pairs)
    assert min(new.values()) >= K  # groups of microaggregation, each with the mean of its own members
    for mean in new:
        members = [value for value, masked in pairs if masked == mean]
        assert np.mean(members) == pytest.approx(mean, abs=0.5)
    ages = {before["age"][place] for place in places}
    assert not any(value in ages and value not in survey.missing["age"] for value in after["age"] if value is not None)


def assert_every_record_hides_among_others(survey: Survey, after: Columns) -> None:
    rows = list(zip(*(gaps_as_none(after[key], survey, key) for key in KEYS), strict=True))
    assert min(Counter(rows).values()) >= K, "a gap as a category"
    assert min(sum(fits(row, other) for other in rows) for row in rows) >= K, "a gap as a wildcard"


def fits(row: Sequence[Any], other: Sequence[Any]) -> bool:
    return all(a is None or b is None or a == b for a, b in zip(row, other, strict=True))


def gaps_as_none(values: list[Any], survey: Survey, name: str) -> list[Any]:
    return [None if value in survey.missing.get(name, ()) else value for value in values]


def assert_labels_and_declarations_are_intact(path: Path, released: Path) -> None:
    read = pyreadstat.read_dta if path.suffix == ".dta" else pyreadstat.read_sav
    (_, before), (frame, after) = (
        read(str(file), user_missing=True, output_format="dict") for file in (path, released)
    )
    for name, title in TITLES.items():
        assert after.column_names_to_labels[name] == title
    for name in ("sex", "income"):  # age is classed, and regions may be joined
        assert after.variable_value_labels[name].items() >= before.variable_value_labels[name].items()
    for name in ("region", "age"):
        used = {value for value in frame[name] if value is not None and value == value}
        assert used == set(after.variable_value_labels[name]), f"labels of {name}, and only those it needs"
    refused = [(code, label) for code, label in before.variable_value_labels["age"].items() if code in frame["age"]]
    assert after.variable_value_labels["age"].items() >= {*refused}
    for name, declared in before.missing_ranges.items():
        assert all(span in after.missing_ranges[name] for span in declared)
    for name, declared in before.missing_user_values.items():
        assert set(declared) <= set(after.missing_user_values[name])
