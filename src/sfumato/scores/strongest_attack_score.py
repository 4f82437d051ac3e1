"""Strongest attack score: what is lost on average, and what the strongest attack finds."""

from collections.abc import Mapping
from typing import Annotated

from pydantic import Field

from sfumato.scores.score import Score


class StrongestAttackScore(Score):
    """Add half the mean of some losses to half the largest of some risks: an intruder needs one attack that works.

    Parameters
    ----------
    losses, risks
        The symbols of the measures, or of parts that have one.
    name, symbol
        The name of the score, and its short symbol in tables; scores that are shown together need different symbols.
    source
        Where the score comes from.

    Examples
    --------
    >>> own = StrongestAttackScore(name="own", symbol="own", losses=("MD",), risks=("SO", "INF"))
    >>> own.formula
    '0.5 mean(MD) + 0.5 max(SO, INF)'
    >>> own.score({"MD": 4.0, "SO": 1.0, "INF": 20.0})
    12.0
    """

    losses: Annotated[tuple[str, ...], Field(min_length=1)]
    risks: Annotated[tuple[str, ...], Field(min_length=1)]

    @property
    def formula(self) -> str:
        """The score as a formula, such as `0.5 mean(MD, PD) + 0.5 max(SO, INF)`."""
        return f"0.5 mean({', '.join(self.losses)}) + 0.5 max({', '.join(self.risks)})"

    @property
    def needs(self) -> tuple[str, ...]:
        """The symbols of all losses and risks."""
        return (*self.losses, *self.risks)

    def combine(self, values: Mapping[str, float]) -> float:
        """Return half the mean loss plus half the largest risk."""
        mean = sum(values[symbol] for symbol in self.losses) / len(self.losses)
        return float(mean / 2 + max(values[symbol] for symbol in self.risks) / 2)


synthetic_score = StrongestAttackScore(
    name="synthetic_score",
    symbol="synthetic",
    losses=("MD", "PD"),
    risks=("SOlow", "LINKlow", "INFlow", "MIAlow"),
    source="This package, for files without pairs that are held against a control",
)
