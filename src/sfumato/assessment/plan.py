"""What to ask of a masked file, written as YAML: measures with their parameters, and scores."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, InstanceOf

from sfumato.contracts import Measure
from sfumato.documents import ListOf, OneOf, Record, kind_of, load, load_file, read_list
from sfumato.errors import ParameterError, did_you_mean
from sfumato.plugins import MEASURES
from sfumato.scores import SCORES, Score, WeightedScore

WHAT = "file of measures"
EXAMPLE_SCORE = "weights: {IL: 0.5, DLD: 0.5}"


def measure_of(symbol: str) -> str:
    """Return the name of the measure that gives a figure; nothing where none does.

    Examples
    --------
    >>> measure_of("DLD"), measure_of("EMLDz"), measure_of("IQ")
    ('distance_linkage', 'expectation_maximisation_linkage', '')
    """
    found = (name for name, measure in MEASURES.items() if symbol in (measure.symbol, *measure.part_symbols))
    return next(found, "")


def _other_meaning(name: str) -> str:
    """Return what a name is that is no measure: the symbol of one, or a score."""
    if measure_of(name):
        return f"; '{name}' is a figure of {measure_of(name)}: name that"
    return "; that is a score: name it under scores" if name in SCORES else ""


MEASURE: OneOf[Measure] = OneOf(
    MEASURES, noun="measure", example="distance_linkage: {columns: numeric}", hint=_other_meaning
)


def read_score(entry: Any) -> Score:
    """Return the published score of a name, or the weighted one that an entry describes."""
    if isinstance(entry, Score):
        return entry
    if isinstance(entry, str):
        if entry not in SCORES:
            shown = [name for name, score in SCORES.items() if score.symbol == entry]
            nearest = f"; '{entry}' is the symbol of {shown[0]}: name that" if shown else did_you_mean(entry, SCORES)
            nearest = nearest or f"; the scores are {', '.join(SCORES)}"
            raise ParameterError([f"there is no score '{entry}'{nearest}"])
        return SCORES[entry]
    if not isinstance(entry, dict):
        raise ParameterError([f"expected a score's name, or as in '- {EXAMPLE_SCORE}'; got {kind_of(entry)}"])
    return WeightedScore(**{str(key): value for key, value in entry.items()})


def _read_scores(entries: Any) -> tuple[Score, ...] | None:
    return None if entries is None else read_list(entries, read_score, "score", EXAMPLE_SCORE)


Measures = Annotated[tuple[InstanceOf[Measure], ...], ListOf(MEASURE)]
"""A list of measures, each by its name with its parameters."""

Scores = Annotated[tuple[InstanceOf[Score], ...] | None, BeforeValidator(_read_scores)]
"""A list of scores, published ones by name and others by their weights; or none."""


class AssessmentPlan(Record):
    """The measures and scores that a file asks for.

    Parameters
    ----------
    measures
        The measures, in the order of the file.
    scores
        The scores; None when the file leaves the choice to `assess`.

    Examples
    --------
    >>> plan = AssessmentPlan.from_yaml(
    ...     "measures: [information_loss: {columns: numeric}, interval_disclosure: {columns: [age]}]"
    ... )
    >>> [measure.symbol for measure in plan.measures]
    ['IL', 'ID']
    """

    measures: Measures
    scores: Scores = None

    @classmethod
    def from_yaml(cls, text: str) -> Self:
        """Read measures and scores from YAML; every problem is raised at once, with its line."""
        return load(text, cls, WHAT)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a file of measures; every problem is raised at once, with its line."""
        return load_file(path, cls, WHAT)
