"""The one way from the polars dataframe of a result to a pandas one."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas
    import polars


def as_pandas(frame: "polars.DataFrame") -> "pandas.DataFrame":
    """Return a polars dataframe as a pandas one; pandas must be installed, pyarrow need not be."""
    import pandas

    return pandas.DataFrame(frame.to_dict(as_series=False))
