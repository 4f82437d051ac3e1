"""Assessment: what the measures found, and the scores made from it."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sfumato.contracts import Measure, Measurement, RiskMeasure
from sfumato.errors import ParameterError
from sfumato.scores import Score

if TYPE_CHECKING:
    import polars


@dataclass(frozen=True)
class Assessment:
    """What the measures found in an original and a masked file; it holds figures only, and shows no record.

    Parameters
    ----------
    measures, measurements
        What was asked, and what was found, in the same order.
    scores
        The scores made from the measurements.
    original_records, masked_records
        The number of records in each file.
    """

    measures: tuple[Measure, ...]
    measurements: tuple[Measurement, ...]
    scores: tuple[Score, ...]
    original_records: int
    masked_records: int

    def __post_init__(self) -> None:
        symbols = Counter([found.symbol for found in self.measurements] + [score.symbol for score in self.scores])
        repeated = [symbol for symbol, count in symbols.items() if count > 1]
        if repeated:
            raise ParameterError([f"measures and scores must have different symbols; repeated: {', '.join(repeated)}"])

    @property
    def values(self) -> Mapping[str, float]:
        """The figures by symbol: of the measures, of parts that have one (`IL1`), and of the scores."""
        values = measured(self.measurements)
        return values | {score.symbol: score.score(values) for score in self.scores}

    def rooms(self) -> tuple[str, ...]:
        """Return for each measurement whether it is of `risk` or of `loss`."""
        return tuple("risk" if isinstance(measure, RiskMeasure) else "loss" for measure in self.measures)

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain dicts and lists, ready for JSON: `values` by symbol, then the details."""
        values = dict(self.values)
        return {
            "values": values,
            "records": {"original": self.original_records, "masked": self.masked_records},
            "measurements": [
                {"room": room, **_plain(measure, found)}
                for room, measure, found in zip(self.rooms(), self.measures, self.measurements, strict=True)
            ],
            "scores": [
                {"name": score.name, "symbol": score.symbol, "value": values[score.symbol], "formula": score.formula}
                for score in self.scores
            ],
        }

    def to_frame(self) -> "polars.DataFrame":
        """Return the figures as a polars dataframe: room, name, symbol, part (null for the whole), value, unit."""
        import polars

        rows: list[tuple[str, str, str, str | None, float, str]] = []
        for room, found in zip(self.rooms(), self.measurements, strict=True):
            rows.append((room, found.name, found.symbol, None, found.value, found.unit))
            rows.extend((room, found.name, found.symbol, part, value, found.unit) for part, value in found.parts.items())
        values = self.values
        rows.extend(("scores", score.name, score.symbol, None, values[score.symbol], "") for score in self.scores)
        names = ("room", "name", "symbol", "part", "value", "unit")
        types = (polars.String, polars.String, polars.String, polars.String, polars.Float64, polars.String)
        return polars.DataFrame(rows, schema=dict(zip(names, types, strict=True)), orient="row")

    def __str__(self) -> str:
        from sfumato.assessment.showing import as_text

        return as_text(self)

    def _repr_html_(self) -> str:
        from sfumato.assessment.showing import as_html

        return as_html(self)


def measured(measurements: tuple[Measurement, ...]) -> dict[str, float]:
    """Return the figures by symbol; a part whose name begins with the symbol (`IL1` of `IL`) is a symbol of its own."""
    values: dict[str, float] = {}
    for found in measurements:
        values[found.symbol] = found.value
        values |= {part: value for part, value in found.parts.items() if part in symbols_of_parts(found)}
    return values
