"""Post-randomisation (PRAM): categories change at random, with probabilities that are known."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.contracts.columns import check_category_count
from sfumato.data import CATEGORICAL, Category, Kind, Microdata
from sfumato.display import format_count
from sfumato.errors import DataError, ParameterError, UnknownColumnError
from sfumato.kernels.randomisation.transition import draw_transitions
from sfumato.masking.randomisation._new_categories import check_new_categories, with_other_categories
from sfumato.masking.randomisation._transition_likelihood import transition_likelihood
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn, FloatMatrix
from sfumato.parameters import Columns, InPercent, Matrices, Matrix

Stay = Annotated[InPercent, Field(ge=0, lt=100)]
"""The percentage of records that keep their category, in expectation."""


class Pram(MaskingMethod):
    """Change each category at random, by probabilities that may be published.

    Parameters
    ----------
    columns
        Nominal or ordinal columns; each column and each record is changed independently.
    stay
        Percentage of records that keep their category, in expectation; the other categories of the column share the
        rest equally. It serves the columns that have no matrix. At 100 / (number of categories) nothing of the column
        is left to estimate.
    matrices
        The Markov matrix of a column: for each category the probability of each that it may turn into, as in
        `{sex: {f: {f: 0.9, m: 0.1}, m: {f: 0.2, m: 0.8}}}`. What is not named has probability 0; what turns into
        `null` (in Python None) is suppressed.
    new_categories
        For each column that has a matrix the categories that it makes, which the column did not have, as in
        `{town: [coast, inland]}`. In ordinal columns a new category has no place in the order, unless the schema lists
        it.

    Effect on risk
        An intruder cannot tell whether a rare category is real. Risk falls as less stays; a rare category needs others
        that turn into it often, so look at the share of its masked records that had it before. Of many columns together
        most stay as they are, and an intruder who has the recipe links by that: measure `LikelihoodLinkage`.
        With `null` a matrix suppresses: where all categories may be suppressed, a missing value tells less of what it
        hides.
    Effect on utility
        Counts change; `corrected_counts` estimates the original ones without bias from the published matrix, with a
        larger variance. Relations to other columns become weaker, and impossible combinations may arise.
        `InvariantPram` keeps the expected counts.
    Missing values
        Stay missing; a matrix may add others. A column in which all records have one category is refused where `stay`
        would leave it as it is.
    Source
        Gouweleeuw, Kooiman, Willenborg and De Wolf (1998), Post randomisation for statistical disclosure control:
        theory and implementation. Journal of Official Statistics 14.

    Examples
    --------
    >>> matrix = np.array([[1.0, 0.0], [0.5, 0.5]])  # only the second category may change
    >>> randomise(np.array([0, 0, 1, 1]), matrix, np.random.default_rng(1))
    array([0, 0, 0, 1])
    """

    family: ClassVar[str] = "randomisation"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.ROWS
    keeps_types: ClassVar[bool] = False  # a matrix may make categories
    keeps_missing: ClassVar[bool] = False  # and may suppress

    columns: Columns
    stay: Stay | None = Field(None, examples=[80])
    matrices: Matrices | None = None
    new_categories: dict[str, tuple[Category, ...]] | None = None

    @model_validator(mode="after")
    def _check_columns(self) -> Self:
        if not isinstance(self.columns, tuple):  # a rule is checked once it is named
            return self
        given = self.matrices or {}
        foreign = [name for name in given if name not in self.columns]
        if foreign:
            raise ValueError(f"Pram.matrices must be of columns that are masked; got {', '.join(foreign)} beside them")
        without = [name for name in self.new_categories or {} if name not in given]
        if without:
            raise ValueError(f"Pram.new_categories must be of columns that have a matrix; got {', '.join(without)}")
        bare = [name for name in self.columns if name not in given]
        if bare and self.stay is None:
            raise ValueError(_no_probability(bare))
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them and their matrices."""
        bound = super().bound_to(data)
        for name in data.select(bound.columns):
            check_new_categories(data, name, bound.made(name))
            bound.matrix(data, name)
        return bound

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the probabilities of the Markov matrices."""
        return transition_likelihood(
            original, masked, names, lambda name: self.matrix(original, name), lambda name: self.made(name)
        )

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns randomised."""
        drawn = {name: self._draw(block, name, rng) for name in block.select(self.columns)}
        other = [name for name in drawn if self.matrix(block, name).shape[1] > len(block.summary.categories(name))]
        same = tuple(name for name in drawn if name not in other)
        masked = block.map_codes(same, lambda name, _: drawn[name][drawn[name] >= 0])
        for name in other:
            masked = masked.with_column(*with_other_categories(block, name, drawn[name], self.made(name)))
        return masked

    def _draw(self, block: Microdata, name: str, rng: np.random.Generator) -> CodeColumn:
        """Return what the codes of a column turn into; -1 where a value is missing."""
        codes, _ = block.codes(name)
        drawn = codes.copy()
        drawn[codes >= 0] = randomise(codes[codes >= 0], self.matrix(block, name), rng)
        return drawn

    def matrix(self, data: Microdata, name: str) -> FloatMatrix:
        """Return the Markov matrix of a column: a row for each of its categories, in their order.

        The columns are the categories too, then those that the matrix makes, and last, where it suppresses, a missing
        value.
        """
        check_masked(self, data, name)
        counts = data.summary.counts(name)
        if self.matrices is not None and name in self.matrices:
            return _matrix_array(self.matrices[name], counts, self.made(name), name)
        if self.stay is None:
            raise ParameterError([_no_probability([name])])
        check_category_count(type(self).__name__, name, counts)
        return equal_matrix(np.array(list(counts.values())) > 0, self.stay / 100)

    def made(self, name: str) -> tuple[Category, ...]:
        """Return the categories that the matrix of a column makes."""
        return (self.new_categories or {}).get(name, ())


