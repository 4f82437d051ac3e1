"""The frame of the page: what is open, undo and redo, the screens, the recipe beside them, and the tasks below."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple

from nicegui import ui

from sfumato.app.drafts import Drafts
from sfumato.app.recipe_panel import RecipePanel
from sfumato.app.screens import SCREENS, Part, Screen
from sfumato.app.screens.new_step import STEP
from sfumato.app.workbench import Workbench

SECONDS_BETWEEN_LOOKS = 0.4


class MethodChoice(NamedTuple):
    """What is chosen in the form of a new step: for which column, of which family, which method."""

    column: str | None = None
    family: str | None = None
    method: str | None = None


@dataclass
class ShownPart:
    """A part of the page: how to bring it up to date, what it shows, and the screen that it is on.

    Parameters
    ----------
    refresh
        Shows it, or shows it anew.
    basis
        Returns what it shows of the project and of the tab: it is shown anew when that has changed.
    verbs
        The verbs whose results it shows.
    screen
        The screen that it is on; None for what stands beside all.
    shown
        What it showed last.
    is_outdated
        Whether a result has come since.
    """

    refresh: Callable[[], object]
    basis: Callable[[], object] = object  # another one each time
    verbs: frozenset[str] = frozenset()
    screen: str | None = None
    shown: object = None
    is_outdated: bool = True


class Frame:
    """One tab of the browser."""

    def __init__(self, workbench: Workbench, remarks: dict[str, list[str]], *, has_others: bool = False) -> None:
        self.workbench = workbench
        self._has_others = has_others  # whether other files can be chosen
        self.remarks = remarks
        self.choice = MethodChoice()
        self.edited: int | None = None
        self.drafts = Drafts()
        self.compared_method: str | None = None
        self.map_axes: dict[str, dict[str, str]] = {}  # what stands on the axes, by study
        self.measure: str | None = None  # in the form of further measures
        self.previewed: dict[str, str] = {}
        self.tree_column: str | None = None
        self.imported: dict[str, Any] = {}
        self._shown_changes = workbench.changes
        self._screen = next(iter(SCREENS))
        self._parts: list[ShownPart] = []
        self._client = ui.context.client

    def show(self) -> None:
        """Show everything."""
        # with one chart there from the beginning, the library for charts is loaded before the first that is looked at
        ui.echart({}).classes("absolute w-px h-px").style("left: -10px").props("aria-hidden=true")
        with ui.header().classes("items-center py-1 px-4"):
            self._parts.append(ShownPart(self._header()))
        with ui.footer().classes("bg-grey-2 text-black py-1 px-4"):
            self._tasks()
        with ui.element("div").classes("beside w-full"):
            with ui.element("main").classes("min-w-0"):
                self._place_screens()
            with ui.element("aside").props("aria-label=Recipe").classes("recipe bg-grey-1 p-4"), ui.column():
                self._parts.append(ShownPart(RecipePanel(self).refresh))
        self._show_outdated()

    def _place_screens(self) -> None:
        with ui.tabs().props("align=left inline-label no-caps outside-arrows").classes("w-full") as tabs:
            for title in SCREENS:
                ui.tab(title)
        tabs.on_value_change(lambda event: self._turn_to(event.value))
        with ui.tab_panels(tabs, value=self._screen, animated=False).classes("w-full"):
            for title, screen in SCREENS.items():
                with ui.tab_panel(title):
                    self._place_screen(title, screen)

    def refresh(self, verb: str | None = None) -> None:
        """Show what has changed, and what a verb gives: a button that somebody is about to press stays.

        A screen that is not looked at is brought up to date when somebody turns to it.
        """
        changes = self.workbench.changes
        for part in self._parts:
            part.is_outdated |= verb in part.verbs
        self._show_outdated()
        self._shown_changes = max(self._shown_changes, changes)

    def catch_up(self) -> None:
        """Show everything anew where a change was missed, once for each: a page that stood still goes on by itself."""
        if self._shown_changes < self.workbench.changes:
            self._shown_changes = self.workbench.changes
            for part in self._parts:
                part.is_outdated = True
            self._show_outdated()

    def _turn_to(self, screen: str) -> None:
        self._screen = screen
        self._show_outdated()

    def _show_outdated(self) -> None:
        with self._client:  # and not where the click was: that element may go when its part is shown anew
            for part in self._parts:
                if part.screen not in (None, self._screen):
                    continue
                basis = part.basis()
                if part.is_outdated or basis != part.shown:
                    part.is_outdated, part.shown = False, basis
                    part.refresh()

    def _place_screen(self, title: str, screen: Screen) -> None:
        """Make the places of the parts of a screen; they are filled when somebody turns to it."""
        self._place_parts(title, screen.top)
        with ui.element("div").classes("two-ways w-full" if screen.left else "w-full"):
            for column in filter(None, (screen.left, screen.parts)):
                with ui.column().classes("w-full"):
                    self._place_parts(title, column)
        self._place_parts(title, screen.below)

    def _place_parts(self, title: str, parts: tuple[Part, ...]) -> None:
        for part in parts:
            place = ui.column().classes("w-full")
            refresh, basis = part_in(place, partial(part.show, self)), partial(part.basis, self)
            self._parts.append(ShownPart(refresh, basis, part.verbs, title))

    def act(self, change: Callable[..., object], *arguments: object) -> bool:
        """Take an action; say why if it is refused."""
        return self.show_problem(self.workbench.act(change, *arguments))  # type: ignore[arg-type]

    def show_problem(self, problem: str) -> bool:
        """Show a problem until it is closed; tell whether there was none."""
        if not problem:
            return True
        with self._client:
            ui.notify(problem, type="negative", multi_line=True, close_button="Close", timeout=0, position="top")
        return False

    def choose_method(self, column: str | None, family: str | None, method: str | None) -> None:
        """Show the form of a method, or the methods for a column or of a family."""
        self.drafts.drop(STEP)
        self.choice, self.previewed = MethodChoice(column, family, method), {}
        self.refresh()

    def edit_step(self, number: int | None) -> None:
        """Show a step, counted from 0, to be changed; None leaves all as they are."""
        recipe = self.workbench.project.state.recipe
        self.edited = number
        method = recipe.steps[number].name() if recipe and number is not None else None
        self.choose_method(None, None, method)

    def choose_tree(self, column: str | None) -> None:
        """Show the tree of a column."""
        self.tree_column = column
        self.refresh()

    def _header(self) -> Callable[[], None]:
        """Show the header; return what brings it up to date. Its buttons stay: two quick clicks undo two actions."""
        project = self.workbench.project
        with ui.row().classes("items-center w-full no-wrap gap-3"):
            ui.label("Sfumato").classes("text-lg font-bold")
            ui.label(project.file.name).classes("truncate min-w-0")
            if self._has_others:
                ui.link("Other files", "/").classes("text-white text-sm whitespace-nowrap shrink-0")
            ui.space()
            action = ui.label().classes("text-sm truncate min-w-0").props('data-part="action"')
            undo = ui.button("Undo", icon="undo", on_click=self.workbench.undo).props(
                "flat dense no-caps no-wrap color=white"
            )
            redo = ui.button("Redo", icon="redo", on_click=self.workbench.redo).props(
                "flat dense no-caps no-wrap color=white"
            )

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
            self.catch_up()
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


def part_in(place: ui.element, show: Callable[[], Callable[[], None] | None]) -> Callable[[], None]:
    """Return what shows a part in its place: anew each time, unless showing it gave a way to bring it up to date."""
    update: Callable[[], None] | None = None
    is_at_work = False  # what is shown may ask for something to be computed, of which every part is told at once

    def refresh() -> None:
        nonlocal update, is_at_work
        if is_at_work:
            return
        is_at_work = True
        try:
            with place:
                if update is not None:
                    update()
                else:
                    place.clear()
                    update = show()
        finally:
            is_at_work = False

    return refresh
