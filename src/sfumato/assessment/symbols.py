"""Symbols of measures that are asked together: where one kind is asked twice, its parameters tell which is which."""

from collections import Counter
from collections.abc import Iterable, Sequence
from enum import Enum

from sfumato.contracts import Measure
from sfumato.display import format_compact
from sfumato.errors import ParameterError
from sfumato.scores import Score

LONGEST = 40
"""How many characters the parameters behind a symbol may have; where there are more, measures are numbered."""


def symbol_endings(measures: Sequence[Measure | type[Measure]]) -> tuple[str, ...]:
    """Return what follows the symbol of each measure: nothing, or in what it differs from others of its kind.

    Examples
    --------
    >>> from sfumato.risk import DistanceLinkage, IntervalDisclosure
    >>> known = [DistanceLinkage(columns=("age", "tax"), max_keys=count) for count in (1, 2)]
    >>> symbol_endings([*known, IntervalDisclosure(columns=("age",))])
    ('[max_keys=1]', '[max_keys=2]', '')
    """
    kinds: dict[type[Measure], dict[int, Measure]] = {}
    for place, measure in enumerate(measures):
        if isinstance(measure, Measure):
            kinds.setdefault(type(measure), {})[place] = measure
    endings = [""] * len(measures)
    for alike in kinds.values():
        for place, ending in zip(alike, _endings_of(list(alike.values())), strict=True):
            endings[place] = ending
    return tuple(endings)


def symbols_of(measures: Iterable[Measure | type[Measure]]) -> list[str]:
    """Return the symbols of measures that are asked together, and of their parts that have one."""
    asked = list(measures)
    return [
        f"{symbol}{ending}"
        for measure, ending in zip(asked, symbol_endings(asked), strict=True)
        for symbol in (measure.symbol, *measure.part_symbols)
    ]


def variants_of(symbol: str, symbols: Iterable[str]) -> list[str]:
    """Return the symbols that stand for one figure, taken with different parameters.

    Examples
    --------
    >>> variants_of("DLD", ["DLD[max_keys=1]", "DLD[max_keys=2]", "ID"])
    ['DLD[max_keys=1]', 'DLD[max_keys=2]']
    """
    return [other for other in symbols if other.startswith(f"{symbol}[")]


def check_symbols(measures: Sequence[Measure], scores: Sequence[Score]) -> None:
    """Refuse a measure that is asked twice with the same parameters, and a score whose symbol is taken."""
    measured = symbols_of(measures)
    counts = Counter([*measured, *(score.symbol for score in scores)])
    repeated = [symbol for symbol, count in counts.items() if count > 1]
    if repeated:
        to_do = "leave one out" if len(set(measured)) < len(measured) else "give the score a symbol of its own"
        raise ParameterError(
            [f"measures and scores must have different symbols; repeated: {', '.join(repeated)}; {to_do}"]
        )


def _endings_of(alike: Sequence[Measure]) -> list[str]:
    """Return the parameters in which measures of one kind differ; nothing where they are the same."""
    names = [name for name in type(alike[0]).model_fields if len({repr(getattr(one, name)) for one in alike}) > 1]
    if not names:
        return [""] * len(alike)
    endings = [", ".join(f"{name}={_text(getattr(one, name))}" for name in names) for one in alike]
    if max(map(len, endings)) > LONGEST:
        endings = [str(number) for number in range(1, len(alike) + 1)]
    return [f"[{ending}]" for ending in endings]


def _text(value: object) -> str:
    if isinstance(value, Enum):
        return str(value.value)
    if isinstance(value, float):
        return format_compact(value)
    return "+".join(map(_text, value)) if isinstance(value, tuple | list) else str(value)
