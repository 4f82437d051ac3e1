"""Read a study file: the data, the candidates, what to ask of them, and how often to run them."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from sfumato.contracts import Measure
from sfumato.documents.record import format_value
from sfumato.errors import ParameterError, RecipeError, did_you_mean
from sfumato.plugins import MEASURES
from sfumato.recipe import Recipe
from sfumato.recipe.assessment_plan import EXAMPLE_MEASURE, EXAMPLE_SCORE, read_score
from sfumato.recipe.document import Document, yaml_text
from sfumato.recipe.entries import Problem, described, read_entry
from sfumato.scores import Score
from sfumato.study.candidate_entries import read_candidates
from sfumato.study.figures import known_symbols, score_problems, symbols_of
from sfumato.study.limits import limit_problems

KEYS = ("data", "schema", "candidates", "replications", "seed", "measures", "scores", "outliers", "limits")
Item = TypeVar("Item")


@dataclass(frozen=True)
class StudyPlan:
    """What a study file asks for.

    Parameters
    ----------
    data, schema
        The file to mask and its schema file, if any; paths begin at the study file's folder.
    candidates
        The recipes to compare. Each entry of the file is a method, or a list of methods applied one after the other,
        and may have an improver; a list or range where a single value belongs makes one candidate per value.
    replications, seed, measures, scores, outliers
        As in `compare`.
    limits
        The largest figures that are allowed, by symbol.
    """

    data: Path
    schema: Path | None
    candidates: tuple[Recipe, ...]
    replications: int = 1
    seed: int | None = None
    measures: tuple[Measure, ...] | None = None
    scores: tuple[Score, ...] | None = None
    outliers: bool = False
    limits: Mapping[str, float] | None = None

    @classmethod
    def load(cls, path: str | Path) -> "StudyPlan":
        """Read a study file; every problem is told at once, with its line."""
        return read_study(yaml_text(Path(path), "study"), Path(path).parent)


def read_study(text: str, folder: Path) -> StudyPlan:
    """Return the plan that a YAML text holds; `folder` is where the paths in it begin."""
    try:
        document = Document.parse(text)
    except RecipeError as error:
        raise RecipeError(error.problems, "study") from None
    if not isinstance(document.value, Mapping):
        raise RecipeError([f"a study must hold the keys {', '.join(KEYS)}; got {described(document.value)}"], "study")
    problems = _wrong_keys(document)
    measures = _read_list(document, "measures", EXAMPLE_MEASURE, _read_measure, problems)
    scores = _read_list(document, "scores", EXAMPLE_SCORE, read_score, problems)
    if measures is not None:
        line = document.line(("scores" if scores else "measures",))
        problems.extend(Problem(line, sentence) for sentence in score_problems(symbols_of(measures), scores or ()))
    outliers = _truth_value(document, "outliers", problems)
    plan = StudyPlan(
        data=folder / _text(document, "data", problems, required=True),
        schema=folder / name if (name := _text(document, "schema", problems)) else None,
        candidates=read_candidates(document, problems),
        replications=_whole_number(document, "replications", 1, problems) or 1,
        seed=_whole_number(document, "seed", 0, problems),
        measures=measures,
        scores=scores,
        outliers=outliers,
        limits=_limits(document, known_symbols(measures, scores, outliers=outliers), problems),
    )
    if problems:
        raise RecipeError([str(problem) for problem in sorted(problems, key=lambda problem: problem.line)], "study")
    return plan


def _wrong_keys(document: Document) -> list[Problem]:
    repeated = [
        Problem(line, f"the key '{key}' is already in line {first}; keep one of them")
        for _, key, line, first in document.repeated_keys()
    ]
    unknown = [
        Problem(document.line((key,)), f"a study has no key '{key}'{did_you_mean(str(key), KEYS)}")
        for key in document.value
        if key not in KEYS
    ]
    return repeated + unknown


def _read_measure(entry: Any) -> Measure:
    return read_entry(entry, MEASURES, "measure", EXAMPLE_MEASURE)


def _read_list(
    document: Document, key: str, example: str, read: Callable[[Any], Item], problems: list[Problem]
) -> tuple[Item, ...] | None:
    """Return what the entries of a list ask for, or none when the file has no such list."""
    if key not in document.value:
        return None
    entries = document.value[key]
    if not isinstance(entries, list) or not entries:
        sentence = f"'{key}' must be a list, as in '{example}'; got {described(entries)}"
        problems.append(Problem(document.line((key,)), sentence))
        return None
    items = []
    for number, entry in enumerate(entries):
        try:
            items.append(read(entry))
        except ParameterError as error:
            for sentence, place in zip(error.problems, error.places, strict=True):
                problems.append(Problem(document.line((key, number, *place)), sentence))
    return tuple(items)


def _limits(document: Document, symbols: Iterable[str], problems: list[Problem]) -> Mapping[str, float] | None:
    limits = document.value.get("limits")
    if limits is None:
        return None
    if not isinstance(limits, Mapping) or not limits:
        sentence = f"'limits' must hold figures, as in '{{DR: 20, IL: 30}}'; got {described(limits)}"
        problems.append(Problem(document.line(("limits",)), sentence))
        return None
    problems.extend(
        Problem(document.line(("limits", str(symbol))), sentence)
        for symbol, sentence in limit_problems(limits, symbols, "limits")
    )
    return limits


def _text(document: Document, key: str, problems: list[Problem], *, required: bool = False) -> str:
    value = document.value.get(key)
    if isinstance(value, str) or (value is None and not required):
        return value or ""
    problems.append(Problem(document.line((key,)), f"'{key}' must be the name of a file; got {described(value)}"))
    return ""


def _whole_number(document: Document, key: str, least: int, problems: list[Problem]) -> int | None:
    value = document.value.get(key)
    if value is None or (isinstance(value, int) and not isinstance(value, bool) and value >= least):
        return value
    sentence = f"'{key}' must be a whole number in [{least}, inf); got {format_value(value)}"
    problems.append(Problem(document.line((key,)), sentence))
    return None


def _truth_value(document: Document, key: str, problems: list[Problem]) -> bool:
    value = document.value.get(key, False)
    if not isinstance(value, bool):
        problems.append(Problem(document.line((key,)), f"'{key}' must be true or false; got {format_value(value)}"))
    return value is True
