"""What every score promises: a name, a formula, and one verb."""

from abc import ABC, abstractmethod
from collections.abc import Mapping

from sfumato.documents.record import Record
from sfumato.errors import DataError, did_you_mean


class Score(Record, ABC):
    """A figure made from those of several measures; lower is better.

    Parameters
    ----------
    name, symbol
        The name of the score, and its short symbol in tables; scores that are shown together need different symbols.
    source
        Where the score comes from.
    """

    name: str
    symbol: str
    source: str = ""

    @property
    @abstractmethod
    def formula(self) -> str:
        """The score as a formula over the symbols of measures."""

    @property
    @abstractmethod
    def needs(self) -> tuple[str, ...]:
        """The symbols of the measures that the score is made from."""

    @abstractmethod
    def combine(self, values: Mapping[str, float]) -> float:
        """Return the score of the values by symbol, which are known to be there."""

    def is_known(self, values: Mapping[str, float]) -> bool:
        """Tell whether every value that the score needs is there."""
        return set(self.needs) <= values.keys()

    def score(self, values: Mapping[str, float]) -> float:
        """Return the score of the values by symbol; refuse when one that it needs is not there."""
        for symbol in self.needs:
            if symbol not in values:
                raise DataError(
                    f"{self.name}: there is no measure '{symbol}' among those taken ({', '.join(values) or 'none'})"
                    f"{did_you_mean(symbol, values) or '; measure it too, or leave it out of the score'}"
                )
        return self.combine(values)
