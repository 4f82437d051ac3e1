"""What a search is asked: which figures are limited, which are minimised, and the measures that find them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from sfumato.assessment.defaults import keys_first
from sfumato.assessment.symbols import symbols_of
from sfumato.contracts import Measure, limited_symbol
from sfumato.data import Kind, Microdata, categorical, linkable, numeric
from sfumato.data.kinds import DESIGN_ROLES
from sfumato.errors import ParameterError, UnknownColumnError, did_you_mean
from sfumato.parameters.limits import Limit, Limits, read_limits
from sfumato.plugins import MEASURES
from sfumato.scores import SCORES, Score, WeightedScore
from sfumato.study.axes import MEAN_LOSS
from sfumato.study.figures import disclosure_risk, score_problems
from sfumato.study.search.default_space import observed_columns

MAX_MINIMISED = 2

mean_loss = WeightedScore(name="mean_loss", symbol=MEAN_LOSS, weights={"IL": 0.5, "CTL": 0.5})
"""What is minimised where both numeric and categorical columns are masked."""


@dataclass(frozen=True)
class Objective:
    """What a search is asked.

    Parameters
    ----------
    minimise
        The symbols of the figures to bring down: one, or two.
    limits
        What is demanded of figures, by their symbols; of the bound of a figure that has one.
    measures, scores
        What finds these figures.
    """

    minimise: tuple[str, ...]
    limits: tuple[Limit, ...]
    measures: tuple[Measure, ...]
    scores: tuple[Score, ...] | None

    @property
    def symbols(self) -> tuple[str, ...]:
        """The figures that matter."""
        return tuple(dict.fromkeys((*self.minimise, *self.limited)))

    @property
    def limited(self) -> tuple[str, ...]:
        """The figures that have a limit."""
        return tuple(limit.figure for limit in self.limits)


def build_objective(
    data: Microdata,
    minimise: str | Sequence[str] | None,
    limits: Limits,
    measures: Sequence[Measure] | None,
    scores: Sequence[Score] | None,
) -> Objective:
    """Return what is asked in symbols, with the measures that it takes; everything wrong is reported at once."""
    _check_minimised(minimise)
    figures = _Figures(measures, scores)
    wanted = (default_objective(data),) if minimise is None else _as_tuple(minimise)
    problems: list[str] = []
    found = [_symbol_of(figures, name, "search.minimise", problems) for name in wanted]
    written = read_limits(limits, "search.limits")
    limited = {
        limited_symbol(_symbol_of(figures, limit.figure, "search.limits", problems), figures.measures): limit
        for limit in written
    }
    problems.extend(_wrong_counts(wanted, found))
    if len(limited) < len(written):
        problems.append(
            "search.limits must limit each figure once; one is there by its symbol and by its name, or by itself "
            "and by its bound"
        )
    if problems:
        raise ParameterError(problems)
    needed = figures.behind([*found, *limited])
    made = {score.symbol: score for score in scores or ()}
    made |= {symbol: figures.scores[symbol] for symbol in (*found, *limited) if symbol in figures.scores}
    made.pop(disclosure_risk.symbol, None)  # a study has it anyway
    objective = Objective(
        minimise=tuple(found),
        limits=tuple(replace(limit, figure=symbol) for symbol, limit in limited.items()),
        measures=_measures(data, needed) if measures is None else tuple(measures),
        scores=tuple(made.values()) or None,
    )
    _check(data, objective, needed)
    return objective


def default_objective(data: Microdata) -> str:
    """Return the figure to minimise when none is named: IL, or its mean with CTL where there are categories too."""
    numbers, categories = observed_columns(data, data.select(numeric)), observed_columns(data, data.select(categorical))
    return mean_loss.symbol if numbers and categories else "CTL" if categories else "IL"


class _Figures:
    """The figures that there are: what measures and scores are called, and what finds them."""

    def __init__(self, measures: Sequence[Measure] | None, scores: Sequence[Score] | None) -> None:
        found: Sequence[Measure | type[Measure]] = list(MEASURES.values()) if measures is None else measures
        self.measures = found
        known = [disclosure_risk, mean_loss, *SCORES.values(), *(scores or ())]
        self.scores = {score.symbol: score for score in known}
        self.symbols = {symbol: symbol for symbol in [*symbols_of(found), *self.scores]}
        once = [one for one in found if one.symbol in self.symbols]  # another is asked for by its symbol
        self.names = {one.name(): one.symbol for one in once} | {one.name: one.symbol for one in known}

    def symbol(self, name: str) -> str | None:
        """Return the symbol of a figure, given that or its name; capitals matter only where they must."""
        for table in (self.symbols, self.names):
            if name in table:
                return table[name]
        alike = {symbol for known, symbol in (self.symbols | self.names).items() if known.casefold() == name.casefold()}
        return alike.pop() if len(alike) == 1 else None

    def behind(self, symbols: Iterable[str]) -> list[str]:
        """Return the figures of measures that some figures are made from."""
        found: dict[str, None] = {}
        for symbol in symbols:
            found |= dict.fromkeys(self.scores[symbol].needs if symbol in self.scores else (symbol,))
        return list(found)


def _check_minimised(minimise: object) -> None:
    """Refuse a measure where the name of a figure belongs."""
    if isinstance(minimise, Measure):
        raise ParameterError(
            [
                f"search.minimise must be the symbol or name of a figure, as in '{minimise.symbol}'; "
                f"got a {type(minimise).__name__}: give it in measures"
            ]
        )


def _as_tuple(minimise: str | Sequence[str]) -> tuple[str, ...]:
    return (minimise,) if isinstance(minimise, str) else tuple(minimise)


def _symbol_of(figures: _Figures, name: Any, who: str, problems: list[str]) -> str:
    symbol = figures.symbol(name) if isinstance(name, str) else None
    if symbol is None:
        known = [*figures.names, *figures.symbols]
        nearest = did_you_mean(str(name), known) or "; sfumato methods lists the measures"
        problems.append(f"{who}: there is no figure '{name}'{nearest}")
    return symbol or str(name)


def _wrong_counts(wanted: Sequence[str], found: Sequence[str]) -> Iterable[str]:
    if not 1 <= len(wanted) <= MAX_MINIMISED:
        yield f"search.minimise must name one figure, or two for a front; got {len(wanted)}"
    if len(set(found)) < len(found):
        yield f"search.minimise must name two different figures; got {found[0]} twice"


def _measures(data: Microdata, needed: Iterable[str]) -> tuple[Measure, ...]:
    """Return the measures of the figures, each of the columns that it is made for."""
    wanted = {next(one for one in MEASURES.values() if symbol in symbols_of([one])): symbol for symbol in needed}
    problems: list[str] = []
    found: list[Measure] = []
    for measure, symbol in wanted.items():
        required = [name for name, field in measure.model_fields.items() if field.is_required() and name != "columns"]
        columns = _columns(measure, data)
        if required:
            problems.append(
                f"search: {measure.name()} ({symbol}) needs the parameter {', '.join(required)}; name it in measures"
            )
        elif not columns:
            kinds = " or ".join(sorted(measure.kinds))
            problems.append(
                f"search: {measure.name()} ({symbol}) is of {kinds} columns, and the file has none to assess; "
                f"choose another figure, or give columns a kind and a role in the schema"
            )
        else:
            found.append(measure(columns=columns))
    if problems:
        raise ParameterError(problems)
    return tuple(found)


def _columns(measure: type[Measure], data: Microdata) -> tuple[str, ...]:
    """Return the columns of a measure as `assess` would choose them: ranks and distances are of numbers.

    Whoever links by all that is known, and of whom a limit promises something, knows weights and strata too.
    """
    numbers = data.select(numeric) if Kind.CONTINUOUS in measure.kinds else ()
    categories = data.select(categorical) if Kind.NOMINAL in measure.kinds else ()
    known = data.select(linkable) if measure.bound_symbol else ()
    design = [name for name in known if data.schema[name].role in DESIGN_ROLES]
    return keys_first(data.schema, observed_columns(data, (*numbers, *categories, *design)))


def _check(data: Microdata, objective: Objective, needed: Iterable[str]) -> None:
    """Refuse measures of columns that are not there, and figures that the measures given do not find."""
    for measure in objective.measures:
        try:
            data.select(measure.columns)
        except UnknownColumnError as error:
            raise UnknownColumnError(f"{type(measure).__name__}.columns: {error}") from None
    symbols = symbols_of(objective.measures)
    problems = [
        f"search.measures must find {symbol}, which is limited or minimised; add it, or leave measures out"
        for symbol in needed
        if symbol not in symbols
    ]
    problems = problems or score_problems(symbols, objective.scores or ())
    if problems:
        raise ParameterError(problems)
