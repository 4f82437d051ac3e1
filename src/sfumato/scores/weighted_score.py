"""Weighted score: the values of several measures, each times a weight."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from sfumato.display import format_compact
from sfumato.scores.score import Score


class WeightedScore(Score):
    """Add the values of measures, each times its weight.

    Parameters
    ----------
    weights
        The weight of each measure, by its symbol (`DLD`) or by that of a part which has one (`IL1`).
    name, symbol
        The name of the score, and its short symbol in tables; scores that are shown together need different symbols.
    source
        Where the score comes from.

    Examples
    --------
    >>> own = WeightedScore(weights={"IL": 0.5, "DLD": 0.5})
    >>> own.formula
    '0.5 IL + 0.5 DLD'
    >>> own.score({"IL": 20.0, "DLD": 10.0, "ID": 40.0})
    15.0
    """

    name: str = "weighted_score"
    symbol: str = "weighted"
    weights: Annotated[dict[str, float], Field(min_length=1)]

    @property
    def formula(self) -> str:
        """The score as a formula, such as `0.5 IL + 0.5 DLD`."""
        return " + ".join(f"{format_compact(weight)} {symbol}" for symbol, weight in self.weights.items())

    @property
    def needs(self) -> tuple[str, ...]:
        """The symbols of the measures that have a weight."""
        return tuple(self.weights)

    def combine(self, values: Mapping[str, float]) -> float:
        """Return the weighted sum of the values."""
        return float(sum(weight * values[symbol] for symbol, weight in self.weights.items()))
