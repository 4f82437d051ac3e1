"""Tree propensity loss: how well a tree can tell masked records from original ones, beside what it finds by chance."""

from collections.abc import Mapping
from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.comparison.copies import mean_over_copies
from sfumato.comparison.side_by_side import columns_to_compare, common_codes
from sfumato.contracts import LossMeasure, Measurement
from sfumato.data import Kind, Microdata
from sfumato.display import format_compact
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatMatrix
from sfumato.parameters import Columns, Percent


class TreePropensityLoss(LossMeasure):
    """Put both files together and divide them by a classification tree that asks which records are masked.

    The value is the mean squared difference between the share of masked records in the leaf of a record and their share
    c in all, in percent of its largest value c (1 - c). A tree finds differences even between two samples of one
    population. So it is grown again on the same records, among which those called masked are drawn at random. Parts:
    `pMSEtreeratio`, the mean squared difference divided by what is expected of a file drawn from the distribution of
    the original, which is 1 - c times the mean of these; and `mean squared difference`, as published. Unlike a
    regression, a tree sees relations of any form and among more than two columns. The files need not hold the same
    records. Of a file with several copies, numbered in a column `release`, each is held against the original, and the
    figures are the means.

    Parameters
    ----------
    columns
        Continuous, ordinal or nominal columns.
    leaf_percent
        The smallest leaf, in percent of the records of both files.
    permutations
        How often masked records are drawn at random.
    seed
        Where these draws begin.

    Meaning
        0: no leaf holds more of one file than of the other. 100: each leaf holds one file only. A ratio of 1 is that of
        a file drawn from the distribution of the original, 2 that of another sample of the population, as large.
    Missing values
        Are a category of their own, and a number below all others. There is no figure per record.
    Source
        Snoke, Raab, Nowok, Dibben and Slavković (2018), General and specific utility measures for synthetic data
        (`utility.gen` of synthpop, whose permutations are halved, which is 1 - c for files of one size). Categories are
        put in the order of their share of masked records, by Breiman, Friedman, Olshen and Stone (1984),
        Classification and regression trees.

    Examples
    --------
    >>> import polars
    >>> town = Microdata(polars.DataFrame({"town": ["A", "B"] * 50}))
    >>> moved = Microdata(polars.DataFrame({"town": ["A", "B", "B", "B"] * 25}))
    >>> found = TreePropensityLoss(columns=("town",)).measure(town, moved)
    >>> round(found.value, 2), found.parts["pMSEtreeratio"] > 5
    (6.67, True)
    """

    symbol: ClassVar[str] = "pMSEtree"
    part_symbols: ClassVar[tuple[str, ...]] = ("pMSEtreeratio",)
    part_units: ClassVar[Mapping[str, str]] = {"pMSEtreeratio": "", "mean squared difference": ""}
    family: ClassVar[str] = "distributions"
    needs_pairs: ClassVar[bool] = False
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS, Kind.ORDINAL, Kind.NOMINAL})

    columns: Columns
    leaf_percent: Annotated[Percent, Field(gt=0, le=50)] = 1.0
    permutations: Annotated[int, Field(ge=1, le=10_000)] = 20
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the mean squared difference in percent of its largest value, with its ratio to the expected one."""
        return mean_over_copies(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata) -> Measurement:
        names = columns_to_compare(self, original, masked)
        nominal, ordered = (
            [_places(original, masked, name) for name in names if (original.schema[name].kind is Kind.NOMINAL) is asked]
            for asked in (True, False)
        )
        is_masked = np.repeat([False, True], [original.n, masked.n])
        share, fewest = float(is_masked.mean()), max(int(is_masked.size * self.leaf_percent / 100), 1)
        difference = tree_difference(ordered, nominal, is_masked, fewest)
        rng = np.random.default_rng(self.seed)
        drawn = [
            tree_difference(ordered, nominal, rng.permutation(is_masked), fewest) for _ in range(self.permutations)
        ]
        expected = (1 - share) * float(np.mean(drawn))
        parts = {
            "pMSEtreeratio": difference / expected if expected > 0 else 0.0,
            "mean squared difference": difference,
        }
        value = min(100.0, 100 * difference / (share * (1 - share)))
        remark = f"leaves of at least {format_compact(self.leaf_percent)} % of the records"
        return Measurement(self.name(), self.symbol, value, parts=parts, remark=remark)


def tree_difference(ordered: list[CodeColumn], nominal: list[CodeColumn], is_masked: Booleans, min_leaf: int) -> float:
    """Return the mean squared difference between the share of masked records in each leaf and that of all.

    Parameters
    ----------
    ordered, nominal
        Columns of all records as codes from 0; those of nominal ones have no order.
    is_masked
        Which records are masked.
    min_leaf
        The fewest records of a leaf.
    """
    from sklearn.tree import DecisionTreeClassifier

    columns = [*ordered, *(_order_categories(codes, is_masked) for codes in nominal)]
    predictors: FloatMatrix = np.column_stack(columns).astype(np.float32)  # places are whole numbers
    tree = DecisionTreeClassifier(min_samples_leaf=min_leaf, random_state=0).fit(predictors, is_masked)
    shares = tree.predict_proba(predictors)[:, 1]
    return float(np.mean((shares - is_masked.mean()) ** 2))


def _places(original: Microdata, masked: Microdata, name: str) -> CodeColumn:
    """Return a column of both files as whole numbers from 0, in the order of the values, missing ones as 0."""
    if original.schema[name].kind is Kind.CONTINUOUS:
        values = np.concatenate([original.values(name), masked.values(name)])
        return np.unique(np.where(np.isnan(values), -np.inf, values), return_inverse=True)[1]
    before, after, _ = common_codes(original, masked, name)
    return np.concatenate([before, after]) + 1


def _order_categories(codes: CodeColumn, is_masked: Booleans) -> CodeColumn:
    """Return categories numbered by their share of masked records: the best split of two groups cuts that order."""
    shares = np.bincount(codes, weights=is_masked) / np.maximum(np.bincount(codes), 1)
    return np.argsort(np.argsort(shares, kind="stable"))[codes]
