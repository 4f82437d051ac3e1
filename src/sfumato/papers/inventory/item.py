"""One thing that a paper describes or prints, and where it is in Sfumato."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum

from sfumato.papers.figure import Figure, Verdict


class Standing(StrEnum):
    """Where a thing of a paper stands that is not a set of computed figures."""

    OFFERED = "offered"
    """Sfumato has it, with tests of its own; no printed figure is claimed by this."""
    EXPLAINED = "explained"
    """It is printed and not computed, for a reason."""
    NOT_OFFERED = "not offered"
    """Sfumato does not have it, for a reason."""


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
    standing
        Whether it is offered, or why it is not computed; none for figures that are computed, which each have a verdict.
    note
        What differs, or why it is not computed.
    """

    kind: ItemKind
    text: str
    where: tuple[str, ...] = ()
    standing: Standing | None = Standing.OFFERED
    note: str = ""

    def includes(self, figure: Figure) -> bool:
        """Tell whether a computed figure is one of these."""
        return self.standing is None and figure.figure.startswith(self.where)

    def outcome(self, figures: Iterable[Figure]) -> str:
        """Return where it stands, or how many of the computed figures have which.

        Examples
        --------
        >>> from sfumato.papers import FigureKind
        >>> two = [Figure(f"slides, table: {name}", FigureKind.EXACT, 1, 1) for name in "ab"]
        >>> printed_figures("the table", "slides, table").outcome(two)
        '2 reproduced'
        """
        if self.standing is not None:
            return self.standing.value
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
    return Item(kind, text, where, Standing.EXPLAINED, note)


def not_offered(kind: ItemKind, text: str, note: str, *where: str) -> Item:
    """Return what Sfumato does not have, why, and what stands nearest to it."""
    return Item(kind, text, where, Standing.NOT_OFFERED, note)
