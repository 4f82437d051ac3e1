from collections import Counter
from itertools import product
from math import floor, log
from typing import Any

import numpy as np
import polars as pl
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.errors import DataError, KindError, ParameterError
from sfumato.masking import FullDomainRecoding, search_lattice
from sfumato.masking.recoding._lattice_descent import low_loss
from sfumato.recipe import Recipe

TREES = {
    "town": {"Tuscany": ["Pisa", "Lucca", "Siena"], "Lazio": ["Rome"]},
    "age": [["young", "under 60"], ["middle", "under 60"], ["old", "old"]],
}
NAMES = ("town", "age", "sex")
LEAVES = {"town": ("Pisa", "Lucca", "Siena", "Rome"), "age": ("young", "middle", "old"), "sex": ("f", "m")}
UP = {"Pisa": "Tuscany", "Lucca": "Tuscany", "Siena": "Tuscany", "Rome": "Lazio", "young": "under 60"}
UP |= {"middle": "under 60"}


def people(rows: list[tuple[Any, ...]]) -> Microdata:
    frame = pl.DataFrame(rows, schema=dict.fromkeys((*NAMES, "illness"), pl.String), orient="row")
    return Microdata(frame, Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in frame.columns)))


def released(value: str | None, name: str, level: int) -> str | None:
    """What a value becomes, read off by hand from the trees above."""
    if value is None or level == 0:
        return value
    if level == (1 if name == "sex" else 2):
        return "*"
    return UP.get(value, value)


def share(value: str, name: str) -> float:
    under = [leaf for leaf in LEAVES[name] if value in (leaf, UP.get(leaf), "*")]
    return len(under) / len(LEAVES[name])


def is_safe(rows: list[tuple[Any, ...]], everyone: list[tuple[Any, ...]], wanted: dict[str, Any]) -> bool:
    values = Counter(row[3] for row in rows if row[3] is not None)
    counts = sorted(values.values(), reverse=True)
    known = sum(counts)
    if len(rows) < wanted["k"] or len(counts) < wanted.get("l", 0):
        return False
    if "entropy_l" in wanted:
        entropy = -sum(count / known * log(count / known) for count in counts)
        if entropy < log(wanted["entropy_l"]) - 1e-12:
            return False
    if "recursive_cl" in wanted:
        factor, rank = wanted["recursive_cl"]
        if len(counts) < rank or not counts[0] < factor * sum(counts[rank - 1 :]):
            return False
    if "t" in wanted and known:
        overall = Counter(row[3] for row in everyone if row[3] is not None)
        total = sum(overall.values())
        distance = sum(abs(values[value] / known - overall[value] / total) for value in overall) / 2
        return bool(distance <= wanted["t"] + 1e-12)
    return True


def outcome(rows: list[tuple[Any, ...]], levels: tuple[int, ...], wanted: dict[str, Any]) -> tuple[float, int] | None:
    """The loss and the number of suppressed records at a node, by the definitions; nothing where it is not allowed."""
    keys = [tuple(released(row[j], NAMES[j], levels[j]) for j in range(3)) for row in rows]
    classes: dict[Any, list[int]] = {}
    for i, key in enumerate(keys):
        classes.setdefault(key, []).append(i)
    unsafe = {i for held in classes.values() if not is_safe([rows[i] for i in held], rows, wanted) for i in held}
    if len(unsafe) > floor(len(rows) * wanted["max_suppressed"] / 100 + 1e-9):
        return None
    if unsafe and not is_safe([rows[i] for i in unsafe], rows, wanted):
        return None
    loss = 0.0
    weights = {name: wanted.get("importance", {}).get(name, 1.0) for name in NAMES}
    for j, name in enumerate(NAMES):
        known = [i for i in range(len(rows)) if rows[i][j] is not None]
        shares = [1.0 if i in unsafe else share(str(keys[i][j]), name) for i in known]
        least = len(known) / len(LEAVES[name])
        loss += weights[name] * np.log1p((sum(shares) - least) / (len(known) - least))
    return float(np.expm1(loss / sum(weights.values()))), len(unsafe)


def exhaustive(rows: list[tuple[Any, ...]], wanted: dict[str, Any]) -> float | None:
    found = [outcome(rows, levels, wanted) for levels in product(range(3), range(3), range(2))]
    return min((loss for loss, _ in filter(None, found)), default=None)


CORNERS = [
    ("Pisa", "young", "f", "flu"),
    ("Lucca", "middle", "m", "flu"),
    ("Siena", "old", "f", "cold"),
    ("Rome", "young", "m", "none"),
]  # every category has a record, so that a key without a tree has all leaves
record = st.tuples(
    st.sampled_from([*LEAVES["town"], None]),
    st.sampled_from(LEAVES["age"]),
    st.sampled_from(LEAVES["sex"]),
    st.sampled_from(["flu", "cold", "none", None]),
)
conditions = st.fixed_dictionaries(
    {"k": st.integers(2, 4), "max_suppressed": st.sampled_from([0.0, 20.0, 50.0, 100.0])},
    optional={
        "l": st.integers(2, 3),
        "entropy_l": st.sampled_from([1.5, 2.0, 2.5]),
        "recursive_cl": st.sampled_from([(1.5, 2), (3.0, 2), (2.0, 3)]),
        "t": st.sampled_from([0.2, 0.4, 0.6]),
        "importance": st.just({"town": 3.0, "sex": 0.5}),
    },
)


