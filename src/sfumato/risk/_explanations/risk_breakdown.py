"""Where the risk of a file lies: by the categories of its keys, and by the keys themselves."""

from typing import NamedTuple

import numpy as np

from sfumato.contracts import FileRisk, Measurement, check_files
from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.errors import DataError, ParameterError, SfumatoError
from sfumato.keys.classes import MissingKeys, coded_keys
from sfumato.keys.counted_records import copies_of, mean_of_records
from sfumato.numerics.arrays import CodeColumn, FloatColumn
from sfumato.risk._explanations.risk_table import RiskTable


class CategoryRisk(NamedTuple):
    """The risk of the records with one category of a key."""

    key: str
    category: str | None
    """The category as text; none for the records in which the key is missing."""
    label: str
    records: int
    mean_risk: float
    share_of_risk: float
    """The percent of all risk that these records carry."""


class VariableRisk(NamedTuple):
    """The risk of the file, and how far it falls when one key is not known."""

    key: str
    risk: float
    risk_without: float | None
    fall: float | None
    """By how much the risk falls, in percent of it."""


def risk_by_category(
    data: Microdata, measure: FileRisk, *, found: Measurement | None = None
) -> RiskTable[CategoryRisk]:
    """Return for each category of each key its records, their mean risk and their share of all risk.

    Categories come by key, those with the largest share first. Meant for those who may see the file: a category that
    one record has is listed too.

    Parameters
    ----------
    data
        The file.
    measure
        A risk of the file that tells records apart.
    found
        What the measure found of the file, where that is known: it is not measured again.

    Examples
    --------
    >>> import polars
    >>> from sfumato.risk import KAnonymity
    >>> data = Microdata(polars.DataFrame({"work": ["clerk", "clerk", "smith"], "sex": ["m", "m", "m"]}))
    >>> print(risk_by_category(data, KAnonymity(columns=("work", "sex"), k=2)))
    Risk by category: k anonymity (KA), 33.33 % on average
      key   category  records  mean risk  share of risk
      work  smith           1     100.00         100.00
      work  clerk           2       0.00           0.00
      sex   m               3      33.33         100.00
    """
    check_question("risk_by_category", data, measure)
    names, _ = coded_keys(measure, data, MissingKeys.WILDCARD)
    found = measure.of(data) if found is None else found
    risks = risk_per_record(measure, found)
    rows = [row for name in names for row in _by_category(data, name, risks)]
    fields = (("key", str), ("category", str), ("label", str), ("records", int))
    figures = (("mean_risk", float), ("share_of_risk", float))
    return RiskTable(
        f"Risk by category: {mean_in_words(found, risks, copies_of(data))} on average", (*fields, *figures), tuple(rows)
    )


def risk_by_variable(
    data: Microdata, measure: FileRisk, *, found: Measurement | None = None
) -> RiskTable[VariableRisk]:
    """Return for each key how far the risk of the file falls when an intruder does not know that key.

    The key that the risk falls most with comes first: it is the one to recode or to drop. The falls do not add up, as
    a key tells little beside others that tell the same.

    Parameters
    ----------
    data
        The file.
    measure
        A risk of the file; it is measured once more for each key.
    found
        What the measure found of the file, where that is known: it is not measured again.

    Examples
    --------
    >>> import polars
    >>> from sfumato.risk import KAnonymity
    >>> data = Microdata(polars.DataFrame({"work": ["clerk", "clerk", "smith"], "sex": ["m", "m", "m"]}))
    >>> print(risk_by_variable(data, KAnonymity(columns=("work", "sex"), k=2)))
    Risk by key: k anonymity (KA), 33.33 % with all keys
      key    risk  risk without    fall
      work  33.33          0.00  100.00
      sex   33.33         33.33    0.00
    """
    check_question("risk_by_variable", data, measure)
    names, _ = coded_keys(measure, data, MissingKeys.WILDCARD)
    found = measure.of(data) if found is None else found
    without = {name: measure_without(data, measure, names, name) for name in names}
    rows = [_fall(name, found.value, None if less is None else less.value) for name, less in without.items()]
    rows.sort(key=lambda row: -np.inf if row.fall is None else -row.fall)
    fields = (("key", str), ("risk", float), ("risk_without", float), ("fall", float))
    title = f"Risk by key: {_name_in_words(found)}, {found.value:.2f} {found.unit} with all keys"
    return RiskTable(title, fields, tuple(rows), "Not measured without the only key." if len(names) == 1 else "")


def check_question(who: str, data: Microdata, measure: FileRisk, name: str = "measure") -> None:
    """Refuse what is no file, and what is no risk of a file by its keys, such as a class, a name or a linkage."""
    check_files(who, data=data)
    if isinstance(measure, FileRisk):
        return
    got = f"the class {measure.__name__}" if isinstance(measure, type) else f"a {type(measure).__name__}"
    raise ParameterError(
        [f"{who}.{name} must be a risk of one file, such as KAnonymity(columns=[...]) or Suda(); got {got}"]
    )


def measure_without(data: Microdata, measure: FileRisk, names: tuple[str, ...], name: str) -> Measurement | None:
    """Return what a measure finds when one of the keys is not known; none where it cannot be measured without it."""
    others = tuple(other for other in names if other != name)
    try:
        return measure.replace(columns=others).of(data) if others else None
    except SfumatoError:  # a measure may name this key elsewhere, as in its combinations
        return None


def risk_per_record(measure: FileRisk, found: Measurement) -> FloatColumn:
    """Return the risk of each record; refuse a measure that does not tell records apart."""
    if found.per_record is None:
        raise DataError(
            f"{type(measure).__name__} has one figure for the whole file and none per record; "
            f"take a measure that tells records apart, such as k_anonymity or individual_risk"
        )
    return found.per_record


def mean_in_words(found: Measurement, risks: FloatColumn, copies: CodeColumn) -> str:
    """Return the name of a measure with the mean risk of the records that have one; each row stands for copies."""
    known = ~np.isnan(risks)
    mean = mean_of_records(risks[known], copies[known]) if known.any() else 0.0
    return f"{_name_in_words(found)}, {mean:.2f} {found.unit}"


def _name_in_words(found: Measurement) -> str:
    return f"{found.name.replace('_', ' ')} ({found.record_symbol or found.symbol})"


def _by_category(data: Microdata, name: str, risks: FloatColumn) -> list[CategoryRisk]:
    codes, categories = data.codes(name)
    known, copies = ~np.isnan(risks), copies_of(data).astype(np.float64)
    places = np.where(codes >= 0, codes, len(categories))[known]
    records = np.bincount(places, weights=copies[known], minlength=len(categories) + 1)
    carried = np.bincount(places, weights=(risks * copies)[known], minlength=len(categories) + 1)
    total = float(carried.sum())
    labels = data.schema[name].value_labels
    rows = []
    for place in np.flatnonzero(records):
        category = categories[place] if place < len(categories) else None
        share = 100 * float(carried[place]) / total if total else 0.0
        text, label = (None, "missing") if category is None else (text_of(category), labels.get(category, ""))
        rows.append(CategoryRisk(name, text, label, int(records[place]), float(carried[place] / records[place]), share))
    return sorted(rows, key=lambda row: -row.share_of_risk)


def _fall(name: str, risk: float, without: float | None) -> VariableRisk:
    fall = None if without is None else 100 * (risk - without) / risk if risk else 0.0
    return VariableRisk(name, risk, without, fall)