def check_masked(method: MaskingMethod, data: Microdata, name: str) -> None:
    """Refuse to give the matrix of a column that a method leaves as it is."""
    names = data.select(method.columns)
    if name not in names:
        raise UnknownColumnError(
            f"{type(method).__name__}.matrix: '{name}' is not masked, so that it has no matrix; "
            f"masked are {', '.join(names)}"
        )


def randomise(codes: CodeColumn, matrix: FloatMatrix, rng: np.random.Generator) -> CodeColumn:
    """Return the codes after each has turned into another with the probabilities in its row of the matrix."""
    if not codes.size:  # a stratum in which all values are missing has no category
        return codes
    reached = np.cumsum(matrix, axis=1)
    last = matrix.shape[1] - 1 - np.argmax(matrix[:, ::-1] > 0, axis=1)
    reached[np.arange(matrix.shape[1]) >= last[:, None]] = 1.0  # exactly, so that nothing of probability 0 is drawn
    return draw_transitions(codes, reached, rng.random(codes.size))


def equal_matrix(occurs: Booleans, stay: float) -> FloatMatrix:
    """Return the matrix in which each category that occurs stays with one probability and the others share the rest.

    Examples
    --------
    >>> equal_matrix(np.array([True, True, True]), 0.5)
    array([[0.5 , 0.25, 0.25],
           [0.25, 0.5 , 0.25],
           [0.25, 0.25, 0.5 ]])
    """
    matrix = np.eye(occurs.size)
    others = max(int(np.count_nonzero(occurs)) - 1, 1)
    matrix[np.ix_(occurs, occurs)] = (1 - stay) / others
    matrix[occurs, occurs] = stay
    return matrix


