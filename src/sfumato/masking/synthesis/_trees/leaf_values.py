"""Numbers drawn from leaves of donors such that none is the number of a few of them."""

from dataclasses import dataclass

import numpy as np

from sfumato.masking.synthesis._tails import drawing_bounds, limit_leaves
from sfumato.masking.synthesis._trees.donor_trees import weighted_places
from sfumato.masking.synthesis._trees.leaf_trends import moved_places
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, Rows
from sfumato.numerics.portable.exponentials import exp, log1p

CELLS = 1_000_000  # how many values are looked at together
WINDOW = 2  # donors that a number is drawn around, as a multiple of those that it rests on at least
COARSE = 2  # donors of a window for each of its values, from which on it holds few values
HEAP_DEVIATIONS = 4.0  # by which a value is more frequent than its neighbours


@dataclass(frozen=True, eq=False)
class LeafValues:
    """The values of the donors in each leaf, rising; none dominates its leaf.

    Parameters
    ----------
    leaves, values, weights
        Leaf, value and weight of each donor, by leaf and value.
    is_shared
        Whether so many donors of the leaf have the value that it is drawn as it is: see `find_shared`.
    fewest
        How many donors a drawn number rests on.
    bounds
        Between which numbers all drawn ones lie.
    pull
        How far each donor is drawn up within its leaf by its predictors, in deviations of the leaf.
    runs
        A number for each donor, another one where leaf or value differ.
    """

    leaves: CodeColumn
    values: FloatColumn
    weights: FloatColumn
    is_shared: Booleans
    fewest: int
    bounds: tuple[float, float]
    pull: FloatColumn
    runs: CodeColumn

    @classmethod
    def of(
        cls, leaves: CodeColumn, values: FloatColumn, weights: FloatColumn, fewest: int, pull: FloatColumn | None = None
    ) -> "LeafValues":
        """Return the values of donors in any order."""
        order = np.lexsort((values, leaves))
        leaves, values, weights = leaves[order], values[order], weights[order]
        is_shared = find_shared(leaves, values, fewest)
        bounds = drawing_bounds(values, fewest)
        limited = limit_leaves(np.clip(values, *bounds), leaves, fewest)
        pulled = np.zeros(values.size) if pull is None else pull[order]
        return cls(leaves, limited, weights, is_shared, fewest, bounds, pulled, _runs(leaves, values))

    def draw(self, wanted: CodeColumn, rng: np.random.Generator, pull: FloatColumn | None = None) -> FloatColumn:
        """Return a number from each wanted leaf, for a record that its predictors draw up so far within it.

        A donor of the leaf is drawn, and moved to the donor whose place in the leaf is as much higher as the record is
        drawn up further than the first one. A value that many donors of the leaf share is taken as it is. Otherwise the
        number is drawn around the mean of a window of donors with values next to its own, with the deviation in it:
        normal, or log-normal where the column has no value below 0, and uniform where donors share few values. Means
        and variances of the leaves are kept.
        """
        starts, stops = (np.searchsorted(self.leaves, wanted, side=side) for side in ("left", "right"))
        shares = rng.random(wanted.size)
        donors = weighted_places(self.weights, starts, stops, shares)
        if pull is not None:
            shares = moved_places(shares, pull - self.pull[donors])
            donors = weighted_places(self.weights, starts, stops, shares)
        return self.draw_around(donors, starts, stops, rng)

    def draw_around(self, donors: Rows, starts: Rows, stops: Rows, rng: np.random.Generator) -> FloatColumn:
        """Return a number for each drawn donor, whose leaf reaches from `starts` up to `stops`."""
        first, width = windows(donors - starts, stops - starts, self.fewest, rng.random(donors.size))
        is_coarse = COARSE * (self.runs[starts + first + width - 1] - self.runs[starts + first] + 1) <= width
        numbers = draw_in_windows(self.values, starts + first, width, is_coarse, self.bounds, rng)
        return np.where(self.is_shared[donors], self.values[donors], numbers)


