"""Numbers with marks between their thousands: read as what they are, asked about where in doubt, written back."""

from pathlib import Path

import polars as pl
import pytest

from sfumato.errors import FileError
from sfumato.files import ReadOptions, read, read_with_dialect
from sfumato.files.text import csv
from sfumato.files.text.number_cells import laid_out_text
from sfumato.files.write_options import NumberLayout
from sfumato.jobs.describe import describe
from sfumato.jobs.mask import mask
from sfumato.masking import IndividualRanking
from sfumato.recipe import Recipe

NUMBERS = [1709.91, 812.5, -23_400.0, 0.0, 2_300_000.07]


def written(path: Path, text: str, encoding: str = "utf-8") -> Path:
    path.write_bytes(text.encode(encoding))
    return path


def spell(number: float, thousands: str, decimal: str) -> str:
    """Write a number with two decimals, digit by digit."""
    digits, fraction = f"{abs(number):.2f}".split(".")
    groups: list[str] = []
    while digits:
        digits, group = digits[:-3], digits[-3:]
        groups.insert(0, group)
    return f"{'-' if number < 0 else ''}{thousands.join(groups)}{decimal}{fraction}"


@pytest.mark.parametrize(
    ("thousands", "decimal"),
    [(".", ","), (" ", ","), ("\u00a0", ","), ("\u202f", ","), ("'", "."), (",", "."), ("\u2019", ".")],
)
@pytest.mark.parametrize("separator", [";", "\t", ","])
def test_marks_between_thousands_are_read_and_written_back_as_they_were(
    tmp_path: Path, thousands: str, decimal: str, separator: str
) -> None:
    cells = [spell(number, thousands, decimal) for number in NUMBERS]
    quoted = [f'"{cell}"' if separator in cell else cell for cell in cells]
    text = f"town{separator}pay\n" + "".join(f"A{separator}{cell}\n" for cell in quoted)
    data, dialect = read_with_dialect(written(tmp_path / "pay.csv", text), ReadOptions())
    assert data.frame["pay"].to_list() == NUMBERS
    back = csv.to_bytes(data.frame, dialect).decode()
    usual = {"\u00a0": " ", "\u202f": " ", "\u2019": "'"}.get(thousands, thousands)
    assert back == text.replace(thousands, usual) if thousands != decimal else back == text


def test_whole_numbers_with_marks_are_integers_and_are_written_back(tmp_path: Path) -> None:
    text = "pay;rate\n1.709;0,5\n12.345.678;1,5\n90;2,5\n"
    data, dialect = read_with_dialect(written(tmp_path / "pay.csv", text), ReadOptions())
    assert data.frame["pay"].to_list() == [1709, 12_345_678, 90]
    assert data.frame["pay"].dtype == pl.Int64
    assert csv.to_bytes(data.frame, dialect).decode() == text


@pytest.mark.parametrize("cells", [["1.709", "2.345", "12"], ["1,709", "12,345"]])
def test_numbers_that_can_be_read_in_two_ways_are_asked_about(tmp_path: Path, cells: list[str]) -> None:
    path = written(tmp_path / "pay.csv", "town;pay\n" + "".join(f"A;{cell}\n" for cell in cells))
    with pytest.raises(
        FileError, match=r"the numbers of pay can be read in two ways.*say which mark is the decimal one"
    ):
        read(path)
    mark = cells[0][1]
    other = {".": ",", ",": "."}[mark]
    assert read(path, decimal=mark).frame["pay"].to_list() == [float(cell.replace(",", ".")) for cell in cells]
    assert read(path, decimal=other).frame["pay"].to_list() == [int(cell.replace(mark, "")) for cell in cells]


def test_another_column_tells_which_mark_is_the_decimal_one(tmp_path: Path) -> None:
    assert read(written(tmp_path / "a.csv", "x;y\n1.709;0,5\n")).frame.row(0) == (1709, 0.5)
    assert read(written(tmp_path / "b.csv", "x;y\n1.709;0.5\n")).frame.row(0) == (1.709, 0.5)


def test_in_a_file_separated_by_commas_the_point_is_presumed_and_said_to_be(tmp_path: Path) -> None:
    path = written(tmp_path / "a.csv", 'x,y,z\n1.709,"1,709",0\n2.345,"12,345",0\n')
    assert read(path).frame.rows() == [(1.709, 1709, 0), (2.345, 12_345, 0)]
    doubts = {column.name: column.doubt for column in describe(path).columns}
    assert "if the point stands between thousands" in str(doubts["x"])
    assert "its commas were taken to stand between thousands" in str(doubts["y"])


