"""Log-linear risk: how likely a match with a sample unique is right, by a model over all cells."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Kind, Microdata, role
from sfumato.display import format_compact
from sfumato.errors import DataError
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import KEY_KINDS, MissingKeys, coded_keys, identifying_keys_remark
from sfumato.numerics.arrays import CodeMatrix, FloatColumn
from sfumato.parameters import Columns
from sfumato.risk.keys._log_linear_models import MAIN_EFFECTS, MAX_CELLS, TWO_WAY, Fit, fit_model, margins_of
from sfumato.risk.keys._population import PopulationSize, population_total

NOTABLE = 2.0  # standard deviations of the dispersion that are worth a word
OFF = 0.01  # records of a margin, likewise


class LogLinearRisk(FileRisk):
    """Estimate for each sample unique the probability that its person is recognised, by a log-linear model of the keys.

    Individual risk looks at a cell alone: of a single record it knows one weight. Here a Poisson log-linear model for
    the table of all keys, fitted to the sample counts, says how many persons to expect in each cell: where neighbours
    are many a lone record is probably no rarity. A cell with the expected sample count m, in a sample of the fraction
    p, has x = m (1 - p) / p more persons on average, Poisson distributed. So a sample unique is unique in the
    population with probability exp(-x), and the mean of one over the number of persons is (1 - exp(-x)) / x. The value
    is the mean of the latter over all records in percent, those that are not unique counting 0; so is the figure per
    record. Parts are the number of sample uniques (`LLU`), how many of them are expected to be unique in the population
    (`LLP`, in the source tau 1) and how many guesses at them to be right (`LLE`, tau 2).

    Parameters
    ----------
    columns
        The keys (quasi-identifiers): what others may know about a person. Each value of a continuous column counts as a
        category.
    model
        Which tables of the keys the model keeps: `two_way` all tables of two keys, `main_effects` only that of each
        key, or a formula such as `region * sex + age`, in which a product stands for the table of these keys. Too
        simple a model mistakes who is rare, and the remark says when the counts vary clearly more than it expects; too
        rich a one, in the end one that keeps the whole table, underestimates the risk. Unless the tables share no key,
        all cells that can have a record are fitted, two million at most.
    weight
        The column that says how many persons of the population a record stands for; that of the role weight when not
        given. Only their sum is used, as the size of the population.
    population_size
        The number of persons in the population, instead of the sum of the weights. Without either the file is the
        population.

    Meaning
        0: no record is unique in its keys, or surely none of them is its person. 100: all are unique, and surely who
        they seem. Assumes that everybody was drawn with the same probability.
    Intruder
        Knows the keys of everybody in the population, but not who is in the sample; looks at the sample uniques and
        takes one of the persons who have their keys. Sees the masked file.
    Missing values
        A missing key is a category of its own, and so is each code that stands for missing. Missing weights, and
        weights below 1, are refused.
    Source
        Skinner and Shlomo (2008), Assessing identification risk in survey microdata using log-linear models. The
        dispersion: Cameron and Trivedi (1998), Regression analysis of count data.

    Examples
    --------
    >>> import polars
    >>> people = polars.DataFrame({"sex": list("fffmm"), "job": ["cook", "cook", "smith", "smith", "smith"]})
    >>> measure = LogLinearRisk(columns=("sex", "job"), model="main_effects", population_size=50)
    >>> found = measure.of(Microdata(people))
    >>> {symbol: round(part, 4) for symbol, part in found.parts.items()}
    {'LLU': 1.0, 'LLP': 0.0, 'LLE': 0.0617}
    """

    symbol: ClassVar[str] = "LL"
    part_symbols: ClassVar[tuple[str, ...]] = ("LLU", "LLP", "LLE")
    part_units: ClassVar[Mapping[str, str]] = {"LLU": "records", "LLP": "records", "LLE": "records"}
    part_meanings: ClassVar[Mapping[str, str]] = {
        "LLU": "records that are unique in the file",
        "LLP": "of these, expected to be unique in the population",
        "LLE": "guesses at these that are expected to be right",
    }
    family: ClassVar[str] = "keys"
    kinds: ClassVar[frozenset[Kind]] = KEY_KINDS

    columns: Columns = role("key")
    model: Annotated[str, Field(min_length=1)] = TWO_WAY
    weight: str | None = None
    population_size: PopulationSize = None

    def of(self, data: Microdata) -> Measurement:
        """Return the expected share of records that are sample uniques and rightly recognised."""
        names, codes = coded_keys(self, data, MissingKeys.CATEGORY)
        margins = margins_of(type(self).__name__, self.model, names)
        persons, remark = population_total(type(self).__name__, data, self.weight, self.population_size)
        classes = classes_of(codes)
        cells = np.stack([classes_of(key[None]).numbers for key in codes[:, classes.first_rows()]])
        counts = classes.sizes().astype(np.float64)
        fit = fit_model(cells, counts, margins)
        if fit is None:
            raise DataError(_too_large(type(self).__name__, names, cells))
        alone = counts == 1
        unique, right = unique_chances(fit.expected, data.n / persons)
        per_record = 100 * (right * alone)[classes.numbers]
        remarks = [remark, "" if remark else fit_remark(fit, counts), identifying_keys_remark(names, codes)]
        figures = float(alone.sum()), float(unique[alone].sum()), float(right[alone].sum())
        return Measurement(
            self.name(),
            self.symbol,
            float(per_record.mean()),
            parts=dict(zip(self.part_symbols, figures, strict=True)),
            per_record=per_record,
            remark="; ".join(part for part in remarks if part),
        )


def unique_chances(expected: FloatColumn, fraction: float) -> tuple[FloatColumn, FloatColumn]:
    """Return for a sample unique of each cell the probability to be alone in the population, and the mean of 1 / F.

    Parameters
    ----------
    expected
        The expected number of records of the sample in each cell.
    fraction
        The share of the population that is in the sample.

    Examples
    --------
    >>> unique_chances(np.array([0.0, 1.0]), 0.5)
    (array([1.        , 0.36787944]), array([1.        , 0.63212056]))
    """
    more = expected * (1 - fraction) / fraction
    right = np.ones_like(more)
    np.divide(-np.expm1(-more), more, out=right, where=more > 0)
    return np.exp(-more), right


def fit_remark(fit: Fit, counts: FloatColumn) -> str:
    """Return a remark on a fit that did not converge, or whose cells vary more than it expects."""
    if fit.off > OFF:
        return f"the model did not settle: its tables are still up to {format_compact(fit.off, 2)} records off"
    dispersion = fit.dispersion(counts)
    if dispersion <= NOTABLE:
        return ""
    return (
        f"the counts vary more than the model expects, by {dispersion:.1f} standard deviations: it is too simple, and "
        f"the risk uncertain; try '{TWO_WAY}', or products of more keys"
    )


def _too_large(who: str, names: tuple[str, ...], cells: CodeMatrix) -> str:
    categories = {name: int(key.max()) + 1 for name, key in zip(names, cells, strict=True)}
    largest = max(names, key=lambda name: categories[name])
    return (
        f"{who}.model needs a table of more than {MAX_CELLS:,} cells for these keys, of which '{largest}' has most "
        f"categories, {categories[largest]}; recode it into fewer, leave a key out, or use model='{MAIN_EFFECTS}', "
        f"which needs no table"
    )
