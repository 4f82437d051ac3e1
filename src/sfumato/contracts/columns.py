"""What every method and measure asks of the columns it is given."""

from sfumato.contracts.arguments import check_files
from sfumato.contracts.named import ColumnRecord
from sfumato.data import Category, Kind, Microdata, Selection, Selector
from sfumato.errors import DataError, KindError, UnknownColumnError
from sfumato.numerics.arrays import Rows


def columns_of_both(who: ColumnRecord, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the names of the columns that are asked for; refuse one that a file lacks, or has in a wrong kind."""
    check_files(f"{type(who).__name__}.measure", original=original, masked=masked)
    if not original.n or not masked.n:
        raise DataError(
            f"{type(who).__name__} needs records to compare; the original has {original.n} and the masked {masked.n}"
        )
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
        for data, file in ((original, "the original"), (masked, "the masked file")):
            check_values(type(who).__name__, data, name, file)
    return names


def columns_present(selection: Selection, data: Microdata) -> tuple[str, ...]:
    """Return the names of the chosen columns that a file has: a recipe may name one that an earlier step makes."""
    if isinstance(selection, Selector):
        return data.select(selection)
    return tuple(name for name in selection if name in data.schema)


def given_columns(method: ColumnRecord, data: Microdata, selection: Selection) -> tuple[str, ...]:
    """Return the names of the columns that a method reads, after checking them against the data.

    A rule such as `numeric` leaves out the columns that are masked; to name one of those is refused.
    """
    who, masked = type(method).__name__, data.select(method.columns)
    names = data.select(selection)
    if isinstance(selection, Selector):
        names = tuple(name for name in names if name not in masked)
        if not names:
            raise DataError(f"{who}.given: {selection} picks no column beside those that are masked; name the columns")
    for name in names:
        if name in masked:
            raise DataError(f"{who}.given: '{name}' is also in columns; name it in one of the two")
        if data.schema[name].kind is Kind.DATE:
            raise KindError(f"{who}.given: '{name}' is date; expected continuous, nominal or ordinal columns")
        if not data.summary.observed(name):
            raise DataError(f"{who}.given: '{name}' has no observed value; leave it out")
    return names


def strata_columns(method: ColumnRecord, data: Microdata, masked: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names of the columns that make the strata; refuse one that is masked, in which none could change."""
    names = data.select(getattr(method, "within", ()))
    for name in names:
        if name in masked:
            raise DataError(
                f"{type(method).__name__}.within: '{name}' is also in columns; all records of a stratum have the same "
                f"value of it: name it in one of the two"
            )
    return names


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
    is_empty = needs_values and data.is_empty(name)  # the kind then says nothing
    if kind not in who.kinds and not is_empty:
        expected = " or ".join(sorted(who.kinds))
        instead = f"; for {kind} columns there are {who.alternatives[kind]}" if kind in who.alternatives else ""
        is_number = Kind.CONTINUOUS in who.kinds and data.table[name].dtype.is_numeric()
        stated = f"; if its numbers are amounts, say in the schema that it is {Kind.CONTINUOUS}" if is_number else ""
        raise KindError(
            f"{who.__name__}.columns: '{name}' is {kind}{where}; expected {expected} columns{instead}{stated}"
        )
    if is_empty or (needs_values and not data.summary.observed(name)):
        raise DataError(f"{who.__name__}.columns: '{name}' has no observed value{where}; leave it out")


def check_values(who: str, data: Microdata, name: str, file: str) -> None:
    """Refuse a continuous column whose values cannot be computed with, such as 1e200, in the name of who asks."""
    if data.schema[name].kind is Kind.CONTINUOUS:
        try:
            data.values(name)
        except DataError as error:
            raise DataError(f"{who}.columns, in {file}: {error}") from None


def check_category_count(who: str, name: str, counts: dict[Category, int]) -> None:
    """Refuse a column in which all records have one category."""
    if sum(count > 0 for count in counts.values()) < 2:
        raise DataError(f"{who}.columns: '{name}' has a single category, which could only stay as it is; leave it out")


def check_value_count(who: str, block: Microdata, names: tuple[str, ...], min_values: int = 2) -> None:
    """Refuse a column of the file, or of a stratum, that has a value but fewer than `min_values` of them."""
    for name in names:
        if 0 < block.summary.observed(name) < min_values:
            raise DataError(
                f"{who} needs at least {min_values} values in '{name}', in the file and in each stratum, "
                f"because fewer might stay unchanged; join strata or leave the column out"
            )
