"""The recipe that synthesises a file: what is left out, in which order columns are drawn, and who is kept back."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from sfumato.contracts import MaskingMethod
from sfumato.data import Kind, Microdata, role
from sfumato.data.distinct_values import NESTED, factorise
from sfumato.data.inference import guess_variables
from sfumato.data.recognition.register_numbers import HOUSEHOLD_DOUBT
from sfumato.display import format_compact
from sfumato.errors import DataError, ParameterError
from sfumato.execution import run_step
from sfumato.keys.households import households_of
from sfumato.masking import DropIdentifiers, HouseholdSynthesis, Sampling, SequentialSynthesis
from sfumato.masking.synthesis._models.formula import Formula
from sfumato.masking.synthesis._sequential.weights import OriginalWeights
from sfumato.recipe import Recipe

MIN_SHARED = 0.1  # of the records share an identifier with another: fewer may have the same name by chance
MANY_CATEGORIES = 50  # a nominal column of more is drawn after the others, from which it is predicted best


def synthesis_recipe(
    data: Microdata,
    method: Mapping[str, Any],
    *,
    chosen: Sequence[str] = (),
    size: int | None = None,
    holdout: float | None = None,
    relation: str | None = None,
    age: str | None = None,
    parametric: bool = False,
) -> Recipe:
    """Return the recipe that synthesises a file: keep records back, drop identifiers, draw the rest.

    Parameters
    ----------
    data
        The file.
    method
        Parameters of `SequentialSynthesis` but its columns.
    chosen
        The columns to draw, in this order; all but identifiers when not given, those of many categories last.
    size
        How many records to make; as many as the file has, when not given.
    holdout
        How many percent of the records to keep back.
    relation, age
        The columns that say what a person is to the head of the household, and how old or when born.
    parametric
        Whether columns without a model of their own are drawn by regressions, not by trees.
    """
    if not data.n:
        raise DataError("the file has no records; there is nothing to synthesise")
    household = household_column(data)
    shared = shared_identifier(data, data.select(role("identifier")))
    if household is None and shared is not None:
        raise DataError(
            f"several records share '{shared}', so that the {method['min_leaf']} records that a value rests on may be "
            f"those of one person or household; give it the role household, by which they are drawn together, or "
            f"synthesise a file with one record for each"
        )
    names = _drawn_columns(data, chosen)
    dropped = tuple(name for name in data.schema.names if name not in (*names, household))
    for name, given in (("relation", relation), ("age", age)):
        if given is not None and household is None:
            raise ParameterError([f"{name} needs a column of the role household, which tells who lives together"])
    if not names:
        raise DataError("the file has only identifiers and household numbers; there is nothing to synthesise")
    if holdout is not None and not 0 < holdout < 100:
        raise ParameterError([f"holdout must be in (0, 100); got {format_compact(holdout)}"])
    if parametric:
        method = {**method, "models": regression_models(data, names) | dict(method["models"] or {})}
    columns = drawing_order(names, method["models"], relation, age)
    steps: list[MaskingMethod] = []
    if holdout is not None:
        # weights stay as they are, with their decimals, and are scaled once, when records are drawn
        steps.append(Sampling(columns=(), percent=100 - holdout, household=data.select(role("household"))))
    if dropped:
        steps.append(DropIdentifiers(columns=dropped))
    total = None if holdout is None else _weight_total(data, names, household, int(method["min_leaf"]))
    if household is None:
        persons = SequentialSynthesis(columns=columns, size=size or data.n, weight_total=total, **method)
        return Recipe(steps=[*steps, persons])
    count = households_of(data, (household,)).count
    homes = count if size is None else max(round(size * count / data.n), 1)
    drawn = HouseholdSynthesis(
        columns=columns, household=household, relation=relation, age=age, size=homes, weight_total=total, **method
    )
    return Recipe(steps=[*steps, drawn])


def regression_models(data: Microdata, names: Sequence[str]) -> dict[str, Any]:
    """Return for each column a regression as its model: on ranks for numbers and dates, logistic for categories."""
    return {name: "linear" if data.schema[name].kind in (Kind.CONTINUOUS, Kind.DATE) else "logistic" for name in names}


def shared_record_notices(data: Microdata, steps: Sequence[MaskingMethod]) -> list[str]:
    """Return a sentence about records that belong together and that a recipe draws one by one all the same."""
    name = shared_identifier(data, (*data.select(role("household")), *data.select(role("identifier"))))
    if name is None or not any(isinstance(step, SequentialSynthesis) for step in steps):
        return []
    return [
        f"RECORDS WERE DRAWN ONE BY ONE ALTHOUGH SEVERAL SHARE {name}: min_leaf counts records, so that what one "
        f"household or person has in common may have come out. Use household_synthesis, which draws them together."
    ]


def shared_identifier(data: Microdata, names: Sequence[str]) -> str | None:
    """Return the first of some columns in which many records have a value in common, as those of one person have."""
    for name in names:
        if not isinstance(data.table[name].dtype, NESTED):
            codes = factorise(data.table[name])[0]
            sizes = np.bincount(codes[codes >= 0])
            if sizes[sizes > 1].sum() >= max(MIN_SHARED * data.n, 2):
                return name
    return None


def drawing_order(
    names: Sequence[str], models: Mapping[str, Any] | None, relation: str | None = None, age: str | None = None
) -> tuple[str, ...]:
    """Return columns with what a formula needs before what it computes, and the relation before the age.

    Examples
    --------
    >>> drawing_order(["age", "sex", "birth"], {"age": {"formula": {"expression": "years('2021-12-31' - birth)"}}})
    ('birth', 'age', 'sex')
    """
    known = SequentialSynthesis(columns=names, models=models).models or {}
    needs = {name: model.needed for name, model in known.items() if isinstance(model, Formula)}
    if relation is not None and age is not None:
        needs[age] = (relation,)
    ordered: list[str] = []

    def put(name: str, waiting: tuple[str, ...]) -> None:
        for needed in needs.get(name, ()):
            if needed in names and needed not in (*ordered, *waiting):
                put(needed, (*waiting, name))
        if name not in ordered:
            ordered.append(name)

    for name in names:
        put(name, (name,))
    return tuple(ordered)


def split_control(data: Microdata, seeded: Recipe) -> tuple[Microdata, Microdata]:
    """Return the records that the first step of a recipe keeps for synthesis, and those that it keeps back.

    Both are without what a step drops.
    """
    sample = run_step(seeded.steps[0], data, seed=seeded.seed or 0, step=0)
    rest = data.take_rows(np.flatnonzero(~np.isin(data.row_ids, sample.row_ids)))
    dropped = tuple(
        name for step in seeded.steps if isinstance(step, DropIdentifiers) for name in data.select(step.columns)
    )
    return sample.without_columns(dropped), rest.without_columns(dropped)


def _drawn_columns(data: Microdata, chosen: Sequence[str]) -> list[str]:
    """Return the chosen columns, or all but identifiers, numbers of households, and those without a value."""
    never = (*data.select(role("identifier")), *data.select(role("household")))
    for name in chosen:
        if name in never or (data.select((name,)) and not data.observed(name).any()):
            raise DataError(f"'{name}' cannot be drawn: it is an identifier, tells households, or has no value")
    if chosen:
        return list(dict.fromkeys(chosen))
    names = [name for name in data.schema.names if name not in (*never, *empty_columns(data, never))]
    return sorted(names, key=lambda name: _has_many_categories(data, name))


def household_column(data: Microdata) -> str | None:
    """Return the column that tells who lives together, where one does."""
    names = [name for name in data.select(role("household")) if data.observed(name).any()]
    return names[0] if names else None


def likely_households(data: Microdata, drawn: Sequence[str], known: Sequence[str]) -> tuple[str, ...]:
    """Return the drawn columns that look like numbers of households and were taken for quantities, unless known."""
    if household_column(data) is not None:
        return ()
    doubtful = (guess.variable.name for guess in guess_variables(data.frame) if guess.doubt == HOUSEHOLD_DOUBT)
    return tuple(name for name in doubtful if name in drawn and name not in known)


def _weight_total(data: Microdata, drawn: Sequence[str], household: str | None, fewest: int) -> float | None:
    """Return what the weights of the whole file add up to, as a synthesiser counts them; None where none are drawn."""
    units = households_of(data, () if household is None else (household,)).number
    weights = OriginalWeights(data.take_columns(tuple(drawn)), units, fewest)
    totals = [weights.total(name) for name in weights.names]
    return totals[0] if totals and totals[0] > 0 else None


def empty_columns(data: Microdata, but: tuple[str, ...]) -> tuple[str, ...]:
    """Return the columns, but for some, in which no record has a value."""
    return tuple(name for name in data.schema.names if name not in but and not data.observed(name).any())


def _has_many_categories(data: Microdata, name: str) -> bool:
    return data.schema[name].kind is Kind.NOMINAL and len(data.codes(name)[1]) > MANY_CATEGORIES
