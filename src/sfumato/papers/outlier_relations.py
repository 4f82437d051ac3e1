"""A finding of the outliers paper as a relation that its pictures, drawn anew, can be held against."""

from collections.abc import Callable
from dataclasses import dataclass

from sfumato.papers.outlier_findings import Finding, ranges_narrow
from sfumato.papers.outlier_lines import Line, Picture, Pictures
from sfumato.papers.outlier_runs import FAMILIES


@dataclass(frozen=True)
class Relation:
    """A finding: where it stands in the paper, what it says in our words, and how pictures are held against it."""

    place: str
    text: str
    judged: Callable[[Pictures], Finding]


def each(number: int, letters: str, text: str, judged: Callable[[Line], Finding]) -> list[Relation]:
    """Return the same relation for each of some families (letters apart by blanks) in a picture."""

    def told(letter: str) -> Relation:
        return within(number, f"{FAMILIES[letter].name}: {text}", lambda picture: judged(picture.lines[letter]))

    return [told(letter) for letter in letters.split()]


def beside_census(number: int, letters: str, text: str, judged: Callable[[Line, Line], Finding]) -> list[Relation]:
    """Return the same relation for each of some families between an EIA picture and the Census picture before it."""

    def told(letter: str) -> Relation:
        return Relation(
            f"Fig. {number}",
            f"{FAMILIES[letter].name}: {text}",
            lambda pictures: judged(pictures[number].lines[letter], pictures[number - 1].lines[letter]),
        )

    return [told(letter) for letter in letters.split()]


def within(number: int, text: str, judged: Callable[[Picture], Finding]) -> Relation:
    """Return a relation between the families of a picture."""
    return Relation(f"Fig. {number}", text, lambda pictures: judged(pictures[number]))


def ranges(number: int, text: str, *groups: str) -> Relation:
    """Return the relation that each family of a group (letters apart by blanks) has a wider range than the next's."""

    def judged(picture: Picture) -> Finding:
        return ranges_narrow(*([picture.lines[letter] for letter in group.split()] for group in groups))

    return within(number, text, judged)
