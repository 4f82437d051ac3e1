"""Linkability: two files of different columns are joined through the synthetic one."""

from typing import Annotated, ClassVar

from pydantic import Field

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk, Measurement
from sfumato.data import Kind, Microdata
from sfumato.display import format_percent
from sfumato.errors import DataError
from sfumato.kernels.neighbours.capped_search import common_nearest
from sfumato.numerics.arrays import FloatColumn
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns
from sfumato.risk.synthetic._coded_files import (
    CONTROL,
    ORIGINAL,
    SYNTHETIC,
    CodedFiles,
    attacked_households,
    code_files,
    persons_tried,
)
from sfumato.risk.synthetic._copies import measure_worst_copy
from sfumato.risk.synthetic._rates import Attack, finds_leak, verdict


class Linkability(ControlledRisk):
    """Count the persons whose columns in two files lead to the same synthetic record.

    An intruder has two files about the same persons with different columns, and no name in either. For each half of a
    person's values they look for the nearest synthetic record (numbers differ by their share of the range, categories
    by 0 or 1). Where both halves lead to the same one, the halves are joined; of equally near records one is drawn. The
    value is the excess risk (a - c) / (1 - c), with a the share of persons of the original who are joined so, and c
    that of the control; without a control it is a. `LINKlow`, which scores use, is the lower end of its
    interval.

    Parameters
    ----------
    columns
        Two or more columns of any kind.
    scenarios
        The columns in the first file and those in the second, which need not be all; every other one of the `columns`
        when not given.
    attacks
        How many persons of each file are attacked at most.
    seed
        Where the draw of these persons begins, if there are more.

    Meaning
        0: persons whom the file was made from are joined no more often than others. 100: all are. A leak is called
        found where chance alone would show so much in fewer than 2 of 1,000 files.
    Intruder
        Holds two files about the persons, each with some of the columns, exact; sees the synthetic file and wants to
        know whose halves belong together.
    Missing values
        Missing is a value of its own, and so is each code for it: as far from any other as two categories are.
    Source
        Giomi, Boenisch, Wehmeyer and Tasnádi (2023), A unified framework for quantifying privacy risk in synthetic
        data, for the linkability of Article 29 Data Protection Working Party (2014), Opinion 05/2014 on anonymisation
        techniques. The interval is that of Wilson (1927), as there.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [31, 45, 52, 64], "pay": [2.1, 3.5, 1.9, 4.0]}))
    >>> Linkability(columns=("age", "pay")).measure(people, people).value  # copied, everybody is joined
    100.0
    """

    symbol: ClassVar[str] = "LINK"
    part_symbols: ClassVar[tuple[str, ...]] = ("LINKlow",)
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    scenarios: tuple[tuple[str, ...], tuple[str, ...]] | None = None
    attacks: Annotated[int, Field(ge=1, le=1_000_000)] = 2000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of persons whose halves are joined, above that of the control."""
        return measure_worst_copy(original, masked, self._measure_copy)

    def _measure_copy(self, original: Microdata, masked: Microdata, files_tried: int) -> Measurement:
        files = code_files(self, original, masked)
        order, split = self._split(files)
        synthetic = files.coordinates(SYNTHETIC)[:, order]

        def joined(file: int) -> FloatColumn:
            rows = draw_rows(files.sizes[file], self.attacks, self.seed)
            return common_nearest(synthetic, files.coordinates(file)[rows][:, order], split)

        homes = attacked_households(files, self.attacks, self.seed)
        attack = Attack.of(joined(ORIGINAL), joined(CONTROL) if files.has_control else None, homes)
        shows_leak = finds_leak([attack.chance], files_tried) if files.has_control else None
        found = f"{format_percent(attack.rate)} of the persons in the file are joined"
        if files.has_control:
            found += f", {format_percent(attack.control_rate)} of the others"
        return Measurement(
            self.name(),
            self.symbol,
            attack.risk,
            parts={"LINKlow": attack.interval[0], **attack.parts("joined")},
            interval=attack.interval,
            remark=verdict(shows_leak, found),
            shows_leak=shows_leak,
            trials=persons_tried(files, self.attacks, 1, attack.interval_of_worst(JOINT_QUESTIONS * files_tried)),
        )

    def _split(self, files: CodedFiles) -> tuple[list[int], int]:
        """Return the places of the columns of both halves, and how many the first has."""
        if len(files.names) < 2:
            raise DataError("Linkability.columns: one column has no two halves; name two or more")
        halves = self.scenarios or (files.names[::2], files.names[1::2])
        for half in halves:
            strange = [name for name in half if name not in files.names]
            if strange:
                raise DataError(f"Linkability.scenarios: '{strange[0]}' is not among the columns; name it there too")
        if not all(halves) or set(halves[0]) & set(halves[1]):
            raise DataError("Linkability.scenarios: both files must have columns, and none that the other has")
        return [files.names.index(name) for half in halves for name in half], len(halves[0])
