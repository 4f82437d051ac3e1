"""Pools of what is still free to be paired, from which anything is taken at once."""

from sfumato.kernels.compiling import compiled
from sfumato.numerics.arrays import Integers


@compiled
def take_from_pool(
    member: int, group: int, pool: Integers, places: Integers, starts: Integers, sizes: Integers
) -> None:
    """Take a member out of the pool of its group (outputs: pool, places, sizes); the last one comes into its place.

    Parameters
    ----------
    member, group
        What is taken, and the group that it is free in.
    pool, places
        The members, one group after another, and where each of them is, shape (n,).
    starts, sizes
        Where the pool of each group starts, and how many are free in it, shape (groups,).
    """
    last = pool[starts[group] + sizes[group] - 1]
    pool[places[member]], places[last] = last, places[member]
    sizes[group] -= 1
