"""The verdict of analytic validity: a sentence with its reasons."""

from typing import NamedTuple

import numpy as np

from sfumato.display import format_count, format_percent
from sfumato.loss.values._judged_figures import JudgedFigures
from sfumato.loss.values._sampling_limits import PercentsOff
from sfumato.numerics.arrays import Booleans, FloatColumn

ALLOWED = 5.0  # percent of the figures of a condition that may be clearly off where samples have fewer, or be gone
CLEARLY = 2.0  # times as far off as by chance in one of 20 samples
GONE = 1e200  # standard errors: as far off as no number is
ENOUGH = 6  # variables that make a file analytically interesting


class Held(NamedTuple):
    """The percent of figures that are off, and that may be."""

    found: PercentsOff
    limits: PercentsOff

    @property
    def is_kept(self) -> bool:
        """Whether no more moments, relations and figures in tables are off than may be."""
        return all(found <= limit for found, limit in zip(self.found.by_kind, self.limits.by_kind, strict=True))


class Judged(NamedTuple):
    """What a verdict rests on.

    Parameters
    ----------
    off, clearly_off, gone
        The percent of figures that are off, off by twice as much, and not to be computed any more.
    in_whole
        Of the moments and relations of the whole file those that are clearly off.
    domains
        How many domains were looked at, with the whole file.
    distributions
        Which columns have their distribution kept.
    """

    off: Held
    clearly_off: Held
    gone: Held
    in_whole: Held
    domains: int
    distributions: Booleans

    @property
    def is_valid(self) -> bool:
        """Whether the file is analytically valid."""
        is_kept = all(held.is_kept for held in (self.off, self.clearly_off, self.gone, self.in_whole))
        return is_kept and bool(self.distributions.any())

    @property
    def analysable(self) -> int:
        """How many variables can be validly analysed."""
        columns = self.distributions & np.logical_and.reduce(
            [held.found.columns <= held.limits.columns for held in (self.off, self.clearly_off, self.gone)]
        )
        tables = (self.off.found.own_tables <= self.off.limits.own_tables) & (self.clearly_off.found.own_tables == 0)
        return int(np.count_nonzero(columns) + np.count_nonzero(tables))


def judge(figures: JudgedFigures, tolerance: float, distributions: Booleans) -> Judged:
    """Hold the figures that are off against those that are in another sample."""
    whole, clear = figures.of_whole(), CLEARLY * tolerance
    gone = figures.off(GONE)
    return Judged(
        Held(figures.off(tolerance), figures.limits(tolerance)),
        Held(figures.off(clear), figures.limits(clear).at_least(ALLOWED)),
        Held(gone, PercentsOff(ALLOWED, ALLOWED, ALLOWED, np.full(len(gone.columns), ALLOWED), gone.own_tables)),
        Held(whole.off(clear), whole.limits(clear).at_least(ALLOWED)),
        len(figures.domains),
        distributions,
    )


def verdict(judged: Judged, *, untested: str, has_tables: bool) -> str:
    """Return the verdict with its reasons, and what it does not rest on."""
    is_interesting = judged.is_valid and judged.analysable >= ENOUGH
    kinds = ("means and covariances", "correlations", *(("figures in tables",) if has_tables else ()))
    off = [
        f"{format_percent(found)} of the {kind}" for found, kind in zip(judged.off.found.by_kind, kinds, strict=False)
    ]
    return (
        f"{'' if judged.is_valid else 'not '}analytically valid, "
        f"{'' if is_interesting else 'not '}analytically interesting: "
        f"{_listed(off)} are off in {format_count(judged.domains, 'domain')}, and in another sample up to "
        f"{_percents(judged.off.limits, len(kinds))} may be; "
        f"{_percents(judged.clearly_off.found, len(kinds))} are gone or clearly off "
        f"(up to {_percents(judged.clearly_off.limits, len(kinds))} may be), and in the whole file "
        f"{format_percent(judged.in_whole.found.moments)} of the means and covariances and "
        f"{format_percent(judged.in_whole.found.relations)} of the correlations "
        f"(up to {_percents(judged.in_whole.limits, 2)}); "
        f"{int(judged.distributions.sum())} of {format_count(judged.distributions.size, 'distribution')} and "
        f"{format_count(judged.analysable, 'variable')} of {ENOUGH} that are asked for are kept"
        f"{untested}{'' if has_tables else '; without columns in `within` no subdomain and no table was judged'}"
    )


def _percents(percents: PercentsOff, count: int) -> str:
    return _listed(
        [format_percent(percent) for percent in (percents.moments, percents.relations, percents.tables)][:count]
    )


def _listed(texts: list[str]) -> str:
    return f"{', '.join(texts[:-1])} and {texts[-1]}"


def untested_sentence(if_lost: FloatColumn, far: float) -> str:
    """Return the warning that relations are hardly tested, where most could vanish without being off.

    Examples
    --------
    >>> untested_sentence(np.array([1.0, 2.0, 9.0]), 2.8)
    '; relations are hardly tested: 2 of 3 correlations could vanish without being off'
    >>> untested_sentence(np.array([9.0, 9.0]), 2.8)
    ''
    """
    judged = if_lost[~np.isnan(if_lost)]
    if not judged.size:
        return "; relations are not tested: no two columns have a correlation"
    unseen = int(np.count_nonzero(judged <= far))
    if 2 * unseen <= judged.size:
        return ""
    return (
        f"; relations are hardly tested: {unseen} of {format_count(judged.size, 'correlation')} could vanish "
        f"without being off"
    )
