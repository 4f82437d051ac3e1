"""The combinations of a few categories whose records are far riskier than others."""

from collections.abc import Iterable, Iterator
from itertools import combinations
from math import comb
from typing import NamedTuple

import numpy as np

from sfumato.contracts import FileRisk, Measurement
from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.display import format_count
from sfumato.errors import ParameterError
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import MissingKeys, coded_keys
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.numerics.arrays import CodeColumn, CodeMatrix, FloatColumn
from sfumato.risk._explanations.risk_breakdown import check_question, mean_in_words, risk_per_record
from sfumato.risk._explanations.risk_table import RiskTable

MAX_SETS = 20_000  # sets of keys that are looked through in a bearable time
NEGLIGIBLE = 1e-9  # deviations by rounding only


class CombinationRisk(NamedTuple):
    """The risk of the records with one combination of categories."""

    combination: str
    """The categories, by their labels where they have some, as in `work=smith, sex=f`."""
    keys: int
    records: int
    mean_risk: float
    share_of_risk: float
    """The percent of all risk that these records carry."""
    deviations: float
    """How far their mean risk is above that of all records, in standard deviations of the mean of so many records."""


class RareCombination(NamedTuple):
    """A combination as places of keys with their codes, its records, their risk and how far that stands out."""

    items: frozenset[tuple[int, int]]
    records: int
    carried: float
    deviations: float


def riskiest_combinations(
    data: Microdata,
    measure: FileRisk,
    *,
    count: int = 10,
    size: int = 3,
    min_records: int = 3,
    found: Measurement | None = None,
) -> RiskTable[CombinationRisk]:
    """Return the combinations of up to `size` categories through which most risk runs.

    A combination stands out when the mean risk of its records is many standard deviations above that of as many
    records drawn at random; so one that few records have must carry much of their risk. A combination that only adds a
    category to one that stands out more, or lacks one of it, is left out.

    Parameters
    ----------
    data
        The file.
    measure
        A risk of the file that tells records apart.
    count
        How many combinations to return at most.
    size
        The most categories in a combination.
    min_records
        The fewest records that have it: the list is of kinds of persons, not of persons.
    found
        What the measure found of the file, where that is known: it is not measured again.

    Examples
    --------
    >>> import polars
    >>> from sfumato.risk import KAnonymity
    >>> frame = polars.DataFrame({"work": ["clerk"] * 6 + ["smith"] * 3, "town": [*"AAABBBABC"]})
    >>> print(riskiest_combinations(Microdata(frame), KAnonymity(columns=("work", "town"))))
    Riskiest combinations of up to 3 categories: k anonymity (KA), 33.33 % on average
      combination  keys  records  mean risk  share of risk  deviations
      work=smith      1        3     100.00         100.00        2.83
    """
    _check_counts(count=count, size=size, min_records=min_records)
    check_question("riskiest_combinations", data, measure)
    names, codes = coded_keys(measure, data, MissingKeys.WILDCARD)
    _check_sets(len(names), size)
    found = measure.of(data) if found is None else found
    risks = risk_per_record(measure, found)
    known, copies = ~np.isnan(risks), copies_of(data)
    ranked = _rank_combinations(codes[:, known], risks[known], copies[known], size, min_records)
    chosen = _not_nested(ranked, count)
    categories = [_category_texts(data, name) for name in names]
    rows = tuple(_row(names, categories, each, float((risks * copies)[known].sum())) for each in chosen)
    mean = mean_in_words(found, risks, copies)
    title = f"Riskiest combinations of up to {format_count(size, 'category')}: {mean} on average"
    fields = (("combination", str), ("keys", int), ("records", int))
    figures = (("mean_risk", float), ("share_of_risk", float), ("deviations", float))
    remark = "" if rows else f"None that at least {min_records} records have stands out."
    return RiskTable(title, (*fields, *figures), rows, remark)


def _check_counts(**given: int) -> None:
    problems = [
        f"riskiest_combinations.{name} must be in [1, inf); got {value}" for name, value in given.items() if value < 1
    ]
    if problems:
        raise ParameterError(problems)


def _check_sets(keys: int, size: int) -> None:
    sets = sum(comb(keys, k) for k in range(1, min(size, keys) + 1))
    if sets > MAX_SETS:
        raise ParameterError(
            [f"riskiest_combinations.size: there are {sets} sets of up to {size} of {keys} keys; take a smaller size"]
        )


def _rank_combinations(
    codes: CodeMatrix, risks: FloatColumn, copies: CodeColumn, size: int, min_records: int
) -> Iterator[RareCombination]:
    """Yield the combinations of up to `size` categories whose records are riskier than the rest, the most first."""
    n = int(copies.sum())
    mean = mean_of_records(risks, copies) if n else 0.0
    deviation = float(np.sqrt(mean_of_records((risks - mean) ** 2, copies))) if n else 0.0
    if not deviation:
        return
    alike = classes_of(codes)  # equal records are counted together from here on
    few, counted = codes[:, alike.first_rows()], alike.totals(copies.astype(np.float64))
    carried = alike.totals(risks * copies)
    sets = [keys for k in range(1, size + 1) for keys in combinations(range(len(codes)), k)]
    found = []
    for keys in sets:
        classes = classes_of(few[list(keys)])
        records, totals, first = classes.totals(counted), classes.totals(carried), classes.first_rows()
        spread = deviation * np.sqrt(records * np.maximum(n - records, 1) / (n - 1))  # drawn without putting back
        above = (totals - records * mean) / spread
        kept = np.flatnonzero((records >= min_records) & (above > NEGLIGIBLE))
        kept = kept[np.lexsort(few[list(keys)][:, first[kept]])]  # whatever the order of the records
        found.append((first[kept], records[kept], totals[kept], above[kept]))
    first, records, totals, above = (np.concatenate(column) for column in zip(*found, strict=True))
    numbers = np.repeat(np.arange(len(sets)), [len(above) for *_, above in found])
    for place in np.argsort(-np.round(above, 9), kind="stable"):
        items = frozenset((key, int(few[key, first[place]])) for key in sets[numbers[place]])
        yield RareCombination(items, int(records[place]), float(totals[place]), float(above[place]))


def _not_nested(ranked: Iterable[RareCombination], count: int) -> list[RareCombination]:
    """Return the first of the combinations that neither hold nor are held by one before them."""
    chosen: list[RareCombination] = []
    for each in ranked:
        if len(chosen) == count:
            break
        if not any(each.items <= other.items or other.items <= each.items for other in chosen):
            chosen.append(each)
    return chosen


def _category_texts(data: Microdata, name: str) -> list[str]:
    """Return the categories of a key as text, codes by their labels."""
    labels = data.schema[name].value_labels
    return [labels.get(category) or text_of(category) for category in data.codes(name)[1]]


def _row(names: tuple[str, ...], categories: list[list[str]], found: RareCombination, total: float) -> CombinationRisk:
    parts = [f"{names[key]}={'missing' if code < 0 else categories[key][code]}" for key, code in sorted(found.items)]
    mean, share = found.carried / found.records, 100 * found.carried / total
    return CombinationRisk(", ".join(parts), len(parts), found.records, mean, share, found.deviations)
