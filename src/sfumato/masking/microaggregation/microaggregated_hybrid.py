"""Microaggregated hybrid records: small groups of similar records, each replaced by synthetic ones."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import Coordinate, Layout, Likelihood, MaskingMethod, paired_rows
from sfumato.data import Kind, Microdata
from sfumato.kernels.microaggregation.mdav import mdav_groups
from sfumato.kernels.synthesis.orthogonal import rotate_in_groups
from sfumato.masking.microaggregation._aggregation import near_groups
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatMatrix
from sfumato.numerics.densities import UniformSteps
from sfumato.numerics.missing_patterns import rows_by_pattern
from sfumato.numerics.standardisation import z_scores
from sfumato.parameters import Columns, Records, Strata

COLLINEAR = 1e-9  # what is left of a column beside the others, as a share of it, when it is a sum of them


class MicroaggregatedHybrid(MaskingMethod):
    """Replace the records of each small group of similar ones by synthetic records with the group's moments.

    The groups are those of MDAV. The synthetic records of a group are drawn from a normal distribution and then made to
    have exactly the mean and covariance of the group.

    Parameters
    ----------
    columns
        Continuous columns, grouped and masked together. Integer columns get rounded values. Collinear columns are
        fine: a total stays the sum of its parts (up to rounding).
    k
        The smallest number of records in a group. Two records are determined by their mean and covariance, so that a
        group needs three.
    within
        Columns whose equal values make the strata; records are then grouped inside each stratum.

    Effect on risk
        Falls as `k` grows, from records that hardly move to records that are synthetic altogether. Groups of
        few records leave little room: three are turned about their mean by one angle. A group whose records are
        equal stays as it is. An intruder who has all the columns can group them too, and finds the records whose sums
        are those of a group: one chance in the size of the group.
    Effect on utility
        Keeps all means and covariances of the columns exactly (integer columns: up to rounding), and those of
        subdomains the better the smaller the groups. Inside a group the distribution becomes normal: zeros that many
        records share, and signs, may be lost.
    Missing values
        Stay missing. A record is grouped with those that lack the same columns, and what is kept is kept for them.
        When these are fewer than `k`, it takes the values of a synthetic record, drawn from the nearest
        group of records that have all the values it has; when there is no such group the file is refused.
    Source
        Domingo-Ferrer and Gonzalez-Nicolas (2010), Hybrid microdata using microaggregation, with the generator of
        Burridge (2003), Information preserving statistical obfuscation, in each group.

    Examples
    --------
    >>> firms = np.array([[1.0, 4.0], [2.0, 6.0], [4.0, 5.0], [90.0, 40.0], [92.0, 45.0], [94.0, 47.0]])
    >>> groups, rng = np.array([0, 0, 0, 1, 1, 1]), np.random.default_rng(0)
    >>> masked = synthesise_groups(firms, groups, np.ones(6, dtype=bool), rng)
    >>> bool(np.allclose(np.cov(masked[:3].T), np.cov(firms[:3].T)))
    True
    """

    family: ClassVar[str] = "microaggregation"
    kinds: ClassVar[frozenset[Kind]] = frozenset({Kind.CONTINUOUS})
    layout: ClassVar[Layout] = Layout.WHOLE

    columns: Columns
    k: Annotated[Records, Field(ge=3)] = 10
    within: Strata = ()

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with synthetic records in place of each group."""
        return block.map_matrix(self.columns, lambda matrix: self._synthesise(matrix, rng))

    def _synthesise(self, matrix: FloatMatrix, rng: np.random.Generator) -> FloatMatrix:
        return synthesise_groups(matrix, self._groups(matrix), _shares_pattern(matrix, self.k), rng)

    def _groups(self, matrix: FloatMatrix) -> CodeColumn:
        return near_groups(
            z_scores(matrix),
            self.k,
            lambda points: mdav_groups(points, self.k),
            type(self).__name__,
        )

    def groups_alike(self, data: Microdata) -> CodeColumn:
        """Return the groups: synthetic records have their moments, and nothing of any one member."""
        columns, groups, count = data.select(self.columns), np.full(data.n, -1, dtype=np.int64), 0
        for stratum in self.bound_to(data).split_strata(data):
            found = self._groups(stratum.matrix(columns))
            groups[data.rows_of(stratum.row_ids)] = np.where(found < 0, -1, found + count)
            count += int(found.max(initial=-1)) + 1
        return groups

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return that of the groups, which their sums give away: inside a group each record is equally likely.

        Whether an intruder finds all groups by their sums depends on how hard they try; they are taken to. None where
        they lack a column, or the sums are not those of the groups.
        """
        columns = original.select(self.columns)
        if set(columns) - set(names) or original.n != masked.n:
            return None
        rows, groups = paired_rows(original, masked), self.groups_alike(original)
        after = masked.matrix(columns)[np.argsort(rows)]
        for stratum in self.bound_to(original).split_strata(original):
            places, matrix = original.rows_of(stratum.row_ids), stratum.matrix(columns)
            if not _sums_agree(matrix, after[places], np.where(_shares_pattern(matrix, self.k), groups[places], -1)):
                return None
        numbers = groups.astype(np.float64)
        return (Coordinate(numbers, numbers[rows], UniformSteps(0, 1.0), is_exact=False),)


def synthesise_groups(
    matrix: FloatMatrix, groups: CodeColumn, leads: Booleans, rng: np.random.Generator
) -> FloatMatrix:
    """Return synthetic records with the mean and covariance of their group.

    Parameters
    ----------
    matrix
        The records (records x columns); NaN where a value is missing.
    groups
        The group of each record, -1 for one that has no value.
    leads
        Tells which records make their group; these lack the same columns. The others only joined: each takes the
        values of a synthetic record of the group.
    rng
        The generator.
    """
    made = np.flatnonzero((groups >= 0) & leads)
    made = made[np.argsort(groups[made], kind="stable")]
    numbers, firsts = np.unique(groups[made], return_index=True)
    starts = np.append(firsts, made.size)
    columns = np.ascontiguousarray(np.nan_to_num(matrix[made]).T)
    draws = rng.standard_normal(columns.shape)
    synthetic = np.full(matrix.shape, np.nan)
    synthetic[made] = rotate_in_groups(columns, starts, draws, COLLINEAR).T
    joined = np.flatnonzero((groups >= 0) & ~leads)
    place = np.searchsorted(numbers, groups[joined])
    drawn = starts[place] + (rng.random(joined.size) * np.diff(starts)[place]).astype(np.int64)
    synthetic[joined] = synthetic[made[drawn]]
    return synthetic


def _shares_pattern(matrix: FloatMatrix, k: int) -> Booleans:
    """Tell for each record whether at least `k` records have values in the same columns."""
    has_company = np.zeros(len(matrix), dtype=np.bool_)
    for rows in rows_by_pattern(np.isnan(matrix)):
        has_company[rows] = rows.size >= k
    return has_company


def _sums_agree(before: FloatMatrix, after: FloatMatrix, groups: CodeColumn) -> bool:
    """Tell whether the sums of the groups from 0 on are the same up to the rounding of whole numbers."""
    some = groups >= 0
    sizes = np.bincount(groups[some])
    for column, masked in zip(before[some].T, after[some].T, strict=True):
        sums, scale, other = (
            np.bincount(groups[some], np.nan_to_num(values)) for values in (column, np.abs(column), masked)
        )
        rounding = 0.5 * sizes if np.array_equal(masked, np.rint(masked), equal_nan=True) else 0.0
        if not (np.abs(sums - other) <= rounding + 1e-6 * scale + 1e-9).all():
            return False
    return True
