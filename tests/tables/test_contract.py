"""The promises that all table protections and sensitivity rules share, over PROTECTIONS and RULES."""

import inspect
import itertools
from pathlib import Path

import numpy as np
import polars as pl
import pytest
import yaml

from sfumato import tables
from sfumato.catalogue import describe, entry_snippet
from sfumato.contracts import Named
from sfumato.errors import ParameterError
from sfumato.table_specification import TableSpecification
from sfumato.tables import (
    PROTECTIONS,
    RULES,
    PPercent,
    ProtectedTables,
    Protection,
    Rule,
    Table,
    draw_record_keys,
    find_unsafe,
    protect,
)
from tests.tables.examples import PROTECTION_EXAMPLES, RULE_EXAMPLES

RECORDS = {**PROTECTIONS, **RULES}
KEYS = {Protection: "protections", Rule: "rules"}
TESTS = Path(__file__).parent

every_record = pytest.mark.parametrize("record", RECORDS.values(), ids=RECORDS)
every_example = pytest.mark.parametrize("example", [*PROTECTION_EXAMPLES, *RULE_EXAMPLES], ids=repr)
every_protection = pytest.mark.parametrize("protection", PROTECTION_EXAMPLES, ids=repr)
every_rule = pytest.mark.parametrize("rule", RULE_EXAMPLES, ids=str)


def firms() -> Table:
    """Return sales of firms by region and sector, with keys and requests; some cells are unsafe by every rule."""
    rng = np.random.default_rng(3)
    size = 60
    frame = pl.DataFrame(
        {
            "region": rng.choice([*"NSEW"], size),
            "sector": rng.choice(["farm", "shop", "mill"], size),
            "sales": rng.integers(1, 60, size) ** 2,
            "asks": rng.random(size) < 0.3,
            "key": draw_record_keys(size, rng),
        }
    )
    alone = {"region": ["X"] * 3, "sector": ["farm"] * 3, "sales": [900, 9, 4], "asks": [True] * 3, "key": [1, 2, 3]}
    nothing = {"region": ["X"] * 2, "sector": ["mill"] * 2, "sales": [0, 0], "asks": [False] * 2, "key": [4, 5]}
    frame = pl.concat([frame, pl.DataFrame(alone), pl.DataFrame(nothing)], how="vertical_relaxed")
    return Table.from_records(frame, ["region", "sector"], "sales", request="asks", key="key")


def protected(protection: Protection) -> ProtectedTables:
    return protect(firms(), protection, rule=PPercent(p=10), seed=7)


def written_in(example: Named) -> str:
    return next(key for base, key in KEYS.items() if isinstance(example, base))


def test_every_protection_and_every_rule_has_an_example() -> None:
    for table, examples in ((PROTECTIONS, PROTECTION_EXAMPLES), (RULES, RULE_EXAMPLES)):
        lacking = set(table) - {type(example).name() for example in examples}
        assert not lacking, f"add an example to tests/tables/examples.py of: {', '.join(sorted(lacking))}"


@every_record
def test_name_file_class_and_test_agree(record: type[Named]) -> None:
    path = Path(inspect.getfile(record))
    assert path.stem == record.name()
    assert path.parent.name == record.family  # type: ignore[attr-defined]
    assert RECORDS[record.name()] is record
    assert getattr(tables, record.__name__) is record
    assert record.__name__ in tables.__all__
    assert (TESTS / path.parent.name / f"test_{record.name()}.py").exists()


@pytest.mark.parametrize("family", ["suppression", "perturbation", "sensitivity"])
def test_what_is_in_a_family_and_no_protection_or_rule_is_marked(family: str) -> None:
    folder = Path(inspect.getfile(tables)).parent / family
    assert {path.stem for path in folder.glob("[a-z]*.py")} == {
        name
        for name, record in RECORDS.items()
        if record.family == family  # type: ignore[attr-defined]
    }


@every_record
def test_docstring_is_complete(record: type[Named]) -> None:
    text = inspect.getdoc(record) or ""
    for section in ("Parameters", "Effect on risk", "Effect on utility", "Source", "Examples"):
        assert section in text, f"{record.__name__} lacks the section {section}"
    described = {parameter.name: parameter.text for parameter in describe(record).parameters}
    assert [name for name, meaning in described.items() if not meaning] == []


@every_record
def test_the_snippet_of_its_page_is_a_specification(record: type[Named], tmp_path: Path) -> None:
    key = "protections" if issubclass(record, Protection) else "rules"
    (tmp_path / "firms.csv").write_text("region,sales\nN,1\n")
    text = f"data: firms.csv\nby: region\nvalue: sales\n{entry_snippet(record, key)}\n"
    assert [type(entry) for entry in getattr(TableSpecification.from_yaml(text, tmp_path), key)] == [record]


