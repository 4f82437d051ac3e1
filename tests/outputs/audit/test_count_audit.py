"""The audit of counts against every world there is, one by one."""

from itertools import product

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.outputs.audit.atoms import Atoms
from sfumato.outputs.audit.count_audit import audit_counts
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.small_groups import Groups

MIN_UNITS = 4


def made_problem(seed: int) -> tuple[Atoms, Knowledge, Groups]:
    """Return a few atoms, sums of some of them, and groups of few records."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, 6, rng.integers(3, 6)).astype(float)
    shown = rng.random((int(rng.integers(1, 5)), sizes.size)) < 0.6
    sets = np.vstack([shown[shown.any(axis=1)], np.ones(sizes.size)]).astype(float)
    slack = rng.integers(0, 2, len(sets)) * (rng.random() < 0.3)
    known = Knowledge(csr_array(sets), np.maximum(sets @ sizes - slack, 0), sets @ sizes + slack)
    subsets = np.array([one for one in product((0.0, 1.0), repeat=sizes.size) if 0 < one @ sizes < MIN_UNITS])
    members = subsets.reshape(-1, sizes.size)
    is_cell = rng.random(len(members)) < 0.5
    groups = Groups(csr_array(members), members @ sizes, is_cell, np.arange(len(members)), str)
    return Atoms(np.repeat(np.arange(sizes.size), sizes.astype(int)), sizes, ()), known, groups


def every_world(atoms: Atoms, known: Knowledge) -> np.ndarray:
    most = int(known.upper.max())
    counts = np.array(list(product(range(most + 1), repeat=atoms.size)), dtype=float)
    figures = counts @ known.sets.toarray().T
    return np.asarray(counts[((figures >= known.lower) & (figures <= known.upper)).all(axis=1)])


@pytest.mark.parametrize("seed", range(25))
def test_a_group_is_safe_when_some_world_makes_it_so(seed: int) -> None:
    atoms, known, groups = made_problem(seed)
    if known.upper.max() > 14:
        atoms, known, groups = made_problem(seed + 1000)
    worlds = every_world(atoms, known) @ groups.members.toarray().T
    low = groups.sizes - np.minimum(MIN_UNITS - groups.sizes, groups.sizes)
    is_up, is_down = worlds.max(axis=0) >= MIN_UNITS, worlds.min(axis=0) <= low
    expected = np.where(groups.is_cell, is_up & is_down, is_up)
    asked = np.where(groups.is_cell, low, groups.sizes)
    found = audit_counts(atoms, known, groups, asked, MIN_UNITS)
    assert found.is_safe.tolist() == expected.tolist()
    assert (found.highest <= worlds.max(axis=0)).all()
    assert (found.lowest >= worlds.min(axis=0)).all()


def test_halves_of_a_record_are_no_world() -> None:
    """Three groups of which each two have an odd number together: in fractions they could be moved, in records not."""
    sizes = np.array([1.0, 1.0, 1.0, 9.0])
    sets = np.array([[1, 1, 0, 0], [0, 1, 1, 0], [1, 0, 1, 0], [1, 1, 1, 1]], dtype=float)
    known = Knowledge(csr_array(sets), sets @ sizes, sets @ sizes)
    groups = Groups(csr_array(np.eye(4)[:1]), sizes[:1], np.array([True]), np.arange(1), str)
    assert not audit_counts(Atoms(np.arange(4), sizes, ()), known, groups, np.zeros(1), 3).is_safe.any()
