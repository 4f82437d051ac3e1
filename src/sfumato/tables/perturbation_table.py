"""The table that says, for each count, how likely each deviation from it is: of maximum entropy, without bias."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from sfumato.display import format_compact
from sfumato.errors import FileError, ParameterError
from sfumato.numerics.arrays import CodeColumn, FloatColumn, FloatMatrix, Integers
from sfumato.tables._maximum_entropy import maximum_entropy, variances_possible
from sfumato.tables.cells.records import Columns

if TYPE_CHECKING:
    import polars as pl

ROUNDING = 1e-12
COLUMN_NAMES = ("i", "j", "p"), ("count", "result", "probability")  # of counts, results and probabilities in files


@dataclass(frozen=True, eq=False)
class PerturbationTable:
    """For each count the probabilities of the deviations from it.

    Made by `of_maximum_entropy`, or read by `from_frame`.

    Parameters
    ----------
    probabilities
        (counts, 2 max_deviation + 1): the row of each count 0, 1, ..., with the probabilities of the deviations from
        -max_deviation to max_deviation. The last row also serves all larger counts.
    max_deviation
        The largest deviation.
    variance
        The variance of the deviations from every count but 0.
    min_count
        The smallest count besides 0 that is ever published.
    """

    probabilities: FloatMatrix
    max_deviation: int
    variance: float
    min_count: int = 1

    @classmethod
    def of_maximum_entropy(cls, max_deviation: int, variance: float, *, min_count: int = 1) -> Self:
        """Return the table of highest entropy: of all with these properties the one that gives least away.

        Deviations from every count have mean 0 and the given variance, none is larger than `max_deviation`, no
        result is below 0, and 0 stays 0.

        Parameters
        ----------
        max_deviation
            The largest deviation, 1 or more.
        variance
            The variance of deviations. A count of 1 can deviate by -1 at most on one side, so that it must be below
            `max_deviation`.
        min_count
            The smallest count besides 0 to publish: results from 1 to `min_count` - 1 do not occur.

        Source
            Thompson, Broadfoot and Elazar (2013), Methodology for the automatic confidentialisation of statistical
            outputs from remote servers at the Australian Bureau of Statistics; Giessing (2016), Computational issues in
            the design of transition probabilities and disclosure risk estimation for additive noise.

        Examples
        --------
        >>> PerturbationTable.of_maximum_entropy(1, 0.5).probabilities
        array([[0.  , 1.  , 0.  ],
               [0.25, 0.5 , 0.25]])
        """
        _check(max_deviation, variance, min_count)
        deviations = np.arange(-max_deviation, max_deviation + 1)
        rows = [(deviations == 0).astype(np.float64)]
        # from this count on every deviation is allowed
        shared = max_deviation if min_count == 1 else max_deviation + min_count
        for count in range(1, shared + 1):
            results = count + deviations
            is_allowed = (results == 0) | (results >= min_count)
            allowed = deviations[is_allowed]
            _check_variance(allowed, count, max_deviation, variance, min_count)
            row = np.zeros(deviations.size)
            row[is_allowed] = maximum_entropy(allowed.astype(np.float64), variance)
            rows.append(row)
        return cls(np.stack(rows), max_deviation, variance, min_count)

    @classmethod
    def from_frame(cls, frame: Any) -> Self:
        """Read a table that is given as rows: count, result and probability, as `to_frame` has them or R's ptable.

        Parameters
        ----------
        frame
            A dataframe with columns `count`, `result` and `probability`, or `i`, `j` and `p`. The rows of the largest
            count serve all larger ones too.

        Examples
        --------
        >>> table = PerturbationTable.of_maximum_entropy(2, 1.0)
        >>> PerturbationTable.from_frame(table.to_frame())
        PerturbationTable(max_deviation=2, variance=1, min_count=1)
        """
        columns = Columns(frame)
        names = COLUMN_NAMES[0] if columns.has("i") else COLUMN_NAMES[1]
        counts, results, chances = (columns.numbers(name) for name in names)
        rows, places = counts.astype(np.int64), (results - counts).astype(np.int64)
        widest = int(np.abs(places[chances > 0]).max(initial=0))
        known = int(rows.max(initial=-1)) + 1
        inside = np.abs(places) <= widest
        probabilities = np.zeros((known, 2 * widest + 1))
        np.add.at(probabilities, (rows[inside], places[inside] + widest), chances[inside])
        is_whole = bool((counts == rows).all() and (results == np.rint(results)).all() and (counts >= 0).all())
        if not known or not is_whole or (chances < 0).any() or (np.abs(probabilities.sum(axis=1) - 1) > 1e-6).any():
            raise ParameterError(
                [
                    "PerturbationTable: every count from 0 on needs whole results with probabilities of 0 or more that "
                    "add up to 1; check the rows of the file"
                ]
            )
        last, deviations = probabilities[-1], np.arange(-widest, widest + 1)
        positive = results[(chances > 0) & (results > 0)]
        return cls(probabilities, widest, float(last @ deviations**2), int(positive.min()) if positive.size else 1)

    @classmethod
    def read_csv(cls, path: str | Path) -> Self:
        """Read a table from a CSV file, with commas or semicolons, whose columns are those that `from_frame` takes.

        Parameters
        ----------
        path
            The file.
        """
        import polars as pl

        try:
            header = Path(path).read_text(encoding="utf-8-sig").split("\n", 1)[0]
            frame = pl.read_csv(path, separator=";" if ";" in header else ",", infer_schema=False)
            names = next((names for names in COLUMN_NAMES if set(names) <= set(frame.columns)), None)
            if names is None:
                wanted = ", or ".join(" and ".join(names) for names in COLUMN_NAMES)
                raise FileError(f"{path} must have the columns {wanted}; it has {', '.join(frame.columns)}")
            numbers = frame.select(pl.col(names).str.strip_chars().str.replace(",", ".").cast(pl.Float64))
        except (OSError, UnicodeDecodeError, pl.exceptions.PolarsError) as error:
            raise FileError(f"{path} cannot be read as a CSV file of a perturbation table: {error}") from None
        return cls.from_frame(numbers)

    @property
    def deviations(self) -> CodeColumn:
        """The deviations -max_deviation .. max_deviation."""
        return np.arange(-self.max_deviation, self.max_deviation + 1)

    def deviate(self, counts: CodeColumn, uniforms: FloatColumn) -> CodeColumn:
        """Return the deviation of each count that a number between 0 and 1 stands for.

        Parameters
        ----------
        counts
            Counts of 0 or more.
        uniforms
            A number in [0, 1) for each.
        """
        rows = np.minimum(counts, len(self.probabilities) - 1)
        ends = np.cumsum(self.probabilities, axis=1)
        ends[ends > 1 - ROUNDING] = 1.0  # sums may end just below 1
        found: Integers = (ends[rows] <= uniforms[:, None]).sum(axis=1) - self.max_deviation
        return found

    def origins(self, results: CodeColumn) -> tuple[CodeColumn, CodeColumn]:
        """Return the smallest and the largest count that each result may have come from."""
        deviations = self.deviations[::-1]  # from the smallest count on
        counts = results[:, None] - deviations
        rows = np.clip(counts, 0, len(self.probabilities) - 1)
        is_possible = (counts >= 0) & (self.probabilities[rows, deviations + self.max_deviation] > 0)
        first = np.argmax(is_possible, axis=1)
        last = deviations.size - 1 - np.argmax(is_possible[:, ::-1], axis=1)
        each = np.arange(results.size)
        return counts[each, first], counts[each, last]

    def to_frame(self) -> "pl.DataFrame":
        """Return the table as a polars dataframe: a row for each count and deviation with a probability above 0."""
        import polars as pl

        counts, places = np.nonzero(self.probabilities)
        deviations = self.deviations[places]
        return pl.DataFrame(
            {
                "count": counts,
                "deviation": deviations,
                "result": counts + deviations,
                "probability": self.probabilities[counts, places],
            }
        )

    def __repr__(self) -> str:
        return (
            f"PerturbationTable(max_deviation={self.max_deviation}, variance={format_compact(self.variance)}, "
            f"min_count={self.min_count})"
        )


def _check(max_deviation: int, variance: float, min_count: int) -> None:
    problems = [
        f"PerturbationTable.{name} must be {wanted}; got {got!r}"
        for name, wanted, got, is_right in (
            ("max_deviation", "a whole number of 1 or more", max_deviation, _is_count(max_deviation)),
            ("variance", "above 0", variance, 0 < variance < np.inf),
            ("min_count", "a whole number of 1 or more", min_count, _is_count(min_count)),
        )
        if not is_right
    ]
    if problems:
        raise ParameterError(problems)


def _is_count(number: float) -> bool:
    return number >= 1 and number == int(number)


def _check_variance(allowed: CodeColumn, count: int, max_deviation: int, variance: float, min_count: int) -> None:
    """Refuse a variance that the deviations allowed from a count cannot have, and say which they can."""
    who = f"PerturbationTable: deviations of up to {max_deviation} from a count of {count}"
    without = f", with no results from 1 to {min_count - 1}," if min_count > 1 else ""
    if not ((allowed <= 0).any() and (allowed >= 0).any()):
        raise ParameterError([f"{who}{without} cannot have mean 0; take max_deviation={min_count} or more"])
    least, most = variances_possible(allowed.astype(np.float64))
    if not least < variance < most:
        must = (
            f"lie above {format_compact(least)} and below {format_compact(most)}"
            if least < most
            else f"be {format_compact(least)}, whatever is chosen"
        )
        raise ParameterError(
            [
                f"{who}{without} cannot have a variance of {format_compact(variance)}: it must {must}; take "
                "another variance, or a "
                f"larger max_deviation"
            ]
        )
