"""The page on which a file is chosen, where none was named at the start."""

import json
from functools import partial
from pathlib import Path

from nicegui import events, ui

from sfumato.app.desk import Desk
from sfumato.app.fields.text_field import TextField
from sfumato.app.folder_listing import ListedFile, list_folder
from sfumato.app.screens._parts import Cell, data_table, heading
from sfumato.app.uploads import FOLDER, NAME, UPLOAD
from sfumato.errors import SfumatoError

MEGABYTE = 1_000_000
# what is sent is counted by the browser as it goes; the answer is a sentence, and empty when all is well
SEND = """async () => {
  const chosen = getHtmlElement(%d).files[0], bar = getHtmlElement(%d), request = new XMLHttpRequest();
  if (!chosen) { emit("choose a file first"); return; }
  if (chosen.size > %d) { emit("this file is larger than %s MB: open it by its path"); return; }
  request.upload.onprogress = told => { bar.value = told.loaded / told.total; };
  request.onload = () => emit(request.status == 200 ? "" : request.responseText);
  request.onerror = () => emit("the file was not brought here: the connection broke");
  request.open("POST", "%s");
  request.setRequestHeader("%s", encodeURIComponent(chosen.name));
  request.setRequestHeader("%s", encodeURIComponent(%s));
  request.send(chosen);
}"""


class StartPage:
    """One tab of the browser in which nothing is open yet."""

    def __init__(self, desk: Desk, max_upload: int) -> None:
        self._desk = desk
        self._max_upload = max_upload
        self._folder = desk.folders[0]

    def show(self) -> None:
        """Show everything."""
        with ui.header().classes("items-center py-1 px-4"):
            ui.label("Sfumato").classes("text-lg font-bold")
        with ui.element("main").classes("w-full max-w-4xl"), ui.column().classes("w-full"):
            heading("Which file is to be released?")
            ui.label(
                "Nothing leaves this machine. All that you do is kept in a folder beside the file, and you can go on "
                "with it at any time."
            )
            self._show_path()
            self._open_projects = ui.refreshable(self._show_open)
            self._open_projects()
            self._listing = ui.refreshable(self._show_folder)
            self._listing()
            with ui.expansion("Bring a file into this folder").classes("w-full"):
                self._upload = ui.refreshable(self._show_upload)
                self._upload()

    def _show_path(self) -> None:
        with ui.row().classes("w-full items-end no-wrap"):
            path = TextField("Path of a file, or of the folder of a project").classes("grow")
            path.on("keydown.enter", lambda: self._open(path.value))
            ui.button("Open", on_click=lambda: self._open(path.value)).props("no-caps")

    def _show_open(self) -> None:
        if not self._desk.projects:
            return
        heading("Open now", 3)
        rows: list[tuple[Cell, ...]] = []
        for key, project in self._desk.projects.items():
            name = project.place.file.name
            go: Cell = ("Go on", f"Go on with {name}", partial(ui.navigate.to, f"/project/{key}"))
            rows.append(
                (name, str(project.place.file.parent), go, ("Close", f"Close {name}", partial(self._close, key)))
            )
        data_table(("File", "Folder", "Go on", "Close"), rows)

    def _show_folder(self) -> None:
        heading(f"Files in {self._folder}", 3)
        try:
            found = list_folder(self._folder)
        except SfumatoError as error:
            ui.label(str(error)).classes("text-negative")
            return
        with ui.row().classes("gap-1"):
            for title, folder in self._ways(found.folders):
                ui.button(title, icon="folder", on_click=partial(self._turn_to, folder)).props("dense flat no-caps")
        if not found.files:
            ui.label("No file here is of a format that is read. Turn to another folder, or bring a file here.")
            return
        data_table(("File", "Size", "Last worked on", "Open"), [self._row(file) for file in found.files])
        if found.is_cut:
            ui.label("There are more than are listed: name the path of the file above.")

    def _row(self, file: ListedFile) -> tuple[Cell, ...]:
        used = file.used.strftime("%Y-%m-%d %H:%M") if file.used else "not begun"
        name = file.path.name
        return (name, _size(file.size), used, ("Open", f"Open {name}", partial(self._open, str(file.path))))

    def _ways(self, below: tuple[Path, ...]) -> list[tuple[str, Path]]:
        """Return where one can turn: other chosen folders, the folder above where that may be opened, those below."""
        above, chosen = self._folder.parent, self._desk.folders
        up = [("Up", above)] if any(above.is_relative_to(folder) for folder in chosen) else []
        others = [(str(folder), folder) for folder in chosen if folder != self._folder]
        return [*up, *others, *((folder.name, folder) for folder in below)]

    def _turn_to(self, folder: Path) -> None:
        try:
            self._folder = self._desk.path_within(str(folder))
        except SfumatoError as error:
            self._refuse(str(error))
            return
        self._listing.refresh()
        self._upload.refresh()

    def _show_upload(self) -> None:
        megabytes = f"{self._max_upload // MEGABYTE:,}"
        ui.label(
            f"The file is copied into {self._folder}, where only you can read it; at most {megabytes} MB. A larger one "
            "is opened by its path."
        ).classes("text-sm")
        with ui.row().classes("items-center"):
            chosen = ui.element("input").props('type=file aria-label="File to bring here"')
            bar = ui.element("progress").props('value=0 max=1 aria-label="How much of the file is here"')
            send = ui.button("Bring it here").props("no-caps outline")
        names = (UPLOAD, NAME, FOLDER, json.dumps(str(self._folder)))
        script = SEND % (chosen.id, bar.id, self._max_upload, megabytes, *names)
        send.on("click", self._on_sent, js_handler=script)

    def _on_sent(self, event: events.GenericEventArguments) -> None:
        if event.args:
            self._refuse(str(event.args))
            return
        self._upload.refresh()
        self._listing.refresh()

    async def _open(self, path: str) -> None:
        if not path.strip():
            self._refuse("name the path of a file, or choose one below")
            return
        try:
            key = await self._desk.open_within(path)
        except SfumatoError as error:
            self._refuse(str(error))
            return
        ui.navigate.to(f"/project/{key}")

    def _close(self, key: str) -> None:
        self._desk.close(key)
        self._open_projects.refresh()

    def _refuse(self, problem: str) -> None:
        ui.notify(problem, type="negative", multi_line=True, close_button="Close", timeout=0, position="top")


def _size(count: int) -> str:
    """Return a size for people.

    Examples
    --------
    >>> _size(13_727_070), _size(900)
    ('13.7 MB', '0.9 kB')
    """
    return f"{count / MEGABYTE:,.1f} MB" if count >= MEGABYTE else f"{count / 1000:,.1f} kB"
