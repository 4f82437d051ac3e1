"""Amounts of one person that a synthetic file shows, too, are counted beside those of the control."""

import numpy as np
import polars as pl
import pytest

import sfumato as sf
from sfumato.data import Microdata
from sfumato.reports.release import ReleaseReport
from tests.reports.release.chapters.test_plain_verdict import rows


def drawn(edition: str = "internal", *, copies: bool = False) -> tuple[ReleaseReport, list[Microdata]]:
    """Return the report on a synthetic file of 60 of 120 persons, whose pay it may show as it was."""
    rng = np.random.default_rng(4)
    numbers = {name: np.round(rng.lognormal(6, 1, 120), 1) for name in ("pay", "rent", "loan")}
    data = Microdata(pl.DataFrame({"sex": rng.choice(["f", "m"], 120).tolist(), **numbers}))
    data = data.with_schema(data.schema.with_roles(key=["sex"], confidential=["pay", "rent", "loan"]))
    halves = data.take_rows(np.arange(0, 120, 2)), data.take_rows(np.arange(1, 120, 2))
    recipe = sf.Recipe(steps=[sf.SequentialSynthesis(columns=data.schema.names)], seed=2)
    made = recipe.run(halves[0])
    if copies:
        made = Microdata(made.frame.with_columns(halves[0].frame["pay"]), made.schema, made.row_ids)
    return sf.report(halves[0], made, recipe=recipe, control=halves[1], edition=edition), [*halves, made]


@pytest.mark.parametrize("copies", [False, True])
def test_the_shares_are_those_of_an_independent_count(copies: bool) -> None:
    report, files = drawn(copies=copies)
    pays = [file.frame["pay"].to_list() for file in files]
    single = [pay for pay in pays[0] + pays[1] if (pays[0] + pays[1]).count(pay) == 1]
    for part, own in zip(("file", "control"), pays, strict=False):
        amounts = [pay for pay in own if pay in single]
        back = 100 * sum(pay in pays[2] for pay in amounts) / len(amounts)
        assert report[f"risk/own_amounts/pay/{part}"].value == pytest.approx(back)
    assert copies == (report["risk/own_amounts/pay/file"].value == 100)


def test_everybody_reads_them_in_steps_beside_what_is_promised() -> None:
    inside, outside = (rows(drawn(edition, copies=True)[0])["Promised"] for edition in ("internal", "public"))
    assert "as a whole" in inside
    assert "up to 100 % of a column come back (pay, of those of the control, by chance, 0 %)" in inside
    assert "up to 100 % of a column come back" in outside
