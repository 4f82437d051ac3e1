"""Inference: a secret is guessed from the synthetic record that is nearest in all else."""

from typing import Annotated, ClassVar

import numpy as np
from pydantic import Field

from sfumato.contracts import JOINT_QUESTIONS, ControlledRisk, Measurement
from sfumato.data import Kind, Microdata, Selector
from sfumato.display import format_percent
from sfumato.errors import DataError, UnknownColumnError
from sfumato.kernels.neighbours.capped_search import guesses_by_nearest
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Rows
from sfumato.numerics.row_blocks import draw_rows
from sfumato.parameters import Columns, Given
from sfumato.risk.synthetic._coded_files import (
    CONTROL,
    ORIGINAL,
    SYNTHETIC,
    CodedColumn,
    CodedFiles,
    attacked_households,
    code_files,
    persons_tried,
)
from sfumato.risk.synthetic._rates import ROUNDING, Attack, finds_leak, verdict

COMMONEST = " (the commonest value)"
"""What the name of the part ends with that says how often the commonest value is right."""


class Inference(ControlledRisk):
    """Count the secrets that are guessed right from the nearest synthetic record.

    Each column in `sensitive` is the secret in turn, and the intruder knows all other `columns`. They look for the
    nearest synthetic record (numbers differ by their share of the range, categories by 0 or 1) and take its value; of
    equally near ones one is drawn. The risk of a secret is the excess (a - c) / (1 - c), with a the share of right
    guesses about persons of the original and c that about the control; without a control it is a. The value is the risk
    of the secret that is most surely at risk: whose confidence interval begins highest, then of which chance would show
    as much most seldom, since the excess of a secret that is guessed of nearly everybody says little. Without a control
    it is the secret that the nearest record tells most about beyond a guess drawn from the whole file. Parts are
    `INFlow`, which scores use: the lower end of the confidence interval of the value; the risks of the secrets, the
    rates behind that of the value, and how often a guess drawn from the whole file would be right.

    Parameters
    ----------
    columns
        Two or more columns of any kind.
    sensitive
        Which of them are secrets; all when none is named.
    tolerance
        How far a guessed number may be off the truth, as a share of the guess; a date, as a share of the standard
        deviation.
    attacks
        How many persons of each file are attacked at most; all of a smaller file. With a thousand, chance alone shows
        differences of up to 15 %, with ten thousand of up to 12.
    seed
        Where the draw of these persons begins, if there are more.

    Meaning
        0: secrets of persons whom the file was made from are guessed no better than those of others. 100: all are
        guessed. A leak is called found where chance alone would show so much in fewer than 2 of 1,000 files, however
        many secrets there are.
    Intruder
        Knows the exact original values of a person in all columns but one, and sees the synthetic file.
    Missing values
        Missing is a value of its own, and so is each code for it; to guess that a value is missing is right where it
        is.
    Source
        Giomi, Boenisch, Wehmeyer and Tasnádi (2023), A unified framework for quantifying privacy risk in synthetic
        data, for the inference of Article 29 Data Protection Working Party (2014), Opinion 05/2014 on anonymisation
        techniques. The interval is that of Wilson (1927), as there, here for all secrets together (Bonferroni).

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"town": ["A", "B", "C", "D"], "pay": [2.1, 3.5, 1.9, 4.0]}))
    >>> found = Inference(columns=("town", "pay")).measure(people, people)  # a copy gives everything away
    >>> found.value, found.parts["pay"]
    (100.0, 100.0)
    """

    symbol: ClassVar[str] = "INF"
    part_symbols: ClassVar[tuple[str, ...]] = ("INFlow",)
    family: ClassVar[str] = "synthetic"
    kinds: ClassVar[frozenset[Kind]] = frozenset(Kind)

    columns: Columns
    sensitive: Given = ()
    tolerance: Annotated[float, Field(ge=0, lt=1)] = 0.05
    attacks: Annotated[int, Field(ge=1, le=1_000_000)] = 20_000
    seed: Annotated[int, Field(ge=0)] = 0

    def measure(self, original: Microdata, masked: Microdata) -> Measurement:
        """Return the percent of right guesses about the secret most at risk, above that of the control."""
        files = code_files(self, original, masked)
        secrets = self._secrets(original, files)
        width = {name: self._width(original, name) for name in files.names}
        rates = [self._guesses(files, secrets, file, width) for file in (ORIGINAL, CONTROL) if file < len(files.sizes)]
        homes = attacked_households(files, self.attacks, self.seed)
        control = rates[1] if files.has_control else None
        attacks = {
            files.names[place]: Attack.of(rates[0][:, s], None if control is None else control[:, s], homes)
            for s, place in enumerate(secrets)
        }
        guessed = {name: self._chance(files, files.columns[files.names.index(name)], width[name]) for name in attacks}
        worst = max(attacks, key=lambda name: _certainty(attacks[name], guessed[name]))
        attack = attacks[worst]
        shows_leak = finds_leak([each.chance for each in attacks.values()]) if files.has_control else None
        found = f"{worst} is guessed right of {format_percent(attack.rate)} of the persons in the file"
        if files.has_control:
            found += f" and {format_percent(attack.control_rate)} of the others"
        return Measurement(
            self.name(),
            self.symbol,
            attack.risk,
            parts={
                "INFlow": attack.interval_of_worst(len(attacks))[0],
                **{name: attacks[name].risk for name in attacks},
                **attack.parts(worst),
                f"{worst} (drawn from the whole file)": guessed[worst],
                f"{worst}{COMMONEST}": self._commonest(files, files.columns[files.names.index(worst)], width[worst]),
            },
            interval=attack.interval_of_worst(len(attacks)),
            remark=verdict(shows_leak, found),
            shows_leak=shows_leak,
            trials=persons_tried(
                files, self.attacks, len(attacks), attack.interval_of_worst(JOINT_QUESTIONS * len(attacks))
            ),
        )

    def _secrets(self, original: Microdata, files: CodedFiles) -> Rows:
        """Return the places of the secrets among the columns."""
        if len(files.names) < 2:
            raise DataError("Inference.columns: of one column nothing else is known to guess it from; name two or more")
        names = original.select(self.sensitive) or files.names
        if isinstance(self.sensitive, Selector):
            names = tuple(name for name in names if name in files.names) or files.names
        strange = [name for name in names if name not in files.names]
        if strange:
            raise UnknownColumnError(f"Inference.sensitive: '{strange[0]}' is not among the columns; name it there too")
        return np.array([files.names.index(name) for name in names])

    def _width(self, original: Microdata, name: str) -> float | None:
        """Return how far a guess may be off: None for a share of itself."""
        return self.tolerance * original.summary.deviation(name) if original.schema[name].kind is Kind.DATE else None

    def _guesses(self, files: CodedFiles, secrets: Rows, file: int, width: dict[str, float | None]) -> FloatMatrix:
        """Return for the attacked persons of a file, and each secret, the chance that the guess is right."""
        rows = draw_rows(files.sizes[file], self.attacks, self.seed)
        columns = [files.columns[place] for place in secrets]
        bounds = [
            acceptable(column, column.codes[file][rows], self.tolerance, width[column.name]) for column in columns
        ]
        low, high = (np.column_stack([bound[side] for bound in bounds]) for side in (0, 1))
        values = np.stack([column.codes[SYNTHETIC].astype(np.float64) for column in columns])
        return guesses_by_nearest(
            files.coordinates(SYNTHETIC), files.coordinates(file)[rows], secrets, values, low, high
        )

    def _chance(self, files: CodedFiles, column: CodedColumn, width: float | None) -> float:
        """Return how many guesses drawn from the whole synthetic file would be right, in percent."""
        rows = draw_rows(files.sizes[ORIGINAL], self.attacks, self.seed)
        low, high = acceptable(column, column.codes[ORIGINAL][rows], self.tolerance, width)
        released = np.sort(column.codes[SYNTHETIC])
        inside = np.searchsorted(released, high, side="right") - np.searchsorted(released, low, side="left")
        return 100 * float(np.maximum(inside, 0).mean()) / released.size

    def _commonest(self, files: CodedFiles, column: CodedColumn, width: float | None) -> float:
        """Return of how many persons the commonest value of the synthetic file is a right guess, in percent."""
        rows = draw_rows(files.sizes[ORIGINAL], self.attacks, self.seed)
        low, high = acceptable(column, column.codes[ORIGINAL][rows], self.tolerance, width)
        codes, counts = np.unique(column.codes[SYNTHETIC], return_counts=True)
        guess = codes[np.argmax(counts)]
        return 100 * float(((low <= guess) & (guess <= high)).mean())


