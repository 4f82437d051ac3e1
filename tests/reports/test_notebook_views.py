"""What a notebook shows of data, recipes and results: short, and nothing secret."""

from collections.abc import Callable
from typing import Any

import polars as pl
import pytest

import sfumato as sf
from sfumato import tables
from tests.reports.release.surveys import RECIPE, made, released, survey


def test_data_show_their_columns_and_no_value() -> None:
    shown = survey()._repr_html_()
    assert "Town of residence" in shown
    assert not [town for town in survey().frame["town"].unique() if town in shown]
    assert str(survey().frame["income"][0]) not in shown


def test_a_recipe_shows_its_steps_and_not_its_seed() -> None:
    for shown in (RECIPE._repr_html_(), repr(RECIPE)):
        assert str(RECIPE.seed) not in shown
    assert "rank_swapping: income, rent" in RECIPE._repr_html_()


@pytest.mark.parametrize("name", ["assessment", "risk report", "release report", "risk table"])
def test_results_come_as_dataframes_of_both_kinds(name: str) -> None:
    risk = sf.risk_report(survey())
    results: dict[str, Callable[[], Any]] = {
        "assessment": lambda: sf.assess(survey(), released(), worst_case=False),
        "risk report": lambda: risk,
        "release report": made,
        "risk table": lambda: risk.variables,
    }
    result = results[name]()
    assert isinstance(result.to_polars(), pl.DataFrame)
    assert list(result.to_pandas().columns) == result.to_polars().columns
    assert len(result.to_pandas()) == result.to_polars().height
    assert len(result._repr_html_()) < 30_000


def test_an_audit_is_shown_too() -> None:
    cells = {"town": ["A", "A", "A", "B", "B", "B", "B"], "pay": [900, 3, 2, 40, 50, 60, 70]}
    table = tables.Table.from_records(pl.DataFrame(cells), {"town": None}, "pay")
    protected = tables.protect(table, tables.OptimalSuppression(), rule=tables.PPercent(p=10))
    assert "Audit of" in protected.audit()._repr_html_()
    assert protected.audit().to_pandas().shape[0] == protected.audit().to_frame().height
