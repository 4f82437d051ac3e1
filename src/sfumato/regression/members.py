"""The records that synthetic copies were made from: an original file without those that were kept back."""

from typing import TYPE_CHECKING

from sfumato.data import Microdata
from sfumato.display import format_count
from sfumato.errors import DataError

if TYPE_CHECKING:
    import polars

COUNT = "\0count"  # no file has such a column


def leave_out_control(original: Microdata, control: Microdata) -> Microdata:
    """Return an original file without the records of a control, which are told by their values.

    Of several records with the same values as many are left out as the control has.

    Examples
    --------
    >>> import polars
    >>> people = Microdata(polars.DataFrame({"age": [31, 45, 45, 62]}))
    >>> leave_out_control(people, people.take_rows([1])).frame["age"].to_list()
    [31, 45, 62]
    """
    names = [name for name in original.schema.names if name in control.schema]
    if not names:
        raise DataError("compare_fits: the control has no column of the original; give records of the same file")
    kept_back = _counted(control.frame.select(names).cast(dict(original.frame.select(names).schema), strict=False))
    whole = _counted(original.frame.select(names)).with_row_index("\0row")
    found = whole.join(kept_back, on=[*names, COUNT], how="semi", nulls_equal=True)
    if found.height < control.n:
        raise DataError(
            f"compare_fits: {format_count(control.n - found.height, 'record')} of the control, of {control.n:,}, "
            f"cannot be found in the original; the control must be what was kept back of this file, and the original "
            f"must hold it still"
        )
    left = whole.join(kept_back, on=[*names, COUNT], how="anti", nulls_equal=True)
    return original.take_rows(left["\0row"].sort().to_numpy())


def _counted(frame: "polars.DataFrame") -> "polars.DataFrame":
    """Return records with a number that tells those with the same values apart."""
    import polars

    return frame.with_columns(polars.int_range(polars.len()).over(frame.columns).alias(COUNT))