def corrected_counts(masked: FloatColumn, matrix: FloatMatrix) -> FloatColumn:
    """Return unbiased estimates of the counts before masking, from those after it and the published matrix.

    Parameters
    ----------
    masked
        The counts after masking in the order of the columns of the matrix: of the categories, and of those that it
        makes. Where it suppresses, the count of missing values may follow, if every record had a value before; left
        out, the estimates are unbiased whether or not some had none.
    matrix
        The Markov matrix, as `Pram.matrix` gives it.

    Examples
    --------
    >>> corrected_counts(np.array([70.0, 30.0]), np.array([[0.9, 0.1], [0.2, 0.8]])).round(2)
    array([71.43, 28.57])
    """
    counts, probabilities = _checked_counts(masked), _checked_matrix(matrix)
    categories, targets = probabilities.shape
    if not max(categories, targets - 1) <= counts.size <= targets:
        raise DataError(
            f"corrected_counts.masked must have a count for each of the {targets} columns of the matrix (the last, of "
            f"missing values, may be left out where it suppresses); got {counts.size}: the matrix is of another column "
            f"or file, or a category that no masked record has was left out"
        )
    probabilities = probabilities[:, : counts.size]
    if np.linalg.matrix_rank(probabilities) < categories:
        raise DataError(
            "corrected_counts.matrix is singular: counts before masking cannot be estimated from those after it"
        )
    if categories < counts.size:
        return np.asarray(np.linalg.lstsq(probabilities.T, counts, rcond=None)[0], dtype=np.float64)
    return np.asarray(np.linalg.solve(probabilities.T, counts), dtype=np.float64)


def _checked_counts(given: FloatColumn) -> FloatColumn:
    """Return counts as numbers; refuse what cannot be counts."""
    counts = _numbers("masked", given)
    if counts.ndim != 1 or not np.isfinite(counts).all() or (counts < 0).any():
        raise DataError(
            "corrected_counts.masked must be one row of counts, none of them negative or missing; got "
            + ("a negative or missing one" if counts.ndim == 1 else format_count(counts.ndim, "dimension"))
        )
    return counts


def _checked_matrix(given: FloatMatrix) -> FloatMatrix:
    """Return a matrix as numbers; refuse one whose rows are no probabilities."""
    matrix = _numbers("matrix", given)
    if matrix.ndim != 2 or not matrix.size or not (matrix >= 0).all() or np.abs(matrix.sum(axis=1) - 1).max() > 1e-6:
        raise DataError(
            "corrected_counts.matrix must have a row of probabilities that add up to 1 for each category, as "
            "Pram.matrix gives it; got another one"
        )
    return matrix


def _numbers(name: str, given: FloatColumn | FloatMatrix) -> FloatMatrix:
    try:
        return np.asarray(given, dtype=np.float64)
    except (TypeError, ValueError):
        raise DataError(f"corrected_counts.{name} must be numbers; got a {type(given).__name__} of others") from None


def _no_probability(names: list[str]) -> str:
    return f"Pram.stay must be given for columns without a matrix: {', '.join(names)}"


def _matrix_array(matrix: Matrix, counts: dict[Category, int], made: tuple[Category, ...], name: str) -> FloatMatrix:
    """Return a matrix given by categories as an array, after checking it against the categories of the data."""
    lacking = sum(count > 0 and category not in matrix for category, count in counts.items())
    if lacking:
        raise DataError(
            f"Pram.matrices: '{name}' has {format_count(lacking, 'category')} without a row in its matrix; add a "
            "row for each"
        )
    targets: dict[Category | None, None] = dict.fromkeys(target for row in matrix.values() for target in row)
    place: dict[Category | None, int] = {category: code for code, category in enumerate(counts)}
    known = len(place)
    unknown = [str(category) for category in matrix if category not in place]
    place |= {category: known + number for number, category in enumerate(made)}
    unknown += [str(target) for target in targets if target is not None and target not in place]
    if unknown:
        raise DataError(
            f"Pram.matrices: '{name}' has no category {', '.join(dict.fromkeys(unknown))}; list it in the 'categories' "
            f"of the schema, or in new_categories where the matrix makes it, or leave it out of the matrix"
        )
    if None in targets:
        place[None] = len(place)
    found = np.eye(known, len(place))
    for category, row in matrix.items():
        found[place[category]] = 0.0
        for target, probability in row.items():
            found[place[category], place[target]] = probability / sum(row.values())
    return found
