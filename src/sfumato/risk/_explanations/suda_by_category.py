"""Which categories the special uniques of a file are made of."""

from typing import NamedTuple

from sfumato.data import Microdata
from sfumato.data.column_recoding import text_of
from sfumato.errors import ParameterError
from sfumato.keys.classes import coded_keys, key_codes
from sfumato.risk._explanations.risk_breakdown import check_question
from sfumato.risk._explanations.risk_table import RiskTable
from sfumato.risk.keys._suda_scores import suda_scores
from sfumato.risk.keys.suda import Suda


class CategoryScore(NamedTuple):
    """How much of the scores of a file runs through one category of a key."""

    key: str
    category: str | None
    """The category as text; none for the records in which the key is missing."""
    label: str
    share_of_scores: float
    """The percent of all scores that comes from minimal sample uniques with this category."""


def suda_by_category(data: Microdata, suda: Suda) -> RiskTable[CategoryScore]:
    """Return for each category of each key the percent of all scores that runs through it, the largest first.

    The shares of the categories of a key add up to that of the key, and those of the keys to more than 100, as a
    minimal sample unique may hold several. Categories that are in none are left out.

    Parameters
    ----------
    data
        The file.
    suda
        The keys, the sizes of sets, and what a missing key is.

    Examples
    --------
    >>> import polars
    >>> data = Microdata(polars.DataFrame({"work": ["smith", "clerk", "clerk", "clerk"], "sex": ["m", "m", "f", "f"]}))
    >>> print(suda_by_category(data, Suda(columns=("work", "sex"))))
    Scores by category: suda (SUDA), a sum of 2
      key   category  share of scores
      work  clerk               50.00
      work  smith               50.00
      sex   m                   50.00
    """
    check_question("suda_by_category", data, suda, "suda")
    if not isinstance(suda, Suda):
        raise ParameterError(
            [
                f"suda_by_category.suda must be a Suda, as its scores are what is shared out; got a "
                f"{type(suda).__name__}; risk_by_category takes other measures"
            ]
        )
    names, codes = coded_keys(suda, data, suda.missing)
    found = suda_scores(type(suda).__name__, codes, suda.max_size, suda.missing)
    rows = []
    shown = key_codes(data, names)
    for key, name in enumerate(names):
        categories, labels = data.codes(name)[1], data.schema[name].value_labels
        shares = found.shares_by_category(key, shown[key], len(categories)).tolist()
        described = [(text_of(category), labels.get(category, "")) for category in categories]
        rows += [CategoryScore(name, *words, share) for words, share in zip(described, shares, strict=False) if share]
        rows += [CategoryScore(name, None, "missing", shares[-1])] if shares[-1] else []
    fields = (("key", str), ("category", str), ("label", str), ("share_of_scores", float))
    ranked = sorted(rows, key=lambda row: -row.share_of_scores)
    return RiskTable(f"Scores by category: suda (SUDA), a sum of {found.counted.sum():,.0f}", fields, tuple(ranked))
