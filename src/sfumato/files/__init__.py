"""Read and write every format, labels kept.

`read` and `write` know a file by its suffix; `FORMATS` lists them. What each format can hold differs, and nothing is
lost silently: what does not fit into the file goes into a schema beside it (see `write`), what cannot be written at
all is refused with the column's name. In short:

Text (.csv, .tsv, .txt, .csv.gz)
    Separator, decimal mark, encoding, quoting and line ends are found, or given, and a masked file is written as its
    input is. A column is a number, a date or a truth value only if all its cells are; numbers with leading zeros stay
    text.
Parquet (.parquet), Arrow (.arrow, .feather)
    All types are kept.
Excel (.xlsx)
    Whole numbers are integers, date-times at midnight dates.
SPSS (.sav, .zsav)
    Variable labels, value labels, user-missing values and levels of measurement are kept in the file.
Stata (.dta)
    Variable labels, value labels and the missing values .a to .z are kept in the file.
SAS (.sas7bdat, .xpt)
    Read only, with variable labels.
"""

from sfumato.files.formats import FORMATS
from sfumato.files.read_options import ReadOptions
from sfumato.files.reading import fit_options, read, read_with, read_with_dialect, with_schema
from sfumato.files.write_options import WriteOptions
from sfumato.files.writing import write, write_with

__all__ = [
    "FORMATS",
    "ReadOptions",
    "WriteOptions",
    "fit_options",
    "read",
    "read_with",
    "read_with_dialect",
    "with_schema",
    "write",
    "write_with",
]
