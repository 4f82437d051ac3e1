"""Which columns of a rule the masked file still tells something of: a rule such as `role(key)` goes by the original."""

from sfumato.contracts import Measure
from sfumato.data import Microdata, Selector
from sfumato.errors import DataError


def columns_left(measure: Measure, original: Microdata, masked: Microdata) -> tuple[str, ...]:
    """Return the columns of a measure to look at: those that are named, or of a rule those that the masked file has.

    A column that is named must be in both files, with values. Of a rule, columns that the masked file lacks, or has no
    value of, are left out, since they tell nobody anything.

    Examples
    --------
    >>> import polars
    >>> from sfumato.data import linkable
    >>> from sfumato.risk import WorstCaseLinkage
    >>> original = Microdata(polars.DataFrame({"income": [21.5, 35.2], "tax": [4.1, 7.3]}))
    >>> columns_left(WorstCaseLinkage(columns=linkable), original, original.without_columns(("tax",)))
    ('income',)
    """
    if not isinstance(measure.columns, Selector):
        return measure.common_columns(original, masked)
    held = [name for name in original.select(measure.columns) if original.summary.observed(name)]
    left = tuple(name for name in held if name in masked.schema and masked.summary.observed(name))
    if not left:
        raise DataError(
            f"{type(measure).__name__}.columns: the masked file has no value of any column that "
            f"{measure.columns} picks; name other columns"
        )
    return measure.replace(columns=left).common_columns(original, masked)
