"""Original and masked side by side: the same columns on one scale, and which record answers to which."""

from dataclasses import dataclass
from weakref import WeakKeyDictionary, ref

import numpy as np

from sfumato.contracts import Correspondence, Measure, check_records, paired_rows
from sfumato.data import Category, Kind, Microdata
from sfumato.data.column_recoding import text_of
from sfumato.display import format_count
from sfumato.errors import DataError, KindError
from sfumato.kernels.neighbours.nearest import nearest_rows
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.standardisation import standardise_both

_nearest: WeakKeyDictionary[Microdata, tuple[ref[Microdata], tuple[str, ...], Rows]] = WeakKeyDictionary()
"""The nearest original records of masked files that are still in use, in the columns asked for last."""


@dataclass(frozen=True, eq=False)
class Comparison:
    """The compared columns of both files as numbers (records x columns, missing is NaN), and how records correspond.

    Parameters
    ----------
    names
        The compared columns.
    original, masked
        Their values; those of an ordinal column are codes into the categories of the original file.
    rows
        For each masked record the row of the original record that it is compared with.
    """

    names: tuple[str, ...]
    original: FloatMatrix
    masked: FloatMatrix
    rows: Rows

    @property
    def corresponding(self) -> FloatMatrix:
        """The original values that the masked records are compared with, in their order."""
        return self.original[self.rows]


@dataclass(frozen=True, eq=False)
class CategoricalColumns:
    """The compared columns of both files as codes (records x columns, missing is -1), whoever the records are.

    Parameters
    ----------
    names
        The compared columns.
    original, masked
        Their codes into the categories of the same place.
    categories
        For each column the categories of the original in their order, then those that only the masked file has.
    """

    names: tuple[str, ...]
    original: CodeMatrix
    masked: CodeMatrix
    categories: tuple[tuple[Category, ...], ...]


@dataclass(frozen=True, eq=False)
class CategoricalComparison(CategoricalColumns):
    """The compared columns of both files as codes, and how records correspond.

    Parameters
    ----------
    rows
        For each masked record the row of the original record that it came from.
    """

    rows: Rows

    @property
    def corresponding(self) -> CodeMatrix:
        """The original codes of the masked records, in their order."""
        return self.original[self.rows]


def side_by_side(
    measure: Measure,
    original: Microdata,
    masked: Microdata,
    correspondence: Correspondence = Correspondence.TRUE_RECORD,
) -> Comparison:
    """Return the columns that a measure asks for from both files, after checking that they can be compared."""
    names = measure.common_columns(original, masked)
    who = type(measure).__name__
    check_records(who, original, masked)
    before = original.matrix(names)
    after = np.vstack([_masked_values(who, original, masked, name) for name in names]).T  # in memory as `before` is
    if correspondence is Correspondence.TRUE_RECORD:
        return Comparison(names, before, after, paired_rows(original, masked))
    rows = _nearest_rows(original, masked, names, before, after)
    if (rows < 0).any():  # nothing in the record to compare: only its id can tell where it came from
        rows = np.where(rows < 0, paired_rows(original, masked), rows)
    return Comparison(names, before, after, rows)


def corresponding_rows(
    measure: Measure,
    original: Microdata,
    masked: Microdata,
    correspondence: Correspondence = Correspondence.TRUE_RECORD,
) -> Rows:
    """Return the original row that each masked record is compared with, after checking that both can be compared."""
    if correspondence is not Correspondence.TRUE_RECORD:
        return side_by_side(measure, original, masked, correspondence).rows
    measure.common_columns(original, masked)
    check_records(type(measure).__name__, original, masked)
    return paired_rows(original, masked)


def compare_block(measure: Measure, original: Microdata, masked: Microdata, rows: Rows) -> Comparison:
    """Return the columns that a measure asks for from a block of both files that were checked before."""
    names, who = original.select(measure.columns), type(measure).__name__
    after = [_masked_values(who, original, masked, name) for name in names]
    return Comparison(names, original.matrix(names), np.vstack(after).T, rows)


def categories_side_by_side(measure: Measure, original: Microdata, masked: Microdata) -> CategoricalComparison:
    """Return the categorical columns that a measure asks for from both files, coded alike, and matched by record."""
    found = categories_of_both(measure, original, masked)
    return CategoricalComparison(
        found.names, found.original, found.masked, found.categories, paired_rows(original, masked)
    )


