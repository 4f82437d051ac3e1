"""The part of the screen Protect in which categories are put into a tree: joined, split, renamed, or imported."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from nicegui import ui

from sfumato.app import changes
from sfumato.app.fields.text_field import TextField
from sfumato.app.hierarchy_edits import flat_tree, join, read_tree, rename, split, with_text_codes
from sfumato.app.screens._parts import attribute, computed, heading
from sfumato.app.screens.category_order import show_order
from sfumato.data import CATEGORICAL, Category, Hierarchy
from sfumato.errors import SfumatoError
from sfumato.masking import Generalisation

if TYPE_CHECKING:
    from sfumato.app.page import Frame


def show_trees(frame: "Frame") -> None:
    """Show the tree of a column that is chosen, to be edited."""
    heading("Trees of categories")
    schema = frame.workbench.project.state.schema
    names = [one.name for one in schema.variables if one.kind in CATEGORICAL]
    if not names:
        ui.label("No column is nominal or ordinal, so there are no categories to join.")
        return
    ui.label("Say which categories belong together: recipes and tables then join them instead of hiding values.")
    column = frame.tree_column if frame.tree_column in names else None
    ui.select(
        names, label="Column", value=column, with_input=True, on_change=lambda event: frame.choose_tree(event.value)
    ).classes("w-full")
    if column is not None:
        bench, asked = frame.workbench, {"column": column}
        if not bench.failure("categories", asked):
            bench.compute("categories", asked)
        computed(frame, "categories", "Count again", "", lambda found: _edit(frame, column, found), asked)


def tree_basis(frame: "Frame") -> Any:
    """Return what is shown of trees: the columns, which of them is chosen, and the trees."""
    return frame.workbench.project.state.schema_yaml, frame.tree_column, frame.workbench.chosen(changes.TREES)


def _edit(frame: "Frame", column: str, found: list[dict[str, Any]]) -> None:
    held = frame.workbench.project.state.settings.get(changes.TREES, {}).get(column)
    tree = read_tree(held) if held else flat_tree([one["code"] for one in found])
    words = {one["code"]: f"{one['label'] or one['code']} ({one['records']:,})" for one in found}
    chosen: dict[Category, ui.checkbox] = {}
    with ui.element("ul").classes("pl-0 w-full"):
        for code in tree.children(tree.root):
            _branch(frame, column, tree, code, words, chosen)
    with ui.row().classes("items-center w-full"):
        name = TextField("Name of the new group").classes("grow")
        boxes = {f"category {code}": box for code, box in chosen.items()}
        frame.drafts.keep("tree", (column, held), {"name": name, **boxes})
        ui.button(
            "Join the chosen",
            on_click=lambda: _take(
                frame,
                column,
                f"joined {name.value}",
                lambda: join(tree, [code for code in tree.codes if code in chosen and chosen[code].value], name.value),
            ),
        ).props("no-caps outline")
    if tree.depth > 1:
        _use(frame, column, tree)
    show_order(frame, column, found)


def _branch(
    frame: "Frame",
    column: str,
    tree: Hierarchy,
    code: Category,
    words: dict[Category, str],
    chosen: dict[Category, ui.checkbox],
) -> None:
    children = tree.children(code)
    with ui.element("li").classes("list-none"):
        with ui.row().classes("items-center gap-2 no-wrap"):
            chosen[code] = ui.checkbox(words.get(code, str(code))).props("dense")
            if children:
                name = TextField(value=str(code)).props("dense").props(attribute("aria-label", f"Name of {code}"))
                name.on(
                    "keydown.enter",
                    lambda: _take(frame, column, f"renamed {code}", lambda: rename(tree, code, name.value)),
                )
                ui.button(
                    "Split", on_click=lambda: _take(frame, column, f"split {code}", lambda: split(tree, code))
                ).props("dense flat no-caps").props(attribute("aria-label", f"Split {code}"))
        if children:
            with ui.element("ul").classes("pl-6"):
                for child in children:
                    _branch(frame, column, tree, child, words, chosen)


def _use(frame: "Frame", column: str, tree: Hierarchy) -> None:
    """Offer what can be done with a tree of several levels."""
    with ui.row().classes("items-center"):
        for depth in range(1, tree.depth):
            step = Generalisation(columns=(column,), hierarchy=with_text_codes(tree), depth=depth)
            title = "Add a step that joins them" if tree.depth == 2 else f"Add a step that joins them at depth {depth}"
            ui.button(title, on_click=partial(frame.act, changes.add_step, step)).props("no-caps")
        ui.button(
            "Take the tree away",
            on_click=partial(frame.act, changes.change_tree, column, f"no tree for {column}", None),
        ).props("no-caps flat")


def _take(frame: "Frame", column: str, action: str, edit: Callable[[], Hierarchy]) -> None:
    try:
        tree = edit()
    except SfumatoError as error:
        frame.show_problem(str(error))
        return
    frame.act(changes.change_tree, column, f"{column}: {action}", tree)
