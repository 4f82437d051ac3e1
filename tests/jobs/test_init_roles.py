"""Roles that are proposed by names, or by what a column holds whatever its name says."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.data import Role
from sfumato.jobs.init import init


@pytest.mark.parametrize("name", ["ÖNACE", "state", "prefecture", "Rechtsform", "legal_form", "forme juridique"])
def test_what_others_know_of_a_firm_is_proposed_as_a_key(tmp_path: Path, name: str) -> None:
    employees = [one * one % 57 + 3 * one for one in range(100)]
    firms = {name: [*"ABCDE"] * 20, "Beschäftigte": employees, "headcount": employees[::-1]}
    pl.DataFrame(firms).write_csv(tmp_path / "firms.csv")
    schema = init(tmp_path / "firms.csv").schema
    assert {schema[one].role for one in firms} == {Role.KEY}


def test_the_number_of_a_file_that_couples_share_is_proposed_as_an_identifier(tmp_path: Path) -> None:
    home = [one // 2 for one in range(200)]
    couples = {
        "income_case": [f"13/{one * 37 % 101:05d}" for one in home],
        "district": [*("ABCDE"[one % 5] for one in home)],
        "rooms": [one * 7 % 9 for one in home],
        "score": [*range(7, 407, 2)],
    }
    pl.DataFrame(couples).write_csv(tmp_path / "couples.csv")
    found = init(tmp_path / "couples.csv")
    assert found.schema["income_case"].role is Role.IDENTIFIER
    assert any("a few records share each value" in remark for remark in found.remarks["income_case"])
