"""Compare many ways to mask a file: run them, find the Pareto front, draw the R-U map."""

from sfumato.study.candidate import Candidate, Result
from sfumato.study.compare import compare
from sfumato.study.plan import StudyPlan
from sfumato.study.results import Study

__all__ = ["Candidate", "Result", "Study", "StudyPlan", "compare"]