def categories_of_both(measure: Measure, original: Microdata, masked: Microdata) -> CategoricalColumns:
    """Return the categorical columns that a measure asks for, coded alike; the files need not hold the same records."""
    names = measure.common_columns(original, masked)
    check_records(type(measure).__name__, original, masked)
    coded = [common_codes(original, masked, name) for name in names]
    before, after = (np.stack([column[place] for column in coded], axis=1) for place in (0, 1))
    return CategoricalColumns(names, before, after, tuple(categories for _, _, categories in coded))


def common_codes(
    original: Microdata, masked: Microdata, name: str
) -> tuple[CodeColumn, CodeColumn, tuple[Category, ...]]:
    """Return a column of both files as codes into the same categories: the original's, then new ones; missing is -1.

    Numbers that became text, as codes do that are joined, are the same where the text is the number or its label.

    Examples
    --------
    >>> import polars
    >>> original = Microdata(polars.DataFrame({"town": ["A", "B", "C"]}))
    >>> masked = Microdata(polars.DataFrame({"town": ["A", "B or C", "B or C"]}))
    >>> common_codes(original, masked, "town")
    (array([0, 1, 2]), array([0, 3, 3]), ('A', 'B', 'C', 'B or C'))
    """
    before, categories = original.codes(name)
    after, masked_categories = masked.codes(name)
    place = {category: code for code, category in enumerate(categories)}
    labels = original.schema[name].value_labels
    numbers = {category: code for category, code in place.items() if not isinstance(category, str)}
    known: dict[Category, int] = {labels[category]: code for category, code in numbers.items() if category in labels}
    known.update({text_of(category): code for category, code in numbers.items()})
    known.update(place)
    for category in masked_categories:
        if category not in known:
            known[category] = place[category] = len(place)
    codes = (known[category] for category in masked_categories)
    lookup = np.array([*codes, -1], dtype=np.int64)
    return before, lookup[after], tuple(place)  # the last entry of the lookup serves the code -1


def check_same_kind(who: str, original: Microdata, masked: Microdata, name: str) -> Kind:
    """Return the kind of a column; refuse one that is of two kinds."""
    kind, masked_kind = original.schema[name].kind, masked.schema[name].kind
    if kind is not masked_kind:
        raise KindError(
            f"{who}: '{name}' is {kind} in the original and {masked_kind} in the masked file; a schema that lies "
            f"beside a file, as NAME.schema.yaml, is read with it: say the same of both, in a schema or on the command "
            f"line, as --{masked_kind} {name}"
        )
    return kind


def columns_to_compare(measure: Measure, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the columns that a measure asks for; both files must have them, but need not hold the same records."""
    names = measure.common_columns(original, masked)
    who = type(measure).__name__
    check_records(who, original, masked)
    for name in names:
        check_same_kind(f"{who}.columns", original, masked, name)
    return names


def _nearest_rows(
    original: Microdata, masked: Microdata, names: tuple[str, ...], before: FloatMatrix, after: FloatMatrix
) -> Rows:
    """Return for each masked record the nearest original one; several measures of one pair of files ask for it."""
    known = _nearest.get(masked)
    if known is None or known[0]() is not original or known[1] != names:
        known = ref(original), names, nearest_rows(*standardise_both(before, after))
        _nearest[masked] = known
    return known[2].copy()


def _masked_values(who: str, original: Microdata, masked: Microdata, name: str) -> FloatColumn:
    """Return a masked column as numbers on the scale of the original one."""
    kind = check_same_kind(f"{who}.columns", original, masked, name)
    return _masked_codes(who, original, masked, name) if kind is Kind.ORDINAL else masked.values(name)


def _masked_codes(who: str, original: Microdata, masked: Microdata, name: str) -> FloatColumn:
    """Return a masked ordinal column as codes into the categories of the original file; missing is NaN."""
    codes, categories = masked.codes(name)
    place = {category: code for code, category in enumerate(original.codes(name)[1])}
    present = set(np.unique(codes[codes >= 0]).tolist())
    strange = sum(categories[code] not in place for code in present)
    if strange:
        raise DataError(
            f"{who}.columns: '{name}' has {format_count(strange, 'category')} in the masked file that the original "
            f"does not have; a recoded column cannot be compared by its order, so leave it out"
        )
    lookup = np.array([place.get(category, np.nan) for category in categories] + [np.nan])
    return lookup[codes]  # the last entry serves the code -1
