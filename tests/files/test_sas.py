from datetime import date, datetime
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from sfumato.files import read
from sfumato.files.calendars import SAS


def test_a_transport_file_is_read_with_its_labels(tmp_path: Path) -> None:
    frame = pl.DataFrame(
        {
            "AGE": [34.0, None, 35.5],
            "NAME": ["Anna", "", "Jon"],
            "BORN": [date(1980, 1, 1), None, date(1999, 12, 31)],
            "SEEN": [datetime(2020, 1, 1, 12, 30), None, datetime(1950, 1, 1)],
        }
    )
    pyreadstat.write_xport(frame, tmp_path / "people.xpt", column_labels={"AGE": "Age in years"}, file_format_version=8)
    data = read(tmp_path / "people.xpt")
    assert data.frame.equals(frame.with_columns(NAME=pl.Series(["Anna", None, "Jon"])))
    assert data.schema["AGE"].label == "Age in years"
    assert data.schema["BORN"].kind == "date"


@pytest.mark.parametrize("display", ["DATE9", "DATE9.", "MMDDYY10.", "DDMMYYP10", "YYMMDD", "E8601DA10.", "MONYY7."])
def test_formats_of_dates_are_known(display: str) -> None:
    assert SAS.dates.fullmatch(display)
    assert not SAS.moments.fullmatch(display)


@pytest.mark.parametrize("display", ["DATETIME20.", "DATETIME22.3", "E8601DT19", "DTDATE9."])
def test_formats_of_date_times_are_known(display: str) -> None:
    assert SAS.moments.fullmatch(display)
    assert not SAS.dates.fullmatch(display)


@pytest.mark.parametrize("display", ["BEST12.", "F8.2", "DOLLAR12.2", "$20.", "", "MONTH2.", "YEAR4."])
def test_formats_of_numbers_are_no_dates(display: str) -> None:
    assert not SAS.counts(display)
