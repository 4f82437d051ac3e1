"""The dataframes of a study: a row per candidate, a row per run."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import polars

    from sfumato.study.candidate import Candidate, Result


def candidates_frame(candidates: "Sequence[Candidate]", symbols: Sequence[str]) -> "polars.DataFrame":
    """Return the mean, standard deviation and 95 % interval of some figures, one row per candidate."""
    import polars

    columns = {
        "candidate": polars.Series([candidate.label for candidate in candidates], dtype=polars.String),
        "family": polars.Series([candidate.family for candidate in candidates], dtype=polars.String),
    }
    for symbol in symbols:
        columns[symbol] = _figures(candidate.mean(symbol) for candidate in candidates)
        columns[f"{symbol}_sd"] = _figures(candidate.deviation(symbol) for candidate in candidates)
        intervals = [candidate.interval(symbol) or (None, None) for candidate in candidates]
        columns[f"{symbol}_low"] = _figures(low for low, _ in intervals)
        columns[f"{symbol}_high"] = _figures(high for _, high in intervals)
    return polars.DataFrame(columns)


def runs_frame(runs: "Sequence[Result]", symbols: Sequence[str]) -> "polars.DataFrame":
    """Return some figures, one row per run."""
    import polars

    columns = {
        "candidate": polars.Series([run.candidate for run in runs], dtype=polars.String),
        "family": polars.Series([run.family for run in runs], dtype=polars.String),
        "replication": polars.Series([run.replication for run in runs], dtype=polars.Int64),
        "seed": polars.Series([run.seed for run in runs], dtype=polars.Int64),
    }
    for symbol in symbols:
        columns[symbol] = _figures(run.values.get(symbol) for run in runs)
    columns["error"] = polars.Series([run.error for run in runs], dtype=polars.String)
    return polars.DataFrame(columns)


def _figures(values: Iterable[float | None]) -> "polars.Series":
    import polars

    return polars.Series(list(values), dtype=polars.Float64)
