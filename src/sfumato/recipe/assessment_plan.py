"""What to ask of a masked file, written as YAML: measures with their parameters, and scores."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from sfumato.contracts import Measure
from sfumato.errors import ParameterError, RecipeError, did_you_mean
from sfumato.plugins import MEASURES
from sfumato.recipe.document import Document, yaml_text
from sfumato.recipe.entries import Problem, described, read_entry
from sfumato.scores import SCORES, Score, WeightedScore

KEYS = ("measures", "scores")
EXAMPLE_MEASURE = "- distance_linkage: {columns: numeric}"
EXAMPLE_SCORE = "- weights: {IL: 0.5, DLD: 0.5}"


@dataclass(frozen=True)
class AssessmentPlan:
    """The measures and scores that a file asks for.

    Parameters
    ----------
    measures
        The measures, in the order of the file.
    scores
        The scores; None when the file leaves the choice to `assess`.
    """

    measures: tuple[Measure, ...]
    scores: tuple[Score, ...] | None

    @classmethod
    def load(cls, path: str | Path) -> "AssessmentPlan":
        """Read a file of measures; every problem is told at once, with its line."""
        return read_plan(yaml_text(Path(path), "file of measures"))


def read_plan(text: str) -> AssessmentPlan:
    """Return the measures and scores that a YAML text holds.

    Examples
    --------
    >>> plan = read_plan("measures: [information_loss: {columns: numeric}, interval_disclosure: {columns: [age]}]")
    >>> [measure.symbol for measure in plan.measures]
    ['IL', 'ID']
    """
    document = Document.parse(text)
    if not isinstance(document.value, Mapping):
        sentence = f"it must hold the key 'measures' with a list, such as '{EXAMPLE_MEASURE}'"
        raise RecipeError([f"{sentence}; got {described(document.value)}"], "file of measures")
    problems = [*_wrong_keys(document)]
    plan = AssessmentPlan(measures=tuple(_entries(document, "measures", problems)), scores=_scores(document, problems))
    if problems:
        ordered = sorted(problems, key=lambda problem: problem.line)
        raise RecipeError([str(problem) for problem in ordered], "file of measures")
    return plan


def read_score(entry: Any) -> Score:
    """Return the published score of a name, or the weighted one that an entry describes."""
    if isinstance(entry, str):
        if entry not in SCORES:
            nearest = did_you_mean(entry, SCORES) or f"; the scores are {', '.join(SCORES)}"
            raise ParameterError([f"there is no score '{entry}'{nearest}"])
        return SCORES[entry]
    if not isinstance(entry, dict):
        raise ParameterError([f"expected a score's name, or as in '{EXAMPLE_SCORE}'; got {described(entry)}"])
    return WeightedScore(**{str(key): value for key, value in entry.items()})


def _wrong_keys(document: Document) -> Iterator[Problem]:
    for _, key, line, first in document.repeated_keys():
        yield Problem(line, f"the key '{key}' is already in line {first}; keep one of them")
    for key in document.value:
        if key not in KEYS:
            nearest = did_you_mean(str(key), KEYS) or f"; its keys are {', '.join(KEYS)}"
            yield Problem(document.line((key,)), f"a file of measures has no key '{key}'{nearest}")


def _entries(document: Document, key: str, problems: list[Problem]) -> Iterator[Any]:
    """Yield what the entries of a list ask for; what is wrong with the others is added to `problems`."""
    entries = document.value.get(key)
    example = {"measures": EXAMPLE_MEASURE, "scores": EXAMPLE_SCORE}[key]
    if not isinstance(entries, list) or not entries:
        sentence = f"'{key}' must be a list, as in '{example}'; got {described(entries)}"
        problems.append(Problem(document.line((key,)), sentence))
        return
    for number, entry in enumerate(entries):
        try:
            yield read_score(entry) if key == "scores" else read_entry(entry, MEASURES, "measure", EXAMPLE_MEASURE)
        except ParameterError as error:
            for sentence, place in zip(error.problems, error.places, strict=True):
                problems.append(Problem(document.line((key, number, *place)), sentence))


def _scores(document: Document, problems: list[Problem]) -> tuple[Score, ...] | None:
    return tuple(_entries(document, "scores", problems)) if "scores" in document.value else None
