"""What every method and measure asks of the columns it is given."""

from sfumato.contracts.named import ColumnRecord
from sfumato.data import Category, Microdata, Selection, Selector
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.numerics.arrays import Rows


def columns_of_both(who: ColumnRecord, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the names of the columns that are asked for; refuse one that a file lacks, or has in a wrong kind."""
    names = original.select(who.columns)
    if not names:
        raise DataError(f"{type(who).__name__}.columns: {who.columns} picks no column of this file; name the columns")
    for name in names:
        check_column(type(who), original, name)
        if name not in masked.schema:
            raise UnknownColumnError(
                f"{type(who).__name__}.columns: the masked file has no column '{name}'; "
                f"name only columns that both files have"
            )
        check_column(type(who), masked, name, file="the masked file")
    return names


def columns_present(selection: Selection, data: Microdata) -> tuple[str, ...]:
    """Return the names of the chosen columns that a file has: a recipe may name one that an earlier step makes."""
    if isinstance(selection, Selector):
        return data.select(selection)
    return tuple(name for name in selection if name in data.schema)


def paired_rows(original: Microdata, masked: Microdata) -> Rows:
    """Return, for each masked record, the row of the original record that it came from."""
    return original.rows_of(masked.row_ids)


def check_records(who: str, original: Microdata, masked: Microdata) -> None:
    """Refuse files that are too small to be compared."""
    if min(original.n, masked.n) < 2:
        raise DataError(
            f"{who} needs at least 2 records in each file; the original has {original.n} and the masked {masked.n}"
        )


def check_column(
    who: type[ColumnRecord], data: Microdata, name: str, file: str = "", needs_values: bool = True
) -> None:
    """Refuse a column of a kind that the method or measure does not take, or without any value."""
    where = f" in {file}" if file else ""
    kind = data.schema[name].kind
    if kind not in who.kinds:
        expected = " or ".join(sorted(who.kinds))
        instead = f"; for {kind} columns there are {who.alternatives[kind]}" if kind in who.alternatives else ""
        raise KindError(f"{who.__name__}.columns: '{name}' is {kind}{where}; expected {expected} columns{instead}")
    if needs_values and not data.summary.observed(name):
        raise DataError(f"{who.__name__}.columns: '{name}' has no observed value{where}; leave it out")


def check_several(who: str, name: str, counts: dict[Category, int]) -> None:
    """Refuse a column in which all records have one category."""
    if sum(count > 0 for count in counts.values()) < 2:
        raise DataError(f"{who}.columns: '{name}' has a single category, which could only stay as it is; leave it out")
