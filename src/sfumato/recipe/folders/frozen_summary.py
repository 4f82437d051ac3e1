"""What was found of an earlier file, kept so that later files are masked by the same figures."""

from collections.abc import Hashable, Iterable
from math import inf
from typing import Any, TypeVar

import numpy as np

from sfumato.data.missing_code_suspicion import SuspectedCode
from sfumato.data.summary import Answers, Summary
from sfumato.errors import DataError
from sfumato.numerics.selection import Extent

T = TypeVar("T")
VALUES = {
    "extent": "its lowest and highest value",
    "rank": "single values of it",
    "quantile": "single values of it",
    "counts": "each of its categories, and how many records have it",
}
"""What tells values of single records, or may, by the question that it answers."""
KEPT = (*VALUES, "observed", "distinct", "mean", "deviation", "covariance", "missing codes")
"""The questions whose answers are kept."""


class FrozenSummary(Summary):
    """A summary that answers what was asked of an earlier file, and nothing else.

    Parameters
    ----------
    n
        The number of records of that file.
    known
        The answers by question.
    """

    def __init__(self, n: int, known: dict[Hashable, Any]) -> None:
        self._n = n
        self._answers = Answers(known)

    @property
    def n(self) -> int:
        """The number of records of the earlier file."""
        return self._n

    def is_of(self, data: Any) -> bool:
        """Tell that no file is the one that was summarised."""
        return False

    def suspected_codes(self, name: str) -> tuple[SuspectedCode, ...]:
        """Return none: they were looked for in the file itself."""
        return ()

    def date_problem(self, name: str) -> str:
        """Return none: it was looked for in the file itself."""
        return ""

    def _once(self, question: Hashable, answer: Any) -> Any:
        known = self._answers.known
        if question not in known:
            what = question[0] if isinstance(question, tuple) else question
            raise DataError(f"the facts do not tell the {what} that the step asks for; write them anew by this recipe")
        return known[question]


def plain_facts(summary: Summary, names: Iterable[str]) -> list[list[Any]]:
    """Return what was asked of some columns of a summary, and answered, as JSON can hold it."""
    chosen = set(names)
    facts = []
    for question, answer in summary.answers().items():
        kind, column, *bounds = question
        columns = column if isinstance(column, tuple) else (column,)
        if kind in KEPT and chosen >= set(columns):
            asked = [kind, list(column) if isinstance(column, tuple) else column, *map(_plain_bound, bounds)]
            facts.append([asked, _plain_answer(kind, answer)])
    return facts


def frozen_summary(n: int, facts: Iterable[list[Any]]) -> FrozenSummary:
    """Return the summary that plain facts were taken from."""
    known = dict[Hashable, Any]()
    for (kind, column, *bounds), answer in facts:
        question = (kind, tuple(column) if isinstance(column, list) else column, *map(_read_bound, bounds))
        known[question] = _read_answer(kind, answer)
    return FrozenSummary(n, known)


def _plain_bound(bound: float) -> float | str:
    return str(bound) if bound in (-inf, inf) else bound


def _read_bound(bound: float | str) -> float:
    return float(bound) if isinstance(bound, str) else bound


def _plain_answer(kind: str, answer: Any) -> Any:
    if isinstance(answer, Extent):
        return [answer.count, answer.total, *map(_plain_bound, (answer.lowest, answer.highest))]
    if isinstance(answer, np.ndarray):
        return answer.tolist()
    return [list(pair) for pair in answer.items()] if kind == "counts" else answer


def _read_answer(kind: str, answer: Any) -> Any:
    if kind == "extent":
        count, total, lowest, highest = answer
        return Extent(count, total, _read_bound(lowest), _read_bound(highest))
    if kind == "covariance":
        return np.array(answer)
    if kind == "counts":
        return dict(answer)
    return tuple(answer) if kind == "missing codes" else answer
