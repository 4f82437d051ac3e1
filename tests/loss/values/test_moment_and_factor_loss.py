"""Moment and factor loss, checked against plain loops and another package's principal components."""

from math import isnan

import numpy as np
import pytest
from sklearn.decomposition import PCA

from sfumato.contracts import Measurement
from sfumato.loss import InformationLoss, MomentAndFactorLoss
from sfumato.numerics.arrays import FloatMatrix
from tests.matrices import microdata, names_of

NAN = float("nan")
Cells = list[tuple[float, float, float]]


def measured(original: FloatMatrix, masked: FloatMatrix) -> Measurement:
    return MomentAndFactorLoss(columns=names_of(original)).measure(microdata(original), microdata(masked))


def plain_errors(symbol: str, cells: Cells) -> dict[str, float]:
    """Return the three errors of some cells (before, after, weight)."""
    total = sum(weight for *_, weight in cells)
    left = [(abs(b - a) / abs(a or b), weight) for a, b, weight in cells if a or b]
    return {
        f"MFL.{symbol}.mse": sum(weight * (b - a) ** 2 for a, b, weight in cells) / total,
        f"MFL.{symbol}.mae": sum(weight * abs(b - a) for a, b, weight in cells) / total,
        f"MFL.{symbol}.variation": sum(x * weight for x, weight in left) / sum(weight for _, weight in left),
    }


def pca(matrix: FloatMatrix) -> tuple[FloatMatrix, FloatMatrix, FloatMatrix]:
    """Return shares of variance, correlations of variables and components, and directions, of complete records."""
    scaled = (matrix - matrix.mean(axis=0)) / matrix.std(axis=0, ddof=1)
    found = PCA(svd_solver="full").fit(scaled)
    scores = found.transform(scaled)
    d = matrix.shape[1]
    loadings = np.array([[np.corrcoef(matrix[:, i], scores[:, j])[0, 1] for j in range(d)] for i in range(d)])
    return found.explained_variance_ratio_, loadings, found.components_.T


def plain_parts(original: FloatMatrix, masked: FloatMatrix) -> dict[str, float]:
    """Return the 24 parts of files without missing values, by the words of the definition."""
    d = original.shape[1]
    covariances = [np.cov(matrix, rowvar=False) for matrix in (original, masked)]
    correlations = [np.atleast_2d(np.corrcoef(matrix, rowvar=False)) for matrix in (original, masked)]
    (shares, loadings, directions), (_, loadings_after, directions_after) = pca(original), pca(masked)
    signs = np.sign((directions * directions_after).sum(axis=0))
    grid = [(i, j) for i in range(d) for j in range(d)]
    upper = [(i, j) for i, j in grid if i <= j]
    compared: dict[str, Cells] = {
        "X": [(a, b, 1.0) for a, b in zip(original.ravel().tolist(), masked.ravel().tolist(), strict=True)],
        "M": [(a, b, 1.0) for a, b in zip(original.mean(axis=0), masked.mean(axis=0), strict=True)],
        "V": [(covariances[0][i, j], covariances[1][i, j], 1.0) for i, j in upper],
        "S": [(covariances[0][i, i], covariances[1][i, i], 1.0) for i in range(d)],
        "R": [(correlations[0][i, j], correlations[1][i, j], 1.0) for i, j in upper if i < j],
        "RF": [(loadings[i, j], (signs * loadings_after)[i, j], shares[j]) for i, j in grid],
        "C": [(loadings[i, 0] ** 2, loadings_after[i, 0] ** 2, 1.0) for i in range(d)],
        "F": [(directions[i, j], (signs * directions_after)[i, j], shares[j]) for i, j in grid],
    }
    return {name: error for symbol, cells in compared.items() for name, error in plain_errors(symbol, cells).items()}


def example(n: int = 60, noise: float = 0.5) -> tuple[FloatMatrix, FloatMatrix]:
    rng = np.random.default_rng(3)
    original = rng.normal(5, 2, size=(n, 4)) @ rng.normal(size=(4, 4))
    return original, original + noise * rng.normal(size=(n, 4))


def test_equals_plain_loops_and_another_packages_components() -> None:
    found = measured(*example())
    assert len(found.parts) == 24
    assert dict(found.parts) == pytest.approx(plain_parts(*example()))


def test_the_value_takes_variations_of_what_has_a_unit_and_absolute_errors_of_what_has_none() -> None:
    found = measured(*example())
    names = [f"{symbol}.variation" for symbol in "XMVS"] + [f"{symbol}.mae" for symbol in ("R", "RF", "C", "F")]
    assert found.value == pytest.approx(100 * np.mean([found.parts[f"MFL.{name}"] for name in names]))