@pytest.mark.parametrize("number", ["732 829 320", "12 345 678 901", "12.345.678"])
def test_numbers_of_persons_and_firms_in_groups_stay_text(tmp_path: Path, number: str) -> None:
    other = number[:-1] + "7"
    frame = read(written(tmp_path / "a.csv", f"x;y\n{number};0,5\n{other};1,5\n")).frame
    assert frame["x"].to_list() == [number, other]


@pytest.mark.parametrize(
    "cells", [["1.70,5", "2.345,5"], ["1.2345,0", "0,5"], ["1.234.56", "5.0"], ["01.234,5", "1,5"]]
)
def test_marks_in_other_places_are_no_numbers(tmp_path: Path, cells: list[str]) -> None:
    path = written(tmp_path / "a.csv", "x;y\n" + "".join(f"{cell};0,5\n" for cell in cells))
    assert read(path).frame["x"].to_list() == cells


def test_text_that_is_numbers_but_for_a_few_cells_is_said_to_be(tmp_path: Path) -> None:
    amounts = [spell(800 + 13.37 * place, ".", ",") for place in range(40)]
    rows = "".join(f"{cell};0,5\n" for cell in [*amounts, "k.A.", "rd. 2 Mio"])
    (pay, rate) = describe(written(tmp_path / "a.csv", f"pay;rate\n{rows}")).columns
    assert "all but 2 of its different texts look like numbers: correct the others" in str(pay.doubt)
    assert rate.doubt is None


def test_a_decimal_comma_beside_points_in_other_columns_is_told(tmp_path: Path) -> None:
    rows = "".join(f'"{spell(800 + 13.37 * place, ".", ",")}",{place}.25\n' for place in range(40))
    (pay, rate) = describe(written(tmp_path / "a.csv", f"pay,rate\n{rows}")).columns
    assert "its numbers have a comma before decimals and those of other columns have none" in str(pay.doubt)
    assert rate.doubt is None


@pytest.mark.parametrize(
    "cells", [["01.11", "47.19", "62.01"], ["A1", "B2"], ["10", "20", "x"], ["10-20", "1,5", "2,5"]]
)
def test_codes_in_text_are_not_said_to_be_numbers(tmp_path: Path, cells: list[str]) -> None:
    path = written(tmp_path / "a.csv", "x;y\n" + "".join(f"{cell};0\n" for cell in cells * 12))
    assert "look like numbers" not in str(describe(path).columns[0].doubt)


def test_a_masked_column_has_the_decimals_and_marks_of_the_original(tmp_path: Path) -> None:
    amounts = [spell(800 + 1313.37 * place, ".", ",") for place in range(20)]
    hours = [f"{place / 4}".replace(".", ",") for place in range(20)]
    rows = [f"{pay};{time}\n" for pay, time in zip(amounts, hours, strict=True)]
    path = written(tmp_path / "a.csv", "pay;hours\n" + "".join(rows))
    recipe = Recipe(steps=[IndividualRanking(columns=["pay", "hours"], k=3)], keep_order=True)
    mask(path, recipe, tmp_path / "masked.csv")
    masked = [line.split(";") for line in (tmp_path / "masked.csv").read_text().splitlines()[1:]]
    pay = [float(cell.replace(".", "").replace(",", ".")) for cell, _ in masked]
    assert [cell for cell, _ in masked] == [spell(number, ".", ",") for number in pay]
    assert pay[:3] == [pytest.approx(sum(800 + 1313.37 * place for place in range(3)) / 3, abs=0.005)] * 3
    assert all(len(cell.partition(",")[2]) <= 2 for _, cell in masked)
    assert sum(pay) == pytest.approx(sum(800 + 1313.37 * place for place in range(20)), abs=20 * 0.005)


def test_rounding_makes_no_number_a_code_for_no_answer() -> None:
    frame = pl.DataFrame({"x": [-9.0, -9.004, -8.996, 3.14159, None, 1e17]})
    cells = frame.select(laid_out_text(pl.col("x"), NumberLayout(2), ".", codes=[-9.0])).to_series().to_list()
    assert cells == ["-9", "-9.004", "-8.996", "3.14", None, "1e+17"]
