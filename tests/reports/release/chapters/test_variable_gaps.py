"""What a released variable lacks: one base for all gaps, and no category of few persons named to everybody."""

from collections.abc import Sequence

import numpy as np
import polars as pl

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release import ReleaseReport
from sfumato.reports.release.sections import WordTable
from tests.reports.release.chapters.test_plain_verdict import rows
from tests.reports.release.surveys import survey

N = 200


def original() -> Microdata:
    """Return persons of whom 20 live in Dell and 4 in Ely, and 30 did not say whether they work."""
    rng = np.random.default_rng(5)
    towns = ["Aston"] * 176 + ["Dell"] * 20 + ["Ely"] * 4
    work = [None] * 30 + rng.choice(["yes", "no"], N - 30).tolist()
    frame = pl.DataFrame({"town": towns, "work": work, "pay": rng.lognormal(7, 0.5, N)})
    data = Microdata(frame)
    return data.with_schema(data.schema.with_kinds(nominal=["town", "work"]).with_roles(key=["town", "work"]))


def released(town: Sequence[str | None], work: Sequence[str | None]) -> Microdata:
    data = original()
    frame = data.frame.with_columns(town=pl.Series(town), work=pl.Series(work))
    return Microdata(frame, data.schema)


def fates(report: ReleaseReport) -> dict[str, str]:
    section = next(one for one in report.sections if one.key == "contents")
    table = next(one for one in section.parts if isinstance(one, WordTable) and one.title == "Variables")
    return {row[0]: row[-1] for row in table.rows}


def report(town: Sequence[str | None], work: Sequence[str | None], edition: str) -> dict[str, str]:
    found = sf.report(original(), released(town, work), edition=edition, same_order=True, k=3)
    return fates(found)


def test_values_taken_out_are_counted_in_percent_of_the_records() -> None:
    frame = original().frame
    town = [None if place < 10 else one for place, one in enumerate(frame["town"].to_list())]
    for edition in ("internal", "public"):
        found = report(town, frame["work"].to_list(), edition)
        assert found["town"].startswith("taken out in 5 % of the records")
        assert found["work"] == "as it was; gaps in 15 % of the records, in the original too"


def test_gaps_of_the_original_that_show_a_value_are_told_with_what_was_lost() -> None:
    frame = original().frame
    work = ["yes" if place < 20 else one for place, one in enumerate(frame["work"].to_list())]
    for edition in ("internal", "public"):
        told = report(frame["town"].to_list(), work, edition)["work"]
        assert "gaps of the original show a value in 10 % of the records" in told
        page = sf.report(original(), released(frame["town"].to_list(), work), edition=edition, same_order=True, k=3)
        assert "records with a gap in the original show a value in work" in rows(page)["Lost"].replace(
            "Records", "records"
        )


def test_gaps_of_both_kinds_are_told_apart() -> None:
    frame = original().frame
    work = [None if place < 50 else one for place, one in enumerate(frame["work"].to_list())]
    found = report(frame["town"].to_list(), work, "internal")
    assert "taken out in 10 % of the records" in found["work"]
    assert "gaps in 25 % of the records, with those of the original" in found["work"]


def test_everybody_is_told_of_categories_that_many_had_and_not_of_those_of_few() -> None:
    frame = original().frame
    town = ["Aston" for _ in frame["town"]]
    inside, outside = (report(town, frame["work"].to_list(), edition)["town"] for edition in ("internal", "public"))
    assert "no released record has Dell, Ely" in inside
    assert "no released record has Dell" in outside
    assert "Ely" not in outside


def test_everybody_cannot_count_a_few_gaps_of_the_original_by_what_was_taken_out() -> None:
    """The release shows all its gaps: with the number that were made, the rest would be that of the original."""
    few = original().frame.with_columns(work=pl.Series([None] * 2 + ["yes"] * 98 + ["no"] * 100))
    before = Microdata(few, original().schema)
    after = Microdata(few.with_columns(work=pl.Series([None] * 12 + ["yes"] * 88 + ["no"] * 100)), before.schema)
    told = fates(sf.report(before, after, edition="public", same_order=True, k=3))["work"]
    assert told.startswith("taken out in at most 6 % of the records")
    assert "5 %" not in told


def test_rounding_of_decimals_is_not_called_protection() -> None:
    data = original()
    recipe = sf.Recipe(steps=[sf.Mdav(columns=("pay",), k=3), sf.Rounding(columns=("pay",), base=0.01)], seed=1)
    words = fates(sf.report(data, recipe.run(data), recipe=recipe))["pay"]
    assert "decimals were rounded off, which protects nothing" in words
    assert "and rounding" not in words


def test_each_method_stands_beside_what_it_did() -> None:
    data = survey()
    steps = [
        sf.Recoding(columns=("town",), map={"Dell": "elsewhere", "Ely": "elsewhere"}, keeps_others=True),
        sf.LocalSuppression(columns=("sex", "town"), k=13),
    ]
    recipe = sf.Recipe(steps=steps, seed=1)
    masked = recipe.run(data)
    assert masked.frame["town"].null_count()
    sections = sf.report(data, masked, recipe=recipe, edition="public").sections
    parts = next(one for one in sections if one.key == "contents").parts
    rows = [row for part in parts if isinstance(part, WordTable) for row in part.rows]
    told = next(row[-1] for row in rows if row[0] == "town")
    before, now, after = told.split("; ")
    assert before == "recoded: 5 categories became 4"
    assert now == "now Aston, Brill, Corby, elsewhere, by recoding"
    assert after.startswith("taken out in ")
    assert after.endswith(", by local suppression")
