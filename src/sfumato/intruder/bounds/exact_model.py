"""What can be told of pairs exactly; columns of which it cannot are taken to be known."""

from collections.abc import Sequence

import numpy as np

from sfumato.contracts import Likelihood, paired_rows
from sfumato.data import Microdata
from sfumato.intruder.bounds.step_order import sees_only_the_file, treats_equals_alike
from sfumato.intruder.certain_files import certain_values
from sfumato.intruder.closed_forms import ClosedForm, ClosedForms
from sfumato.intruder.coded_columns import coded_columns, combination_codes, equality_codes, gap_codes
from sfumato.intruder.household_draws.hidden_draws import drawn_households
from sfumato.intruder.pair_model import Model
from sfumato.intruder.shadow_masking import Runs, columns_together, steps_by_column
from sfumato.intruder.shared_draws import has_shared_draws
from sfumato.intruder.step_columns import columns_read
from sfumato.kernels.keys.counting import classes_of
from sfumato.numerics.arrays import CodeColumn


def exact_model(runs: Runs, masked: Microdata, names: tuple[str, ...]) -> Model | None:
    """Return how likely pairs are, exactly, to somebody who is told some columns of each masked record's original.

    These are the columns that are masked in a way whose density is not stated, or only approximately. To be told them
    must tell all that their masked values do: the steps on them read nothing else, or only what is not masked. Nothing
    is returned where that is not so, or where records are not masked independently of each other otherwise.
    """
    original, steps = runs.original, runs.steps
    if not all(map(sees_only_the_file, steps)) or any(drawn_households(step, original) for step in steps):
        return None
    shadows = [runs.shadow(number) for number in range(2)]
    if any(name not in shadow.data.schema for name in names for shadow in shadows):
        return None
    rows, touching = paired_rows(original, masked), steps_by_column(steps, original, names)
    keys: list[tuple[CodeColumn, CodeColumn]] = []
    likelihood: Likelihood = ()
    moved: list[str] = []
    told: list[str] = []
    for name in names:
        source = certain_values(runs, name, touching[name], shadows)
        if source is None:
            moved.append(name)
            continue
        values = equality_codes(*coded_columns([source, masked], name)[0])
        for code in (values, tuple(gap_codes([source, masked], name))):
            if not np.array_equal(code[0][rows], code[1]):
                return None
            keys.append((code[0], code[1]))
    forms = ClosedForms(runs, masked, touching)
    for group in columns_together(moved, touching):
        closed = forms.closed_form(group, shadows[0])
        if closed is None or not _is_exact(closed):
            told += group
            continue
        likelihood += closed.found
        strata = [name for name in closed.strata if name in masked.schema]
        before = closed.source or original
        keys += [equality_codes(*coded_columns([before, masked], name)[0]) for name in strata]
        for name in group:
            gaps, shown = gap_codes([before, masked], name)
            if np.array_equal(gaps[rows], shown):
                keys.append((gaps, shown))
    if told and not _tell_all(runs, told, names, touching):
        return None
    if told:
        (codes,) = combination_codes([original], tuple(told))
        gaps = classes_of(np.array([codes, *(gap_codes([original], name)[0] for name in told)])).numbers
        keys.append((gaps, gaps[rows]))
    blocks = np.zeros(original.n + masked.n, dtype=np.int64)
    if keys:
        blocks = classes_of(np.array([np.concatenate(pair) for pair in keys])).numbers
    return Model(blocks[: original.n], blocks[original.n :], likelihood, True, ())


def _is_exact(form: ClosedForm) -> bool:
    return (
        form.is_better
        and not form.is_drawn
        and not form.learnt
        and bool(form.found)
        and all(one.is_exact for one in form.found)
        and not has_shared_draws(form.found)
    )


def _tell_all(runs: Runs, told: Sequence[str], names: Sequence[str], touching: dict[str, list[int]]) -> bool:
    """Tell whether steps on some columns read only these and unmasked ones, and no other step reads them.

    Nor may the order of the records matter to such a step: it would tell persons apart who are equal in these columns.
    """
    open_columns = {name for name in names if not touching[name]}
    for number, step in enumerate(runs.steps):
        read = columns_read(step, runs.original)
        is_on_told = any(number in touching[name] for name in told)
        if is_on_told and (read - set(told) - open_columns or not treats_equals_alike(step)):
            return False
        if not is_on_told and read & set(told):
            return False
    return True
