"""Linking by exchanges and by households beside pairs, and how sure each way is, as a file of one's own shows."""

from typing import NamedTuple

import numpy as np

from sfumato.data import Microdata
from sfumato.errors import SfumatoError
from sfumato.intruder import (
    FRESH,
    ExchangedColumns,
    Model,
    Posterior,
    Runs,
    calibrate,
    draws_whole_households,
    exchange_links,
    household_exchange_links,
    household_links,
    model_by_runs,
    posterior_of,
)
from sfumato.numerics.arrays import FloatColumn, Rows
from sfumato.risk.linkage._posterior_links import certainty_of, right_links

ONE_TO_ONE, EXCHANGES, HOUSEHOLDS = "one to one", "exchanges", "households"
BOTH = "households and exchanges"
MAX_REHEARSED = 20_000  # records of the largest file on which the attack is tried first


class SureLinks(NamedTuple):
    """How probable links are held to be, and the chance that each is right."""

    certainty: FloatColumn
    right: FloatColumn


def links_by_pairs(posterior: Posterior, rows: Rows) -> SureLinks:
    """Return the links one to one."""
    return SureLinks(certainty_of(posterior), right_links(posterior, posterior.one_to_one, rows))


def links_by_ties(
    exchanged: ExchangedColumns, model: Model, posterior: Posterior, rows: Rows, ways: tuple[str, ...]
) -> dict[str, SureLinks]:
    """Return the links in some of the ways that use what ties records; NaN for how sure where a way does not tell."""
    runs, masked = exchanged.runs, exchanged.masked
    found: dict[str, SureLinks] = {}
    if exchanged.swaps and EXCHANGES in ways:
        links = exchange_links(exchanged, model, posterior, rows)
        found |= {EXCHANGES: SureLinks(links.certainty, (links.rows == rows).astype(np.float64))} if links else {}
    if HOUSEHOLDS in ways:
        are_whole = draws_whole_households(runs, masked)
        of_homes = household_links(model, posterior, runs.original, masked, are_whole=are_whole)
        if of_homes is not None:
            found[HOUSEHOLDS] = SureLinks(of_homes.certainty, (of_homes.rows == rows).astype(np.float64))
    if exchanged.swaps and BOTH in ways and (HOUSEHOLDS in found or HOUSEHOLDS not in ways):
        links = household_exchange_links(exchanged, model)
        found |= {BOTH: SureLinks(links.certainty, (links.rows == rows).astype(np.float64))} if links else {}
    return found


def put_before(links: SureLinks, others: SureLinks) -> SureLinks:
    """Return links of one way, and others where it does not tell how sure they are."""
    is_told = ~np.isnan(links.certainty)
    return SureLinks(*(np.where(is_told, one, other) for one, other in zip(links, others, strict=True)))


def rehearsed_certainty(
    certainty: FloatColumn, way: str, runs: Runs, names: tuple[str, ...], max_candidates: int
) -> FloatColumn:
    """Return how probable links are after the attack was tried on a file that the intruder masked themselves."""
    shadow = _file_of_ones_own(runs, names)
    if shadow is None:
        return certainty
    file, rows = shadow
    model = model_by_runs(runs, file, names, is_own=True)
    posterior = posterior_of(model, max_candidates)
    tried = links_by_pairs(posterior, rows)
    if way != ONE_TO_ONE:
        found = links_by_ties(ExchangedColumns(runs, file, names), model, posterior, rows, (way,))
        tried = put_before(found[way], tried) if way in found else tried
    return calibrate(certainty, *tried)


def _file_of_ones_own(runs: Runs, names: tuple[str, ...]) -> tuple[Microdata, Rows] | None:
    if runs.original.n > MAX_REHEARSED:
        return None
    try:
        shadow = runs.shadow(FRESH)
    except SfumatoError:
        return None
    return None if any(name not in shadow.data.schema for name in names) else (shadow.data, shadow.rows)
