"""What `assess` is given is what it takes."""

from collections.abc import Sequence
from typing import Any

from sfumato.contracts import Improver, MaskingMethod, Measure, Part
from sfumato.data import Microdata
from sfumato.errors import DataError, ParameterError
from sfumato.scores import Score


def check_arguments(
    original: Microdata,
    masked: Microdata,
    measures: Sequence[Measure] | None,
    scores: Sequence[Score] | None,
    methods: Sequence[Part],
    control: Microdata | None,
) -> None:
    """Refuse what is no file, measure, score or method."""
    for file in (original, masked) if control is None else (original, masked, control):
        if not isinstance(file, Microdata):
            raise DataError(
                f"assess needs Microdata; got a {type(file).__name__}: read a file with sf.read, or wrap a dataframe "
                f"as in sf.Microdata(frame)"
            )
    _check(Measure, "measures", "DistanceLinkage(columns=...)", measures)
    _check(Score, "scores", 'SCORES["overall_score"]', scores)
    _check((MaskingMethod, Improver), "methods", "RankSwapping(columns=...)", methods)


def _check(kind: type[Any] | tuple[type[Any], ...], name: str, example: str, given: Sequence[Any] | None) -> None:
    """Refuse a list that holds something else than it is for."""
    strange = [type(one).__name__ for one in given or () if not isinstance(one, kind)]
    if strange:
        raise ParameterError([f"assess.{name} must be a list such as [{example}]; got a {strange[0]} in it"])
