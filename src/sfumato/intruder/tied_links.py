"""Links by what ties records: values that two of them exchanged, and households."""

from typing import NamedTuple

from sfumato.intruder.exchanges import ExchangedColumns, exchange_links, household_exchange_links
from sfumato.intruder.households import draws_whole_households, household_links
from sfumato.intruder.pair_model import Model
from sfumato.intruder.posterior import Posterior
from sfumato.numerics.arrays import FloatColumn, Rows

EXCHANGES, HOUSEHOLDS = "exchanges", "households"
BOTH = "households and exchanges"
WAYS = (EXCHANGES, HOUSEHOLDS, BOTH)


class TiedLinks(NamedTuple):
    """The row of the original that each masked record is linked to, -1 for none, and how probable that is.

    The probability is NaN where a way does not tell.
    """

    rows: Rows
    certainty: FloatColumn


def tied_links(
    exchanged: ExchangedColumns, model: Model, posterior: Posterior, rows: Rows, ways: tuple[str, ...] = WAYS
) -> dict[str, TiedLinks]:
    """Return the links in some of the ways that use what ties records, as far as there is any.

    Parameters
    ----------
    exchanged
        The columns whose values are exchanged, with the runs of the recipe and the masked file.
    model, posterior
        How likely pairs are.
    rows
        The original of each masked record: how unlikely a true pair can be is known from the intruder's own files.
    ways
        Which are wanted.
    """
    runs, masked = exchanged.runs, exchanged.masked
    found: dict[str, TiedLinks] = {}
    if exchanged.swaps and EXCHANGES in ways:
        links = exchange_links(exchanged, model, posterior, rows)
        found |= {EXCHANGES: TiedLinks(links.rows, links.certainty)} if links else {}
    if HOUSEHOLDS in ways:
        are_whole = draws_whole_households(runs, masked)
        of_homes = household_links(model, posterior, runs.original, masked, are_whole=are_whole)
        found |= {HOUSEHOLDS: TiedLinks(of_homes.rows, of_homes.certainty)} if of_homes is not None else {}
    if exchanged.swaps and BOTH in ways and (HOUSEHOLDS in found or HOUSEHOLDS not in ways):
        links = household_exchange_links(exchanged, model)
        found |= {BOTH: TiedLinks(links.rows, links.certainty)} if links else {}
    return found