@every_example
def test_what_yaml_says_comes_back_as_the_record(example: Named, tmp_path: Path) -> None:
    (tmp_path / "firms.csv").write_text("region,sales\nN,1\n")
    key = written_in(example)
    content = {"data": "firms.csv", "by": "region", key: [{type(example).name(): example.model_dump(mode="json")}]}
    specification = TableSpecification.from_yaml(yaml.safe_dump(content), tmp_path)
    assert getattr(specification, key) == (example,)


@every_record
def test_refuses_an_unknown_parameter(record: type[Named]) -> None:
    name = next(iter(record.model_fields))
    misspelt = f"{name}_x"
    with pytest.raises(ParameterError, match=rf"{record.__name__} has no parameter '{misspelt}'"):
        record(**{misspelt: 1})


@every_record
def test_refuses_what_is_out_of_range(record: type[Named]) -> None:
    """Every number of a protection or a rule has a lowest value."""
    for name, field in record.model_json_schema()["properties"].items():
        choices = field.get("anyOf", [field])
        if any(choice.get("type") in ("number", "integer") for choice in choices):
            with pytest.raises(ParameterError, match=rf"{record.__name__}\.{name} must be in [\[(]"):
                record(**{name: -1})


@every_protection
def test_the_same_seed_publishes_the_same_and_the_problem_is_left_untouched(protection: Protection) -> None:
    unsafe = find_unsafe(firms(), PPercent(p=10)).problem
    before = unsafe.values.copy(), unsafe.must_suppress.copy()
    first, again = (protection.protect(unsafe, np.random.default_rng(5)).publish(unsafe) for _ in range(2))
    assert np.array_equal(first, again, equal_nan=True)
    assert np.array_equal(unsafe.values, before[0])
    assert np.array_equal(unsafe.must_suppress, before[1])


@every_protection
def test_something_is_suppressed_or_changed_and_nothing_else_is_said_to_be(protection: Protection) -> None:
    found = protected(protection)
    published, true = found.values(), found.tables[0].values
    assert np.isnan(published).any() == protection.suppresses
    assert (np.nan_to_num(published, nan=-1.0) != true).any()
    assert protection.suppresses == (not found.outcome.notice)
    assert not str(found.outcome).endswith(".")
    assert "array(" not in f"{found.outcome} {found.outcome!r} {found.outcome.notice}", (
        f"{type(found.outcome).__name__} must say what was done in __str__, and be a dataclass with repr=False: "
        f"the true values of cells may not be shown"
    )


@every_protection
def test_the_bounds_of_an_intruder_who_knows_the_method_hold_the_truth(protection: Protection) -> None:
    found = protected(protection)
    lower, upper = found.outcome.bounds(found.problem)
    assert (lower <= found.problem.values + 1e-9).all()
    assert (upper >= found.problem.values - 1e-9).all()


@every_protection
def test_facts_are_plain_values(protection: Protection) -> None:
    assert all(isinstance(fact, str | int | float) for fact in protected(protection).outcome.to_dict().values())


@pytest.mark.parametrize("protection", [each for each in PROTECTION_EXAMPLES if each.suppresses], ids=repr)
def test_what_is_suppressed_is_safe_by_the_audit(protection: Protection) -> None:
    assert protected(protection).audit(intervals="unprotected").is_safe


@pytest.mark.parametrize(
    "record", [each for each in PROTECTIONS.values() if each.suppresses], ids=lambda each: each.name()
)
def test_without_a_time_limit_no_clock_decides_what_is_suppressed(
    record: type[Protection], monkeypatch: pytest.MonkeyPatch
) -> None:
    calm = protected(record())
    leaps = itertools.count(step=1e6)
    monkeypatch.setattr("time.monotonic", lambda: float(next(leaps)))
    hurried = protected(record())
    assert calm.suppressed().tolist() == hurried.suppressed().tolist()
    assert calm.outcome.to_dict() == hurried.outcome.to_dict()


@every_rule
def test_levels_are_above_0_just_where_cells_are_unsafe(rule: Rule) -> None:
    found = rule.find(firms())
    assert 0 < found.unsafe.sum() < found.unsafe.size
    assert np.array_equal(found.levels > 0, found.unsafe)
    assert list(found.by_rule) == [str(rule)]
    assert str(rule).startswith(f"{rule.name()}(")


@every_rule
def test_a_rule_needs_no_more_contributions_than_it_says(rule: Rule) -> None:
    frame = pl.DataFrame({"g": [*"aaabbbb"], "v": [9.0, 3, 1, 5, 5, 4, 4], "asks": [True, *(False,) * 6]})
    table = Table.from_records(frame, ["g"], "v", request="asks", keep=max(rule.contributions, 1))
    assert rule.find(table).levels.size == table.size
