"""Open the project of a file: whatever reads the file is done by a worker, so that the server holds none of it."""

import json
import shutil
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from sfumato.app.project import FACTS, REMARKS, Project, project_folder
from sfumato.errors import FileError
from sfumato.files.formats import format_of
from sfumato.jobs.init import init
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.storage.atomic import write_text

PROPOSED = "proposed.schema.yaml"


class ProjectPlace(NamedTuple):
    """Where a project is kept, or will be, and the file that it is about."""

    folder: Path
    file: Path


def find_project(target: Path) -> ProjectPlace:
    """Return the project of a file or of a folder, without reading any record; refuse what can be neither."""
    target = target.expanduser().absolute()
    if (target / FACTS).exists():
        return ProjectPlace(target, _file_of(target))
    if target.is_dir():
        raise FileError(f"{target} is a folder and no project; name a file, or the folder of a project")
    if not target.exists():
        raise FileError(f"{target} is not there; check the name")
    format_of(target)
    return ProjectPlace(project_folder(target), target)


def prepare_project(place: ProjectPlace, on_progress: OnProgress) -> None:
    """Begin a project with what `init` proposes of the columns, or check the file of one that was begun."""
    if place.folder.exists():
        on_progress(Stage("checking that the file is as it was"))
        Project.open(place.folder).close()
        return
    # a project that is not whole yet lies beside its place, so that one whose beginning was killed is begun anew
    unfinished = place.folder.with_name(f".{place.folder.name}.part")
    shutil.rmtree(unfinished, ignore_errors=True)
    on_progress(Stage("reading the file, and proposing what each column is"))
    with TemporaryDirectory() as scratch:
        proposed = init(place.file, Path(scratch) / PROPOSED)
    project = Project.create(unfinished, place.file, proposed.schema)
    write_text(unfinished / REMARKS, json.dumps(proposed.remarks))
    project.close()
    unfinished.rename(place.folder)


def _file_of(folder: Path) -> Path:
    try:
        return Path(json.loads((folder / FACTS).read_text("utf-8"))["file"])
    except (OSError, ValueError, KeyError, TypeError):
        raise FileError(f"{folder} is no project, or is damaged; begin a new one in another folder") from None
