"""One thing that a paper describes or prints, and where it is in Sfumato."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sfumato.papers.figure import Figure, Verdict


class ItemKind(StrEnum):
    """What a paper has."""

    METHOD = "method"
    MEASURE = "measure"
    EXPERIMENT = "experiment"
    FIGURES = "figures"


@dataclass(frozen=True)
class Item:
    """A method, a measure, an experiment or the printed figures of one.

    Parameters
    ----------
    kind
        What it is.
    text
        What the paper calls it.
    where
        Names in recipes and studies, names in `sfumato`, or, for figures that are computed, how their names begin.
    verdict
        How it came out; of figures that are computed each has its own.
    note
        What differs, or why it is not computed.
    """

    kind: ItemKind
    text: str
    where: tuple[str, ...] = ()
    verdict: Verdict | None = Verdict.REPRODUCED
    note: str = ""

    def includes(self, figure: Figure) -> bool:
        """Tell whether a computed figure is one of these."""
        return self.verdict is None and figure.figure.startswith(self.where)

    def outcome(self, figures: Iterable[Figure]) -> str:
        """Return the verdict, or how many of the computed figures have which.

        Examples
        --------
        >>> from sfumato.papers import FigureKind
        >>> two = [Figure(f"slides, table: {name}", FigureKind.EXACT, 1, 1) for name in "ab"]
        >>> printed_figures("the table", "slides, table").outcome(two)
        '2 reproduced'
        """
        if self.verdict is not None:
            return self.verdict.value
        counts = Counter(figure.verdict for figure in figures if self.includes(figure))
        return ", ".join(f"{counts[verdict]} {verdict}" for verdict in Verdict if counts[verdict])


def method(text: str, *where: str, note: str = "") -> Item:
    """Return a method that is offered under some names."""
    return Item(ItemKind.METHOD, text, where, note=note)


def measure(text: str, *where: str, note: str = "") -> Item:
    """Return a measure that is offered under some names."""
    return Item(ItemKind.MEASURE, text, where, note=note)


def experiment(text: str, *where: str, note: str = "") -> Item:
    """Return an experiment that can be repeated with what has some names."""
    return Item(ItemKind.EXPERIMENT, text, where, note=note)


def printed_figures(text: str, *begin: str, note: str = "") -> Item:
    """Return printed figures that are computed, whose names begin so."""
    return Item(ItemKind.FIGURES, text, begin, None, note)


def explained(kind: ItemKind, text: str, note: str, *where: str) -> Item:
    """Return what is not computed, and why."""
    return Item(kind, text, where, Verdict.EXPLAINED, note)
