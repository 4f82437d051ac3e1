"""The headline on the keys: what was not counted, who is alone if it is known, and what no limit is on."""

import itertools

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.acquaintance import TOLD_MORE
from sfumato.reports.release.chapters.headline import AloneBeside, KnownBeside, known_beside_keys, true_columns
from sfumato.reports.release.chapters.judging.standing import Standing
from tests.keys.findings.test_person_side import firms, fits
from tests.reports.release.chapters.test_plain_verdict import headline, rows
from tests.reports.release.surveys import made, released, survey


def alone(data: Microdata, names: tuple[str, ...]) -> int:
    """Count by comparing every record with every other; a gap fits every value."""
    rows = list(zip(*(data.frame[name].to_list() for name in names), strict=True))
    fits = np.zeros(len(rows), dtype=int)
    for one, other in itertools.product(range(len(rows)), repeat=2):
        pairs = zip(rows[one], rows[other], strict=True)
        fits[one] += all(left is None or right is None or left == right for left, right in pairs)
    return int((fits == 1).sum())


def alone_from_both_sides(known: Microdata, shown: Microdata, names: tuple[str, ...]) -> AloneBeside:
    """Count by comparing what every person knows of themselves with every record; a gap of the release fits all."""
    people, looks = (list(zip(*(data.frame[name].to_list() for name in names), strict=True)) for data in (known, shown))
    fits = np.array(
        [[all(b is None or a == b for a, b in zip(one, look, strict=True)) for look in looks] for one in people]
    )
    return AloneBeside(int((fits.sum(axis=0) == 1).sum()), int((fits.sum(axis=1) == 1).sum()))


def test_who_is_alone_if_an_untouched_age_is_known_is_counted_from_both_sides() -> None:
    names = ("sex", "age")
    count = alone_from_both_sides(survey(), released(), names)
    assert count.persons is not None
    assert 0 < count.persons < released().n
    assert true_columns(survey(), released()) == ("age",)
    found = known_beside_keys(survey(), released(), ("sex",), ("age",))
    assert found == KnownBeside("age", count, ("age",), count)


def test_where_nothing_tells_which_record_is_which_records_that_are_unique_are_counted() -> None:
    count = AloneBeside(alone(released(), ("sex", "town", "age")))
    assert 0 < count.records < released().n
    found = known_beside_keys(None, released(), ("sex", "town"), ("age",))
    assert found == KnownBeside("age", count, ("age",), count)


def test_the_house_reads_how_many_are_found_by_somebody_who_also_knows_an_untouched_age() -> None:
    told = rows(made())["Warning"]
    assert "Released unchanged, and not counted as known to others: age (Age in years)." in told
    found = known_beside_keys(survey(), released(), ("sex", "town"), ("age",)).alone
    assert f"{found.persons} persons are left with one record, and {found.records} records with one person, for" in told
    assert "for somebody who also knows age (Age in years)." in told


