"""The amounts of a file that follow from two or three numbers, in each category of another column or in all."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from sfumato.keys.pairs._trimmed_fits import central_width
from sfumato.keys.pairs.linear_tariffs import (
    MIN_KEPT,
    MORE_KEPT,
    LinearTariff,
    fitted_linear_tariff,
    keeps_at_first,
    needs_all,
    promising_sums,
)
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix

BETTER = 0.05  # of the amounts, by which more keep to a better tariff: else that of most different amounts stays


class AmountByNumbers(NamedTuple):
    """An amount, the category, if any, and the numbers by which it was computed, and how."""

    amount: str
    category: str | None
    numbers: tuple[str, ...]
    tariff: LinearTariff


def amounts_by_numbers(
    amounts: Mapping[str, FloatColumn],
    categories: Mapping[str, CodeColumn],
    numbers: Mapping[str, FloatColumn],
    names: Sequence[str],
    told: Collection[frozenset[str]],
) -> list[AmountByNumbers]:
    """Return the amounts that follow from two or three numbers, in each category, but from no fewer columns.

    From two numbers alone, without a category, keys are read like from other pairs of columns.

    Parameters
    ----------
    amounts, categories, numbers
        Columns, whose records are in random order; categories as codes, missing as -1.
    names
        The keys, of which one at least must be among the columns.
    told
        Columns of which one is known to follow from the others.
    """
    amounts = {name: amounts[name] for name in sorted(amounts, key=lambda name: -np.unique(amounts[name]).size)}
    amounts = {name: column for name, column in amounts.items() if (np.nan_to_num(column) != 0).any()}
    nonzero = {name: np.where(column == 0, np.nan, column) for name, column in amounts.items()}
    widths = {name: central_width(column[np.isfinite(column)]) for name, column in nonzero.items()}
    every = np.zeros(max((column.size for column in amounts.values()), default=0), dtype=np.int64)
    known, in_all = {*told}, dict[tuple[str, tuple[str, ...]], LinearTariff | None]()
    best = dict[tuple[frozenset[str], bool], AmountByNumbers]()
    for category, codes in [(None, every), *categories.items()]:
        others = {name: column for name, column in numbers.items() if name != category}
        for amount, by in promising_sums(nonzero, codes, others):
            columns, is_key = frozenset([amount, *by]), category in names
            if not (is_key or {*names} & {*by}) or any(one <= {*columns, category} for one in known):
                continue
            values = np.column_stack([numbers[name] for name in by])
            if (amount, by) not in in_all:
                in_all[amount, by] = _kept_tariff(every, values, amounts[amount], widths[amount])
            without = in_all[amount, by]
            if without is not None:
                known.add(columns)
                if len(by) > 2 and {*names} & {*by} and needs_all(every, values, amounts[amount], without.kept):
                    best[columns, False] = AmountByNumbers(amount, None, by, without)
                continue
            tariff = _kept_tariff(codes, values, amounts[amount], widths[amount]) if category is not None else None
            if tariff is None or not needs_all(codes, values, amounts[amount], tariff.kept):
                continue
            if fitted_linear_tariff(every, values, amounts[amount]).kept > tariff.kept - MORE_KEPT:
                continue
            if (columns, is_key) not in best or best[columns, is_key].tariff.kept + BETTER < tariff.kept:
                best[columns, is_key] = AmountByNumbers(amount, category, by, tariff)
    return list(best.values())


def _kept_tariff(codes: CodeColumn, numbers: FloatMatrix, amount: FloatColumn, width: float) -> LinearTariff | None:
    """Return the tariff that fits best; None where too few amounts keep to it."""
    if not keeps_at_first(codes, numbers, amount, width):
        return None
    tariff = fitted_linear_tariff(codes, numbers, amount)
    return tariff if tariff.kept >= MIN_KEPT else None