def find_shared(leaves: CodeColumn, values: FloatColumn, fewest: int) -> Booleans:
    """Return for each donor, by leaf and value, whether its value is drawn as it is.

    At least `fewest` donors of the leaf have such a value, and either as many as a window holds, or more than chance
    explains where the donors of a window have all its values equally often. How often the other ones are there in a
    large leaf is mostly chance of the sample, and gives away who was in it: days of admission, for one.

    Examples
    --------
    >>> rents = np.sort([*range(200, 300), *range(200, 300), *[250] * 18, *[280] * 5])
    >>> np.unique(rents[find_shared(np.zeros(rents.size, dtype=np.int64), rents.astype(float), 5)])
    array([250])
    """
    run = _runs(leaves, values)
    firsts = np.flatnonzero(np.diff(run, prepend=-1))
    counts = np.diff(np.append(firsts, values.size))
    starts, stops = (np.searchsorted(leaves, leaves[firsts], side=side) for side in ("left", "right"))
    width = _usual_width(stops - starts, fewest)
    middle = firsts + counts // 2
    low = np.maximum(middle - width // 2, starts)
    high = np.minimum(low + width, stops) - 1
    reached = np.append(0, np.cumsum(counts))
    expected = (reached[run[high] + 1] - reached[run[low]]) / (run[high] - run[low] + 1)
    is_heap = counts > expected + HEAP_DEVIATIONS * np.sqrt(expected)
    return np.asarray(((counts >= fewest) & ((counts >= width) | is_heap))[run], dtype=np.bool_)


def _runs(leaves: CodeColumn, values: FloatColumn) -> CodeColumn:
    """Return for each donor, by leaf and value, how many other pairs of leaf and value come before."""
    is_first = np.ones(values.size, dtype=np.bool_)
    is_first[1:] = (leaves[1:] != leaves[:-1]) | (values[1:] != values[:-1])
    return np.asarray(np.cumsum(is_first) - 1, dtype=np.int64)


def _usual_width(sizes: Rows, fewest: int) -> Rows:
    """Return so many donors that a leaf is cut into few parts: `fewest`, or the square root of a large leaf."""
    return np.minimum(np.maximum(fewest, np.rint(np.sqrt(sizes)).astype(np.int64)), sizes)


def windows(places: Rows, sizes: Rows, fewest: int, draws: FloatColumn) -> tuple[Rows, Rows]:
    """Return where a window around each drawn donor begins in its leaf, and how many donors it holds.

    The leaf is cut into windows at random, one cut for each draw, so that every donor counts as much as others. A
    window holds twice `fewest` donors, in a large leaf the square root of its size; what is left at an end joins the
    next.

    Parameters
    ----------
    places, sizes
        The place of each donor in its leaf, from 0, and how many donors the leaf has.
    fewest
        The fewest donors of a window.
    draws
        A number in [0, 1) for each cut.

    Examples
    --------
    >>> windows(np.array([0, 5, 8, 9]), np.full(4, 10), 2, np.array([0.0, 0.0, 0.99, 0.99]))
    (array([0, 5, 4, 4]), array([5, 5, 6, 6]))
    """
    width = _usual_width(sizes, WINDOW * fewest)
    cut = 1 + (draws * width).astype(np.int64)  # where the first window ends
    whole = (sizes - cut) // width
    number = np.minimum(np.where(places < cut, 0, (places - cut) // width + 1), whole)
    number = np.where(cut < width, np.maximum(number, 1), number)
    first = np.where((number == 0) | ((number == 1) & (cut < width)), 0, cut + (number - 1) * width)
    stop = np.where(number >= whole, sizes, cut + number * width)
    return np.asarray(first, dtype=np.int64), np.asarray(stop - first, dtype=np.int64)


def draw_in_windows(
    values: FloatColumn,
    first: Rows,
    width: Rows,
    is_coarse: Booleans,
    bounds: tuple[float, float],
    rng: np.random.Generator,
) -> FloatColumn:
    """Return a number from each run of donors, with the mean and the deviation of their values.

    It is normal, or log-normal where no number is below 0. Where donors share few values, as ages in years, it is
    uniform: the first and the last of them would be too rare otherwise, as a bell has little at its ends.

    Parameters
    ----------
    values
        The values of donors.
    first, width
        Where each run begins, and how many donors it has.
    is_coarse
        Whether its donors share few values.
    bounds
        Between which numbers all values lie, and those that are drawn.
    rng
        The generator.
    """
    means, spread = _moments(values, first, width)
    draws = rng.standard_normal(first.size)
    lowest, highest = bounds
    if lowest < 0:
        numbers = means + spread * draws
    else:  # log-normal, with the same mean and deviation
        logarithm = log1p((spread / np.where(means > 0, means, 1.0)) ** 2)
        numbers = means * exp(np.sqrt(logarithm) * draws - logarithm / 2)
    flat = means + spread * np.sqrt(3) * (2 * _normal_shares(draws) - 1)
    numbers = np.where(is_coarse, flat, numbers)
    numbers = np.where(numbers > highest, np.maximum(2 * highest - numbers, means), numbers)
    return np.where(numbers < lowest, np.minimum(2 * lowest - numbers, means), numbers)


def _normal_shares(draws: FloatColumn) -> FloatColumn:
    from scipy.special import ndtr

    return np.asarray(ndtr(draws), dtype=np.float64)


def _moments(values: FloatColumn, first: Rows, width: Rows) -> tuple[FloatColumn, FloatColumn]:
    """Return mean and deviation of each run of values, which begins at `first` and is `width` long."""
    means, spread = np.empty(first.size), np.empty(first.size)
    longest = int(width.max(initial=1))
    step = max(CELLS // longest, 1)
    for start in range(0, first.size, step):
        part = slice(start, start + step)
        inside = np.arange(longest) < width[part, None]
        near = values[np.where(inside, first[part, None] + np.arange(longest), first[part, None])]
        means[part] = np.where(inside, near, 0.0).sum(axis=1) / width[part]
        apart = np.where(inside, near - means[part, None], 0.0)
        spread[part] = np.sqrt((apart**2).sum(axis=1) / width[part])
    return means, spread
