"""Where score optimisation begins: the original file, the records that count, and how they stand to it."""

from dataclasses import dataclass

import numpy as np

from sfumato.contracts import Correspondence, Improver, paired_rows
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.improve._moment_map import second_moments
from sfumato.improve._problem import Problem
from sfumato.kernels.improvement.hill_climbing import Cells, Originals
from sfumato.kernels.improvement.link_shares import link_shares
from sfumato.kernels.improvement.moment_losses import OriginalMoments
from sfumato.kernels.improvement.rank_counts import Ranks, count_all
from sfumato.kernels.improvement.record_variation import UNKNOWN, record_variations
from sfumato.kernels.improvement.score_climbing import HELD, LINKS, SCORE, ScoreClimbState, ScoreTargets, weighted_sum
from sfumato.kernels.neighbours.kd_tree import grow_tree
from sfumato.numerics.arrays import Booleans, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.ranking import reaches_of

WIDTHS = np.arange(1, 11)  # of the rank intervals on either side, in percent of the records
ROUNDING = 1e-12  # what arithmetic blurs: a covariance that is 0, or link shares that seem to rise


@dataclass(frozen=True, eq=False)
class ScoreStart:
    """What a climb moves on: the original file, what is asked for, and how the masked file stands."""

    moments: OriginalMoments
    originals: Originals
    targets: ScoreTargets
    state: ScoreClimbState

    @property
    def intervals(self) -> int:
        """How many rank intervals there are, over all records, columns and widths."""
        return self.state.values.size * WIDTHS.size


@dataclass(frozen=True, eq=False)
class CountedRecords:
    """Which masked records count, and the complete original that each of these is compared with: -1 for the nearest."""

    is_counted: Booleans
    right: Rows

    @property
    def rows(self) -> Rows:
        """The rows of the masked records that count."""
        return np.flatnonzero(self.is_counted)

    def in_file(self, figures: FloatColumn) -> FloatColumn:
        """Return figures of the records that count with 0 for all others, in the order of the file."""
        all_figures = np.zeros(self.is_counted.size)
        all_figures[self.is_counted] = figures
        return all_figures

    def among(self, cells: Cells) -> Cells:
        """Return cells with their rows numbered among the records that count."""
        return cells._replace(rows=(np.cumsum(self.is_counted) - 1)[cells.rows])


def count_records(
    improver: Improver, problem: Problem, original: Microdata, masked: Microdata, correspondence: Correspondence
) -> CountedRecords:
    """Return the masked records that are complete and have something to be compared with; refuse fewer than two."""
    right = np.full(masked.n, -1, dtype=np.int64)
    there = problem.complete
    if correspondence is Correspondence.TRUE_RECORD:
        lacking = np.isnan(original.matrix(improver.common_columns(original, masked)))
        complete = np.logical_not(lacking.any(axis=1), dtype=np.bool_)
        rows = _true_rows(improver, original, masked)
        right, there = np.cumsum(complete)[rows] - 1, there & complete[rows]
    if np.count_nonzero(there) < 2:
        raise DataError(
            f"{type(improver).__name__} needs at least 2 masked records that are complete and have a complete "
            f"original; there are {np.count_nonzero(there)}: leave out the columns with many missing values"
        )
    return CountedRecords(there, right[there])


def _true_rows(improver: Improver, original: Microdata, masked: Microdata) -> Rows:
    try:
        return paired_rows(original, masked)
    except DataError as error:
        raise DataError(
            f"{type(improver).__name__}: {error}; records that come from none are compared with the nearest original "
            f"with correspondence nearest_record"
        ) from None


def start_score(
    problem: Problem, those: CountedRecords, weights: tuple[float, float, float], max_keys: int, is_centred: bool
) -> ScoreStart:
    """Return where a climb begins.

    Parameters
    ----------
    problem, those
        The two files, and the masked records that count.
    weights
        Of IL, DLD and ID.
    max_keys
        How many columns an intruder knows at most.
    is_centred
        Whether rank intervals start from the middle of equal values.
    """
    points = problem.points(problem.original)
    n = len(points)
    covariances = second_moments(points) * n / (n - 1)
    covariances[np.abs(covariances) <= ROUNDING] = 0.0
    moments = OriginalMoments(problem.means, problem.spread, covariances)
    originals = Originals(points, grow_tree(points), problem.original, problem.means, problem.spread)
    state = _start_state(problem, originals, those, min(max_keys, len(problem.names)), is_centred)
    limits = state.figures[LINKS] * (1 + ROUNDING), state.figures[HELD]
    targets = ScoreTargets(*weights, *limits, seeks_nearest=bool((those.right < 0).any()))
    state.figures[SCORE] = weighted_sum(moments, targets, state, state.figures)
    return ScoreStart(moments, originals, targets, state)


def _start_state(
    problem: Problem, originals: Originals, those: CountedRecords, keys: int, is_centred: bool
) -> ScoreClimbState:
    values = np.ascontiguousarray(problem.masked[those.rows])
    points = problem.points(values)
    right = np.where(those.right < 0, problem.nearest(points), those.right)
    variations = record_variations(problem.original, right, values)
    known = variations[variations != UNKNOWN]
    links, nearer = np.empty((len(values), keys)), np.tile(right[:, None], keys)
    link_shares(originals.points, points, right, links, nearer)
    ranks = _ranks(values, problem.original[right], is_centred)
    figures = np.array([known.sum(), known.size, links.sum(), count_all(ranks), 0.0])
    products = len(points) * second_moments(points)
    return ScoreClimbState(
        values, points, right, variations, points.sum(axis=0), products, links, nearer, ranks, figures
    )


def _ranks(values: FloatMatrix, sought: FloatMatrix, is_centred: bool) -> Ranks:
    # copies, as the transpose of a single column is the same memory
    m, columns = len(values), values.T.copy(order="C")
    reaches = reaches_of(WIDTHS, m)
    holding = WIDTHS.size - np.searchsorted(reaches, np.arange(2 * m + 2) / 2)
    counts = np.empty((*columns.shape, 4), dtype=np.int64)
    return Ranks(columns, sought.T.copy(order="C"), columns.copy(), counts, holding, is_centred)
