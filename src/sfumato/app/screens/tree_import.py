"""The part of the screen Protect in which a tree of categories is imported from pasted rows, or made from the codes."""

from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.fields.text_field import TextField
from sfumato.app.hierarchy_edits import read_tree
from sfumato.app.screens._parts import computed
from sfumato.display import format_count
from sfumato.storage.atomic import private_text
from sfumato.storage.digests import text_sha256
from sfumato.storage.private_folders import ONLY_OWNER

if TYPE_CHECKING:
    from sfumato.app.page import Frame

IMPORTED = "imported"


def show_tree_import(frame: "Frame") -> None:
    """Show how to import or make a tree; it is taken when somebody says so."""
    column = frame.tree_column
    if column is None:
        return

    def read() -> None:
        folder = frame.workbench.project.folder / IMPORTED
        folder.mkdir(mode=ONLY_OWNER, exist_ok=True)
        file = folder / f"{text_sha256(pasted.value)[:16]}.csv"
        private_text(file, pasted.value)
        ask({"file": str(file)})

    def ask(what: dict[str, Any]) -> None:
        frame.imported = {"column": column, **what}
        frame.workbench.compute("hierarchy", frame.imported)
        frame.refresh()

    def make(asked: str, text: str) -> None:
        try:
            ask({asked: [int(part) for part in text.split(",") if part.strip()]})
        except ValueError:
            frame.show_problem("whole numbers are expected, with commas between them, as in 1, 2")

    with ui.expansion("Import a tree from a CSV file").classes("w-full"):
        ui.label(
            "Paste the rows of the file: the category, its group, and so on to the top; or pairs of parent and child."
        )
        pasted = TextField("Rows of the CSV file").props("type=textarea outlined").classes("w-full font-mono")
        ui.button("Read these rows", on_click=read).props("no-caps outline")
    with ui.expansion("Make a tree from the codes").classes("w-full"):
        digits = TextField("First characters that each level adds, coarsest first, as in 1, 2").classes("w-full")
        ui.button("Group by first characters", on_click=lambda: make("digits", digits.value)).props("no-caps outline")
        widths = TextField("Widths of classes of whole numbers, narrowest first, as in 5, 10").classes("w-full")
        ui.button("Put into classes", on_click=lambda: make("widths", widths.value)).props("no-caps outline")
        sizes = TextField("How many neighbours each level joins, in their order, as in 3, 2").classes("w-full")
        ui.button("Join neighbours", on_click=lambda: make("sizes", sizes.value)).props("no-caps outline")


def show_imported(frame: "Frame") -> None:
    """Show what was imported."""
    column = frame.tree_column
    if column is not None and frame.imported.get("column") == column:
        computed(
            frame, "hierarchy", "Read it again", "", lambda found: _show_tree(frame, column, found), frame.imported
        )


def _show_tree(frame: "Frame", column: str, found: dict[str, Any]) -> None:
    tree = read_tree(found)
    ui.label(f"The tree has {format_count(len(tree.leaves), 'category')} in {format_count(tree.depth, 'level')}.")

    def take() -> None:
        frame.imported = {}
        frame.act(changes.change_tree, column, f"took a tree for {column}", tree)

    ui.button("Take this tree", on_click=take).props("no-caps")
