"""Log-linear models, checked against Newton's method for Poisson regression and against dense tables."""

from itertools import combinations, product

import numpy as np
import pytest

from sfumato.errors import ParameterError
from sfumato.numerics.arrays import Floats, Integers
from sfumato.risk.keys._log_linear_models import Fit, Margins, fit_model, margins_of, possible_cells

NAMES = ("region", "sex", "age")


def fit(cells: Integers, counts: Floats, margins: Margins, tolerance: float = 1e-4) -> Fit:
    found = fit_model(cells, counts, margins, tolerance)
    assert found is not None
    return found


def cells_of(cells: Integers, margins: Margins, most: int = 10**6) -> list[tuple[int, ...]]:
    found = possible_cells(cells, margins, most)
    assert found is not None
    return [tuple(cell) for cell in found.T.tolist()]


def whole_table(shape: tuple[int, ...]) -> Integers:
    return np.array(list(product(*(range(size) for size in shape)))).T


def regression(cells: Integers, counts: Floats, margins: Margins) -> Floats:
    """Return the fitted values of a Poisson regression on dummies for every entry of every margin."""
    columns = [np.ones(cells.shape[1])]
    for size in range(1, max(map(len, margins)) + 1):
        subsets = {part for margin in margins for part in combinations(margin, size)}
        for part in sorted(subsets):
            for entry in product(*(range(1, int(cells[key].max()) + 1) for key in part)):
                columns.append(np.all(cells[list(part)] == np.array(entry)[:, None], axis=0).astype(np.float64))
    design = np.array(columns).T
    beta = np.linalg.lstsq(design, np.log(counts + 0.5), rcond=None)[0]
    for _ in range(50):
        mean = np.exp(design @ beta)
        beta = beta + np.linalg.solve(design.T * mean @ design, design.T @ (counts - mean))
    return np.asarray(np.exp(design @ beta), dtype=np.float64)


@pytest.mark.parametrize("margins", [((0,), (1,), (2,)), ((0, 1), (2,)), ((0, 1), (0, 2), (1, 2)), ((0, 1), (1, 2))])
def test_fits_what_poisson_regression_fits(margins: Margins) -> None:
    cells = whole_table((3, 4, 2))
    counts = np.asarray(np.random.default_rng(3).integers(1, 30, cells.shape[1]), dtype=np.float64)
    found = fit(cells, counts, margins, tolerance=1e-10)
    assert found.expected == pytest.approx(regression(cells, counts, margins), rel=1e-7)
    assert found.squares == pytest.approx(float((found.expected**2).sum()))


def test_a_decomposable_model_has_its_closed_form() -> None:
    cells = whole_table((3, 3, 3))
    table = np.random.default_rng(4).integers(1, 9, (3, 3, 3)).astype(np.float64)
    expected = table.sum(axis=2)[:, :, None] * table.sum(axis=0)[None] / table.sum(axis=(0, 2))[None, :, None]
    found = fit(cells, table.ravel(), ((0, 1), (1, 2)), tolerance=1e-10)
    assert found.expected == pytest.approx(expected.ravel())


def test_empty_cells_take_part_when_their_margins_are_not_empty() -> None:
    """The table without its empty cells has other fitted values than the whole: what is expected in them is missing."""
    cells = whole_table((4, 3, 3))
    counts = np.asarray(np.random.default_rng(5).poisson(1.5, cells.shape[1]), dtype=np.float64)
    seen = counts > 0
    whole = fit(cells, np.maximum(counts, 1e-12), ((0, 1), (0, 2), (1, 2)), tolerance=1e-8)
    sparse = fit(cells[:, seen], counts[seen], ((0, 1), (0, 2), (1, 2)), tolerance=1e-8)
    assert sparse.expected == pytest.approx(whole.expected[seen], rel=1e-4)
    assert sparse.expected.sum() < counts.sum()
    assert sparse.squares == pytest.approx(whole.squares, rel=1e-4)