def test_agrees_with_information_loss_where_both_ask_the_same() -> None:
    original, masked = example()
    found = measured(original, masked).parts
    other = InformationLoss(columns=names_of(original)).measure(microdata(original), microdata(masked)).parts
    pairs = {"IL1": "X.variation", "IL2": "M.variation", "IL3": "V.variation", "IL4": "S.variation", "IL5": "R.mae"}
    for symbol, name in pairs.items():
        assert found[f"MFL.{name}"] == pytest.approx(other[symbol] / 100)


def test_exchanging_the_sign_of_a_column_in_both_files_changes_no_error_of_the_factors() -> None:
    original, masked = example()
    flipped = np.array([1.0, -1.0, 1.0, -1.0])
    expected, found = measured(original, masked).parts, measured(original * flipped, masked * flipped).parts
    assert dict(found) == pytest.approx(dict(expected))


def test_units_change_only_the_errors_that_have_them() -> None:
    original, masked = example()
    units = np.array([1e-3, 1.0, 1e3, 1e6])
    expected, found = measured(original, masked), measured(original * units, masked * units)
    assert found.value == pytest.approx(expected.value)
    with_units = {f"MFL.{symbol}.{error}" for symbol in "XMVS" for error in ("mse", "mae")}
    for name, error in expected.parts.items():
        assert (found.parts[name] == pytest.approx(error)) is (name not in with_units)


def test_components_of_equal_variance_are_not_told_apart() -> None:
    rng = np.random.default_rng(0)
    quarter = rng.normal(size=(50, 2))
    # made symmetric: the correlations are exactly 0, so that any two directions are components
    original = np.vstack([quarter * [a, b] for a in (1, -1) for b in (1, -1)])
    masked = original @ np.array([[1.0, 0.3], [0.3, 1.0]])  # whose components are the diagonals
    found = measured(original, masked).parts
    assert found["MFL.F.mae"] == pytest.approx(0.0, abs=1e-9)
    assert found["MFL.RF.mae"] > 0  # the variances of the components are others


def test_equal_variances_in_the_masked_file_are_turned_towards_the_original() -> None:
    rng = np.random.default_rng(0)
    quarter = rng.normal(size=(50, 2))
    masked = np.vstack([quarter * [a, b] for a in (1, -1) for b in (1, -1)])
    original = masked @ np.array([[1.0, 0.3], [0.3, 1.0]])
    assert measured(original, masked).parts["MFL.F.mae"] == pytest.approx(0.0, abs=1e-9)


def test_more_noise_loses_more_of_every_factor() -> None:
    found = [measured(*example(n=400, noise=noise)).parts for noise in (0.0, 0.1, 1.0, 10.0)]
    for name in ("RF", "C", "F"):
        errors = [parts[f"MFL.{name}.mae"] for parts in found]
        assert errors == sorted(errors)
        assert errors[0] == 0.0


def test_a_suppressed_value_counts_as_zero_and_a_missing_one_is_left_out() -> None:
    original, masked = np.array([[1.0], [3.0], [NAN], [4.0]]), np.array([[1.0], [NAN], [8.0], [4.0]])
    found = measured(original, masked).parts
    values = [found[f"MFL.X.{error}"] for error in ("mse", "mae", "variation")]
    assert values == pytest.approx([9 / 3, 3 / 3, 1 / 3])


def test_moments_are_of_the_values_that_are_there() -> None:
    original, masked = example()
    original[::7, 0] = masked[::5, 1] = NAN
    found = measured(original, masked).parts
    assert found["MFL.M.mae"] == pytest.approx(
        np.mean([abs(np.nanmean(masked[:, j]) - np.nanmean(original[:, j])) for j in range(4)])
    )
    assert not any(isnan(error) for error in found.values())


def test_a_single_column_has_no_correlations_to_lose() -> None:
    original, masked = (matrix[:, :1] for matrix in example())
    found = measured(original, masked)
    assert [found.parts[f"MFL.R.{error}"] for error in ("mse", "mae", "variation")] == [0.0, 0.0, 0.0]
    assert [found.parts["MFL.C.mae"], found.parts["MFL.F.mae"]] == pytest.approx([0.0, 0.0])
    four = [found.parts[f"MFL.{symbol}.variation"] for symbol in "XMVS"]
    assert found.value == pytest.approx(100 * sum(four) / 7)


def test_a_constant_column_is_a_component_without_weight() -> None:
    original, masked = (np.column_stack([matrix, np.full(60, 0.1)]) for matrix in example())
    found = measured(original, masked).parts
    expected = measured(*example()).parts
    assert found["MFL.R.mae"] == pytest.approx(expected["MFL.R.mae"] * 6 / 10)  # four pairs more, that are 0 in both
    assert found["MFL.RF.variation"] == pytest.approx(expected["MFL.RF.variation"])


def test_a_file_of_constants_loses_nothing() -> None:
    constants = np.full((5, 3), 0.1)
    assert measured(constants, constants).value == 0.0
