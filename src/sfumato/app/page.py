"""The frame of the page: what is open, undo and redo, the screens, the recipe beside them, and the tasks below."""

import json
from collections.abc import Callable

from nicegui import ui

from sfumato.app import changes
from sfumato.app.project import REMARKS
from sfumato.app.screens import SCREENS, Screen
from sfumato.app.screens._parts import heading
from sfumato.app.workbench import Workbench
from sfumato.display.figure_style import COLOURS

SECONDS_BETWEEN_LOOKS = 0.4
STYLE = """<style>
:focus-visible { outline: 3px solid #D55E00 !important; outline-offset: 2px; }
.q-field__label, .q-field__native, .q-tab { color: #222 !important; opacity: 1 !important; }
.q-tab--active { font-weight: 600; }
.columns-table { border-collapse: collapse; width: 100%; }
.columns-table th, .columns-table td { text-align: left; vertical-align: top; padding: .3em .6em;
  border-bottom: 1px solid #ddd; overflow-wrap: anywhere; }
.columns-table th[scope=row] { min-width: 10rem; } .columns-table td { min-width: 5rem; }
.columns-table.wide td:nth-child(2) { min-width: 15rem; } .columns-table.wide td:nth-child(4) { max-width: 13rem; }
.two-ways { display: grid; grid-template-columns: 19rem minmax(0, 1fr); gap: 2.5rem; }
@media (max-width: 1100px) { .two-ways { grid-template-columns: minmax(0, 1fr); } }
h2 { font-size: 1.25rem; font-weight: 600; margin: 0; line-height: 1.4; }
h3 { font-size: 1rem; font-weight: 600; margin: 0; line-height: 1.4; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: .8rem; }
</style>"""


def build_page(workbench: Workbench) -> None:
    """Make the page that every tab of the browser shows."""

    @ui.page("/")
    def page() -> None:
        ui.colors(primary=COLOURS[0], secondary="#444444", accent=COLOURS[1], negative="#8c2d04", positive="#1b6e3a")
        ui.add_head_html(STYLE)
        frame = Frame(workbench, _remarks(workbench))
        frame.show()
        client = ui.context.client

        def on_change(verb: str | None) -> None:
            with client:
                frame.refresh(verb)

        workbench.listen(on_change)
        client.on_delete(lambda: workbench.forget(on_change))


class Frame:
    """One tab of the browser."""

    def __init__(self, workbench: Workbench, remarks: dict[str, list[str]]) -> None:
        self.workbench = workbench
        self.remarks = remarks
        self.chosen_method: str | None = None
        self.previewed: dict[str, str] = {}
        self._parts: list[tuple[frozenset[str], Callable[[], object]]] = []

    def show(self) -> None:
        """Show everything."""
        with ui.header().classes("items-center py-1 px-4"):
            self._refreshable(self._header)
        with ui.footer().classes("bg-grey-2 text-black py-1 px-4"):
            self._tasks()
        with ui.right_drawer(value=True, bordered=True).props("width=330 aria-label=Recipe").classes("bg-grey-1"):
            self._refreshable(self._recipe)
        with ui.tabs().props("align=left inline-label no-caps").classes("w-full") as tabs:
            for title in SCREENS:
                ui.tab(title)
        with ui.tab_panels(tabs, value=next(iter(SCREENS))).classes("w-full"):
            for title, screen in SCREENS.items():
                with ui.tab_panel(title):
                    self._refreshable(_screen(screen, self), screen.verbs)

    def refresh(self, verb: str | None = None) -> None:
        """Show everything as it is now, or only what a verb gives: a button that somebody is about to press stays."""
        for verbs, part in self._parts:
            if verb is None or verb in verbs:
                part()

    def act(self, change: Callable[..., object], *arguments: object) -> bool:
        """Take an action; say why if it is refused."""
        return self.show_problem(self.workbench.act(change, *arguments))  # type: ignore[arg-type]

    def show_problem(self, problem: str) -> bool:
        """Show a problem until it is closed; tell whether there was none."""
        if problem:
            ui.notify(problem, type="negative", multi_line=True, close_button="Close", timeout=0, position="top")
            self.refresh()
        return not problem

    def _refreshable(self, part: Callable[[], None], verbs: frozenset[str] = frozenset()) -> None:
        shown = ui.refreshable(part)
        shown()
        self._parts.append((verbs, shown.refresh))

    def _header(self) -> None:
        project = self.workbench.project
        with ui.row().classes("items-center w-full no-wrap gap-3"):
            ui.label("Sfumato").classes("text-lg font-bold")
            ui.label(project.file.name).classes("truncate")
            ui.space()
            ui.label(f"Last action: {project.state.action}").classes("text-sm truncate").props('data-part="action"')
            undo = ui.button("Undo", icon="undo", on_click=self.workbench.undo).props("flat dense no-caps color=white")
            redo = ui.button("Redo", icon="redo", on_click=self.workbench.redo).props("flat dense no-caps color=white")
            undo.set_enabled(project.can_undo)
            redo.set_enabled(project.can_redo)

    def _recipe(self) -> None:
        heading("Recipe")
        state = self.workbench.project.state
        if not state.recipe_yaml:
            ui.label("No step yet. Let one be proposed, or add one, in the screen Protect.")
        take = ui.button("Take it as edited").props("no-caps outline dense")
        text = ui.textarea(value=state.recipe_yaml).props('autogrow outlined dense aria-label="The recipe as YAML"')
        text.classes("w-full font-mono text-xs")
        take.on_click(lambda: self.act(changes.edit_recipe, text.value))
        ui.label(
            f"Every action is saved in {self.workbench.project.folder.name}, with the seed, which is never shown."
        ).classes("text-xs text-grey-8")

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

        ui.timer(SECONDS_BETWEEN_LOOKS, look)

    def _cancel(self) -> None:
        for task in self.workbench.tasks[:1]:
            self.workbench.cancel(task)


def _screen(screen: Screen, frame: Frame) -> Callable[[], None]:
    """Return what shows a screen in a tab: a function with a name, which a partial one has not."""

    def show() -> None:
        screen.show(frame)

    return show


def _remarks(workbench: Workbench) -> dict[str, list[str]]:
    """Return what was in doubt of each column when the project began."""
    try:
        found: dict[str, list[str]] = json.loads((workbench.project.folder / REMARKS).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found
