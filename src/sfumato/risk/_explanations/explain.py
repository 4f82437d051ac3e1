"""Explain the risk of one record: who shares its keys, which keys single it out, and what each contributes."""

import numpy as np

from sfumato.contracts import FileRisk
from sfumato.data import Category, Microdata, role
from sfumato.errors import DataError
from sfumato.keys.classes import MissingKeys, coded_keys, visible_codes
from sfumato.keys.weights import sampling_weights
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn
from sfumato.risk._explanations.record_explanation import RecordExplanation
from sfumato.risk._explanations.risk_breakdown import check_question, measure_without, risk_per_record

MAX_KEYS = 20  # all sets of so many can be looked at


def explain_risk(data: Microdata, measure: FileRisk, row_id: int, *, values: bool = False) -> RecordExplanation:
    """Return why a record is as risky as it is.

    Parameters
    ----------
    data
        The file.
    measure
        A risk of the file that tells records apart; it is measured once more without each of its keys.
    row_id
        Which record, by its row id: its row number, from 0, unless the file was given other ids.
    values
        Whether to tell the record's keys too. Who reads them may recognise the person.

    Examples
    --------
    >>> import polars
    >>> from sfumato.risk import KAnonymity
    >>> frame = polars.DataFrame({"work": ["clerk", "clerk", "clerk", "smith"], "sex": ["f", "f", "m", "m"]})
    >>> print(explain_risk(Microdata(frame), KAnonymity(columns=("work", "sex"), k=2), row_id=2))
    Record 2: 100.00 % by k anonymity (KA); the mean is 50.00 %. Rank 1 of 4, as risky as 1 other.
    No other record has the same keys.
    Told apart from all others by work + sex.
      key   risk without it, %  sets with it
      work                0.00             1
      sex                 0.00             1
    """
    check_question("explain_risk", data, measure)
    missing = getattr(measure, "missing", MissingKeys.CATEGORY)
    names, codes = coded_keys(measure, data, missing)
    row = _row_of(data, row_id)
    found = measure.of(data)
    risks = risk_per_record(measure, found)
    if np.isnan(risks[row]):
        raise DataError(
            f"explain_risk: {type(measure).__name__} has no figure for record {row_id}; take another measure"
        )
    agreements = agreements_with(codes, row, missing)
    every = (1 << len(names)) - 1
    alike = agreements == every
    equal = agreements_with(visible_codes(data, names), row, MissingKeys.CATEGORY) == every
    weights = _weights(data, measure)
    less = {name: measure_without(data, measure, names, name) for name in names}
    return RecordExplanation(
        row_id=row_id,
        measure=found.name,
        symbol=found.record_symbol or found.symbol,
        unit=found.unit,
        risk=float(risks[row]),
        mean_risk=float(np.nanmean(risks)),
        rank=1 + int(np.count_nonzero(risks > risks[row])),
        equally_risky=int(np.count_nonzero(risks == risks[row])) - 1,
        records=data.n,
        class_size=int(np.count_nonzero(alike)),
        strict_class_size=int(np.count_nonzero(equal)),
        weighted_size=None if weights is None else float(weights[alike].sum()),
        without={
            name: None if each is None else float(risk_per_record(measure, each)[row]) for name, each in less.items()
        },
        minimal_uniques=tuple(
            tuple(name for place, name in enumerate(names) if chosen >> place & 1)
            for chosen in minimal_sets(np.delete(agreements, row), len(names))
        ),
        values=_values(data, names, row) if values else {},
    )


def agreements_with(codes: CodeMatrix, row: int, missing: MissingKeys) -> CodeColumn:
    """Return for each record the keys in which it agrees with one, as bits: bit j stands for key j.

    Examples
    --------
    >>> agreements_with(np.array([[0, 0, 1], [5, -1, 5]]), 0, MissingKeys.WILDCARD)
    array([3, 3, 2])
    """
    if len(codes) > MAX_KEYS:
        raise DataError(f"explain_risk takes up to {MAX_KEYS} keys; got {len(codes)}: name fewer columns")
    bits = np.zeros(codes.shape[1], dtype=np.int64)
    for place, column in enumerate(codes):
        agrees = column == column[row]
        if missing is MissingKeys.WILDCARD:
            agrees |= (column < 0) | (column[row] < 0)
        bits |= agrees.astype(np.int64) << place
    return bits


def minimal_sets(agreements: CodeColumn, keys: int) -> list[int]:
    """Return the minimal sets of keys in which no other record agrees with one, small sets first.

    A set that some record agrees in is shared, and so is all that is within it; a set is minimal when it is not shared
    but would be without any one of its keys.

    Parameters
    ----------
    agreements
        The keys in which each other record agrees with it, as bits.
    keys
        The number of keys.

    Examples
    --------
    >>> minimal_sets(np.array([0b011, 0b110]), 3)  # keys 0 and 1 agree in one record, 1 and 2 in another
    [5]
    """
    shared = np.zeros(1 << keys, dtype=np.bool_)
    shared[0] = True  # nothing tells nobody apart
    shared[agreements] = True
    for key in range(keys):
        halves = shared.reshape(-1, 2, 1 << key)  # without the key, and with it
        halves[:, 0] |= halves[:, 1]
    minimal = ~shared
    for key in range(keys):
        minimal.reshape(-1, 2, 1 << key)[:, 1] &= shared.reshape(-1, 2, 1 << key)[:, 0]
    return sorted(np.flatnonzero(minimal).tolist(), key=lambda chosen: (chosen.bit_count(), chosen))


def _row_of(data: Microdata, row_id: int) -> int:
    rows = np.flatnonzero(data.row_ids == row_id)
    if rows.size != 1:
        raise DataError(
            f"explain_risk.row_id must be the row id of one of the {data.n} records; got {row_id}: {rows.size} have it"
        )
    return int(rows[0])


def _weights(data: Microdata, measure: FileRisk) -> FloatColumn | None:
    """Return the weights that the measure uses, or those of the file if there is no doubt which they are."""
    named = getattr(measure, "weight", None)
    if named is None and len(data.select(role("weight"))) > 1:
        return None
    return sampling_weights(type(measure).__name__, data, named)


def _values(data: Microdata, names: tuple[str, ...], row: int) -> dict[str, Category | None]:
    found: dict[str, Category | None] = {}
    for name in names:
        codes, categories = data.codes(name)
        found[name] = None if codes[row] < 0 else categories[codes[row]]
    return found
