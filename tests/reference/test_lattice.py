"""Optimal levels of full-domain recoding on a file whose optima are known from ARX 3.9."""

import pytest

from sfumato.masking import FullDomainRecoding, search_lattice
from tests.masking.lattice_files import KEYS, census_like


@pytest.mark.reference
@pytest.mark.parametrize(
    ("k", "l", "limit", "levels", "loss", "suppressed"),
    [
        (3, None, 0, (0, 4, 1, 1, 3, 2, 1, 2), 0.5120371305, 0),
        (3, None, 5, (0, 3, 1, 1, 2, 1, 1, 1), 0.2203368229, 1450),
        (3, None, 100, (0, 3, 1, 0, 2, 1, 1, 1), 0.1927052868, 2279),
        (5, None, 0, (0, 4, 1, 1, 1, 2, 2, 2), 0.5148157682, 0),
        (5, None, 5, (0, 3, 1, 1, 1, 2, 1, 1), 0.2808222269, 1311),
        (5, None, 100, (0, 3, 1, 0, 2, 1, 1, 1), 0.2284787755, 3523),
        (5, 2, 5, (0, 3, 1, 1, 1, 2, 1, 1), 0.2808222269, 1311),
        (5, 2, 100, (0, 3, 1, 0, 2, 1, 1, 1), 0.2286625642, 3530),
    ],
)
def test_the_optima_of_arx_on_a_large_file_are_found(
    k: int,
    l: int | None,
    limit: float,
    levels: tuple[int, ...],
    loss: float,
    suppressed: int,
) -> None:
    """ARX 3.9; the optima of k = 3 and 5 were confirmed by exhaustive search."""
    data, hierarchies = census_like()
    recoding = FullDomainRecoding(
        columns=KEYS,
        hierarchies=hierarchies,
        k=k,
        max_suppressed=limit,
        sensitive=None if l is None else "disease",
        l=l,
    )
    found = search_lattice(data, recoding)
    assert tuple(found.levels.values()) == levels
    assert found.loss == pytest.approx(loss, abs=1e-9)
    assert found.suppressed == suppressed
    assert found.nodes == 9720
    assert found.is_optimal
