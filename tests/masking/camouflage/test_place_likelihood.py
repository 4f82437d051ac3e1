"""Where a value lies in its interval is told by the file itself: the shares of the mixture are drawn once for all."""

import numpy as np
import polars as pl

from sfumato.contracts import Knowledge
from sfumato.data import Microdata
from sfumato.masking import Camouflage
from sfumato.masking.camouflage._hulls import camouflage_intervals
from sfumato.masking.camouflage._place_likelihood import STEPS, place_coordinate
from sfumato.risk import LikelihoodLinkage


def test_the_density_fitted_to_pairs_is_nearer_to_that_of_their_file_than_the_density_of_all_files() -> None:
    rng = np.random.default_rng(41)
    column = rng.normal(size=2000)
    hull = camouflage_intervals(column, 3, 0.5, rng)
    middles = (hull.min(axis=0) + hull.max(axis=0)) / 2
    one = place_coordinate(column, middles, 0.5, 3)
    assert one.joint is not None
    rows, half = np.arange(2000)[:, None], slice(None, None, 2)
    places = one.before[:, None], one.after[half, None]
    fitted = one.joint
    for _ in range(20):
        fitted = fitted.refitted(*places, rows[half], np.ones((1000, 1)))
    others = one.before[:, None], one.after[1::2, None]
    found, usual = (joint.log_densities(*others, rows[1::2]).mean() for joint in (fitted, one.joint))
    seen = np.histogram((middles - column) / 0.5, 40, (-1, 1))[0] / 2000
    best = seen[seen > 0] @ np.log(seen[seen > 0] / (2 * STEPS / 40))
    assert usual + 0.1 < found
    assert abs(found - best) < 0.1


def test_an_intruder_links_as_many_camouflaged_records_as_with_the_density_of_the_file_itself() -> None:
    rng = np.random.default_rng(42)
    names = ("a", "b", "c")
    original = Microdata(pl.DataFrame({name: rng.normal(size=250) for name in names}))
    step = Camouflage(columns=names, vectors=3)
    masked = step.mask(original, rng)
    found = LikelihoodLinkage(columns=names).informed_by(Knowledge.of([step], original)).measure(original, masked)
    total = np.zeros((250, 250))
    for name in names:
        moved = (masked.values(f"{name}_low") + masked.values(f"{name}_high"))[:, None] / 2 - original.values(name)
        half = (masked.values(f"{name}_high") - masked.values(f"{name}_low"))[0] / 2
        counts = np.histogram(np.diag(moved) / half, 20, (-1, 1))[0] + 0.1  # of the truth, which no intruder has
        bins = np.clip((moved / half + 1) * 10, 0, 19).astype(np.int64)
        total += np.where(np.abs(moved) < half, np.log(counts[bins]), -1e6)
    by_row = 100 * (total.argmax(axis=1) == np.arange(250)).mean()
    assert found.parts["row by row"] is not None
    assert found.parts["row by row"] > by_row - 5.0
    assert by_row < 95.0
