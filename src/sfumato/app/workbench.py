"""What all tabs of the browser share: the project, the tasks under way, and who must be told when either changes."""

import logging
from collections.abc import Callable, Mapping
from typing import Any

from sfumato.app.lanes import Lane, TaskStatus
from sfumato.app.project import WRITING, Project, State
from sfumato.errors import SfumatoError

logger = logging.getLogger(__name__)
QUICK = {"look", "preview", "categories", "hierarchy", "records"}  # these must not wait behind what takes minutes
TITLES = {
    "prepare": "Getting ready to measure",
    "look": "Looking at the columns",
    "risk": "Risk of the original file",
    "measures": "Further measures of the original file",
    "records": "Looking up records",
    "categories": "Counting categories",
    "hierarchy": "Reading a tree",
    "propose": "Looking for a recipe",
    "preview": "Preview on a sample",
    "masked_risk": "Risk by the keys after the recipe",
    "measure": "Masking and measuring",
    "release": "Writing the release",
    "verify": "Making the release again",
    "report": "Writing the report",
    "compare": "Comparing recipes",
    "search": "Searching for a recipe",
    "table": "Protecting the table",
    "alternatives": "Comparing protections",
    "table_release": "Writing the table",
    "synthesise": "Making synthetic records",
}

Listener = Callable[[str | None], None]


class Workbench:
    """A project, its tasks, and the tabs that show them.

    Parameters
    ----------
    project
        The project that is open.
    quick, slow
        The processes that compute for it: for what must not wait, and for what may take minutes. New ones are made
        where none are given.
    """

    def __init__(self, project: Project, quick: Lane | None = None, slow: Lane | None = None) -> None:
        self.project = project
        self.changes = 0  # by which a tab sees that it has missed one
        self.failures: dict[str, str] = {}  # why a task failed, by the path of the result that is not there
        self._lanes = {True: quick or Lane(), False: slow or Lane()}
        self._listeners: list[Listener] = []

    @property
    def tasks(self) -> list[TaskStatus]:
        """The tasks that are under way or wait."""
        return [task for lane in self._lanes.values() for task in lane.tasks]

    def listen(self, listener: Listener) -> None:
        """Call `listener` after every change: with the verb whose task began or ended, or None for an action."""
        if listener not in self._listeners:
            self._listeners.append(listener)

    def forget(self, listener: Listener) -> None:
        """Call a listener no longer."""
        if listener in self._listeners:
            self._listeners.remove(listener)

    def chosen(self, topic: str) -> Any:
        """Return what was chosen of a topic, or None."""
        return self.project.state.settings.get(topic)

    def act(self, change: Callable[..., State], *arguments: Any) -> str:
        """Take an action on the present state; return why it was refused, or nothing."""
        try:
            self.project.reach(change(self.project.state, *arguments))
        except SfumatoError as error:
            return str(error)
        self.tell()
        return ""

    def undo(self) -> None:
        """Go back by one action."""
        self.project.undo()
        self.tell()

    def redo(self) -> None:
        """Do again what was undone."""
        self.project.redo()
        self.tell()

    def compute(self, verb: str, arguments: Mapping[str, Any] | None = None) -> None:
        """Have something computed for the present state, unless it is there already."""
        given = dict(arguments or {})
        path = self.project.result_path(verb, given)
        if path.exists() and verb not in WRITING:
            return
        self.failures.pop(str(path), None)
        request = {
            "verb": verb,
            "arguments": given,
            "file": str(self.project.file),
            "schema": self.project.state.schema_yaml,
            "recipe": self.project.state.recipe_yaml,
            "seed": self.project.seed,
            "folder": str(self.project.folder),
            "result_path": str(path),
        }
        self._lanes[verb in QUICK].submit(TaskStatus(TITLES[verb], request, self._on_end))
        self.tell(verb)

    def status(self, verb: str, arguments: Mapping[str, Any] | None = None) -> TaskStatus | None:
        """Return how far a verb has come for the present state, if it is under way."""
        path = str(self.project.result_path(verb, dict(arguments or {})))
        return next((task for task in self.tasks if task.request["result_path"] == path), None)

    def failure(self, verb: str, arguments: Mapping[str, Any] | None = None) -> str:
        """Return why a verb failed for the present state, or nothing."""
        return self.failures.get(str(self.project.result_path(verb, dict(arguments or {}))), "")

    def cancel(self, task: TaskStatus) -> None:
        """Stop a task; nothing that was there before is lost."""
        self._lanes[task.request["verb"] in QUICK].cancel(task)

    def close(self) -> None:
        """Stop all tasks, and let others open the project."""
        for lane in self._lanes.values():
            lane.close()
        self.project.close()

    def tell(self, verb: str | None = None) -> None:
        """Tell all tabs that something changed: what a verb gives, or with an action perhaps everything."""
        self.changes += 1
        for listener in list(self._listeners):
            try:
                listener(verb)
            except Exception:  # one tab that cannot be shown must not keep the others, or the next task, from going on
                logger.exception("a tab could not be brought up to date")

    def _on_end(self, task: TaskStatus) -> None:
        if task.error:
            self.failures[task.request["result_path"]] = task.error
        self.tell(task.request["verb"])
