"""The contract of a measure: parameters, one verb, and what it finds."""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import ClassVar, Self

import numpy as np
from pydantic import PrivateAttr

from sfumato.contracts.columns import check_records, columns_of_both
from sfumato.contracts.knowledge import Knowledge
from sfumato.contracts.methods import MaskingMethod
from sfumato.contracts.named import ColumnRecord
from sfumato.contracts.trials import Trials
from sfumato.data import Microdata
from sfumato.errors import DataError
from sfumato.numerics.arrays import Booleans, FloatColumn


class Correspondence(StrEnum):
    """Which original record a masked record is compared with."""

    TRUE_RECORD = "true_record"
    """The one that it came from, known by its row id: the truth about re-identification."""
    NEAREST_RECORD = "nearest_record"
    """The nearest one over all compared columns, as some papers count; synthetic records come from none."""


class RankTies(StrEnum):
    """Where the interval around a value starts when several masked records have that value."""

    RANGE = "range"
    """At their lowest and their highest rank."""
    MID = "mid"
    """At the middle of their ranks."""


@dataclass(frozen=True)
class Measurement:
    """What a measure found.

    Parameters
    ----------
    name, symbol
        The measure's name in recipes and its short symbol in tables (`DLD`).
    value
        The figure itself.
    unit
        The unit of the value, such as `%`.
    parts
        The same figure by part, variable or scenario, where it exists.
    per_record
        One figure per masked record, in its order, where it exists; NaN where a record has nothing to measure. Never
        printed.
    record_symbol
        The symbol of the figure that `per_record` divides among the records: that of one of the parts, or when not
        given that of the measure.
    standard_error
        The sampling error, where the figure was sampled.
    interval
        The ends of a 95 % confidence interval, where there is one.
    bound
        The largest figure that anybody reaches on average, whatever they try, where the value is what one attack
        reaches: 100 % where no smaller one is proven. None for other figures. A limit on the figure counts it.
    unproven
        The names of the steps of a recipe for which no bound is proven, where there is none.
    remark
        A sentence to be read with the figure, such as the name of the strongest attack.
    shows_leak
        Whether an attack finds more of the persons in the file than of a control, beyond chance and so much that it may
        matter; None where it was not asked, or cannot be told.
    shows_trace
        Whether it finds more beyond chance, but surely so little that this is no leak.
    trials
        How often an attack was tried, where it was tried on persons or descriptions one by one.
    """

    name: str
    symbol: str
    value: float
    unit: str = "%"
    parts: Mapping[str, float] = field(default_factory=lambda: MappingProxyType({}))
    per_record: FloatColumn | None = field(default=None, repr=False, compare=False)
    record_symbol: str = ""
    standard_error: float | None = None
    interval: tuple[float, float] | None = None
    bound: float | None = None
    unproven: tuple[str, ...] = ()
    remark: str = ""
    shows_leak: bool | None = None
    shows_trace: bool = False
    trials: Trials | None = None

    def among(self, records: Booleans) -> dict[str, float]:
        """Return the mean figure of some masked records by its symbol; nothing where no record has one."""
        figures = np.empty(0) if self.per_record is None else self.per_record[records]
        known = figures[~np.isnan(figures)]
        return {self.record_symbol or self.symbol: float(known.mean())} if known.size else {}


class Measure(ColumnRecord, ABC):
    """A question asked of an original file and its masked form; lower is better.

    `part_symbols` names the parts that are figures in their own right, so that scores and limits can use them;
    `part_units` their units, where these are not that of the measure, and `part_meanings` says what they are to readers
    of a page; `column_parts` says what the parts are that are named after columns. Where the figure is what one attack
    reaches, `bound_symbol` names the part that nobody exceeds, which a limit on the measure counts, and `attack_symbol`
    the part that is the figure itself, for limits on the attack alone. `needs_pairs` says that the figure rests on
    knowing which masked record came from which original one: it is withheld where nothing tells.
    """

    symbol: ClassVar[str]
    part_symbols: ClassVar[tuple[str, ...]] = ()
    part_units: ClassVar[Mapping[str, str]] = MappingProxyType({})
    part_meanings: ClassVar[Mapping[str, str]] = MappingProxyType({})
    column_parts: ClassVar[str] = ""
    bound_symbol: ClassVar[str] = ""
    attack_symbol: ClassVar[str] = ""
    needs_pairs: ClassVar[bool] = True

    @abstractmethod
    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return what the measure finds."""

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with an intruder who knows how the file was masked; the same measure if that is no help.

        What the user has stated in the record itself stays.
        """
        return self

    def common_columns(self, original: Microdata, masked: Microdata) -> tuple[str, ...]:
        """Return the names of the columns to look at, after checking that both files have them in a fitting kind."""
        names = columns_of_both(self, original, masked)
        for name in names:
            if name in self.part_symbols:
                raise DataError(
                    f"{type(self).__name__}.columns: a column called '{name}' cannot be told from the figure of that "
                    f"name; rename it in both files"
                )
        return names


class RiskMeasure(Measure):
    """What an intruder learns from the masked file."""


class InformedRisk(RiskMeasure):
    """What an intruder learns who has the recipe itself; `_steps` are its methods, none where it is not known.

    `_shown` is what the release shows of who is who beside its columns.
    """

    _steps: tuple[MaskingMethod, ...] = PrivateAttr(default=())
    _shown: tuple[str, ...] = PrivateAttr(default=())

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with an intruder who has the recipe."""
        informed = self.replace()
        informed._steps, informed._shown = knowledge.steps, knowledge.shown
        return informed


class ControlledRisk(RiskMeasure):
    """What an intruder learns of the persons behind a file, held against what the same attack finds in a control.

    `_control` are records of the same population that the masked file was not made from; None where there are none.
    What the attack finds in them the file tells about everybody: only the rest is a leak.
    """

    needs_pairs: ClassVar[bool] = False
    _control: Microdata | None = PrivateAttr(default=None)

    def informed_by(self, knowledge: Knowledge) -> Self:
        """Return the measure with the control, where one is known."""
        return self if knowledge.control is None else self.with_control(knowledge.control)

    def with_control(self, control: Microdata) -> Self:
        """Return the measure with records that the masked file was not made from."""
        controlled = self.replace()
        controlled._control = control
        return controlled


class FileRisk(RiskMeasure):
    """What a file gives away by itself, through rare combinations of what others know."""

    needs_pairs: ClassVar[bool] = False

    @abstractmethod
    def of(self, data: Microdata) -> Measurement:
        """Return the risk of releasing a file as it is."""

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the risk of releasing the masked file, after checking that both files have the columns."""
        self.common_columns(original, masked)
        check_records(type(self).__name__, original, masked)
        return self.of(masked)


class LossMeasure(Measure):
    """Information loss: what is no longer in the masked file."""