def method(wanted: dict[str, Any]) -> FullDomainRecoding:
    has_values = set(wanted) & {"l", "entropy_l", "recursive_cl", "t"}
    return FullDomainRecoding(columns=NAMES, hierarchies=TREES, sensitive="illness" if has_values else None, **wanted)


@given(rows=st.lists(record, max_size=30), wanted=conditions)
def test_the_search_finds_the_least_loss_of_an_exhaustive_one(rows: list[Any], wanted: dict[str, Any]) -> None:
    rows = [*CORNERS, *rows]
    least = exhaustive(rows, wanted)
    if least is None:
        with pytest.raises(DataError, match="no levels of the keys make every class safe"):
            search_lattice(people(rows), method(wanted))
        return
    found = search_lattice(people(rows), method(wanted))
    by_hand = outcome(rows, tuple(found.levels.values()), wanted)
    assert by_hand is not None
    assert found.loss == pytest.approx(least, abs=1e-12)
    assert found.loss == pytest.approx(by_hand[0], abs=1e-12)
    assert found.suppressed == by_hand[1]
    assert found.is_optimal
    assert found.looked_at <= found.nodes == 18


@given(rows=st.lists(record, max_size=30), wanted=conditions)
def test_the_masked_file_is_what_the_search_promised(rows: list[Any], wanted: dict[str, Any]) -> None:
    rows = [*CORNERS, *rows]
    if exhaustive(rows, wanted) is None:
        return
    found = search_lattice(people(rows), method(wanted))
    masked = method(wanted).mask(people(rows), np.random.default_rng())
    after = masked.frame.rows()
    levels = tuple(found.levels.values())
    kept = [tuple(released(row[j], NAMES[j], levels[j]) for j in range(3)) for row in rows]
    suppressed = [i for i, row in enumerate(after) if row[:3] != kept[i]]
    assert all(after[i][:3] == (None, None, None) for i in suppressed)
    assert len(suppressed) <= found.suppressed  # a suppressed record may have had no key anyway
    classes: dict[Any, list[Any]] = {}
    for row in after:
        classes.setdefault(row[:3], []).append(row)
    assert all(is_safe(held, rows, wanted) for held in classes.values())


@given(rows=st.lists(record, max_size=30), wanted=conditions)
def test_a_walk_down_a_large_lattice_ends_no_lower_than_the_least_loss(rows: list[Any], wanted: dict[str, Any]) -> None:
    data, recoding = people([*CORNERS, *rows]), method(wanted)
    most = floor(data.n * recoding.max_suppressed / 100 + 1e-9)
    found = low_loss(recoding.lattice(data), recoding.model(data), most)
    if found is not None:
        least = exhaustive([*CORNERS, *rows], wanted)
        assert least is not None
        assert found.loss >= least - 1e-12
        assert not found.is_optimal
        assert outcome([*CORNERS, *rows], found.levels, wanted) is not None


def test_a_large_lattice_gets_good_levels_and_a_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    data = people(CORNERS * 3)
    recoding = FullDomainRecoding(columns=NAMES, hierarchies=TREES, k=3)
    assert search_lattice(data, recoding).remark == ""
    monkeypatch.setattr("sfumato.masking.recoding.full_domain_recoding.MAX_NODES", 10)
    found = search_lattice(data, recoding)
    assert not found.is_optimal
    assert (
        "not certainly the best: there are 18 ways to choose them, and 10 are as many as are searched" in found.remark
    )
    assert dict(found.levels) == {"town": 0, "age": 0, "sex": 0}


def test_a_recipe_hands_on_the_remark(monkeypatch: pytest.MonkeyPatch) -> None:
    data, remarks = people(CORNERS * 3), list[str]()
    recipe = Recipe(steps=[FullDomainRecoding(columns=NAMES, hierarchies=TREES)], seed=1)
    recipe.run(data, on_remark=remarks.append)
    assert not remarks
    monkeypatch.setattr("sfumato.masking.recoding.full_domain_recoding.MAX_NODES", 10)
    recipe.run(data, on_remark=remarks.append)
    assert len(remarks) == 1
    assert remarks[0].startswith("step 1 (full_domain_recoding): the levels are good, not certainly the best")


def test_what_is_important_is_recoded_less() -> None:
    rows = [(town, "old", sex, "flu") for town in ("Pisa", "Lucca") for sex in ("f", "m")]
    for important, levels in (("town", {"town": 0, "sex": 1}), ("sex", {"town": 1, "sex": 0})):
        recoding = FullDomainRecoding(
            columns=("town", "sex"), hierarchies={"town": TREES["town"]}, k=2, importance={important: 9}
        )
        assert dict(search_lattice(people(rows), recoding).levels) == levels


