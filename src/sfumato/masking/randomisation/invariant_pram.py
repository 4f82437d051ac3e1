"""Invariant PRAM: categories change at random while their expected counts stay as they are."""

from typing import ClassVar

import numpy as np

from sfumato.contracts import Layout, Likelihood, MaskingMethod
from sfumato.data import CATEGORICAL, Kind, Microdata
from sfumato.masking.randomisation._transition_likelihood import transition_likelihood
from sfumato.masking.randomisation.pram import Stay, check_masked, randomise
from sfumato.numerics.arrays import FloatColumn, FloatMatrix
from sfumato.parameters import Columns, Strata


class InvariantPram(MaskingMethod):
    """Change each category at random so that the expected counts of the categories stay as they are.

    Parameters
    ----------
    columns
        Nominal or ordinal columns; each column and each record is changed independently.
    stay
        Percentage of records that keep their category, in expectation. Of a category that more than half of the
        records have more stay, since so many cannot be exchanged for the others.
    within
        Columns whose equal values make the strata; expected counts are then kept in each stratum, and a category
        turns only into one that the stratum has, so that no new combination of the two arises. A stratum with a
        single category keeps it.

    Effect on risk
        An intruder cannot tell whether a rare category is real: of the records that have it after masking, `stay`
        percent are expected to have had it before, however rare it is. Two columns changed on their own may make
        a rare combination that is real, or one that is not. Of many columns together most stay as they are, and an
        intruder who has the recipe links by that: measure `LikelihoodLinkage`.
    Effect on utility
        Expected counts are exact, so tables of one column need no correction; their sampling error is larger. Relations
        to other columns become weaker, by about the factor `stay` / 100. `corrected_counts` with the published
        `invariant_matrix` serves tables of several columns.
    Missing values
        Stay missing. A column in which all records have one category is refused.
    Source
        Gouweleeuw, Kooiman, Willenborg and De Wolf (1998), Post randomisation for statistical disclosure control:
        theory and implementation, for invariance. Their matrices do not let the user set how many stay. Here
        as many records are expected to go from one category to another as come back, and these exchanges are the
        joint inclusion probabilities of Brewer (1963), A model of systematic sampling with unequal probabilities.

    Examples
    --------
    >>> invariant_matrix(np.array([50.0, 30.0, 20.0]), 0.8).round(3)
    array([[0.8 , 0.12, 0.08],
           [0.2 , 0.8 , 0.  ],
           [0.2 , 0.  , 0.8 ]])
    """

    family: ClassVar[str] = "randomisation"
    kinds: ClassVar[frozenset[Kind]] = CATEGORICAL
    layout: ClassVar[Layout] = Layout.ROWS
    needs_two_categories: ClassVar[bool] = True

    columns: Columns
    stay: Stay = 80.0
    within: Strata = ()

    def likelihood(self, original: Microdata, masked: Microdata, names: tuple[str, ...]) -> Likelihood | None:
        """Return the probabilities of the Markov matrices; none with strata."""
        if self.strata:  # each stratum has matrices of its own
            return None
        return transition_likelihood(original, masked, names, lambda name: self.matrix(original, name))

    def mask_block(self, block: Microdata, rng: np.random.Generator) -> Microdata:
        """Return a copy of the block with the chosen columns randomised."""
        return block.map_codes(self.columns, lambda name, codes: randomise(codes, self.matrix(block, name), rng))

    def matrix(self, data: Microdata, name: str) -> FloatMatrix:
        """Return the Markov matrix of a column of the file or stratum, in the order of its categories."""
        check_masked(self, data, name)
        return invariant_matrix(np.array(list(data.summary.counts(name).values()), dtype=np.float64), self.stay / 100)


def invariant_matrix(frequencies: FloatColumn, stay: float) -> FloatMatrix:
    """Return a Markov matrix that keeps the frequencies and in which a category stays with a given probability.

    Parameters
    ----------
    frequencies
        Counts or shares of the categories; one that does not occur keeps to itself.
    stay
        The probability; more for a category of over half of the records, and 1 where there is no other.

    Notes
    -----
    With shares p, the flow from i to j is (1 - stay) p_i p_j (w_i + w_j) / (1 + sum p w), w = 1 / (1 - 2 p): it is the
    flow from j to i too, which keeps the frequencies, and the flows out of i add up to (1 - stay) p_i. When one
    category reaches a half, all exchanges are with that one.
    """
    matrix = np.eye(frequencies.size)
    occurs = np.flatnonzero(frequencies > 0)
    if occurs.size < 2:
        return matrix
    shares = frequencies[occurs] / frequencies[occurs].sum()
    flows = (1 - stay) * _exchanges(shares)
    changes = flows / shares[:, None]
    np.fill_diagonal(changes, np.maximum(1 - changes.sum(axis=1), 0.0))
    matrix[np.ix_(occurs, occurs)] = changes
    return matrix


def _exchanges(shares: FloatColumn) -> FloatMatrix:
    """Return symmetric flows between categories, those of each adding up to its share where that is possible."""
    largest = int(np.argmax(shares))
    if shares[largest] >= 0.5:
        flows = np.zeros((shares.size, shares.size))
        flows[largest] = flows[:, largest] = shares
    else:
        weights = 1 / (1 - 2 * shares)
        flows = np.outer(shares, shares) * np.add.outer(weights, weights) / (1 + np.sum(shares * weights))
    np.fill_diagonal(flows, 0.0)
    return np.asarray(flows, dtype=np.float64)
