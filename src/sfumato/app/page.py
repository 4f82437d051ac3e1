"""The frame of the page: what is open, undo and redo, the screens, the recipe beside them, and the tasks below."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from nicegui import ui

from sfumato.app.recipe_panel import RecipePanel
from sfumato.app.screens import SCREENS, Screen
from sfumato.app.workbench import Workbench

SECONDS_BETWEEN_LOOKS = 0.4


class MethodChoice(NamedTuple):
    """What is chosen in the form of a new step: for which column, of which family, which method."""

    column: str | None = None
    family: str | None = None
    method: str | None = None


@dataclass
class ShownPart:
    """A part of the page: the verbs whose results it shows, how to show it anew, and the screen that it is on."""

    verbs: frozenset[str]
    refresh: Callable[[], object]
    screen: str | None
    is_outdated: bool = False


class Frame:
    """One tab of the browser."""

    def __init__(self, workbench: Workbench, remarks: dict[str, list[str]], *, has_others: bool = False) -> None:
        self.workbench = workbench
        self._has_others = has_others  # whether other files can be chosen
        self.remarks = remarks
        self.choice = MethodChoice()
        self.edited: int | None = None
        self.drafted: dict[str, Any] = {}  # what stands in the form of a step that is not added yet
        self.compared_method: str | None = None
        self.previewed: dict[str, str] = {}
        self.tree_column: str | None = None
        self.imported: dict[str, str] = {}
        self._screen = next(iter(SCREENS))
        self._parts: list[ShownPart] = []

    def show(self) -> None:
        """Show everything."""
        # with one chart there from the beginning, the library for charts is loaded before the first that is looked at
        ui.echart({}).classes("absolute w-px h-px").style("left: -10px").props("aria-hidden=true")
        with ui.header().classes("items-center py-1 px-4"):
            self._parts.append(ShownPart(frozenset(), self._header(), None))
        with ui.footer().classes("bg-grey-2 text-black py-1 px-4"):
            self._tasks()
        with ui.right_drawer(value=True, bordered=True).props("width=330 aria-label=Recipe").classes("bg-grey-1"):
            self._parts.append(ShownPart(frozenset(), RecipePanel(self).refresh, None))
        with ui.tabs().props("align=left inline-label no-caps").classes("w-full") as tabs:
            for title in SCREENS:
                ui.tab(title)
        tabs.on_value_change(lambda event: self._turn_to(event.value))
        with ui.tab_panels(tabs, value=self._screen).classes("w-full"):
            for title, screen in SCREENS.items():
                with ui.tab_panel(title):
                    self._show_screen(title, screen)

    def refresh(self, verb: str | None = None) -> None:
        """Show everything as it is now, or only what a verb gives: a button that somebody is about to press stays.

        A screen that is not looked at is shown anew when somebody turns to it.
        """
        for part in self._parts:
            if verb is None or verb in part.verbs:
                part.is_outdated = True
        self._show_outdated()

    def _turn_to(self, screen: str) -> None:
        self._screen = screen
        self._show_outdated()

    def _show_outdated(self) -> None:
        for part in self._parts:
            if part.is_outdated and part.screen in (None, self._screen):
                part.is_outdated = False
                part.refresh()

    def _show_screen(self, title: str, screen: Screen) -> None:
        with ui.element("div").classes("two-ways w-full" if screen.left else "w-full"):
            for column in filter(None, (screen.left, screen.parts)):
                with ui.column().classes("w-full"):
                    for part in column:
                        self._refreshable(_part_in(part.show, self), part.verbs, title)

    def act(self, change: Callable[..., object], *arguments: object) -> bool:
        """Take an action; say why if it is refused."""
        return self.show_problem(self.workbench.act(change, *arguments))  # type: ignore[arg-type]

    def show_problem(self, problem: str) -> bool:
        """Show a problem until it is closed; tell whether there was none."""
        if problem:
            ui.notify(problem, type="negative", multi_line=True, close_button="Close", timeout=0, position="top")
            self.refresh()
        return not problem

    def choose_method(self, column: str | None, family: str | None, method: str | None) -> None:
        """Show the form of a method, or the methods for a column or of a family."""
        self.choice, self.drafted, self.previewed = MethodChoice(column, family, method), {}, {}
        self.refresh("preview")

    def edit_step(self, number: int | None) -> None:
        """Show a step, counted from 0, to be changed; None leaves all as they are."""
        recipe = self.workbench.project.state.recipe
        self.edited = number
        method = recipe.steps[number].name() if recipe and number is not None else None
        self.choose_method(None, None, method)

    def choose_tree(self, column: str | None) -> None:
        """Show the tree of a column."""
        self.tree_column = column
        if column is not None:
            self.workbench.compute("categories", {"column": column})
        self.refresh("categories")

    def _refreshable(
        self, show: Callable[[], None], verbs: frozenset[str] = frozenset(), screen: str | None = None
    ) -> None:
        shown = ui.refreshable(show)
        shown()
        self._parts.append(ShownPart(verbs, shown.refresh, screen))

    def _header(self) -> Callable[[], None]:
        """Show the header; return what brings it up to date. Its buttons stay: two quick clicks undo two actions."""
        project = self.workbench.project
        with ui.row().classes("items-center w-full no-wrap gap-3"):
            ui.label("Sfumato").classes("text-lg font-bold")
            ui.label(project.file.name).classes("truncate")
            if self._has_others:
                ui.link("Other files", "/").classes("text-white text-sm")
            ui.space()
            action = ui.label().classes("text-sm truncate").props('data-part="action"')
            undo = ui.button("Undo", icon="undo", on_click=self.workbench.undo).props("flat dense no-caps color=white")
            redo = ui.button("Redo", icon="redo", on_click=self.workbench.redo).props("flat dense no-caps color=white")

        def update() -> None:
            action.text = f"Last action: {project.state.action}"
            undo.set_enabled(project.can_undo)
            redo.set_enabled(project.can_redo)

        update()
        return update

    def _tasks(self) -> None:
        with ui.row().classes("items-center w-full no-wrap gap-3").props('role="status" aria-live="polite"'):
            bar = ui.linear_progress(0, show_value=False).classes("w-48").props('aria-label="Progress"')
            words = ui.label("Nothing is being computed.").classes("truncate").props('data-part="task"')
            ui.space()
            stop = ui.button("Cancel", on_click=self._cancel).props("dense flat no-caps")

        def look() -> None:
            tasks = self.workbench.tasks
            task = tasks[0] if tasks else None
            bar.props(add="indeterminate") if task and task.share is None else bar.props(remove="indeterminate")
            bar.value = (task.share or 0.0) if task else 0.0
            words.text = f"{task.title}: {task.words}" if task else "Nothing is being computed."
            stop.set_enabled(bool(task))
            bar.set_visibility(bool(task))

        ui.timer(SECONDS_BETWEEN_LOOKS, look)

    def _cancel(self) -> None:
        for task in self.workbench.tasks[:1]:
            self.workbench.cancel(task)


def _part_in(show: Callable[[Frame], None], frame: Frame) -> Callable[[], None]:
    """Return what shows a part in a tab: a function with a name, which a partial one has not."""

    def show_part() -> None:
        show(frame)

    return show_part
