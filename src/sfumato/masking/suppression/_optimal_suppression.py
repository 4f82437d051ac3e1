"""The fewest cells whose suppression makes every combination of keys and gaps one of enough records, with proof."""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from sfumato.errors import DataError
from sfumato.kernels.keys.counting import classes_of
from sfumato.masking.suppression._column_sets import bits_of, holds, price_of_sets
from sfumato.numerics.arrays import Booleans, CodeColumn, FloatColumn
from sfumato.numerics.highs import (
    Options,
    bound_of,
    has_solution,
    load_model,
    make_model,
    start_from,
    unknowns_of,
)

MAX_CHOICES = 100_000  # variables of the programme; beyond, one node of the search takes minutes
WHOLE = 1e-6

OPTIONS: Options = {"mip_rel_gap": 1e-9, "mip_abs_gap": 1e-6}


class Suppression(NamedTuple):
    """Cells to suppress, what they cost, and what any such cells cost at least.

    Parameters
    ----------
    cells
        Which cells to suppress, records x columns.
    cost
        Their number, or their importance.
    bound
        A number that no other choice is below.
    """

    cells: Booleans
    cost: float
    bound: float


@dataclass(frozen=True, eq=False)
class Choices:
    """Which form each of the different records may take: its values without those of some columns.

    Parameters
    ----------
    unit, hidden
        For each choice the record, and the columns that it does not show, as bits.
    form
        For each choice what is shown, numbered: records that take the same form are equal.
    """

    unit: CodeColumn
    hidden: CodeColumn
    form: CodeColumn


def optimal_suppression(
    codes: CodeColumn, k: int, importance: FloatColumn, known: Booleans, max_nodes: int
) -> Suppression:
    """Return the best cells found, and how far from the least they can be.

    Parameters
    ----------
    codes
        The keys as codes, records x columns; negative where missing.
    k
        How many records must be equal at least; the file has as many.
    importance
        What a cell of each column costs.
    known
        Cells that are enough, from which the search starts.
    max_nodes
        How many nodes of the search tree to look at, at most.

    Notes
    -----
    So many of the copies of each record take each form; a form is taken by nobody or by `k` records. Once the
    forms are chosen, how many take each is a flow, so that only the choice of forms need be searched in whole numbers.
    A form is left out when all who could take it agree in a column that it hides: they could show it.
    """
    classes = classes_of(codes.T)
    records, copies = codes[classes.first_rows()], classes.sizes()
    choices = _choices(records, copies, k)
    costs = price_of_sets(importance)[choices.hidden & ~bits_of(records < 0)[choices.unit]]
    start = _records_by_choice(choices, _close(codes, known), classes.numbers)
    taken, bound = _solve(choices, copies, costs, k, start, max_nodes)
    cells = _cells(codes, classes.numbers, choices, taken)
    cost = float(costs @ taken)
    if (importance == np.rint(importance)).all():  # then so is what any choice costs
        bound = float(np.ceil(bound - WHOLE))
    return Suppression(cells, cost, min(max(bound, 0.0), cost))


def _choices(records: CodeColumn, copies: CodeColumn, k: int) -> Choices:
    """Return what each record may show: forms that enough records can take, and that hide nothing in vain."""
    m = records.shape[1]
    missing = bits_of(records < 0)
    found: list[tuple[CodeColumn, CodeColumn, CodeColumn]] = []
    forms = total = 0
    for hidden in range(1 << m):
        able = np.flatnonzero(missing & ~hidden == 0)
        is_hidden = holds(np.array(hidden), np.arange(m))
        classes = classes_of(records[able][:, ~is_hidden].T) if able.size else classes_of(np.empty((0, 0), np.int64))
        worth = classes.totals(copies[able].astype(np.float64)) >= k
        for column in records[able][:, is_hidden].T:
            first = column[classes.first_rows()]
            differs = np.bincount(classes.numbers, (column != first[classes.numbers]) | (column < 0), classes.count)
            worth &= differs > 0
        kept = worth[classes.numbers]
        number = np.cumsum(worth) - 1 + forms
        found.append((able[kept], np.full(np.count_nonzero(kept), hidden), number[classes.numbers[kept]]))
        forms, total = forms + int(worth.sum()), total + int(np.count_nonzero(kept))
        if total > MAX_CHOICES:
            raise DataError(
                f"StrictLocalSuppression.max_nodes: the records have more than {MAX_CHOICES} choices of what to show, "
                f"which is too many to search for the least; take strata or fewer keys, or max_nodes = 0"
            )
    unit, hidden_sets, form = (np.concatenate(parts) for parts in zip(*found, strict=True))
    return Choices(unit, hidden_sets, form)


