import zlib
from base64 import b64decode
from datetime import date, datetime
from pathlib import Path

import polars as pl
import pyreadstat
import pytest

from sfumato.files import read
from sfumato.files.labelled.calendars import SAS
from sfumato.files.labelled.pyreadstat_files import LETTER_CODES
from tests.files.examples import written

FOUR_RECORDS = (  # made for this test with the library under pyreadstat, which alone can write such files; packed
    "eNpjYECAQ68aEzaLCJ7fO4mDgfO4YY+EvICgsRKDsTEjkyEjRIkIAwMzI4q4MaOyMYOICIMCMyPMnGDHYAU3Tx9XF8cQx2DXEAVcgIEAAOmHqT"
    "MTT10cU3TfEUZjKBaAYEY0YUs9AxMDQ19Tn8y80gokcWM9QwM9A11DQzMDPUNDPUN04yoszOLNTBB8kL1VkVzHYBhd/Yxdd/4hu5NhFIyCUTAK"
    "RsEoGAWjYBSMglEwCkbBKBhEYCa034oOlNmgDCYBBh4gdYMHwtVgRlV3ACougaY/gwtCRzChSUDFM2B8aIf9CCeEtkETz4CKx6CJ6+BQ/4YDQj"
    "ugWbsGh3gODnEdAuJo1kLBD3twmKRdBWpLEFYyv+PomJeXiHPc4+KPenQa7zjJPqg6JOB1eFtROu5xFajzP+yH0vYVZIzDjIJRMApGwSgY2eDf"
    "7/9ggC4ugkO9DwMHUfoptZ8Th3oHBhYq2K/DwAfTD9H+XwPKh1WcLAyswHYAC5IqEPsvij1/oHo90EwHhxALIzykYHwJ5LBlYQJPbyDLI4P/aO"
    "5iYFBhYIO2jiCucoHSHmghAnIlBIQgRSd6+wA8jxPiGpCZl5yfm8rA4JufV5KRU6kA4yflF+UB1bjmJeamFqemgtkhnr6uDFgCIAQeZhDATqO0"
    "ysOOGu6wEGNDa7exoYUDI5r70Pn/0dSxoqljRUsrjGj+ROdDkyTBNPmLSHU//1OWx4Ya+AYEyPEDA9+BANzihfL50OQFDZTAtAFa/KIDdHFYnh"
    "eCCQigyqugpZP/Iyw+aNUfJRXA8hkTGp8bjc+LxhdA43PQzKccSGlLBMkeHjBbhkibWYAuZQSWYqjpOwRn+kXvsgIAUSIVuA=="
)


def test_a_data_file_is_read_with_its_labels_and_lettered_missing_values(tmp_path: Path) -> None:
    data = read(written(tmp_path / "people.sas7bdat", zlib.decompress(b64decode(FOUR_RECORDS))))
    assert data.frame.to_dict(as_series=False) == {
        "income": [1.5, None, LETTER_CODES["a"], 2.0],
        "born": [date(2020, 1, 1), None, date(1960, 1, 1), date(1959, 12, 31)],
        "name": ["Anna", None, "Jörg", "x"],
        "seen": [datetime(2020, 1, 1, 12, 30, 5, 500_000), None, datetime(1960, 1, 1), datetime(1960, 1, 1, 0, 0, 1)],
    }
    assert data.schema["income"].label == "Monthly income"
    assert data.observed("income").tolist() == [True, False, False, True]


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
