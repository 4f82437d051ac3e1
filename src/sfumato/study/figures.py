"""The figures of a run: what the measures found, overall and among outliers, and the scores made from it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from sfumato.assessment import Assessment
from sfumato.assessment.symbols import symbols_of, variants_of
from sfumato.contracts import Measure, Measurement
from sfumato.errors import did_you_mean
from sfumato.plugins import MEASURES
from sfumato.scores import SCORES, USUAL_SCORES, Score, WeightedScore

OUTLIERS = "_outliers"
"""What the symbols of figures end in that are of the outliers alone."""

disclosure_risk = WeightedScore(name="disclosure_risk", symbol="DR", weights={"DLD": 0.5, "ID": 0.5})
"""The half of the simplified score that is not loss."""


@dataclass(frozen=True)
class Outcome:
    """What came of a run: figures and the titles of the headline ones, both by symbol, or an error."""

    values: Mapping[str, float] = field(default_factory=dict)
    titles: Mapping[str, str] = field(default_factory=dict)
    error: str | None = None


def outcome_from(assessment: Assessment) -> Outcome:
    """Return the figures of an assessment without scores, those of the outliers under symbols of their own."""
    apart = assessment.outlier_values
    titles: dict[str, str] = {}
    for measure, found in zip(assessment.measures, assessment.measurements, strict=True):
        titles |= _titles_of(measure, found)
    outlying = {
        f"{found.symbol}{OUTLIERS}": _title(f"{found.name} of outliers", f"{found.symbol}{OUTLIERS}", found.unit)
        for found in assessment.measurements
        if found.symbol in apart
    }
    values = assessment.measured_values | {f"{symbol}{OUTLIERS}": value for symbol, value in apart.items()}
    return Outcome(values, titles | outlying)


def add_scores(outcome: Outcome, scores: Sequence[Score] | None) -> Outcome:
    """Return the outcome with the disclosure risk and the scores, also of the outliers where their figures are known.

    Without `scores`, those of the usual ones are made whose figures are known; of the scores given all must be.
    """
    if outcome.error is not None:
        return outcome
    problems = score_problems(outcome.values, scores or ())
    if problems:
        return Outcome(error="; ".join(problems))
    wanted = USUAL_SCORES if scores is None else scores
    if all(score.symbol != disclosure_risk.symbol for score in wanted):
        wanted = (disclosure_risk, *wanted)
    apart = {symbol.removesuffix(OUTLIERS): value for symbol, value in outcome.values.items() if is_of_outliers(symbol)}
    values, titles = dict(outcome.values), dict(outcome.titles)
    for figures, ending, words in ((outcome.values, "", ""), (apart, OUTLIERS, " of outliers")):
        for score in wanted:
            if score.is_known(figures):
                symbol, unit = f"{score.symbol}{ending}", "%" if score is disclosure_risk else ""
                values[symbol] = score.combine(figures)
                titles[symbol] = _title(f"{score.name}{words}", symbol, unit)
    return Outcome(values, titles)


def is_of_outliers(symbol: str) -> bool:
    """Tell whether a figure is of the outliers alone."""
    return symbol.endswith(OUTLIERS)


def score_problems(symbols: Iterable[str], scores: Sequence[Score]) -> list[str]:
    """Say which scores cannot be made from figures of these symbols, and which have a symbol that is taken."""
    known = list(symbols)
    absent = [
        f"{score.name}: no measure of the study has the symbol '{symbol}'"
        f"{_nearest(symbol, known) or '; measure it too, or leave it out of the score'}"
        for score in scores
        for symbol in score.needs
        if symbol not in known
    ]
    counts = Counter([*known, *(score.symbol for score in scores)])
    twice = [symbol for symbol, count in counts.items() if count > 1]
    return absent + [
        f"measures and scores must have different symbols; '{symbol}' is there {counts[symbol]} times: "
        + ("leave one out" if known.count(symbol) > 1 else "give the score another one")
        for symbol in twice
    ]


def known_symbols(
    measures: Iterable[Measure] | None, scores: Iterable[Score] | None, *, outliers: bool = False
) -> list[str]:
    """Return the symbols of all figures that a study may have; of every measure there is when none are named."""
    measured = symbols_of(MEASURES.values() if measures is None else measures)
    made = (disclosure_risk, *(USUAL_SCORES if scores is None else scores))
    symbols = dict.fromkeys([*measured, *(score.symbol for score in made if set(score.needs) <= set(measured))])
    return [*symbols, *(f"{symbol}{OUTLIERS}" for symbol in symbols if outliers)]


def how_to_have(symbol: str, symbols: Iterable[str]) -> str:
    """Say what a study with figures of these symbols lacks to have another; nothing when there is no such figure.

    Examples
    --------
    >>> how_to_have("DR", ["IL", "DLD"])
    '; it is made from DLD and ID: measure ID too'
    """
    known = set(symbols)
    if is_of_outliers(symbol) and symbol.removesuffix(OUTLIERS) in known:
        return "; say 'outliers: true' to tell the outliers apart"
    measure = next((name for name, kind in MEASURES.items() if symbol in symbols_of([kind])), None)
    if measure is not None:
        return f"; add {measure} to the measures"
    score = next((score for score in (disclosure_risk, *SCORES.values()) if score.symbol == symbol), None)
    if score is None:
        return ""
    absent = [need for need in score.needs if need not in known]
    missing = f"measure {_join_words(absent)} too" if absent else f"add {score.name} to the scores"
    return f"; it is made from {_join_words(score.needs)}: {missing}"


def _nearest(symbol: str, known: Sequence[str]) -> str:
    """Say what figures there are in place of one: it with several parameters, or others that are written alike."""
    several = variants_of(symbol, known)
    if several:
        return f"; it is taken with several parameters: weigh {' or '.join(several)}"
    return did_you_mean(symbol, known)


def _titles_of(measure: Measure, found: Measurement) -> dict[str, str]:
    """Return the titles of a figure, and of what nobody exceeds where it is only what an attack reaches."""
    if not measure.bound_symbol:
        return {found.symbol: _title(found.name, found.symbol, found.unit)}
    bound = f"{measure.bound_symbol}{found.symbol.removeprefix(measure.symbol)}"
    return {
        found.symbol: _title(f"{found.name}, strongest attack", found.symbol, found.unit),
        bound: _title(f"{found.name}, proven bound", bound, found.unit),
    }


def _join_words(words: Sequence[str]) -> str:
    return " and ".join(filter(None, [", ".join(words[:-1]), words[-1]]))


def _title(name: str, symbol: str, unit: str) -> str:
    words = name.replace("_", " ").capitalize()
    return f"{words} ({', '.join(filter(None, [symbol, unit]))})"
