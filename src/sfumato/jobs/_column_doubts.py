"""What is in doubt of columns that nobody has described: kind, role, and the decimal mark of numbers in text."""

from pathlib import Path

from sfumato.data import Kind, Microdata, Schema
from sfumato.data.inference import Guess, guess_variables
from sfumato.files import ReadOptions, WriteOptions, read_with_dialect, with_schema
from sfumato.files.folders import is_folder_name, read_first_rows

ROWS_TO_GUESS = 200_000  # of a folder, the first of each part
MAX_UNORDERED = 2  # labels of two codes have no order to be told
LABELLED = "taken as nominal, because its codes have labels; if they are ordered, make it ordinal"
DECIMAL_DOUBTS = (
    "each of its numbers has three digits behind the point, read as decimals; if the point stands between thousands, "
    "give the option decimal with ','",
    "its commas were taken to stand between thousands; if they stand before decimals, give the option decimal with ','",
)


def read_with_doubts(file: Path, options: ReadOptions) -> tuple[Microdata, dict[str, Guess]]:
    """Read a file; return it with what is in doubt of the columns that neither the schema nor the options describe."""
    known, dialect = with_schema(options, file), WriteOptions()
    if is_folder_name(file):
        data = read_first_rows(file, known, ROWS_TO_GUESS)
    else:
        data, dialect = read_with_dialect(file, known)
    given = known.schema.names if isinstance(known.schema, Schema) else ()
    undescribed = tuple(name for name in data.schema.names if name not in (*given, *options.named_columns))
    doubts = _find_doubts(data, undescribed) | _number_doubts(data, dialect)
    return data, {name: doubts[name] for name in undescribed if name in doubts}


def _find_doubts(data: Microdata, names: tuple[str, ...]) -> dict[str, Guess]:
    if not names:
        return {}
    guesses = guess_variables(data.table.select(*names).to_native())
    doubts = {guess.variable.name: guess for guess in guesses if guess.doubt}
    found = {}
    for variable in data.schema.subset(names).variables:
        guess = doubts.get(variable.name)
        if variable.kind is Kind.NOMINAL and len(variable.value_labels) > MAX_UNORDERED:
            found[variable.name] = Guess(variable, LABELLED)
        elif guess and (guess.variable.kind, guess.variable.role) == (variable.kind, variable.role):
            found[variable.name] = guess
    return found


def _number_doubts(data: Microdata, dialect: WriteOptions) -> dict[str, Guess]:
    """Return what is in doubt about numbers such as 1.234, which may be a little above 1 or above 1000."""
    presumed = {name: layout for name, layout in (dialect.numbers or {}).items() if layout.is_presumed}
    return {
        name: Guess(data.schema[name], DECIMAL_DOUBTS[layout.thousands is not None])
        for name, layout in presumed.items()
    }
