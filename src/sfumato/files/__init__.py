"""Read and write every format, labels kept.

`read` and `write` know a file by its suffix; `FORMATS` lists them. What each format can hold differs, and nothing is
lost silently: what does not fit into the file goes into a schema beside it (see `write`), what cannot be written at
all is refused with the column's name. In short:

Text (.csv, .tsv, .txt, .csv.gz)
    Separator, decimal mark and encoding are found, or given. A column is a number, a date or a truth value only if
    all its cells are; numbers with leading zeros stay text.
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
from sfumato.files.reading import fit_options, read, read_with, with_schema
from sfumato.files.writing import write

__all__ = ["FORMATS", "ReadOptions", "fit_options", "read", "read_with", "with_schema", "write"]
