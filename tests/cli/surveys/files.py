"""Survey files as others make them, each awkward in its own way, written and read without Sfumato.

All hold the same kind of people. `score` is unique and released as it is, so that the tests can tell who is who; nobody
should do so outside.
"""

import csv
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import fastexcel
import numpy as np
import pandas as pd
import polars as pl
import pyreadstat
import xlsxwriter

Columns = dict[str, list[Any]]

KEYS = ("region", "sex", "age", "born")
REFUSED, UNKNOWN = 99, -9
REGIONS, SEXES = {36: "North", 62: "South", 96: "Isles"}, {1: "male", 2: "female"}
LABELS: Mapping[str, dict[Any, str]] = {
    "region": REGIONS,
    "sex": SEXES,
    "age": {REFUSED: "Refused"},
    "income": {UNKNOWN: "Don't know"},
}
TITLES: dict[str, str | None] = {"age": "Age in years", "income": "Yearly income"}
COLUMNS = ("person_id", "hid", "region", "sex", "age", "income", "born", "weight", "score")


def people(seed: int, n: int = 120) -> Columns:
    """Return people in households; those who did not tell have the codes `REFUSED` and `UNKNOWN`."""
    rng = np.random.default_rng(seed)
    age = rng.integers(16, 81, n)
    born = [
        date(2024 - int(years), 1, 1) + timedelta(int(days))
        for years, days in zip(age, rng.integers(365, size=n), strict=True)
    ]
    income = rng.lognormal(9, 0.8, n).round() + 500
    return {
        "person_id": [f"P{number:05d}" for number in rng.permutation(n)],
        "hid": (70_000 + np.sort(rng.integers(0, n // 3, n))).tolist(),
        "region": rng.choice(list(REGIONS), n).tolist(),
        "sex": rng.integers(1, 3, n).tolist(),
        "age": np.where(np.arange(n) % 23 == 5, REFUSED, age).tolist(),
        "income": np.where(np.arange(n) % 17 == 3, UNKNOWN, income).astype(int).tolist(),
        "born": born,
        "weight": (20 + 380 * rng.random(n)).round(3).tolist(),
        "score": (np.arange(n) * 0.25 + 0.125)[rng.permutation(n)].tolist(),
    }


@dataclass(frozen=True)
class Survey:
    """A kind of survey file.

    Parameters
    ----------
    name
        The file's name.
    write
        Writes people to a path.
    read
        Reads a file of this kind: its columns, None where a cell is empty.
    options
        What a steward adds to `sfumato init`, who knows the file.
    missing
        The cells that stand for no answer, by column, as `read` gives them; an empty cell is one everywhere.
    is_labelled
        Whether the format has labels.
    """

    name: str
    write: Callable[[Path, Columns], None]
    read: Callable[[Path], Columns]
    options: tuple[str, ...] = ()
    missing: Mapping[str, Sequence[Any]] = field(default_factory=lambda: {"age": (REFUSED,), "income": (UNKNOWN,)})
    is_labelled: bool = False

    def __str__(self) -> str:
        return self.name


def text_file(
    *,
    separator: str = ",",
    decimal: str = ".",
    thousands: str = "",
    encoding: str = "utf-8",
    day: str = "%Y-%m-%d",
    ending: str = "\n",
) -> dict[str, Any]:
    """Return how a text file is written and read; `thousands` stands in incomes."""

    def cell(value: Any) -> str:
        if value is None:
            return ""
        if isinstance(value, date):
            return value.strftime(day)
        return str(value).replace(".", decimal) if isinstance(value, float) else str(value)

    def write(path: Path, columns: Columns) -> None:
        with path.open("w", encoding=encoding, newline="") as file:
            writer = csv.writer(file, delimiter=separator, lineterminator=ending)
            writer.writerow(columns)
            cells = {name: [cell(value) for value in values] for name, values in columns.items()}
            cells["income"] = [f"{value:,}".replace(",", thousands) for value in columns["income"]]
            writer.writerows(zip(*cells.values(), strict=True))

    def read(path: Path) -> Columns:
        with path.open(encoding=encoding, newline="") as file:
            text = file.read()
        assert ending == "\r\n" or "\r" not in text
        rows = list(csv.reader(text.splitlines(), delimiter=separator))
        assert all(len(row) == len(rows[0]) for row in rows)
        found = dict(zip(rows[0], map(list, zip(*rows[1:], strict=True)), strict=True))
        if thousands:
            assert all(re.fullmatch(rf"-?\d{{1,3}}([{thousands}]\d{{3}})*", cell) for cell in found["income"])
            found["income"] = [cell.replace(thousands, "") for cell in found["income"]]
        return {name: [_number(value, decimal) for value in values] for name, values in found.items()}

    return {"write": write, "read": read}


def _number(text: str, decimal: str) -> Any:
    """Return a cell as the number that it writes, if it does, without leading zeros; none if it is empty."""
    if not text or (len(text) > 1 and text[0] == "0" and text[1].isdigit()):
        return text or None
    try:
        number = float(text.replace(decimal, "."))
    except ValueError:
        return text
    assert decimal == "." or "." not in text, "a decimal point in a file with decimal commas"
    return number


def _frame(columns: Columns) -> pl.DataFrame:
    return pl.DataFrame(columns, strict=False)


def spss(*, declared: Mapping[str, list[Any]], labels: Mapping[str, dict[Any, str]] = LABELS) -> dict[str, Any]:
    """Return how a file of SPSS is written, with what it declares missing, and read."""

    def write(path: Path, columns: Columns) -> None:
        pyreadstat.write_sav(
            _frame(columns),
            str(path),
            column_labels=TITLES,
            variable_value_labels=dict(labels),
            missing_ranges=dict(declared),
            compress=path.suffix == ".zsav",
        )

    def read(path: Path) -> Columns:
        frame, _ = pyreadstat.read_sav(str(path), user_missing=True, output_format="dict")
        return {name: _plain(values) for name, values in frame.items()}

    return {"write": write, "read": read, "is_labelled": True}


def stata(path: Path, columns: Columns) -> None:
    """Write a file of Stata in which who did not tell has the missing values .a and .b, labelled."""
    coded = {
        **columns,
        "age": ["a" if value == REFUSED else value for value in columns["age"]],
        "income": ["b" if value == UNKNOWN else value for value in columns["income"]],
    }
    frame = pd.DataFrame(
        {name: pd.Series(values, dtype=object if name in ("age", "income") else None) for name, values in coded.items()}
    )
    letters: dict[str, dict[Any, str]] = {"age": {"a": "Refused"}, "income": {"b": "Don't know"}}
    pyreadstat.write_dta(
        frame,
        str(path),
        column_labels=TITLES,
        variable_value_labels={**LABELS, **letters},
        missing_user_values={"age": ["a"], "income": ["b"]},
    )


def read_stata(path: Path) -> Columns:
    frame, _ = pyreadstat.read_dta(str(path), user_missing=True, output_format="dict")
    return {name: _plain(values) for name, values in frame.items()}


def stata_codes(path: Path, columns: Columns) -> None:
    """Write a file of Stata in which labelled numbers stand for no answer, which Stata knows nothing of."""
    pyreadstat.write_dta(_frame(columns), str(path), column_labels=TITLES, variable_value_labels=dict(LABELS))


def write_excel(path: Path, columns: Columns) -> None:
    with xlsxwriter.Workbook(path, {"default_date_format": "yyyy-mm-dd"}) as book:
        sheet = book.add_worksheet()
        for place, (name, values) in enumerate(columns.items()):
            sheet.write_column(0, place, [name, *values])


def read_excel(path: Path) -> Columns:
    return fastexcel.read_excel(path).load_sheet(0).to_polars().to_dict(as_series=False)


def write_parquet(path: Path, columns: Columns) -> None:
    """Write with empty cells for no answer, dictionaries of words and decimals."""
    frame = _frame(columns).with_columns(
        pl.col("age").replace(REFUSED, None).cast(pl.Int8),
        pl.col("income").replace(UNKNOWN, None).cast(pl.Decimal(12, 2)),
        pl.col("sex").replace_strict(SEXES).cast(pl.Categorical),
    )
    frame.write_parquet(path)


def write_arrow(path: Path, columns: Columns) -> None:
    _frame(columns).with_columns(pl.col("region").cast(pl.String).cast(pl.Enum(["36", "62", "96"]))).write_ipc(path)


def write_postal(path: Path, columns: Columns) -> None:
    """Write postal codes with leading zeros for regions, quoted, as spreadsheets do."""
    codes = [f"0{code}0{code % 7}" for code in columns["region"]]
    text_file(encoding="utf-8-sig", ending="\r\n")["write"](path, {**columns, "region": codes})


def write_umlauts(path: Path, columns: Columns) -> None:
    """Write words of another language in an older encoding, with commas for points and points between thousands."""
    words = {36: "Süd", 62: "Köln-Mülheim", 96: "Übersee"}
    text_file(separator=";", decimal=",", thousands=".", encoding="cp1252", day="%d.%m.%Y")["write"](
        path, {**columns, "region": [words[code] for code in columns["region"]]}
    )


def write_ambiguous(path: Path, columns: Columns) -> None:
    """Write dates whose days are all below 13, so that nobody can tell days from months."""
    days = [day.replace(day=day.day % 12 + 1) for day in columns["born"]]
    text_file(day="%d/%m/%Y")["write"](path, {**columns, "born": days})


def write_scale(path: Path, columns: Columns) -> None:
    """Write codes of three digits for no answer, far outside what else is there, separated by tabs."""
    age = [998 if value == REFUSED else value for value in columns["age"]]
    text_file(separator="\t")["write"](path, {**columns, "age": age})


def _plain(values: Any) -> list[Any]:
    """Return the cells as Python has them, none for what is not a number."""
    found = [value.item() if isinstance(value, np.generic) else value for value in values]
    return [None if isinstance(value, float) and np.isnan(value) else value for value in found]


EMPTY: Mapping[str, Sequence[Any]] = {"age": (), "income": ()}
SURVEYS = (
    Survey("declared.sav", **spss(declared={"age": [REFUSED], "income": [UNKNOWN]})),
    Survey("labelled_only.sav", **spss(declared={})),
    Survey("range.zsav", **spss(declared={"age": [REFUSED], "income": [{"lo": -99, "hi": -1}]})),
    Survey("extended.dta", stata, read_stata, missing={"age": ("a",), "income": ("b",)}, is_labelled=True),
    Survey("codes.dta", stata_codes, read_stata, is_labelled=True),
    Survey(
        "umlauts.csv", write_umlauts, text_file(separator=";", decimal=",", thousands=".", encoding="cp1252")["read"]
    ),
    Survey("postal.csv", write_postal, text_file(encoding="utf-8-sig", ending="\r\n")["read"]),
    Survey("ambiguous.csv", write_ambiguous, text_file()["read"], ("--date-format", "dd/mm/yyyy")),
    Survey("scale.txt", write_scale, text_file(separator="\t")["read"], missing={"age": (998,), "income": (UNKNOWN,)}),
    Survey("sheet.xlsx", write_excel, read_excel),
    Survey("words.parquet", write_parquet, lambda path: pl.read_parquet(path).to_dict(as_series=False), missing=EMPTY),
    Survey("ordered.arrow", write_arrow, lambda path: pl.read_ipc(path).to_dict(as_series=False)),
)
