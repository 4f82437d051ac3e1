"""DiSCO: what synthetic records with somebody's keys agree on, against plain loops."""

import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.errors import DataError
from sfumato.risk import Disco, ReplicatedUniques
from tests.risk.synthetic.planted import file, half_copied, population

KEYS = ("age", "town")
PEOPLE, OTHERS = population(300, 1), population(300, 2)


def plain(people: pl.DataFrame, made: pl.DataFrame) -> dict[str, float]:
    """Return DiSCO and its parts for the sex of persons by age and town."""
    held: dict[tuple[int, str], set[str]] = {}
    own: dict[tuple[int, str], set[str]] = {}
    for frame, values in ((made, held), (people, own)):
        for age, town, sex in frame.select("age", "town", "sex").rows():
            values.setdefault((age, town), set()).add(sex)
    rows = people.select("age", "town", "sex").rows()
    share = 100 / len(rows)
    return {
        "sex": share * sum(held.get((age, town)) == {sex} for age, town, sex in rows),
        "iS": share * sum((age, town) in held for age, town, _ in rows),
        "DiS": share * sum(len(held.get((age, town), ())) == 1 for age, town, _ in rows),
        "Dorig": share * sum(len(own[age, town]) == 1 for age, town, _ in rows),
    }


def test_the_figures_are_those_of_a_plain_look_up() -> None:
    found = Disco(columns=KEYS, sensitive=("sex",), classes=1000).measure(file(PEOPLE), file(OTHERS))
    assert dict(found.parts) == pytest.approx(plain(PEOPLE, OTHERS))
    assert found.value == found.parts["sex"]


def test_of_several_columns_each_has_its_own_figures() -> None:
    targets = ("sex", "pay")
    both = Disco(columns=KEYS, sensitive=targets, classes=1000).measure(file(PEOPLE), file(OTHERS))
    for name in targets:
        alone = Disco(columns=KEYS, sensitive=(name,), classes=1000).measure(file(PEOPLE), file(OTHERS))
        assert (both.parts[f"{name} (DiS)"], both.parts[f"{name} (Dorig)"]) == (
            alone.parts["DiS"],
            alone.parts["Dorig"],
        )
        assert (both.parts[name], both.parts["iS"]) == (alone.parts[name], alone.parts["iS"])
    worst = max(targets, key=lambda name: both.parts[name])
    assert both.parts["DiS"] == both.parts[f"{worst} (DiS)"]
    assert both.parts["sex (Dorig)"] != both.parts["pay (Dorig)"]


def test_copies_attribute_more_to_persons_in_the_file_than_to_others() -> None:
    measure = Disco(columns=KEYS, sensitive=("sex", "pay")).with_control(file(OTHERS))
    copied, chance = (
        measure.measure(file(PEOPLE), file(made)) for made in (half_copied(PEOPLE, 1), population(300, 3))
    )
    assert copied.shows_leak
    assert not chance.shows_leak


def test_a_rule_of_the_population_counts_and_is_no_leak() -> None:
    people, others, made = (
        file(frame.with_columns(sex=pl.when(pl.col("age") < 50).then(pl.lit("f")).otherwise(pl.lit("m"))))
        for frame in (PEOPLE, OTHERS, population(300, 3))
    )
    found = Disco(columns=("age",), sensitive=("sex",)).with_control(others).measure(people, made)
    assert found.value > 80
    assert not found.shows_leak


def test_numbers_are_cut_into_classes_of_the_original() -> None:
    coarse, fine = (
        Disco(columns=("town",), sensitive=("pay",), classes=classes).measure(file(PEOPLE), file(OTHERS))
        for classes in (2, 200)
    )
    assert coarse.parts["iS"] == fine.parts["iS"] == 100
    assert coarse.parts["DiS"] >= fine.parts["DiS"]


def test_a_column_is_key_or_confidential() -> None:
    with pytest.raises(DataError, match="'age' is also in columns"):
        Disco(columns=KEYS, sensitive=("age",)).measure(file(PEOPLE), file(OTHERS))
    with pytest.raises(DataError, match="picks no column beside the keys"):
        Disco(columns=KEYS).measure(file(PEOPLE), file(OTHERS))


@pytest.mark.parametrize("has_control", [False, True])
def test_of_several_copies_each_target_has_the_figures_of_the_file_that_tells_most_of_it(has_control: bool) -> None:
    targets = ("sex", "pay")
    measure = Disco(columns=KEYS, sensitive=targets)
    measure = measure.with_control(file(OTHERS)) if has_control else measure
    with_sex = population(300, 4).with_columns(PEOPLE["age"], PEOPLE["town"], PEOPLE["sex"])
    with_pay = population(300, 5).with_columns(PEOPLE["age"], PEOPLE["town"], PEOPLE["pay"])
    frames = [with_sex, with_pay, population(300, 6)]
    together = pl.concat([frame.with_columns(release=pl.lit(number)) for number, frame in enumerate(frames, 1)])
    found = measure.measure(file(PEOPLE), Microdata(together, Schema.infer(together)))
    alone = [measure.measure(file(PEOPLE), file(frame)).parts for frame in (*frames, pl.concat(frames))]
    worst = {name: max(alone, key=lambda parts: parts[name]) for name in targets}
    assert worst["sex"] is not worst["pay"]
    for name, parts in worst.items():
        for kind in ("", " (DiS)", " (Dorig)", *([" (control)"] if has_control else [])):
            assert found.parts[f"{name}{kind}"] == parts[f"{name}{kind}"]
        mean = sum(each[name] for each in alone[:3]) / 3
        assert found.parts[f"{name} (mean of the copies)"] == pytest.approx(mean)
    assert found.value == max(parts[name] for name, parts in worst.items())


def test_the_keys_are_named_with_the_figure() -> None:
    for measure in (Disco(columns=KEYS, sensitive=("sex",)), ReplicatedUniques(columns=KEYS)):
        for each in (measure, measure.with_control(file(OTHERS))):
            assert "by the keys age, town, " in each.measure(file(PEOPLE), file(population(300, 3))).remark
