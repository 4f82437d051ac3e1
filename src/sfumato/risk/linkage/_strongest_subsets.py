"""Which few of many columns tell most together: the best two, and what grows from them."""

from collections.abc import Callable
from itertools import combinations

CONSIDERED = 20  # columns, those that tell most by themselves
PAIRED = 10  # of them, of which each two are tried
BEGINNINGS = 2  # pairs that sets are grown from

Subset = tuple[int, ...]


def strongest_subsets(count: int, share: Callable[[Subset], float]) -> list[Subset]:
    """Return the best pair, the best set that grows from one of the best pairs, the best single column, and all.

    Parameters
    ----------
    count
        How many columns there are.
    share
        What a set of columns finds, by the places of its columns in rising order.

    Examples
    --------
    >>> worth = {(0,): 1, (1,): 2, (2,): 3, (0, 1): 9, (0, 2): 4, (1, 2): 4, (0, 1, 2): 8}
    >>> strongest_subsets(3, worth.__getitem__)
    [(2,), (0, 1), (0, 1, 2)]
    """
    singles: dict[Subset, float] = {(place,): share((place,)) for place in range(count)}
    ranked = [known[0] for known in sorted(singles, key=lambda known: -singles[known])][:CONSIDERED]
    found = dict(singles)
    pairs = [_ordered(pair) for pair in combinations(ranked[:PAIRED], 2)]
    found |= {pair: share(pair) for pair in pairs}
    best_pairs = sorted(pairs, key=lambda pair: -found[pair])[:BEGINNINGS]
    for pair in best_pairs:
        _grow(pair, ranked, share, found)
    best = max(found, key=lambda known: (found[known], -len(known)))
    chosen = [max(singles, key=singles.__getitem__), *best_pairs[:1], best, tuple(range(count))]
    return list(dict.fromkeys(chosen))


def _grow(pair: Subset, ranked: list[int], share: Callable[[Subset], float], found: dict[Subset, float]) -> None:
    """Add to `found` the sets that a pair grows to, each time by the column that adds most."""
    known = pair
    while left := [place for place in ranked if place not in known]:
        larger = [_ordered((*known, place)) for place in left]
        found |= {one: share(one) for one in larger if one not in found}
        known = max(larger, key=found.__getitem__)


def _ordered(known: Subset) -> Subset:
    return tuple(sorted(known))
