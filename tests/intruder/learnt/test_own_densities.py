"""What one file alone tells of how its values were moved, beside what other files of the same recipe tell."""

import numpy as np
import polars as pl

from sfumato.contracts import Coordinate, Knowledge, Likelihood
from sfumato.data import Microdata
from sfumato.intruder.learnt.learning import log_densities
from sfumato.intruder.learnt.own_densities import adapted, helps
from sfumato.masking import Camouflage
from sfumato.numerics.densities import Displacements
from sfumato.risk import LikelihoodLinkage

RECORDS, COLUMNS, HALF = 300, 4, 200


def likelihood_of(shifts: list[float], seed: int) -> Likelihood:
    """Return coordinates of a file whose columns are shifted by these, with the density of a mean file."""
    rng = np.random.default_rng(seed)
    steps = np.arange(-HALF, HALF + 1) / HALF
    density = Displacements((-0.5 * (steps / 0.06) ** 2)[None, :])
    places = np.random.default_rng(0).random((RECORDS, COLUMNS))
    return tuple(
        Coordinate(before, before + shift + 0.02 * rng.normal(size=RECORDS), density, is_exact=False)
        for before, shift in zip(places.T, shifts, strict=True)
    )


def right(likelihood: Likelihood) -> float:
    return float((log_densities(likelihood, RECORDS, RECORDS).argmax(axis=1) == np.arange(RECORDS)).mean())


def test_shifts_of_a_file_are_found_and_more_of_its_records_with_them() -> None:
    likelihood = likelihood_of([0.05, -0.06, 0.05, -0.05], 1)
    assert right(adapted(likelihood)) > right(likelihood) + 0.1


def test_it_is_used_where_files_differ_and_not_where_they_do_not() -> None:
    truth, kinds = np.arange(RECORDS), ([0.05, -0.06, 0.05, -0.05], [0.0] * COLUMNS)
    apart = [likelihood_of(shifts, seed) for seed, shifts in enumerate([kinds[0], [-part for part in kinds[0]]])]
    assert helps(apart, [truth, truth])
    exact = tuple(
        Coordinate(one.before, one.after, Displacements(9.0 * one.density.grid().table), is_exact=False)
        for one in likelihood_of(kinds[1], 3)
    )
    assert not helps([exact], [truth])


def test_files_too_small_to_tell_stay_as_they_are() -> None:
    few = tuple(
        Coordinate(one.before[:50], one.after[:50], one.density, is_exact=False)
        for one in likelihood_of([0.0] * COLUMNS, 1)
    )
    assert adapted(few) is few


def test_intervals_that_lie_to_one_side_hide_no_more_than_their_width() -> None:
    names = ("x", "y", "z")
    numbers = np.random.default_rng(1).lognormal(size=(120, 3))
    original = Microdata(pl.DataFrame(numbers, schema=list(names)).with_columns(pl.Series("sex", ["f", "m"] * 60)))
    hiding = Camouflage(columns=names, scale=0.2)
    masked = hiding.mask(original, np.random.default_rng(2))
    known = Knowledge.of([hiding], original)
    found = LikelihoodLinkage(columns=("sex",)).informed_by(known).measure(original, masked)
    assert "does not fit" not in found.remark
    assert found.parts["right at 90"] > 85
