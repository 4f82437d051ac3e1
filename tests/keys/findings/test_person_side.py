"""Somebody who looks for one person by keys, gaps and a rounded weight: how many records are left."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.assessment.release_notes import PERSONS_FOUND
from sfumato.keys.findings.exposure import sizes_by_gaps
from sfumato.keys.findings.person_side import PersonSide, person_remark
from sfumato.keys.fitting_persons import FittingPersons
from sfumato.keys.ruled_out import ReleasedKey, RuledOut
from sfumato.numerics.arrays import Booleans

KEYS = ("county", "employees", "industry")


def firms(n: int = 300, seed: int = 5) -> sf.Microdata:
    """Return firms whose weight is computed from the number of employees, as business surveys do."""
    rng = np.random.default_rng(seed)
    employees = np.minimum(rng.geometric(0.2, n), 16)
    frame = pl.DataFrame(
        {
            "county": rng.choice([*"ABCDEFG"], n, p=[0.3, 0.25, 0.2, 0.1, 0.08, 0.05, 0.02]),
            "employees": employees,
            "industry": rng.choice(["farm", "shop", "school", "mill"], n, p=[0.4, 0.3, 0.2, 0.1]),
            "weight": np.round(30 / np.sqrt(employees), 2),
            "profit": np.round(rng.lognormal(4, 1, n), 1),
        }
    )
    schema = sf.Schema.infer(frame).with_roles(key=list(KEYS), weight=["weight"], confidential=["profit"])
    return sf.Microdata(frame, schema)


def fits(original: sf.Microdata, released: sf.Microdata) -> Booleans:
    """Return which persons fit which records (records x persons), pair by pair, as an intruder would ask.

    A key that is shown must be what became of the person's; the class of weights must be that of the person's weight.
    """
    before, after = original.frame, released.frame
    became = {
        name: {old: new for old, new in zip(before[name], after[name], strict=True) if new is not None} for name in KEYS
    }
    classes: dict[float, list[float]] = {}
    for old, new in zip(before["weight"], after["weight"], strict=True):
        classes.setdefault(new, []).append(old)
    found = np.ones((released.n, original.n), dtype=np.bool_)
    for row in range(released.n):
        held = classes[after["weight"][row]]
        for person in range(original.n):
            weight = before["weight"][person]
            is_possible = min(held) <= weight <= max(held)
            for name in KEYS:
                shown = after[name][row]
                own = became[name].get(before[name][person])
                is_possible &= shown is None or own is None or shown == own
            found[row, person] = is_possible
    return found


def test_who_is_left_with_few_records_is_counted_as_pair_by_pair() -> None:
    data = firms()
    found = sf.protect(data, k=3, seed=1)
    matrix = fits(data, found.data)
    assert np.diagonal(matrix).all()
    left = matrix.sum(axis=0)
    assert found.side is not None
    assert found.side.persons >= np.count_nonzero(left < 3) > 0
    assert found.side.alone >= np.count_nonzero(left == 1) > 0
    assert PERSONS_FOUND in found.alarms
    told = f"{found.side.persons} persons are left with fewer than 3 records, {found.side.alone} of them with one"
    assert any(told in remark for remark in found.remarks)
    assert any(told in remark for remark in sf.assess(data, found.data, methods=found.recipe.steps).remarks)
    assert found.to_dict()["persons_found"] == found.side._asdict()


@pytest.mark.parametrize("kind", ["k", "strict_k"])
def test_a_limit_on_k_leaves_as_many_records_of_everybody(kind: str) -> None:
    data = firms()
    found = sf.protect(data, limits=[f"{kind}=3"], seed=1)
    matrix = fits(data, found.data)
    assert matrix.sum(axis=0).min() >= 3
    assert matrix.sum(axis=1).min() >= 3
    assert found.side == (0, 0, 3)
    assert found.after.meets_limits
    assert PERSONS_FOUND not in found.alarms
    assert found.data.frame.equals(found.recipe.run(data).frame)


def test_a_limit_on_k_is_not_met_by_a_file_that_leaves_fewer_records_of_somebody() -> None:
    data = firms()
    without = sf.protect(data, k=3, seed=1)
    told = str(sf.report(data, without.data, recipe=without.recipe, limits=["k=3"]))
    assert "NOT MET" in told
    assert "fit fewer than k records" in told
    found = sf.protect(data, limits=["k=3"], seed=1)
    assert "NOT MET" not in str(sf.report(data, found.data, recipe=found.recipe, limits=["k=3"]))


def test_a_recipe_without_both_sides_is_as_it_was() -> None:
    data = firms()
    found = sf.protect(data, limits=["k=3"], seed=1)
    last = found.recipe.steps[-1]
    assert isinstance(last, sf.HintSuppression)
    assert last.both_sides
    one_side = found.recipe.replace(steps=(*found.recipe.steps[:-1], last.replace(both_sides=False)))
    gaps = [sum(one.frame[name].null_count() for name in KEYS) for one in (one_side.run(data), found.data)]
    assert gaps[0] < gaps[1]
    assert one_side.run(data).frame.equals(sf.protect(data, k=3, seed=1).data.frame)


def test_of_some_keys_that_are_known_together_no_side_of_the_person_is_promised() -> None:
    found = sf.protect(firms(), combinations=2, limits=["k=3"], seed=1)
    assert found.side is None
    assert PERSONS_FOUND not in found.alarms
    assert "met by design, of keys that are known together, by the keys alone" in " ".join(str(found).split())


def test_a_gap_that_tells_something_and_a_weight_are_counted_together_from_the_record() -> None:
    town = np.repeat(np.arange(4), 3)
    key = ReleasedKey(town, np.full(12, -1), is_ordered=False)
    weight = RuledOut(town % 2, town, np.array([[1, 0, 1, 0, 1], [0, 1, 0, 1, 1]], dtype=np.bool_))
    gap = RuledOut((town < 2).astype(np.int64), town, np.array([[1] * 5, [1, 1, 0, 0, 0]], dtype=np.bool_))
    file, seen = FittingPersons.of([key], [weight]), np.arange(12)[None]
    assert sizes_by_gaps(file, [gap], seen, 4).tolist() == [3] * 6 + [4] * 6
    assert sizes_by_gaps(file, [gap], seen * 0, 4).tolist() == [4] * 12  # nobody can tell which gap is which
    assert (
        sizes_by_gaps(file.ruled_by(()), [gap], seen, 4).tolist() == [4] * 12
    )  # what gaps tell alone is told elsewhere


def test_whoever_gave_a_limit_is_not_told_to_give_one() -> None:
    side = PersonSide(2, 1, 1)
    assert "a limit on k" in person_remark(side, 3)
    assert "a limit on k" not in person_remark(side, 3, is_limited=True)