@pytest.mark.parametrize("margins", [((0, 1), (1, 2)), ((0, 2), (1, 3)), ((0, 1, 3), (2, 3)), ((0,), (1, 2, 3))])
def test_possible_cells_are_those_without_an_empty_margin(margins: Margins) -> None:
    everything = whole_table((3, 3, 2, 3))
    cells = everything[:, np.random.default_rng(6).random(everything.shape[1]) < 0.2]
    cells = np.array([np.unique(key, return_inverse=True)[1] for key in cells])
    seen = [{tuple(cell[list(margin)]) for cell in cells.T} for margin in margins]
    sizes = tuple(int(key.max()) + 1 for key in cells)
    plain = {
        tuple(cell)
        for cell in whole_table(sizes).T.tolist()
        if all(tuple(cell[k] for k in margin) in entries for margin, entries in zip(margins, seen, strict=True))
    }
    found = cells_of(cells, margins)
    assert len(found) == len(set(found))
    assert set(found) == plain


@pytest.mark.parametrize("most", [23, 30, 10_000])
def test_possible_cells_are_the_same_however_many_are_tried_at_a_time(most: int) -> None:
    cells = np.array([[0, 0, 1, 2, 3, 4], [0, 1, 1, 2, 3, 3], [0, 1, 2, 3, 4, 5]])
    ways = ((0, 1), (0, 2), (1, 2))
    assert sorted(cells_of(cells, ways, most)) == sorted(cells_of(cells, ways))


def test_too_large_a_table_is_not_made() -> None:
    ways = ((0, 1), (1, 2))
    assert possible_cells(np.tile(np.arange(200), (3, 1)), ways, most=100) is None  # as many as there are records
    assert possible_cells(np.array([[*range(9), 0], [0] * 9 + [0], [*range(9), 0]]), ways, most=80) is None  # 9 x 9


def test_independent_margins_need_no_table() -> None:
    cells = np.tile(np.arange(1000), (4, 1))
    found = fit(cells, np.ones(1000), ((0,), (1,), (2, 3)))
    assert found.expected == pytest.approx(np.full(1000, 1e-6))
    assert found.squares == pytest.approx(1e-3)


def test_dispersion_is_about_nought_for_counts_of_the_model_and_large_for_others() -> None:
    rng = np.random.default_rng(8)
    cells = whole_table((8, 8, 8))
    means = 5 * rng.lognormal(0, 0.5, 8)[cells[0]] * rng.lognormal(0, 0.5, 8)[cells[1]]
    for extra, least, most in [(0.0, -3.0, 3.0), (1.0, 10.0, np.inf)]:
        counts = rng.poisson(means * rng.lognormal(0, extra, means.size)).astype(np.float64)
        seen = counts > 0
        found = fit(cells[:, seen], counts[seen], ((0,), (1,), (2,)))
        assert least < found.dispersion(counts[seen]) < most


@pytest.mark.parametrize(
    ("model", "margins"),
    [
        ("main_effects", ((0,), (1,), (2,))),
        ("two_way", ((0, 1), (0, 2), (1, 2))),
        ("region * sex + age", ((0, 1), (2,))),
        ("age*region+sex", ((0, 2), (1,))),
        ("region + region * sex * age", ((0, 1, 2),)),
        ("region*sex + sex*region + age", ((0, 1), (2,))),
    ],
)
def test_models_keep_the_margins_that_they_name(model: str, margins: Margins) -> None:
    assert margins_of("Model", model, NAMES) == margins


def test_one_key_has_one_margin_in_every_model() -> None:
    assert margins_of("Model", "two_way", ("age",)) == ((0,),)


@pytest.mark.parametrize(
    ("model", "message"),
    [
        ("region * sx + age", r"Model.model: 'sx' is not one of the columns; did you mean 'sex'\?"),
        ("twoway", r"'twoway' is not one of the columns; did you mean 'two_way'\?"),
        ("zzz + age", "'zzz' is not one of the columns, which are region, sex, age"),
        ("region * + age", r"a name is missing beside '\+' or '\*'"),
        ("region * sex", r"Model.model leaves out 'age'; add '\+ age', or take it out of columns"),
    ],
)
def test_a_formula_that_cannot_be_read_is_refused(model: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        margins_of("Model", model, NAMES)
