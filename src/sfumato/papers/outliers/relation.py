"""A finding of the outliers paper as a relation that its pictures, drawn anew, can be held against."""

from collections.abc import Callable
from dataclasses import dataclass

from sfumato.papers.outliers.lines import Line, Picture, Pictures
from sfumato.papers.outliers.runs import FAMILIES
from sfumato.papers.outliers.wording import Finding, ranges_narrow


@dataclass(frozen=True)
class Relation:
    """A finding: where it stands in the paper, what it says in our words, and how pictures are held against it."""

    place: str
    text: str
    judge: Callable[[Pictures], Finding]


def each(number: int, letters: str, text: str, judge: Callable[[Line], Finding]) -> list[Relation]:
    """Return the same relation for each of some families (letters apart by blanks) in a picture."""

    def relation_of(letter: str) -> Relation:
        return within(number, f"{FAMILIES[letter].name}: {text}", lambda picture: judge(picture.lines[letter]))

    return [relation_of(letter) for letter in letters.split()]


def beside_census(number: int, letters: str, text: str, judge: Callable[[Line, Line], Finding]) -> list[Relation]:
    """Return the same relation for each of some families between an EIA picture and the Census picture before it."""

    def relation_of(letter: str) -> Relation:
        return Relation(
            f"Fig. {number}",
            f"{FAMILIES[letter].name}: {text}",
            lambda pictures: judge(pictures[number].lines[letter], pictures[number - 1].lines[letter]),
        )

    return [relation_of(letter) for letter in letters.split()]


def within(number: int, text: str, judge: Callable[[Picture], Finding]) -> Relation:
    """Return a relation between the families of a picture."""
    return Relation(f"Fig. {number}", text, lambda pictures: judge(pictures[number]))


def ranges(number: int, text: str, *groups: str) -> Relation:
    """Return the relation that each family of a group (letters apart by blanks) has a wider range than the next's."""

    def judge(picture: Picture) -> Finding:
        return ranges_narrow(*([picture.lines[letter] for letter in group.split()] for group in groups))

    return within(number, text, judge)
