"""Who is alone for somebody who also knows how many persons live in the household."""

from collections import Counter

import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata, Schema, Variable
from sfumato.reports.release.chapters.judging.judged_by_keys import WITH_SIZE
from sfumato.reports.release.chapters.judging.standing import Standing
from tests.reports.release.chapters.test_headline import alone_from_both_sides
from tests.reports.release.chapters.test_plain_verdict import headline, rows

SIZES = [1, 1, 2, 2, 3, 4, 5, 2, 3, 1]


def homes() -> Microdata:
    home = [f"h{number}" for number, size in enumerate(SIZES) for _ in range(size)]
    sex = ["f", "m"] * (len(home) // 2)
    variables = (
        Variable(name="home", kind="nominal", role="household"),
        Variable(name="sex", kind="nominal", role="key"),
    )
    return Microdata(pl.DataFrame({"home": home, "sex": sex}), Schema(variables=variables))


def sized(data: Microdata) -> Microdata:
    homes_of = data.frame["home"].to_list()
    counts = Counter(homes_of)
    return Microdata(data.frame.with_columns(size=pl.Series([str(counts[one]) for one in homes_of])))


def test_the_house_reads_how_many_are_alone_by_the_size_of_their_household() -> None:
    data = homes()
    count = alone_from_both_sides(sized(data), sized(data), ("sex", "size"))
    assert count.any > 0
    told = rows(sf.report(data, data, same_order=True))
    line = told[Standing.NOT_SAFE].partition(WITH_SIZE)[2]
    assert f"{count.records} record" in line
    assert "for somebody who also knows the number of persons in the household." not in told["Warning"]  # said once


@pytest.mark.parametrize("edition", ["internal", "public"])
def test_a_file_is_not_safe_against_an_acquaintance_who_is_alone_by_the_size_of_the_household(edition: str) -> None:
    data = homes()
    count = alone_from_both_sides(sized(data), sized(data), ("sex", "size"))
    report = sf.report(data, data, same_order=True, edition=edition)
    told = rows(report)[Standing.NOT_SAFE].partition(WITH_SIZE)[2]
    assert "who also knows how many live in the household" in headline(report).partition("NOT safe against")[2]
    if edition == "internal":
        assert f"{count.persons} person" in told
        assert f"{count.records} record" in told
    else:
        assert "is left with fewer than 3 records of some persons" in told


def test_everybody_reads_no_count_of_it_nor_does_a_file_without_households_tell_it() -> None:
    data = homes()
    public = rows(sf.report(data, data, same_order=True, edition="public"))
    assert "left with one record" not in str(public)
    alone = data.take_columns(("sex",))
    assert "persons in the household" not in str(rows(sf.report(data, alone, same_order=True)))


def test_a_size_that_the_release_shows_wrongly_tells_nobody() -> None:
    data = homes()
    frame = data.frame.with_columns(pl.Series("home", [f"n{row // 2}" for row in range(data.n)]))
    mixed = Microdata(frame, data.schema, data.row_ids)
    told = str(rows(sf.report(data, mixed)))
    assert "persons in the household" not in told
    assert WITH_SIZE not in told
