"""What masked columns, alone or in pairs, still give of a key is found by the file before masking, and hidden."""

import numpy as np
import polars as pl
import pytest

from sfumato.data import Microdata, Schema
from sfumato.keys.hinting_columns import hinting_columns
from sfumato.masking import LocalSuppression, Mdav
from sfumato.protection import protect
from sfumato.recipe import Recipe

KEYS = ("trade", "region", "employees")


def firms(seed: int = 7, n: int = 800) -> Microdata:
    """Return firms of very different size with their wages, and the mean wage."""
    rng = np.random.default_rng(seed)
    employees = np.ceil(rng.lognormal(1.8, 1.3, n))
    wages = (employees * rng.lognormal(10.4, 0.3, n)).round()
    frame = pl.DataFrame(
        {
            "trade": rng.choice([*"CFGHIJM"], n, p=[0.15, 0.2, 0.25, 0.1, 0.1, 0.08, 0.12]),
            "region": rng.choice(["R1", "R2", "R3", "R4"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "employees": employees,
            "wages": wages,
            "mean_wage": (wages / employees).round(),
        }
    )
    schema = Schema.infer(frame).with_kinds(continuous=["employees", "wages", "mean_wage"])
    return Microdata(frame, schema.with_roles(key=list(KEYS), confidential=["wages", "mean_wage"]))


def share_of_right_claims(data: Microdata, masked: Microdata, k: int) -> tuple[int, float]:
    """Return of how many firms somebody claims to know which they are, by the ratio, and how often that is right.

    Claimed is one of fewer than k firms with the number of employees that the ratio gives to within a twentieth, and
    with the keys of the record.
    """
    before, after = data.frame, masked.frame
    numbers = before["employees"].to_list()
    ratios = (after["wages"] / after["mean_wage"]).to_list()
    classes = {
        number: shown for number, shown in zip(numbers, after["employees"].to_list(), strict=True) if shown is not None
    }
    firms = [(*rest, classes.get(number)) for *rest, number in before.select(KEYS).rows()]
    right = []
    for row, (record, ratio) in enumerate(zip(after.select(KEYS).rows(), ratios, strict=True)):
        fitting = [
            other
            for other, firm in enumerate(firms)
            if numbers[other] == round(ratio) and all(a in (None, b) for a, b in zip(record, firm, strict=True))
        ]
        if abs(ratio - round(ratio)) <= 0.05 and 0 < len(fitting) < k:
            right.append((row in fitting) / len(fitting))
    return len(right), float(np.mean(right))


@pytest.mark.parametrize("seed", [7, 12])
def test_the_number_of_employees_is_not_read_off_two_masked_columns(seed: int) -> None:
    data = firms(seed)
    found = protect(data, k=3, seed=1, limits=["k=3"])
    steps = [step for step in found.recipe.steps if not step.name().startswith("hint")]
    by_keys, by_ratio = (
        share_of_right_claims(data, one, 3) for one in (Recipe(steps=steps, seed=1).run(data), found.data)
    )
    assert by_keys[1] > 0.4
    assert by_ratio[1] <= 1 / 3
    assert by_ratio[0] < by_keys[0]
    assert "the ratio of wages and mean_wage" in found.hinting
    assert found.after.meets_limits


def test_the_age_is_not_read_off_a_masked_year_of_birth() -> None:
    rng = np.random.default_rng(0)
    age, n = rng.integers(18, 88, 700), 700
    frame = pl.DataFrame(
        {"age": age, "sex": rng.choice([*"mf"], n), "town": rng.choice([*"abc"], n), "born": 2023 - age}
    )
    schema = Schema.infer(frame).with_kinds(continuous=["age", "born"])
    data = Microdata(frame, schema.with_roles(key=["age", "sex", "town"], confidential=["born"]))
    found = protect(data, k=3, seed=1)
    steps = [step for step in found.recipe.steps if not step.name().startswith("hint")]

    def claims(masked: Microdata) -> list[bool]:
        """Return of the records that one person fits, by their year of birth, whether it is the right one."""
        classes = {a: b for a, b in zip(age, masked.frame["age"], strict=True) if b is not None}
        people = [(sex, town, classes.get(old)) for sex, town, old in frame.select("sex", "town", "age").rows()]
        right = []
        for row, (*shown, born) in enumerate(masked.frame.select("sex", "town", "age", "born").rows()):
            fits = [
                other
                for other in np.flatnonzero(age == 2023 - round(born))
                if all(a in (None, b) for a, b in zip(shown, people[other], strict=True))
            ]
            right += [row in fits] if len(fits) == 1 else []
        return right

    by_keys, by_both = claims(Recipe(steps=steps, seed=1).run(data)), claims(found.data)
    assert np.mean(by_keys) > 0.8
    assert sum(by_both) < 0.05 * sum(by_keys)


def test_what_is_so_is_never_ruled_out_by_a_reading() -> None:
    data = firms()
    keys = LocalSuppression(columns=("trade", "region"), k=3)
    masked = Recipe(steps=[Mdav(columns=("wages", "mean_wage"), k=3), keys], seed=1).run(data)
    masked = masked.with_frame(masked.frame.with_columns(employees=pl.col("employees") // 10))
    _, hints = hinting_columns(masked, KEYS, data, np.arange(data.n))
    assert {hint.column for hint in hints if hint.key == "employees"} >= {"the ratio of wages and mean_wage"}
    for hint in hints:
        assert hint.ruled.allowed[hint.ruled.kinds, hint.ruled.categories].all()


def test_columns_that_never_gave_a_key_are_no_rule() -> None:
    data = firms()
    other = data.with_frame(data.frame.with_columns(mean_wage=pl.col("mean_wage").reverse()))
    masked = Mdav(columns=("wages", "mean_wage"), k=3).mask(other, np.random.default_rng(0))
    masked = masked.with_frame(masked.frame.with_columns(employees=pl.col("employees") // 10))
    _, hints = hinting_columns(masked, KEYS, other, np.arange(data.n))
    assert "the ratio of wages and mean_wage" not in [hint.column for hint in hints]