def _certainty(attack: Attack, guessed: float) -> tuple[float, float, float]:
    """Return by what secrets are compared: the more, the surer one is at risk."""
    beyond = (attack.rate - guessed) / max(100 - guessed, ROUNDING)
    if not attack.control_tried:
        return 0.0, 0.0, beyond
    return attack.interval[0], -attack.chance, beyond


def acceptable(
    column: CodedColumn, truth: CodeColumn, tolerance: float, width: float | None = None
) -> tuple[FloatColumn, FloatColumn]:
    """Return the lowest and the highest code of a right guess about each true code.

    A guessed number g is right about t if |g - t| <= tolerance |g|, or if it is at most `width` off where that is
    given; anything else must be equal.

    Examples
    --------
    >>> pay = CodedColumn("pay", True, np.array([10.0, 20.0, 21.0, 40.0]), (np.array([0, 1, -1]),))
    >>> acceptable(pay, np.array([0, 1, -1]), 0.05)
    (array([ 0.,  1., -1.]), array([ 0.,  2., -1.]))
    """
    low, high = truth.astype(np.float64), truth.astype(np.float64)
    known = truth >= 0
    if not column.is_number or not known.any():
        return low, high
    values = column.different[truth[known]]
    if width is None:
        ends = np.sort(np.stack([values / (1 + tolerance), values / (1 - tolerance)]), axis=0)
    else:
        ends = np.stack([values - width, values + width])
    slack = 1e-12 * np.abs(ends)
    low[known] = np.searchsorted(column.different, ends[0] - slack[0], side="left")
    high[known] = np.searchsorted(column.different, ends[1] + slack[1], side="right") - 1
    return low, high
