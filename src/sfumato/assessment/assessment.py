"""Assessment: what the measures found, and the scores made from it."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from sfumato.assessment.outliers import Outliers
from sfumato.contracts import Measure, Measurement, RiskMeasure
from sfumato.display import Table, render_notebook
from sfumato.display.tabular_result import TabularResult
from sfumato.keys.findings.key_findings import KeyFindings
from sfumato.scores import Score

if TYPE_CHECKING:
    import polars

RISK, LOSS, SCORES = "risk", "loss", "scores"
FORMAT = 1  # of the plain form; goes up when a field changes its meaning or goes away


@dataclass(frozen=True)
class Assessment(TabularResult):
    """What the measures found in an original and a masked file; it holds figures only and shows no record.

    Parameters
    ----------
    measures, measurements
        What was asked, and what was found, in the same order.
    scores
        The scores made from the measurements.
    original_records, masked_records
        The number of records in each file.
    not_measured
        Columns of the original that no measure looked at because the masked file does not have them as such.
    remarks
        What else must be read with the figures.
    outliers
        Which records are outliers; None when they were not asked for.
    withheld
        The names of measures that were not taken, as nothing tells which masked record came from which original one.
    unattacked
        Columns of the masked file that no attack which was held against a control looked at.
    alarms
        What the file tells more than the figures say, in short; the remarks tell how much.
    findings
        What was counted beside the keys where k is claimed, for whoever holds a limit on k against it.
    """

    measures: tuple[Measure, ...]
    measurements: tuple[Measurement, ...]
    scores: tuple[Score, ...]
    original_records: int
    masked_records: int
    not_measured: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    outliers: Outliers | None = None
    withheld: tuple[str, ...] = ()
    unattacked: tuple[str, ...] = ()
    alarms: tuple[str, ...] = ()
    findings: tuple[KeyFindings, ...] = field(default=(), repr=False, compare=False)

    @property
    def values(self) -> dict[str, float]:
        """The figures by symbol: of the measures, of parts that have one (`IL1`), and of the scores."""
        values = self.measured_values
        return values | {score.symbol: score.score(values) for score in self.scores}

    @property
    def measured_values(self) -> dict[str, float]:
        """The figures by symbol without the scores."""
        values: dict[str, float] = {}
        for measure, found in zip(self.measures, self.measurements, strict=True):
            values[found.symbol] = found.value
            ending = found.symbol.removeprefix(measure.symbol)
            values |= {f"{symbol}{ending}": found.parts[symbol] for symbol in measure.part_symbols}
        return values

    @property
    def outlier_values(self) -> dict[str, float]:
        """The figures of the outliers by symbol, where a measure tells records apart; none when not asked for."""
        if self.outliers is None:
            return {}
        values: dict[str, float] = {}
        for measure, found in zip(self.measures, self.measurements, strict=True):
            ending = found.symbol.removeprefix(measure.symbol) if found.record_symbol else ""
            values |= {f"{symbol}{ending}": value for symbol, value in found.among(self.outliers.among).items()}
        return values

    def by_room(self, room: str) -> Iterator[tuple[Measure, Measurement]]:
        """Yield what was asked and found in one room, `risk` or `loss`."""
        for measure, found in zip(self.measures, self.measurements, strict=True):
            if room_of(measure) == room:
                yield measure, found

    def to_dict(self) -> dict[str, Any]:
        """Return the figures as plain dicts and lists, ready for JSON; the page on assessing names every field."""
        values = self.values
        return {
            "format": FORMAT,
            "values": values,
            "outliers": self._plain_outliers(),
            "records": {"original": self.original_records, "masked": self.masked_records},
            "not_measured": list(self.not_measured),
            "withheld": list(self.withheld),
            "alarms": list(self.alarms),
            "remarks": list(self.remarks),
            "measurements": [_plain(*pair) for pair in zip(self.measures, self.measurements, strict=True)],
            "scores": [
                {"name": score.name, "symbol": score.symbol, "value": values[score.symbol], "formula": score.formula}
                for score in self.scores
            ],
        }

    def _plain_outliers(self) -> dict[str, Any] | None:
        if self.outliers is None:
            return None
        found = self.outliers
        columns = list(found.columns)
        return {"share": found.share, "records": found.records, "columns": columns, "values": self.outlier_values}

    def to_frame(self) -> "polars.DataFrame":
        """Return the figures as a polars dataframe: room, name, symbol, part (null for the whole), value, unit.

        Where outliers were asked for, the column `outliers` holds their figures; it is null where there is none.
        """
        import polars

        rows: list[tuple[str, str, str, str | None, float, float | None, str]] = []
        for measure, found in zip(self.measures, self.measurements, strict=True):
            room, name, symbol, unit = room_of(measure), found.name, found.symbol, found.unit
            outlying = {} if self.outliers is None else found.among(self.outliers.among)
            rows.append((room, name, symbol, None, found.value, outlying.get(symbol), unit))
            divided = outlying if found.record_symbol else {}
            rows.extend(
                (room, name, symbol, part, value, divided.get(part), measure.part_units.get(part, unit))
                for part, value in found.parts.items()
            )
        values = self.values
        rows.extend((SCORES, score.name, score.symbol, None, values[score.symbol], None, "") for score in self.scores)
        text, number = polars.String, polars.Float64
        schema = {"room": text, "name": text, "symbol": text, "part": text, "value": number}
        schema |= {"outliers": number, "unit": text}
        frame = polars.DataFrame(rows, schema=schema, orient="row")
        return frame.drop("outliers") if self.outliers is None else frame

    @property
    def leak_verdict(self) -> str:
        """Whether attacks that were held against a control found a leak, and which; empty where none was."""
        from sfumato.assessment.synthetic_files import leak_remark

        return " ".join(leak_remark(self.measurements, self.unattacked))

    @property
    def shows_leak(self) -> bool:
        """Whether some attack found a leak."""
        return any(found.shows_leak for found in self.measurements)

    def to_table(self) -> Table:
        """Return the figures as a table: a group of rows for risks, one for losses, one for scores."""
        from sfumato.assessment.rendering import build_table

        return build_table(self)

    def __str__(self) -> str:
        return self.to_table().to_text()

    def _repr_html_(self) -> str:
        return render_notebook([self.to_table().to_html()])

    def to_html(self, title: str = "Assessment of the file") -> str:
        """Return the assessment as an HTML page that stands alone, what must be read with the figures first."""
        from sfumato.assessment.rendering import render_html

        return render_html(self, title)


def room_of(measure: Measure) -> str:
    """Return the room that a measure belongs to."""
    return RISK if isinstance(measure, RiskMeasure) else LOSS


def _plain(measure: Measure, found: Measurement) -> dict[str, Any]:
    return {
        "room": room_of(measure),
        "name": found.name,
        "symbol": found.symbol,
        "value": found.value,
        "unit": found.unit,
        "parts": dict(found.parts),
        "part_units": dict(measure.part_units),
        "standard_error": found.standard_error,
        "interval": None if found.interval is None else list(found.interval),
        "bound": found.bound,
        "remark": found.remark,
        "shows_leak": found.shows_leak,
        "shows_trace": found.shows_trace,
        "trials": None if found.trials is None else asdict(found.trials),
        "parameters": measure.model_dump(mode="json"),
    }