def test_the_column_that_leaves_most_alone_is_named_and_how_many_all_together_do() -> None:
    data = released()
    extra = {"hand": pl.int_range(pl.len()) % 2, "size": pl.int_range(pl.len()) // 4 % 9}
    wide = Microdata(data.frame.with_columns(**extra))
    found = known_beside_keys(None, wide, ("sex", "town"), ("hand", "size"))
    one, both = (alone(wide, ("sex", "town", *names)) for names in (("size",), ("hand", "size")))
    assert found == KnownBeside("size", AloneBeside(one), ("hand", "size"), AloneBeside(both))
    assert one < both


def test_a_column_that_only_lost_values_is_true_and_one_with_another_value_is_not() -> None:
    data = survey()
    first = pl.int_range(pl.len()) == 0
    lost, other = (
        Microdata(
            data.frame.with_columns(pl.when(first).then(value).otherwise(pl.col("age")).alias("age")), data.schema
        )
        for value in (None, pl.col("age") + 1)
    )
    assert true_columns(data, lost) == ("age",)
    assert true_columns(data, other) == ()


def test_the_house_reads_at_once_how_many_hints_leave_with_few_records_and_everybody_that_there_are_some() -> None:
    data = firms()
    found = sf.protect(data, k=3, seed=1)
    assert found.side is not None
    inside, outside = (
        rows(sf.report(data, found.data, recipe=found.recipe, edition=one))[Standing.NOT_SAFE]
        for one in ("internal", "public")
    )
    left = f"{found.side.persons} persons are left with fewer than 3 records"
    counted = f"{left}, {found.side.alone} of them with one, which is theirs."
    assert counted in inside
    assert left not in outside
    assert "persons who may have it" not in outside
    assert all(TOLD_MORE in one for one in (inside, outside))


def test_a_limit_that_hints_break_is_told_as_broken_although_the_recipe_asked_for_less() -> None:
    data = firms()
    found = sf.protect(data, k=3, limits=["k>=3"], seed=1)
    pairs = fits(data, found.data)  # records x persons
    persons, records = (int((pairs.sum(axis=axis) < 5).sum()) for axis in (0, 1))
    assert persons != records
    told = {}
    for edition in ("internal", "public"):
        report = sf.report(data, found.data, recipe=found.recipe, limits=["k>=5"], edition=edition)
        assert not report.meets_limits
        assert headline(report).startswith("Limit NOT MET")
        assert "an acquaintance" in headline(report).partition("NOT safe against")[2]
        told[edition] = rows(report)[Standing.NOT_SAFE]
        assert TOLD_MORE in told[edition]
    assert (report["risk/keys/k/after"].value or 0) >= 5  # by the keys alone it would be met
    assert f"{persons} persons are left with fewer than 5 records" in told["internal"]
    assert f"At least {records} records are left with fewer than 5 persons who may have it" in told["internal"]
    assert "who may have it" not in told["public"]


def test_everybody_reads_what_was_not_counted_and_no_count_of_the_alone() -> None:
    told = rows(made("public"))["Warning"]
    assert "not counted as known to others: age (Age in years)." in told
    assert "unique" not in told


def test_numbers_that_nobody_knows_by_heart_are_not_counted_as_known() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 100, "score": np.linspace(0, 1, 200), "points": list(range(200))})
    data = Microdata(frame, Schema.infer(frame).with_roles(key=["sex"], other=["score", "points"]))
    assert true_columns(data, data) == ()
    few = Microdata(frame.with_columns(pl.col("points") // 40), data.schema)
    assert true_columns(few, few) == ("points",)


def test_the_one_limit_is_named() -> None:
    found = sf.report(survey(), released(), same_order=True, limits=["global_risk<=100"])
    assert "Limit met: mean risk of a record from a register, at most 100 %." in headline(found)


def test_whom_the_file_is_not_safe_against_comes_before_a_limit_that_is_met() -> None:
    found = sf.report(survey(), released(), same_order=True, limits=["global_risk<=100"])
    assert headline(found).startswith("NOT safe against")


@pytest.mark.parametrize(
    ("limits", "k", "said"),
    [((), 4, "looks for a person: 4, as whoever"), (("k>=5",), None, "a person: 5, as the limit")],
)
def test_the_page_says_what_k_is_and_who_asked_for_it(limits: tuple[str, ...], k: int | None, said: str) -> None:
    found = sf.report(survey(), released(), same_order=True, limits=limits, k=k)
    assert said in str(found.sections[0].parts)


def test_an_untouched_column_that_is_the_same_for_everybody_is_none_that_tells_more() -> None:
    drawn = Variable(name="drawn", kind="continuous", role="other")
    schema = Schema(variables=(*survey().schema.variables, drawn))
    told = {}
    for name, values in (("same", pl.lit(100.0)), ("two", 100.0 + pl.int_range(pl.len()) % 2)):
        before, after = (
            Microdata(data.frame.with_columns(drawn=values), schema, data.row_ids) for data in (survey(), released())
        )
        told[name] = rows(sf.report(before, after, same_order=True))["Warning"]
    assert "drawn" not in told["same"]
    assert "drawn" in told["two"]
