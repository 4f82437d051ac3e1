"""What recoding by a map and by a hierarchy share: categories that become others, and what is said of the new ones."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sfumato.data import Category, Kind, Microdata, Variable
from sfumato.data.column_recoding import can_hold, missing_codes_after, recode_column, text_of
from sfumato.errors import DataError
from sfumato.numerics.arrays import CodeColumn


@dataclass(frozen=True, eq=False)
class CategoryMerge:
    """The new categories of a column.

    Parameters
    ----------
    places
        For each category of the file the place of what it becomes among the new ones; -1 where no record has it.
    categories
        The new categories, in the order of the old ones that become them.
    missing
        What the codes that stand for missing become.
    variable
        What the column then is.
    """

    places: CodeColumn
    categories: tuple[Category, ...]
    missing: Mapping[Category, Category]
    variable: Variable


def plan_merge(
    who: str,
    data: Microdata,
    name: str,
    becomes: Mapping[Category, Category],
    labels: Mapping[Category, str] | None = None,
) -> CategoryMerge:
    """Return the new categories of a column of the whole file that `data` is a block of.

    Parameters
    ----------
    who
        The name of the method and of its parameter, for messages.
    data, name
        The block and its column.
    becomes
        What each category becomes; those without an entry have no record.
    labels
        Value labels for new categories.
    """
    variable, series = data.schema[name], data.table[name]
    places, categories = merged_categories(data.summary.categories(name), becomes)
    if len({isinstance(category, str) for category in categories}) > 1:
        raise DataError(f"{who}: the new categories of '{name}' must be all text or all numbers; they are mixed")
    if variable.kind is Kind.ORDINAL and not keeps_order(places):
        raise DataError(
            f"{who} merges categories of '{name}' that are not neighbours in its order; "
            f"merge neighbours, or set its kind to nominal"
        )
    missing = missing_codes_after(series, categories, data.summary.missing_codes(name))
    if set(missing.values()) & set(categories) or any(
        variable.is_in_missing_range(category) for category in categories
    ):
        raise DataError(f"{who}: a new category of '{name}' is one of its missing codes; choose another")
    parts = Counter(becomes.values())
    unchanged = {old for old, new in becomes.items() if old == new and parts[new] == 1}
    if unchanged and can_hold(series, categories):  # codes that no record has stay as well
        unchanged |= set(variable.value_labels) - set(becomes) - set(categories)
    kept = {code: text for code, text in variable.value_labels.items() if code in unchanged}
    return CategoryMerge(
        places,
        categories,
        missing,
        variable.replace(
            value_labels={
                **kept,
                **labels_of_missing(variable, missing, as_text=any(isinstance(code, str) for code in categories)),
                **_labels_for(labels or {}, categories),
            },
            missing_codes=declared_codes(variable, missing),
            categories=categories if variable.categories or variable.kind is Kind.ORDINAL else (),
        ),
    )


def merge_categories(block: Microdata, merges: Mapping[str, CategoryMerge]) -> Microdata:
    """Return the block with the categories of some columns merged."""
    masked = block
    for name, merge in merges.items():
        codes, _ = block.codes(name)
        places = np.append(merge.places, -1)[codes]
        series = block.table[name]
        listed = series.dtype.is_numeric() and merge.variable.kind is Kind.ORDINAL
        masked = masked.with_column(
            merge.variable, recode_column(series, merge.categories, places, merge.missing, listed=listed)
        )
    return masked


def merged_categories(
    categories: Sequence[Category], becomes: Mapping[Category, Category]
) -> tuple[CodeColumn, tuple[Category, ...]]:
    """Return for each category the place of what it becomes, -1 where that is not said, and the new categories.

    Examples
    --------
    >>> merged_categories(("Pisa", "Rome", "Lucca"), {"Pisa": "Tuscany", "Lucca": "Tuscany", "Rome": "Lazio"})
    (array([0, 1, 0]), ('Tuscany', 'Lazio'))
    """
    new = tuple(dict.fromkeys(becomes[category] for category in categories if category in becomes))
    place = {category: position for position, category in enumerate(new)}
    places = [place[becomes[category]] if category in becomes else -1 for category in categories]
    return np.array(places, dtype=np.int64), new


def keeps_order(places: CodeColumn) -> bool:
    """Tell whether categories in order become categories in order, so that only neighbours were merged.

    Examples
    --------
    >>> keeps_order(np.array([0, 0, -1, 1])), keeps_order(np.array([0, 1, 0]))
    (True, False)
    """
    return bool((np.diff(places[places >= 0]) >= 0).all())


def labels_of_missing(
    variable: Variable, missing: Mapping[Category, Category], *, as_text: bool = False
) -> dict[Category, str]:
    """Return the value labels of the codes that stand for missing, as these codes then are, `as_text` or not.

    Those of codes in missing ranges that no record has are kept too.
    """
    return {
        missing.get(code, text_of(code) if as_text else code): text
        for code, text in variable.value_labels.items()
        if code in missing or variable.is_in_missing_range(code)
    }


def declared_codes(variable: Variable, missing: Mapping[Category, Category]) -> tuple[Category, ...]:
    """Return the missing codes of a column as they then are; of text also those that its ranges hold of numbers.

    The ranges themselves stay, so that a file whose format knows them has them again.
    """
    return tuple(
        dict.fromkeys(
            after for before, after in missing.items() if before in variable.missing_codes or isinstance(after, str)
        )
    )


def _labels_for(labels: Mapping[Category, str], categories: Sequence[Category]) -> dict[Category, str]:
    return {category: labels[category] for category in categories if category in labels}
