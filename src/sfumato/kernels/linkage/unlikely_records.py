"""How much the records of a box weigh that a search for the likely ones passes by."""

from sfumato.kernels.compiling import compiled
from sfumato.kernels.neighbours.kd_tree import LANES, Tree

MULTIPLIER, MODULUS = 48_271, 2_147_483_647  # of a minimal standard generator of random numbers


@compiled
def records_below(tree: Tree, node: int) -> int:
    """Return how many records a node holds."""
    if node == 0:
        held = 0
        for count in tree.counts[0]:  # one by one: to add up an array compiles slowly
            held += count
        return held
    branch = tree.parents[node]
    return int(tree.counts[branch, node - tree.children[branch]])


@compiled
def record_by_lot(tree: Tree, node: int, number: int) -> tuple[int, int]:
    """Return the leaf and the place in it of one of the records that a node holds, by lot: another for each number."""
    branches = len(tree.children)
    lot = (number % MODULUS + 1) * MULTIPLIER % MODULUS
    lot = (lot + node) * MULTIPLIER % MODULUS
    place = lot * MULTIPLIER % MODULUS % records_below(tree, node)
    while node < branches:
        for lane in range(LANES):
            if place < tree.counts[node, lane]:
                node = tree.children[node] + lane
                break
            place -= tree.counts[node, lane]
    return node - branches, place