def _close(codes: CodeColumn, cells: Booleans) -> CodeColumn:
    """Return what each record hides, as bits, after groups of equal records show again what they have in common."""
    hidden = cells | (codes < 0)
    for _ in range(codes.shape[1] + 1):
        classes = classes_of(np.where(hidden, -1, codes).T)
        first = classes.first_rows()[classes.numbers]
        varies = (codes != codes[first]) | (codes < 0)
        in_vain = np.stack([np.bincount(classes.numbers, column, classes.count) == 0 for column in varies.T], axis=1)
        again = hidden & in_vain[classes.numbers]
        if not again.any():
            break
        hidden = hidden & ~again
    return bits_of(hidden)


def _records_by_choice(choices: Choices, hidden: CodeColumn, numbers: CodeColumn) -> FloatColumn:
    """Return how many records take each choice."""
    width = int(max(choices.hidden.max(), hidden.max())) + 1
    asked, amounts = np.unique(numbers * width + hidden, return_counts=True)
    keys = choices.unit * width + choices.hidden
    order = np.argsort(keys)
    taken = np.zeros(keys.size)
    taken[order[np.searchsorted(keys[order], asked)]] = amounts
    return taken


def _solve(
    choices: Choices, copies: CodeColumn, costs: FloatColumn, k: int, start: FloatColumn, max_nodes: int
) -> tuple[FloatColumn, float]:
    """Return how many records take each choice, and a bound below the cost of all solutions."""
    used = np.bincount(choices.form, start, int(choices.form.max()) + 1) > 0
    solver = load_model({**OPTIONS, "mip_max_nodes": max_nodes}, _model(choices, copies, costs, k))
    start_from(solver, np.concatenate((start, used)))
    solver.run()
    bound = bound_of(solver)
    if not has_solution(solver):
        return start, bound
    taken = _allocate_records(choices, copies, costs, k, unknowns_of(solver)[start.size :] > 0.5)
    if not np.allclose(taken, np.rint(taken), atol=WHOLE) or costs @ taken > costs @ start:
        taken = start
    return np.rint(taken), bound


def _allocate_records(
    choices: Choices, copies: CodeColumn, costs: FloatColumn, k: int, is_used: Booleans
) -> FloatColumn:
    """Return how many records take each choice when just some forms may be used: a flow, whole at its corners."""
    model = _model(choices, copies, costs, k, is_used)
    solver = load_model({**OPTIONS, "mip_max_nodes": 0, "solver": "simplex"}, model)
    solver.run()
    return unknowns_of(solver)[: costs.size]


def _model(choices: Choices, copies: CodeColumn, costs: FloatColumn, k: int, is_used: Booleans | None = None) -> Any:
    """Return the integer programme: how many records take each choice, then whether each form is used.

    Its rows: each record takes some form; a form is taken by enough records if it is used, and by none if not. Where
    it is given which forms are used, no unknown need be a whole number.
    """
    from scipy.sparse import csc_array

    x, y, units = choices.unit.size, int(choices.form.max()) + 1, copies.size
    each, form = np.arange(x), np.arange(y)
    rows = np.concatenate((choices.unit, units + choices.form, units + form, units + y + each, units + y + each))
    columns = np.concatenate((each, each, x + form, each, x + choices.form))
    most = copies[choices.unit].astype(np.float64)
    values = np.concatenate((np.ones(2 * x), np.full(y, -float(k)), np.ones(x), -most))
    least_used, most_used = (np.zeros(y), np.ones(y)) if is_used is None else (is_used.astype(np.float64),) * 2
    return make_model(
        csc_array((values, (rows, columns)), shape=(units + y + x, x + y)),
        np.concatenate((costs, np.zeros(y))),
        np.concatenate((np.zeros(x), least_used)),
        np.concatenate((most, most_used)),
        np.concatenate((copies, np.zeros(y), np.full(x, -np.inf))),
        np.concatenate((copies, np.full(y, np.inf), np.zeros(x))),
        is_whole=None if is_used is not None else np.arange(x + y) >= x,
    )


def _cells(codes: CodeColumn, numbers: CodeColumn, choices: Choices, taken: FloatColumn) -> Booleans:
    """Return the cells that records lose when so many of equal ones take each choice, the first records first."""
    order = np.lexsort((choices.hidden, choices.unit))
    by_record = np.argsort(numbers, kind="stable")
    hidden = np.empty_like(numbers)
    hidden[by_record] = np.repeat(choices.hidden[order], taken[order].astype(np.int64))
    return np.asarray(holds(hidden[:, None], np.arange(codes.shape[1])) & (codes >= 0), dtype=np.bool_)
