"""Post-randomisation (PRAM): categories change at random, with probabilities that are known."""

from typing import Annotated, ClassVar, Self

import numpy as np
from pydantic import Field, model_validator

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.contracts.columns import check_category_count
from sfumato.data import CATEGORICAL, Category, Kind, Microdata
from sfumato.display import format_count
from sfumato.errors import DataError, ParameterError
from sfumato.kernels.randomisation.transition import draw_transitions
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
        `{sex: {f: {f: 0.9, m: 0.1}, m: {f: 0.2, m: 0.8}}}`. What is not named has probability 0.

    Effect on risk
        An intruder cannot tell whether a rare category is real. Risk falls as less stays; a rare category needs others
        that turn into it often, so look at the share of its masked records that had it before. Of many columns together
        most stay as they are, and an intruder who has the recipe links by that: measure `LikelihoodLinkage`.
    Effect on utility
        Counts change; `corrected_counts` estimates the original ones without bias from the published matrix, with a
        larger variance. Relations to other columns become weaker, and impossible combinations may arise.
        `InvariantPram` keeps the expected counts.
    Missing values
        Stay missing. A column in which all records have one category is refused where `stay` would leave it as it is.
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

    columns: Columns
    stay: Stay | None = None
    matrices: Matrices | None = None

    @model_validator(mode="after")
    def _check_columns(self) -> Self:
        if not isinstance(self.columns, tuple):  # a rule is checked once it is named
            return self
        given = self.matrices or {}
        foreign = [name for name in given if name not in self.columns]
        if foreign:
            raise ValueError(f"Pram.matrices must be of columns that are masked; got {', '.join(foreign)} beside them")
        bare = [name for name in self.columns if name not in given]
        if bare and self.stay is None:
            raise ValueError(_no_probability(bare))
        return self

    def bound_to(self, data: Microdata) -> Self:
        """Return the method with its columns named one by one, after checking them and their matrices."""
        bound = super().bound_to(data)
        for name in data.select(bound.columns):
            bound.matrix(data, name)
        return bound

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood:
        """Return the probabilities of the Markov matrices."""
        return transition_likelihood(original, masked, names, lambda name: self.matrix(original, name))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns randomised."""
        return block.map_codes(self.columns, lambda name, codes: randomise(codes, self.matrix(block, name), rng))

    def matrix(self, data: Microdata, name: str) -> FloatMatrix:
        """Return the Markov matrix of a column, rows and columns in the order of its categories."""
        counts = data.summary.counts(name)
        if self.matrices is not None and name in self.matrices:
            return _matrix_array(self.matrices[name], counts, name)
        if self.stay is None:
            raise ParameterError([_no_probability([name])])
        check_category_count(type(self).__name__, name, counts)
        return equal_matrix(np.array(list(counts.values())) > 0, self.stay / 100)


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

    Examples
    --------
    >>> corrected_counts(np.array([70.0, 30.0]), np.array([[0.9, 0.1], [0.2, 0.8]])).round(2)
    array([71.43, 28.57])
    """
    if np.linalg.matrix_rank(matrix) < len(matrix):
        raise DataError("the matrix is singular: counts before masking cannot be estimated from those after it")
    return np.asarray(np.linalg.solve(matrix.T, masked), dtype=np.float64)


def _no_probability(names: list[str]) -> str:
    return f"Pram.stay must be given for columns without a matrix: {', '.join(names)}"


def _matrix_array(matrix: Matrix, counts: dict[Category, int], name: str) -> FloatMatrix:
    """Return a matrix given by categories as an array, after checking it against the categories of the data."""
    place = {category: code for code, category in enumerate(counts)}
    lacking = sum(count > 0 and category not in matrix for category, count in counts.items())
    if lacking:
        raise DataError(
            f"Pram.matrices: '{name}' has {format_count(lacking, 'category')} without a row in its matrix; add a "
            "row for each"
        )
    named = dict.fromkeys([*matrix, *(target for row in matrix.values() for target in row)])
    unknown = [str(category) for category in named if category not in place]
    if unknown:
        raise DataError(
            f"Pram.matrices: '{name}' has no category {', '.join(unknown)}; list it in the 'categories' of the schema, "
            f"or leave it out of the matrix"
        )
    found = np.eye(len(place))
    for category, row in matrix.items():
        found[place[category]] = 0.0
        for target, probability in row.items():
            found[place[category], place[target]] = probability / sum(row.values())
    return found
