"""Which figures a map and a front are of when nobody says: a risk and a loss that the study has."""

from collections.abc import Iterable, Mapping, Sequence

from sfumato.contracts import Measure
from sfumato.loss import LOSSES
from sfumato.risk import RISKS
from sfumato.study.figures import OUTLIERS, disclosure_risk

MEAN_LOSS = "meanL"
DEFAULT_LOSSES = (MEAN_LOSS, "IL")  # whoever has the mean loss asked for it


def default_risk(symbols: Sequence[str]) -> str | None:
    """Return the disclosure risk DR, else the first risk measure among the figures, if there is one."""
    return next(iter(risk_figures(symbols)), None)


def default_loss(symbols: Sequence[str]) -> str | None:
    """Return the mean loss, else the information loss IL, else the first loss measure, of those among the figures."""
    return next(iter(loss_figures(symbols)), None)


def risk_figures(symbols: Sequence[str]) -> list[str]:
    """Return the figures that are risks of all records, the usual one first; bounds and parts are not among them."""
    return _among([disclosure_risk.symbol, *_measures_of(RISKS, symbols)], symbols)


def loss_figures(symbols: Sequence[str]) -> list[str]:
    """Return the figures that are losses of all records, the usual ones first; parts are not among them."""
    return _among([*DEFAULT_LOSSES, *_measures_of(LOSSES, symbols)], symbols)


def of_outliers(symbol: str, symbols: Sequence[str]) -> str | None:
    """Return the figure of the outliers that stands for one of all records, if there is one.

    A measure that divides another figure among the records than its own, as IL does, is stood for by the first measure
    of its room that the outliers have.
    """
    room = RISKS if symbol == disclosure_risk.symbol or symbol.partition("[")[0] in _symbols(RISKS) else LOSSES
    others = [f"{other}{OUTLIERS}" for other in _measures_of(room, symbols)]
    return next(iter(_among([f"{symbol}{OUTLIERS}", *others], symbols)), None)


def _symbols(room: Mapping[str, type[Measure]]) -> set[str]:
    return {measure.symbol for measure in room.values()}


def _measures_of(room: Mapping[str, type[Measure]], symbols: Iterable[str]) -> list[str]:
    """Return the figures of a room's measures, those among them that are taken with several parameters."""
    return [one for one in symbols if one.partition("[")[0] in _symbols(room) and not one.endswith(OUTLIERS)]


def _among(wanted: Iterable[str], symbols: Sequence[str]) -> list[str]:
    return [symbol for symbol in dict.fromkeys(wanted) if symbol in symbols]
