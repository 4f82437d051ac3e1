"""Swapping after masking: exactly the records that a linkage finds exchange their values."""

from dataclasses import dataclass, field

import numpy as np

from sfumato.contracts import Correspondence, RiskMeasure, check_files, check_generator
from sfumato.data import Microdata, Selection
from sfumato.errors import DataError, ParameterError
from sfumato.numerics.arrays import Booleans, Rows
from sfumato.parameters import Percent

ROUNDING = 1e-9


@dataclass(frozen=True, eq=False)
class ReidentifiedSwap:
    """A masked file in which the records that a linkage found have exchanged their values.

    Parameters
    ----------
    data
        The file.
    found
        How many records the linkage found.
    swapped
        How many records have other values than before: those that were found, and a partner where a stratum has only
        one of them; not those that exchanged equal values.
    left
        How many were found and stay as they are, as they are alone in their stratum: suppress them.
    still_found
        How many records the same linkage finds in the new file, `left` among them.
    """

    data: Microdata = field(repr=False)
    found: int
    swapped: int
    left: int
    still_found: int


def swap_reidentified(
    original: Microdata,
    masked: Microdata,
    linkage: RiskMeasure,
    *,
    columns: Selection,
    rng: np.random.Generator,
    within: Selection = (),
    min_percent: Percent = 50.0,
) -> ReidentifiedSwap:
    """Exchange the masked values of exactly those records that a linkage re-identifies.

    Noise is kept small so that the file stays useful, and the few records that can still be linked change places:
    drawn into a random order, each takes the values of all `columns` of the one before it.

    Parameters
    ----------
    original, masked
        The file before and after masking; row ids tell which record is which.
    linkage
        A linkage that tells how far each record is linked, such as `DistanceLinkage` or `WorstCaseLinkage`.
    columns
        The columns whose values are exchanged, together: those that were masked, by which records are linked.
    rng
        The generator.
    within
        Columns whose equal values in the masked file make the strata; values are exchanged inside each, so that it
        keeps its distribution.
    min_percent
        From which figure of the linkage on a record counts as found, in percent: a link that is shared by k records
        that fit equally well counts 100 / k, and a linkage with several scenarios the mean over them. Lower it to swap
        records that are found in some scenarios only, or name one scenario.

    Notes
    -----
    The values of `columns` taken together stay the same in each stratum, with all their moments; relations with other
    columns weaken by as many records as are swapped. The swapped values are still in the file, in another row: who is
    linked finds wrong values in the other columns, but what `columns` themselves tell stays true. So swap the columns
    that intruders know, and keep confidential ones out.

    References
    ----------
    Kim and Winkler (1995), Masking microdata files; the row `add01_sw` of Yancey, Winkler and Creecy (2002), Disclosure
    risk assessment in perturbative microdata protection, Tables 5 to 7.

    Examples
    --------
    >>> import polars
    >>> from sfumato.risk import DistanceLinkage
    >>> rng = np.random.default_rng(0)
    >>> people = Microdata(polars.DataFrame({"income": rng.lognormal(3, 1, 50), "town": ["A", "B"] * 25}))
    >>> noisy = people.map_columns(("income",), lambda _, column: column + rng.normal(0, 0.1, 50))
    >>> linkage = DistanceLinkage(columns=("income",))
    >>> safer = swap_reidentified(people, noisy, linkage, columns=("income",), rng=rng)
    >>> [round(linkage.measure(people, file).value) for file in (noisy, safer.data)]
    [86, 0]
    """
    check_files("swap_reidentified", original=original, masked=masked)
    check_generator("swap_reidentified", rng)
    if not 0 < min_percent <= 100:
        raise ParameterError([f"swap_reidentified.min_percent must be in (0, 100]; got {min_percent}"])
    found = _find_records(original, masked, linkage, min_percent)
    names = masked.select(columns)
    if not names:
        raise DataError("swap_reidentified.columns must name at least one column of the masked file")
    source, left = np.arange(masked.n), 0
    for rows in masked.strata(masked.select(within)):
        ring = draw_ring(rows, found[rows], rng)
        source[ring] = np.roll(ring, 1)
        left += int(found[rows].any() and not ring.size)
    exchanged = masked.take_rows(source).take_columns(names)
    data = masked.with_columns_of(exchanged)
    alike = np.empty(masked.n, dtype=np.int64)
    for number, rows in enumerate(masked.strata(names)):
        alike[rows] = number
    still_found = _find_records(original, data, linkage, min_percent)
    changed = np.count_nonzero(alike[source] != alike)
    return ReidentifiedSwap(data, int(found.sum()), int(changed), left, int(still_found.sum()))


def _find_records(original: Microdata, masked: Microdata, linkage: RiskMeasure, min_percent: float) -> Booleans:
    """Tell which masked records the linkage finds; refuse one that does not tell the persons who they came from."""
    who = type(linkage).__name__
    if getattr(linkage, "correspondence", None) is Correspondence.NEAREST_RECORD:
        raise DataError(
            f"swap_reidentified needs a linkage of records with the persons that they came from; {who} counts the "
            f"nearest record as right: leave out correspondence: nearest_record"
        )
    per_record = linkage.measure(original, masked).per_record if linkage.family == "linkage" else None
    if per_record is None:
        raise DataError(f"swap_reidentified needs a linkage that tells which records it finds; {who} does not")
    return np.asarray(np.nan_to_num(per_record) >= min_percent * (1 - ROUNDING), dtype=np.bool_)


def draw_ring(rows: Rows, found: Booleans, rng: np.random.Generator) -> Rows:
    """Return the rows that were found in random order, each to take the values of the one before it.

    A single one gets a partner among the others; without any, the ring is empty.

    Examples
    --------
    >>> draw_ring(np.array([4, 5, 6, 7]), np.array([True, False, True, True]), np.random.default_rng(0))
    array([7, 4, 6])
    """
    ring, others = rng.permutation(rows[found]), rows[~found]
    if ring.size == 1:
        return np.append(ring, rng.choice(others)) if others.size else ring[:0]
    return ring
