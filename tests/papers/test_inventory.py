"""What the papers have: every name exists, and every computed figure belongs to one item."""

from operator import attrgetter

import pytest

import sfumato
from sfumato.improve import IMPROVERS
from sfumato.loss import LOSSES
from sfumato.masking import METHODS
from sfumato.papers import PAPERS, Figure, FigureKind
from sfumato.papers.inventory import INVENTORY, Item, ItemKind, Standing
from sfumato.risk import RISKS
from sfumato.scores import SCORES
from sfumato.tables import PROTECTIONS

RECIPE_NAMES = {*METHODS, *RISKS, *LOSSES, *IMPROVERS, *SCORES, *PROTECTIONS}
ITEMS = [item for items in INVENTORY.values() for item in items]
COMPUTED = [item for item in ITEMS if item.standing is None]


@pytest.mark.parametrize("item", [item for item in ITEMS if item.standing is not None], ids=lambda item: item.text)
def test_every_name_exists_in_recipes_or_in_python(item: Item) -> None:
    for name in item.where:
        assert name in RECIPE_NAMES or attrgetter(name)(sfumato) is not None


ROOMS = {
    ItemKind.METHOD: ("masking", "improve", "tables", "protection", "assessment"),
    ItemKind.MEASURE: ("risk", "loss", "scores", "assessment"),
}
LISTED = {ItemKind.METHOD: {*METHODS, *IMPROVERS, *PROTECTIONS}, ItemKind.MEASURE: {*RISKS, *LOSSES, *SCORES}}


@pytest.mark.parametrize(
    "item",
    [item for item in ITEMS if item.kind in ROOMS and item.standing is Standing.OFFERED],
    ids=lambda item: item.text,
)
def test_a_method_is_offered_by_methods_and_a_measure_by_measures(item: Item) -> None:
    for name in item.where:
        if name in RECIPE_NAMES:
            assert name in LISTED[item.kind], name
        else:
            room = attrgetter(name)(sfumato).__module__.split(".")[1]
            assert room in ROOMS[item.kind], name


def test_what_is_not_computed_says_why_and_the_rest_says_where() -> None:
    for item in ITEMS:
        has_reason = item.standing in (Standing.EXPLAINED, Standing.NOT_OFFERED)
        assert item.where or has_reason, item.text
        assert item.note or not has_reason, item.text
    assert all(item.kind is ItemKind.FIGURES for item in COMPUTED)


def test_each_part_of_a_paper_is_in_the_inventory_of_that_paper() -> None:
    for part in PAPERS:
        [paper] = [paper for paper in INVENTORY if part.startswith(paper)]
        assert any(item in COMPUTED and begins(part, item) for item in INVENTORY[paper]), part


def begins(part: str, item: Item) -> bool:
    return any(name.startswith(part) or f"{part}," == name for name in item.where)


def test_the_outcome_of_figures_counts_their_verdicts() -> None:
    item = Item(ItemKind.FIGURES, "a table", ("a table",), None)
    figures = [
        Figure("a table: one", FigureKind.EXACT, 1, 1),
        Figure("a table: two", FigureKind.STATISTICAL, 1, 2),
        Figure("a table: three", FigureKind.REPORT, 1, 2, note="a misprint"),
        Figure("another: one", FigureKind.EXACT, 1, 1),
    ]
    assert item.outcome(figures) == "1 reproduced, 1 differs, 1 deviates"
    assert Item(ItemKind.METHOD, "a method", ("mdav",)).outcome(figures) == "offered"
