"""Sizes of households: those that few have count together with their neighbours."""

from dataclasses import dataclass

import numpy as np

from sfumato.display import format_count
from sfumato.numerics.arrays import CodeColumn, FloatColumn, Rows

LARGEST = 2  # times the smallest size of its class: for more no household counts


@dataclass(frozen=True, eq=False)
class SizeClasses:
    """Classes of sizes, each of so many households that it points to none.

    Parameters
    ----------
    classes
        The class of each original household, from 0 for the smallest.
    means
        The mean size of the households of each class.
    """

    classes: CodeColumn
    means: FloatColumn

    @classmethod
    def of(cls, sizes: Rows, fewest: int) -> "SizeClasses":
        """Return the classes of some sizes, from the largest on: a class ends as soon as `fewest` households have it.

        What is left of the smallest joins the class above. How large one of them is does not show.

        Examples
        --------
        >>> SizeClasses.of(np.array([1, 1, 1, 2, 2, 3, 3, 4, 9]), 2).means
        array([1., 2., 3., 6.])
        """
        starts, held = [], 0  # the smallest size of each class
        counts = np.bincount(sizes)
        for size in range(counts.size - 1, 0, -1):
            held += int(counts[size])
            if held >= fewest:
                starts.append(size)
                held = 0
        classes = np.maximum(np.searchsorted(np.array(starts[::-1] or [1]), sizes, side="right") - 1, 0)
        smallest = np.array([sizes[classes == number].min() for number in range(int(classes.max()) + 1)])
        limited = np.minimum(sizes, LARGEST * smallest[classes])
        means = np.bincount(classes, weights=limited) / np.bincount(classes)
        return cls(classes, means.astype(np.float64))

    def draw(self, classes: CodeColumn, rng: np.random.Generator) -> Rows:
        """Return a size for each drawn class: its mean, up or down at random, so that no persons are lost."""
        return np.floor(self.means[classes] + rng.random(classes.size)).astype(np.int64)


def rare_size_remarks(sizes: Rows, fewest: int) -> tuple[str, ...]:
    """Return a sentence where fewer than `fewest` households are of a size."""
    counts = np.bincount(sizes)
    rare = counts[(counts > 0) & (counts < fewest)]
    if not rare.size:
        return ()
    return (
        f"{format_count(int(rare.sum()), 'household')} of {format_count(rare.size, 'size')} too rare to be drawn as "
        f"they are; they count together with those of nearly the same size, and are drawn with the mean size",
    )
