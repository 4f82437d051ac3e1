"""Nobody tells records apart that look the same, and whose households do."""

from itertools import permutations

import numpy as np
import polars as pl
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sfumato.data import Microdata, Schema
from sfumato.intruder.bounds.equal_records import chances_among_equals

HOMES = Schema.from_yaml("variables: {home: {kind: nominal, role: household}, age: {kind: continuous}}")


def seen(ages: list[int], homes: list[int]) -> tuple[tuple[int, int], ...]:
    """Return what a release in this order shows: ages, and who lives with whom, households numbered as they come."""
    numbers = {home: place for place, home in enumerate(dict.fromkeys(homes))}
    return tuple((age, numbers[home]) for age, home in zip(ages, homes, strict=True))


def best_of_all_rules(ages: list[int], homes: list[int], persons: list[int]) -> float:
    """Return how many the best rule links that knows everything but the order: over all orders of the release."""
    orders = list(permutations(range(len(ages))))
    by_release: dict[object, list[tuple[int, ...]]] = {}
    for order in orders:
        shown = seen([ages[i] for i in order], [homes[i] for i in order])
        by_release.setdefault(shown, []).append(order)
    right = 0
    for same in by_release.values():
        right += sum(max(np.bincount([persons[order[place]] for order in same])) for place in range(len(ages)))
    return right / len(orders)


@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(30, 32), st.integers(0, 3), st.integers(0, 4)), min_size=1, max_size=6))
def test_the_chances_add_up_to_what_the_best_of_all_rules_links(records: list[tuple[int, int, int]]) -> None:
    ages, homes, persons = (list(column) for column in zip(*records, strict=True))
    places = list(range(len(ages)))
    data = Microdata(pl.DataFrame({"home": homes, "age": [float(age) for age in ages]}), HOMES)
    assert chances_among_equals(data, ("age",)).sum() == pytest.approx(best_of_all_rules(ages, homes, places))
    alone = data.without_columns(("home",))
    assert chances_among_equals(alone, ("age",)).sum() == pytest.approx(len(set(ages)))
    repeated = Microdata(alone.frame, alone.schema, np.array(persons))
    assert chances_among_equals(repeated, ("age",)).sum() == pytest.approx(best_of_all_rules(ages, places, persons))


def test_what_is_missing_is_seen_too() -> None:
    data = Microdata(pl.DataFrame({"age": [31.0, 31.0, None, None, None]}))
    assert chances_among_equals(data, ("age",)).round(2).tolist() == [0.5, 0.5, 0.33, 0.33, 0.33]