def test_ordinal_values_are_farther_apart_by_the_steps_between_them() -> None:
    frame = pl.DataFrame({"sex": ["f", "f", "m", "m"], "pay": [1, 3, 2, 2]})
    for kind, distance in ((Kind.ORDINAL, 0.25), (Kind.NOMINAL, 0.5)):
        schema = Schema(variables=(Variable(name="sex", kind=Kind.NOMINAL), Variable(name="pay", kind=kind)))
        close = FullDomainRecoding(columns=("sex",), k=2, max_suppressed=0, sensitive="pay", t=distance)
        assert dict(search_lattice(Microdata(frame, schema), close).levels) == {"sex": 0}
        closer = close.replace(t=distance - 0.01)
        assert dict(search_lattice(Microdata(frame, schema), closer).levels) == {"sex": 1}


def test_a_key_without_gaps_and_with_numbers_keeps_its_type() -> None:
    frame = pl.DataFrame({"code": [1, 2, 3, 3]})
    data = Microdata(frame, Schema(variables=(Variable(name="code", kind=Kind.NOMINAL),)))
    masked = FullDomainRecoding(columns=("code",), hierarchies={"code": {10: [1, 2], 20: [3]}}, k=2).mask(
        data, np.random.default_rng()
    )
    assert masked.frame["code"].to_list() == [10, 10, 20, 20]
    assert masked.frame["code"].dtype == pl.Int64


def test_a_key_that_makes_everybody_unique_becomes_one_category() -> None:
    frame = pl.DataFrame({"id": [f"p{i}" for i in range(3000)], "sex": ["f", "m"] * 1500})
    data = Microdata(frame, Schema.infer(frame).with_kinds(nominal=["id", "sex"]))
    found = search_lattice(data, FullDomainRecoding(columns=("id", "sex")))
    assert (dict(found.levels), found.suppressed) == ({"id": 1, "sex": 0}, 0)
    assert found.loss == pytest.approx(np.sqrt(2) - 1)


def test_a_recipe_holds_the_hierarchies_and_comes_back_as_it_was() -> None:
    step = FullDomainRecoding(columns=NAMES, hierarchies=TREES, sensitive="illness", recursive_cl=(2.0, 2))
    recipe = Recipe(steps=[step], seed=1)
    assert Recipe.from_yaml(recipe.to_yaml()) == recipe


@pytest.mark.parametrize(
    ("changes", "error", "message"),
    [
        ({"t": 0.2}, ParameterError, "sensitive must name a column when there is a condition"),
        ({"sensitive": "illness"}, ParameterError, "sensitive needs a condition on its values: l"),
        (
            {"sensitive": "illness", "l": 9},
            DataError,
            "'illness' has 3 different values in the file; each",
        ),
        ({"sensitive": "town", "l": 2}, DataError, "'town' is one of the keys"),
        ({"k": 99}, DataError, "k must be at most 4, the number of records"),
        ({"importance": {"twn": 2}}, ParameterError, "'twn' is not one of the columns; did you mean 'town'"),
        ({"hierarchies": {"towm": TREES["town"]}}, ParameterError, "'towm' is not one of the columns; did you mean"),
        ({"hierarchies": {"town": {"Lazio": ["Rome"]}}}, DataError, "that of 'town' lacks 3 categories"),
    ],
)
def test_what_cannot_be_done_is_said(changes: dict[str, Any], error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        FullDomainRecoding(**({"columns": NAMES, "hierarchies": TREES} | changes)).mask(
            people(CORNERS), np.random.default_rng()
        )


def test_conditions_that_no_level_meets_name_the_keys_with_gaps() -> None:
    rows = [*CORNERS, (None, "old", "f", "flu")]
    message = "at most 0 % of the records suppressed; records without a value of 'town' are classes of their own: raise"
    with pytest.raises(DataError, match=message):
        search_lattice(people(rows), FullDomainRecoding(columns=NAMES, k=2, max_suppressed=0))


def test_a_sensitive_number_is_refused() -> None:
    data = Microdata(pl.DataFrame({"sex": ["f", "m"], "pay": [1.5, 2.5]}))
    with pytest.raises(
        KindError, match="'pay' is continuous; expected a nominal or ordinal column: make classes of it"
    ):
        FullDomainRecoding(columns=("sex",), k=2, sensitive="pay", l=2).bound_to(data)


def test_missing_codes_of_a_key_are_refused() -> None:
    schema = Schema(variables=(Variable(name="code", kind=Kind.NOMINAL, missing_codes=(-9,)),))
    data = Microdata(pl.DataFrame({"code": [1, 1, -9, -9]}), schema)
    with pytest.raises(
        DataError, match="'code' holds missing codes, which stay visible and can be rare; make them empty"
    ):
        FullDomainRecoding(columns=("code",), k=2).bound_to(data)
