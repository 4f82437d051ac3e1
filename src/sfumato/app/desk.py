"""What one server has open: projects, each with its own processes, and the folders from which more may be opened."""

from collections.abc import Sequence
from pathlib import Path

from sfumato.app.lanes import Lane, TaskStatus
from sfumato.app.opening import ProjectPlace, find_project
from sfumato.app.project import Project
from sfumato.app.workbench import Workbench
from sfumato.app.worker import OPEN
from sfumato.errors import FileError, SfumatoError
from sfumato.storage.digests import text_sha256

KEY_LENGTH = 16


class OpenedProject:
    """A project on the desk: how far its opening is, then its workbench, or why it could not be opened.

    Parameters
    ----------
    place
        Where it is kept, and its file.
    """

    def __init__(self, place: ProjectPlace) -> None:
        self.place = place
        self.problem = ""
        self.workbench: Workbench | None = None
        self._quick, self._slow = Lane(), Lane()
        request = {"verb": OPEN, "folder": str(place.folder), "file": str(place.file)}
        self.task = TaskStatus(f"Opening {place.file.name}", request, self._on_end)

    async def start(self) -> None:
        """Begin to open it: one process reads the file, while the other gets ready."""
        await self._quick.start()
        await self._slow.start()
        self._quick.submit(self.task)

    @property
    def tasks(self) -> list[TaskStatus]:
        """The tasks that are under way or wait."""
        return self.workbench.tasks if self.workbench else self._quick.tasks

    def close(self) -> None:
        """End its processes, and let others open it."""
        if self.workbench is not None:
            self.workbench.close()
        self._quick.close()
        self._slow.close()

    def _on_end(self, task: TaskStatus) -> None:
        self.problem = task.error
        if not self.problem:
            try:
                project = Project.open(self.place.folder, checks_file=False)  # the worker has just checked it
            except SfumatoError as error:
                self.problem = str(error)
            else:
                self.workbench = Workbench(project, self._quick, self._slow)
                self.workbench.compute("prepare")
        if self.problem:
            self.close()


class Desk:
    """The projects of one server.

    Parameters
    ----------
    folders
        The folders from which the page may open files, and into which it may bring some; none where the server is
        for one file.
    """

    def __init__(self, folders: Sequence[Path] = ()) -> None:
        self.folders = tuple(folder.expanduser().resolve() for folder in folders)
        for folder in self.folders:
            if not folder.is_dir():
                raise FileError(f"{folder} is not a folder; name one that is there")
        self.projects: dict[str, OpenedProject] = {}

    @property
    def tasks(self) -> list[TaskStatus]:
        """The tasks of all projects."""
        return [task for project in self.projects.values() for task in project.tasks]

    async def open(self, place: ProjectPlace) -> str:
        """Put a project on the desk, unless it lies there; return the key by which it is found."""
        key = text_sha256(str(place.folder.resolve()))[:KEY_LENGTH]
        held = self.projects.get(key)
        if held is None or held.problem:
            self.projects[key] = opened = OpenedProject(place)
            await opened.start()
        return key

    async def open_within(self, path: str) -> str:
        """Open a file or a project that the browser names: only what lies in the chosen folders."""
        place = find_project(self.path_within(path))
        self.path_within(str(place.file))
        return await self.open(place)

    def path_within(self, path: str) -> Path:
        """Return a path that the browser names; refuse one outside the chosen folders, whether it is there or not."""
        try:
            named = Path(path.strip()).expanduser()
            found = (self.folders[0] / named if self.folders else named).resolve()
        except (OSError, RuntimeError, ValueError):
            raise FileError("this is not the path of a file") from None
        if not any(found.is_relative_to(folder) for folder in self.folders):
            allowed = ", ".join(map(str, self.folders))
            raise FileError(
                f"{found} is not in the folders that this page may open ({allowed}); name another folder, or the file "
                "itself, when you start sfumato app"
            )
        return found

    def close(self, key: str | None = None) -> None:
        """Take a project off the desk, or all."""
        for name in [key] if key is not None else list(self.projects):
            if (project := self.projects.pop(name, None)) is not None:
                project.close()
