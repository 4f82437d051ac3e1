"""What earlier audits found counts again for the same figures, and for no others."""

import numpy as np
import pytest

from sfumato.outputs.audit import count_audit
from sfumato.outputs.audit.count_audit import audit_counts
from sfumato.outputs.audit.knowledge import Knowledge
from sfumato.outputs.audit.remembered_worlds import Cache
from tests.outputs.audit.test_count_audit import MIN_UNITS, made_problem


@pytest.mark.parametrize("seed", range(15))
def test_audits_that_remember_find_what_others_find(seed: int) -> None:
    """Figures come one after the other, and again in another order, as outputs that are removed and asked for do."""
    atoms, known, groups = made_problem(seed)
    cache = Cache()
    figures = known.lower.size
    orders = [range(count) for count in range(1, figures + 1)] + [range(first, figures) for first in range(figures)]
    for chosen in map(list, orders):
        fewer = Knowledge(known.sets[chosen], known.lower[chosen], known.upper[chosen])
        fresh = audit_counts(atoms, fewer, groups, groups.sizes, MIN_UNITS)
        remembered = audit_counts(atoms, fewer, groups, groups.sizes, MIN_UNITS, cache)
        assert remembered.is_safe.tolist() == fresh.is_safe.tolist()


def test_what_was_found_once_is_not_searched_for_again(monkeypatch: pytest.MonkeyPatch) -> None:
    atoms, known, groups = made_problem(3)
    cache = Cache()
    first = audit_counts(atoms, known, groups, groups.sizes, MIN_UNITS, cache)
    monkeypatch.setattr(count_audit, "CountWorlds", None)
    again = audit_counts(atoms, known, groups, groups.sizes, MIN_UNITS, cache)
    assert not first.is_safe.all()
    assert again.is_safe.tolist() == first.is_safe.tolist()
    with pytest.raises(TypeError):
        audit_counts(atoms, known, groups, np.zeros(groups.count), MIN_UNITS, cache)
