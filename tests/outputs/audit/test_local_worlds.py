"""Worlds near the real one: each fits all figures, and one is found where there is any."""

import numpy as np
import pytest
from scipy.sparse import csr_array

from sfumato.outputs.audit import count_audit
from sfumato.outputs.audit.local_worlds import LocalWorlds
from tests.outputs.random_logs import make_log
from tests.outputs.reader import disclosed_counts


def _made(seed: int) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return figures over five atoms, what a reader knows of them, and the records of the atoms."""
    rng = np.random.default_rng(seed)
    sets = (rng.random((int(rng.integers(1, 4)), 5)) < 0.5).astype(float)
    sizes = rng.integers(0, 4, 5).astype(float)
    figures = sets @ sizes
    room = np.where(rng.random(figures.size) < 0.3, 1.0, 0.0)
    return sets, np.maximum(figures - room, 0.0), figures + room, sizes


@pytest.mark.parametrize("seed", range(6))
def test_a_world_is_found_just_where_trying_all_finds_one(seed: int) -> None:
    sets, lower, upper, sizes = _made(seed)
    every = np.indices((8,) * 5).reshape(5, -1).astype(float)
    figures = sets @ every
    every = every[:, ((lower <= figures.T) & (upper >= figures.T)).all(axis=1)]
    worlds = LocalWorlds(csr_array(sets), lower, upper, sizes)
    for group, records in (([0], 2.0), ([1, 2], 1.0), ([3], -1.0), ([0, 4], 3.0)):
        counts = every[group].sum(axis=0) - sizes[group].sum()
        moved = worlds.move(np.array(group), records, np.zeros(5))
        assert (moved is not None) == bool((counts >= records if records > 0 else counts <= records).any())
        if moved is not None:
            world = sizes.copy()
            world[moved.atoms] += moved.records
            assert (world >= 0).all()
            assert ((sets @ world >= lower) & (sets @ world <= upper)).all()


@pytest.mark.parametrize("seed", [3, 11, 27])
def test_the_reader_finds_nothing_in_logs_that_are_searched_around_each_group(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(count_audit, "LARGE_PART", 0)
    made = make_log(seed, max_tables=4, max_records=80)
    assert disclosed_counts(made.counts) == []
