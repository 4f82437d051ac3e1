from collections.abc import Callable
from pathlib import Path

import numpy as np
import polars as pl

from sfumato.datasets import demo
from tests.cli.commands import Ran


def test_totals_and_conditions_can_be_given_on_the_command_line(tmp_path: Path, sfumato: Callable[..., Ran]) -> None:
    source = tmp_path / "people.csv"
    people = demo(300).frame.select("household_id", "person_id", "age", "wage_income", "transfer_income")
    people.with_columns(total=pl.col("wage_income") + pl.col("transfer_income")).write_csv(source)
    ran = sfumato(
        *("synthesise", source, "-o", tmp_path / "made.csv", "--household", "household_id"),
        *("--identifier", "person_id", "--formula", "total=wage_income + transfer_income", "--condition", "age < 70"),
        *("--model", "wage_income=pmm", "-m", "2", "--records", "100", "--label", "made"),
    )
    assert ran.code == 0, ran.err
    made = pl.read_csv(tmp_path / "made.csv")
    assert (made["age"] < 70).all()
    assert (made["label"] == "made").all()
    households = round(100 * people["household_id"].n_unique() / 300)
    assert made.group_by("release").agg(pl.col("household_id").n_unique())["household_id"].to_list() == [households] * 2
    parts = (made["wage_income"] + made["transfer_income"]).to_numpy()
    assert np.array_equal(parts, made["total"].to_numpy(), equal_nan=True)
