"""Weights of synthetic records: they add up to those of the original, however many records are made."""

import numpy as np

from sfumato.data import Kind, Microdata, Role
from sfumato.masking.synthesis._observed_columns import decimals_of
from sfumato.numerics.arrays import FloatColumn, Rows


def scale_weights(
    synthetic: Microdata, original: Microdata, total: float | None, units: Rows, rng: np.random.Generator
) -> Microdata:
    """Return synthetic records whose weights add up to a total, where a column has the role weight.

    Weights end after as many decimals as in the original: up or down at random, so that the total is right on average.
    None becomes 0: where so many records are made that a weight would be below the last decimal, the total is higher.

    Parameters
    ----------
    synthetic, original
        Both files.
    total
        The total; that of the original when not given.
    units
        A number from 0 for each synthetic record, the same for those of a household, which keep a weight in common.
    rng
        The generator.
    """
    names = tuple(
        variable.name
        for variable in synthetic.schema.variables
        if variable.role is Role.WEIGHT and variable.kind is Kind.CONTINUOUS
    )
    if not names:
        return synthetic
    draws = rng.random(int(units.max()) + 1)[units]

    def scale(name: str, weights: FloatColumn) -> FloatColumn:
        known = original.values(name)
        known = known[~np.isnan(known)]
        wanted, drawn = float(known.sum()) if total is None else total, float(weights.sum())
        scaled = weights * wanted / drawn if drawn > 0 else weights
        decimals = decimals_of(known)
        if decimals is None:
            return scaled
        unit = 10.0 ** -max(decimals, 0)
        ends = np.floor(scaled / unit + draws[synthetic.observed(name)])
        return np.round(np.where(scaled > 0, np.maximum(ends, 1.0), ends) * unit, max(decimals, 0))

    return synthetic.map_columns(names, scale)
