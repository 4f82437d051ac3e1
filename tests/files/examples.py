"""Frames and schemas that several tests of this room use."""

from datetime import date, datetime, time
from pathlib import Path

import polars as pl

from sfumato.data import Kind, Microdata, Schema, Variable
from sfumato.files import read

AWKWARD = pl.DataFrame(
    {
        "whole": [1, -2, None, 2_000_000_000_000],
        "decimal": [1.5, None, -0.1, 3e-7],
        "text": ["plain", None, 'a "quoted",\nbroken; line\t|', "Grüße, Łódź, 日本, 🎨"],
        "postcode": ["007", "01234", None, "99999"],
        "truth": [True, None, False, True],
        "day": [date(2020, 2, 29), None, date(1950, 1, 1), date(9999, 12, 31)],
        "moment": [datetime(2020, 2, 29, 23, 59, 59, 123_000), None, datetime(1950, 1, 1), datetime(2000, 1, 1, 12)],
        "clock": [time(0), None, time(23, 59, 59), time(1, 2, 3)],
        "nothing": [None, None, None, None],
        "größe_日本": [10, 20, 30, 40],
    },
    schema_overrides={"nothing": pl.String},
)

LABELLED = pl.DataFrame(
    {
        "sex": [1, 2, 2, 1, 9],
        "income": [1200.5, -8.0, 3000.0, -9.0, None],
        "health": [1, 2, 3, 3, 2],
        "answer": ["yes", "no", "DK", "no", None],
        "born": [date(1980, 1, 1), None, date(1990, 5, 5), date(2000, 12, 31), date(1999, 1, 1)],
    }
)

LABELS = Schema(
    variables=(
        Variable(
            name="sex",
            kind=Kind.NOMINAL,
            label="Geschlecht der Person",
            value_labels={1: "männlich", 2: "weiblich", 9: "keine Angabe"},
            missing_codes=(9,),
        ),
        Variable(name="income", kind=Kind.CONTINUOUS, label="Monthly income", missing_ranges=((-9.0, -8.0),)),
        Variable(name="health", kind=Kind.ORDINAL, value_labels={1: "bad", 2: "fair", 3: "good"}),
        Variable(name="answer", kind=Kind.NOMINAL, value_labels={"yes": "Yes!", "no": "No!"}, missing_codes=("DK",)),
        Variable(name="born", kind=Kind.DATE, label="Date of birth"),
    )
)

WRITABLE = (".csv", ".txt", ".tsv", ".csv.gz", ".parquet", ".arrow", ".feather", ".xlsx", ".sav", ".zsav", ".dta")
TEXT = (".csv", ".txt", ".tsv", ".csv.gz")
EXACT = (".parquet", ".arrow", ".feather")
CODED = (".sav", ".zsav", ".dta")


def labelled() -> Microdata:
    """Return records with labels, missing codes and roles."""
    return Microdata(LABELLED, LABELS.with_roles(key=["sex"], confidential=["income"]))


def written(path: Path, text: str | bytes) -> Path:
    """Write a small file and return its path."""
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def without_schema(path: Path) -> Microdata:
    """Read a file without the schema beside it."""
    return read(path, Schema(variables=()))
