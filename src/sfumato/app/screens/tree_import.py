"""The part of the screen Protect in which a tree of categories is imported, from rows that are pasted."""

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
    """Show how to import a tree; what was imported is taken when somebody says so."""
    column = frame.tree_column
    if column is None:
        return

    def read() -> None:
        folder = frame.workbench.project.folder / IMPORTED
        folder.mkdir(mode=ONLY_OWNER, exist_ok=True)
        file = folder / f"{text_sha256(pasted.value)[:16]}.csv"
        private_text(file, pasted.value)
        frame.imported = {"column": column, "file": str(file)}
        frame.workbench.compute("hierarchy", frame.imported)
        frame.refresh()

    with ui.expansion("Import a tree from a CSV file").classes("w-full"):
        ui.label(
            "Paste the rows of the file: the category, its group, and so on to the top; or pairs of parent and child."
        )
        pasted = TextField("Rows of the CSV file").props("type=textarea outlined").classes("w-full font-mono")
        ui.button("Read these rows", on_click=read).props("no-caps outline")


def show_imported(frame: "Frame") -> None:
    """Show what was imported."""
    column = frame.tree_column
    if column is not None and frame.imported.get("column") == column:
        computed(
            frame, "hierarchy", "Read it again", "", lambda found: _show_tree(frame, column, found), frame.imported
        )


def _show_tree(frame: "Frame", column: str, found: dict[str, Any]) -> None:
    tree = read_tree(found)
    ui.label(f"The file has {format_count(len(tree.leaves), 'category')} in {format_count(tree.depth, 'level')}.")

    def take() -> None:
        frame.imported = {}
        frame.act(changes.change_tree, column, f"imported a tree for {column}", tree)

    ui.button("Take this tree", on_click=take).props("no-caps")
