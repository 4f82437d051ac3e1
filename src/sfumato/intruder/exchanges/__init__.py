"""Links by exchanges: where values were swapped between two records, one pair of records implies another."""

from sfumato.intruder.exchanges.exchanged_columns import ExchangedColumns
from sfumato.intruder.exchanges.household_exchanges import household_exchange_links
from sfumato.intruder.exchanges.links import exchange_links

__all__ = ["ExchangedColumns", "exchange_links", "household_exchange_links"]
