"""A study file: the data, the candidates, what to ask of them, and how often to run them."""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, InstanceOf, Strict, ValidationInfo, field_validator

from sfumato.assessment.plan import MEASURE, Scores
from sfumato.assessment.symbols import symbols_of
from sfumato.contracts import Measure
from sfumato.documents import FilePath, ListOf, Record, kind_of, load, load_file
from sfumato.errors import ParameterError
from sfumato.parameters.limits import Limit
from sfumato.recipe import Recipe
from sfumato.study.candidate_entries import read_candidates
from sfumato.study.figures import known_symbols, score_problems
from sfumato.study.limits import check_limits

WHAT = "study"


class StudyPlan(Record):
    """What a study file asks for.

    Parameters
    ----------
    data, schema_file
        The file to mask and its schema file, if any; paths begin at the study file's folder.
    candidates
        The recipes to compare, by their labels. Each entry of the file is a method, or a list of methods applied one
        after the other, and may have an improver and a name; a list or range where a single value belongs makes one
        candidate per value.
    replications, seed, measures, scores, outliers
        As in `compare`.
    limits
        What is demanded of figures, as in `DR<=20`.
    """

    data: FilePath
    schema_file: FilePath | None = Field(default=None, alias="schema")
    candidates: Annotated[dict[str, InstanceOf[Recipe]], BeforeValidator(read_candidates)]
    replications: Annotated[int, Strict(), Field(ge=1)] = 1
    seed: Annotated[int, Strict(), Field(ge=0)] | None = None
    measures: Annotated[tuple[InstanceOf[Measure], ...] | None, ListOf(MEASURE)] = None
    scores: Scores = None
    outliers: bool = False
    limits: tuple[Limit, ...] = ()

    @field_validator("measures")
    @classmethod
    def _check_measures(cls, measures: tuple[Measure, ...] | None) -> tuple[Measure, ...] | None:
        if problems := score_problems(symbols_of(measures or ()), ()):
            raise ParameterError(problems)
        return measures

    @field_validator("scores")
    @classmethod
    def _check_scores(cls, scores: Scores, info: ValidationInfo) -> Scores:
        measures = info.data.get("measures")
        if measures is not None and (problems := score_problems(symbols_of(measures), scores or ())):
            raise ParameterError(problems)
        return scores

    @field_validator("limits", mode="before")
    @classmethod
    def _check_limits(cls, limits: Any, info: ValidationInfo) -> Any:
        if not isinstance(limits, list | tuple) or not limits:
            raise ValueError(f"must be a list of limits, as in '[DR<=20, IL<=30]'; got {kind_of(limits)}")
        measures, scores, outliers = (info.data.get(name) for name in ("measures", "scores", "outliers"))
        known = known_symbols(measures, scores, outliers=bool(outliers))
        return check_limits(limits, known, "limits")

    @classmethod
    def from_yaml(cls, text: str, folder: str | Path = "") -> Self:
        """Read a study from YAML; the paths in it begin at `folder`."""
        return load(text, cls, WHAT, folder)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a study file; every problem is raised at once, with its line."""
        return load_file(path, cls, WHAT)
