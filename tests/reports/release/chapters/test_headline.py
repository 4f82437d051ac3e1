"""The headline on the keys: what was not counted, who is alone if it is known, and what no limit is on."""

import itertools

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.headline import WITH_HINTS, KnownBeside, known_beside_keys
from tests.keys.findings.test_person_side import firms, fits
from tests.reports.release.chapters.test_plain_verdict import headline
from tests.reports.release.surveys import made, released, survey


def alone(data: Microdata, names: tuple[str, ...]) -> int:
    """Count by comparing every record with every other; a gap fits every value."""
    rows = list(zip(*(data.frame[name].to_list() for name in names), strict=True))
    fits = np.zeros(len(rows), dtype=int)
    for one, other in itertools.product(range(len(rows)), repeat=2):
        pairs = zip(rows[one], rows[other], strict=True)
        fits[one] += all(left is None or right is None or left == right for left, right in pairs)
    return int((fits == 1).sum())


def test_who_is_alone_if_an_untouched_age_is_known_is_counted_record_by_record() -> None:
    count = alone(released(), ("sex", "town", "age"))
    assert 0 < count < released().n
    assert known_beside_keys(released(), ("sex", "town"), ("age",)) == KnownBeside(("age",), count)
    told = headline(made())
    assert "counted without age (Age in years), released unchanged" in told
    assert f"Whoever knows age (Age in years), too, finds {count} records of 240 alone." in told


def test_the_house_reads_at_once_how_many_hints_leave_with_few_records_and_everybody_that_there_are_some() -> None:
    data = firms()
    found = sf.protect(data, k=3, seed=1)
    assert found.side is not None
    inside, outside = (
        headline(sf.report(data, found.data, recipe=found.recipe, edition=one)) for one in ("internal", "public")
    )
    left = f"{found.side.persons} persons are left with fewer than 3 records that may be theirs"
    counted = f"{left}, {found.side.alone} of them with one, which is theirs."
    assert f"From a person to the records: somebody looks for one person among all records, and {counted}" in inside
    assert counted not in outside
    assert "From a record" not in outside
    assert all(WITH_HINTS in one for one in (inside, outside))


def test_a_limit_that_hints_break_is_told_as_broken_although_the_recipe_asked_for_less() -> None:
    data = firms()
    found = sf.protect(data, k=3, limits=["k>=3"], seed=1)
    told = {}
    for edition in ("internal", "public"):
        report = sf.report(data, found.data, recipe=found.recipe, limits=["k>=5"], edition=edition)
        assert (report["verdict/limits/k"].value or 0) >= 5
        assert not report.meets_limits
        told[edition] = headline(report)
        assert told[edition].startswith("The one limit set is NOT MET")
        assert WITH_HINTS in told[edition]
        assert "an acquaintance who knows a person's keys" in told[edition].partition("NOT safe against")[2]
    pairs = fits(data, found.data)  # records x persons
    persons, records = (int((pairs.sum(axis=axis) < 5).sum()) for axis in (0, 1))
    assert persons != records
    assert f"{persons} persons are left with fewer than 5 records that may be theirs" in told["internal"]
    assert f"at least {records} records are left with fewer than 5 persons who may have it" in told["internal"]
    assert "From a record" not in told["public"]


def test_everybody_reads_what_was_not_counted_and_no_count_of_the_alone() -> None:
    told = headline(made("public"))
    assert "counted without age (Age in years), released unchanged" in told
    assert "alone" not in told.replace("By the keys alone", "")


def test_numbers_that_nobody_knows_by_heart_are_not_counted_as_known() -> None:
    frame = pl.DataFrame({"sex": ["f", "m"] * 100, "score": np.linspace(0, 1, 200), "points": list(range(200))})
    data = Microdata(frame)
    assert known_beside_keys(data, ("sex",), ("score", "points")) == KnownBeside((), 0)
    few = Microdata(frame.with_columns(pl.col("points") // 40))
    assert known_beside_keys(few, ("sex",), ("score", "points")) == KnownBeside(("points",), 0)


def test_the_one_limit_is_named_and_what_it_is_silent_on() -> None:
    found = sf.report(survey(), released(), same_order=True, limits=["global_risk<=100"])
    assert headline(found).startswith(
        "The one limit set is met: mean risk of a record, at most 100 %. It says nothing on hints from other columns "
        "or exact numbers."
    )
    assert "nothing on exact numbers" in headline(made())  # a limit on k is held against hints, too


@pytest.mark.parametrize(
    ("limits", "k", "said"), [((), 4, "here 4, as whoever"), (("k>=5",), None, "here 5, as the limit")]
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
        told[name] = headline(sf.report(before, after, same_order=True))
    assert "drawn" not in told["same"]
    assert "drawn" in told["two"].partition("counted without")[2]
