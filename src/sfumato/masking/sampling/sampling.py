"""Sampling: publish some of the records."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.numerics.random_rounding import round_to_total
from sfumato.parameters import Percent, Records, Strata


class Sampling(MaskingMethod):
    """Keep a random sample of the records, or of the households, and adjust the weights to it.

    Parameters
    ----------
    columns
        Weights to adjust, continuous columns: each is divided by the share that was kept, of its stratum where there
        are strata. Without a column of the role weight none is adjusted. Integer weights get rounded.
    percent
        The share to keep. Give this or `size`.
    size
        The number to keep: of records, or of households when `household` is given.
    household
        Columns whose equal values make a household: whole households stay or go, each with the same chance.
        `role(household)` picks the column with that role. None: single records.
    within
        Columns whose equal values make the strata. Each stratum keeps the same share, up to less than one record (or
        household), so that the total is right; where that leaves a fraction, chance decides, and every record has the
        same chance.

    Effect on risk
        An intruder can no longer be sure that a person is in the file, so that a unique record need not be the one
        looked for. The smaller the share the better. Continuous values that are known from elsewhere still match: the
        records that stay are unchanged.
    Effect on utility
        Estimates stay unbiased and become less precise, by the square root of the share; `remarks`, and `mask` on the
        command line, say by how much: a mean of n of N records has the standard error s sqrt((1 - n / N) / n). Weighted
        totals of numbers of records are kept in each stratum of which something stays.
    Missing values
        Stay missing, in weights too; a missing value makes a stratum of its own. A record whose household is missing
        counts as a household of one.
    Source
        Domingo-Ferrer and Torra (2001), Disclosure control methods and information loss for microdata, nonperturbative
        methods. Which strata get one more than the whole part of their share is drawn by systematic sampling over the
        fractions, in random order: Madow (1949), On the theory of systematic sampling, II.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [31, 99, 87, 12], "weight": [2.0, 2.0, 3.0, 3.0]}))
    >>> Sampling(percent=50).mask(people, np.random.default_rng(1)).frame.rows()
    [(99, 4.0), (12, 6.0)]
    """

    family: ClassVar[str] = "sampling"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE
    draws_households: ClassVar[bool] = True
    keeps_shape: ClassVar[bool] = False
    needs_columns: ClassVar[bool] = False

    columns: Strata = role("weight")
    percent: Percent | None = None
    size: Annotated[Records, Field(ge=1)] | None = None
    household: Strata = ()
    within: Strata = ()

    @model_validator(mode="after")
    def _check_size(self) -> Self:
        if (self.percent is None) == (self.size is None):
            raise ValueError(f"Sampling needs either percent or size; got {'neither' if self.size is None else 'both'}")
        return self

    @property
    def strata(self) -> tuple[str, ...]:
        """None: what the strata keep must add up, so that the method looks at all of them at once."""
        return ()

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them."""
        bound = super().bound_to(data)
        return bound.replace(household=_pick(data, self, "household"), within=_pick(data, self, "within"))

    def remarks(self, data: Microdata) -> tuple[str, ...]:
        """Return how far estimates from the sample may be from the file, by chance."""
        units = int(_units(data, data.select(self.household)).max()) + 1
        size = self._size(units)
        error = sampling_error(units, size)
        what = "households" if self.household != () else "records"
        return (
            f"of {units} {what} {size} are kept, so that estimates have a sampling error: in 95 of 100 samples the "
            f"share of half of the {what} is within {format_compact(98 * error, 3)} percentage points of that in the "
            f"file, and a mean within {format_compact(1.96 * error, 3)} standard deviations of its column",
        )

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return the sample, its records in the order of the file."""
        unit = _units(block, block.select(self.household))
        stratum = block.stratum_numbers(block.select(self.within))
        stratum_of_unit = np.zeros(unit.max() + 1, dtype=np.int64)
        stratum_of_unit[unit] = stratum
        if not np.array_equal(stratum_of_unit[unit], stratum):
            raise DataError("Sampling.within: some households lie in several strata; take strata of whole households")
        kept = draw_sample(stratum_of_unit, self._size(stratum_of_unit.size), rng)
        factor = expansion(stratum_of_unit, kept)[unit]
        sample = np.flatnonzero(kept[unit])
        weighted = block.take_rows(sample)
        factors = factor[sample]
        return weighted.map_matrix(self.columns, lambda weights: weights * factors[:, None])

    def _size(self, units: int) -> int:
        size = self.size if self.size is not None else int(np.rint(units * (self.percent or 0.0) / 100))
        what = "households" if self.household != () else "records"
        if size > units:
            raise DataError(f"Sampling.size must be at most {units}, the number of {what}; got {size}")
        if size == 0:
            raise DataError(
                f"Sampling.percent: {format_compact(self.percent or 0)} % of {units} {what} is less than one; raise it"
            )
        return size


def sampling_error(units: int, size: int) -> float:
    """Return the standard error of the mean of a simple random sample without replacement, in deviations of the file.

    It is sqrt((1 - f) / n) for n of the units and the share f of them: Cochran (1977), Sampling techniques, section 2.6
    (with the divisor N - 1 in the deviation). Strata make it smaller, households that are alike larger.

    Examples
    --------
    >>> round(sampling_error(1000, 100), 4), sampling_error(50, 50)
    (0.0949, 0.0)
    """
    return float(np.sqrt((1 - size / units) / size))


def draw_sample(strata: CodeColumn, size: int, rng: np.random.Generator) -> Booleans:
    """Tell which units are drawn: `size` in all, from each stratum its share rounded down or up.

    Every unit has the same chance, size / number of units.
    """
    sizes = np.bincount(strata)
    allocated = allocation(sizes, size, rng)
    order = np.lexsort((rng.random(strata.size), strata))
    first = np.concatenate(([0], np.cumsum(sizes)[:-1]))
    rank = np.empty(strata.size, dtype=np.int64)
    rank[order] = np.arange(strata.size) - first[strata[order]]
    return np.asarray(rank < allocated[strata], dtype=np.bool_)


def allocation(sizes: CodeColumn, size: int, rng: np.random.Generator) -> CodeColumn:
    """Return how many of `size` units each stratum gets: its proportional share, rounded so that the total is right.

    A fraction becomes one more unit with just that probability.
    """
    return round_to_total(size * sizes, int(sizes.sum()), rng)


def expansion(strata: CodeColumn, kept: Booleans) -> FloatColumn:
    """Return for each unit the number of units of its stratum over the number kept; 1 where none is kept."""
    sizes = np.bincount(strata)
    left = np.bincount(strata[kept], minlength=sizes.size)
    return np.asarray((sizes / np.maximum(left, 1))[strata], dtype=np.float64)


def _pick(data: Microdata, method: Sampling, parameter: str) -> tuple[str, ...]:
    selection = getattr(method, parameter)
    names = data.select(selection)
    if selection != () and not names:
        raise DataError(f"Sampling.{parameter}: {selection} picks no column of this file; name the columns")
    return names


def _units(data: Microdata, names: tuple[str, ...]) -> CodeColumn:
    """Return for each record the number of its household; a record that lacks one is a household on its own."""
    if not names:
        return np.arange(data.n)
    household = data.stratum_numbers(names)
    lacking = ~np.logical_and.reduce([data.observed(name) for name in names])
    household[lacking] = household.max() + 1 + np.arange(np.count_nonzero(lacking))
    return np.unique(household, return_inverse=True)[1]
