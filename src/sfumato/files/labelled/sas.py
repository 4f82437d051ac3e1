"""SAS: .sas7bdat and .xpt, which can be read but not written."""

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sfumato.files.format import Content
from sfumato.files.labelled.calendars import SAS
from sfumato.files.labelled.pyreadstat_files import letter_code, load_columns
from sfumato.files.labels import Labels
from sfumato.files.read_options import ReadOptions

if TYPE_CHECKING:
    import polars as pl

NAME = "a SAS file"
TRANSPORT_NAME = "a SAS transport file"


def read(path: Path, options: ReadOptions) -> Content:
    """Read a SAS data file with the labels of its columns; SAS keeps value labels in a catalogue apart from the data.

    The missing values .A to .Z become the same missing codes as Stata's letters; `.` and `._` are missing.
    """
    import pyreadstat

    reader = partial(pyreadstat.read_sas7bdat, user_missing=True)
    return _content(*load_columns(path, NAME, reader, SAS, options.encoding))


def read_transport(path: Path, options: ReadOptions) -> Content:
    """Read a SAS transport file; all its missing values are read as missing."""
    import pyreadstat

    return _content(*load_columns(path, TRANSPORT_NAME, pyreadstat.read_xport, SAS, options.encoding))


def _content(frame: "pl.DataFrame", metadata: Any) -> Content:
    return Content(frame, {series.name: _labels(series, metadata) for series in frame.iter_columns()})


def _labels(series: "pl.Series", metadata: Any) -> Labels:
    codes = {letter_code(letter) for letter in metadata.missing_user_values.get(series.name, [])} - {None}
    return Labels(
        label=metadata.column_names_to_labels.get(series.name) or "",
        missing_codes=() if series.dtype.is_temporal() else tuple(sorted(codes)),
    )
