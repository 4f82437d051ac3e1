"""The formats that Sfumato reads and writes, by the suffix of the file's name."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

from sfumato.errors import FileError, ParameterError, did_you_mean
from sfumato.files import arrow, excel, parquet
from sfumato.files.format import Format
from sfumato.files.labelled import class_codes, sas, spss, stata, stored_types
from sfumato.files.text import csv

TEXT_OPTIONS = frozenset({"separator", "decimal", "encoding"})
TEXT_WRITE_OPTIONS = TEXT_OPTIONS | {"quoting", "line_ending", "booleans", "numbers"}
LABEL_OPTIONS = frozenset({"encoding"})
LABEL_WRITE_OPTIONS = frozenset({"file_label", "display_formats"})

_csv = Format(
    csv.NAME,
    csv.read,
    csv.write,
    TEXT_OPTIONS,
    TEXT_WRITE_OPTIONS,
    stored_frame=csv.stored_frame,
)
_tsv = replace(_csv, separator="\t")
_packed_csv = replace(_csv, write=csv.write_packed)
_parquet = Format(parquet.NAME, parquet.read, parquet.write)
_arrow = Format(arrow.NAME, arrow.read, arrow.write)
_excel = Format(excel.NAME, excel.read, excel.write, frozenset({"sheet"}), stored_frame=excel.stored_frame)
_spss = Format(
    spss.NAME,
    spss.read,
    spss.write,
    LABEL_OPTIONS,
    LABEL_WRITE_OPTIONS,
    prepare=class_codes.with_class_codes,
    stored_labels=spss.stored_labels,
    stored_frame=stored_types.stored_frame,
)
_packed_spss = replace(_spss, write=spss.write_compressed)
_stata = replace(_spss, name=stata.NAME, read=stata.read, write=stata.write, stored_labels=stata.stored_labels)
_sas = Format(sas.NAME, sas.read, None, LABEL_OPTIONS)
_sas_transport = Format(sas.TRANSPORT_NAME, sas.read_transport, None, LABEL_OPTIONS)

FORMATS: Mapping[str, Format] = MappingProxyType(
    {
        ".csv": _csv,
        ".txt": _csv,
        ".tsv": _tsv,
        ".csv.gz": _packed_csv,
        ".parquet": _parquet,
        ".arrow": _arrow,
        ".feather": _arrow,
        ".xlsx": _excel,
        ".sav": _spss,
        ".zsav": _packed_spss,
        ".dta": _stata,
        ".sas7bdat": _sas,
        ".xpt": _sas_transport,
    }
)


def suffix_of(path: Path) -> str:
    """Return the suffix that decides the format, in lower case: `.csv.gz` for people.csv.gz.

    Examples
    --------
    >>> suffix_of(Path("people.2024.CSV.gz"))
    '.csv.gz'
    """
    name = path.name.lower()
    known = [suffix for suffix in FORMATS if name.endswith(suffix) and len(name) > len(suffix)]
    return max(known, key=len) if known else path.suffix.lower()


def format_of(path: Path) -> Format:
    """Return the format of a file by its suffix, refusing an unknown one."""
    suffix = suffix_of(path)
    if suffix not in FORMATS:
        what = f"the suffix '{suffix}' is not known" if suffix else "it has no suffix"
        nearest = did_you_mean(suffix, FORMATS)
        raise FileError(
            f"{path}: {what}{nearest or ';'} {'The' if nearest else 'the'} known ones are {', '.join(FORMATS)}"
        )
    return FORMATS[suffix]


def format_named(name: str, verb: str = "read") -> Format:
    """Return a format by the name that `ReadOptions` and `WriteOptions` know it by, refusing an unknown one.

    Examples
    --------
    >>> format_named("parquet").name
    'a Parquet file'
    """
    if f".{name}" not in FORMATS:
        known = [suffix.removeprefix(".") for suffix in FORMATS]
        nearest = did_you_mean(name, known) or f"; the formats are {', '.join(known)}"
        raise ParameterError([f"{verb}.format must be the suffix of a known format; got '{name}'{nearest}"])
    return FORMATS[f".{name}"]
