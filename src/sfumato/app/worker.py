"""A process that computes for the workbench: each line that comes in is a task, each that goes out tells how far it is.

It keeps the records that it read, so that the next task need not read them again. It ends when the server does.
"""

import json
import os
import sys
from pathlib import Path
from typing import Any, TextIO

from sfumato.errors import SfumatoError
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.storage.atomic import write_text
from sfumato.storage.worker_processes import depend_on_parent

OPEN = "open"
NICENESS = 5  # the server goes first, so that a click is answered while both lanes compute
UNEXPECTED = "an unexpected {name}; nothing was changed; please report it"


def main() -> None:
    """Carry out tasks until there are no more."""
    depend_on_parent(os.getppid())
    if os.name == "posix":
        os.nice(NICENESS)
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "w")
    sys.stdout = sys.stderr  # whatever a library prints must not come between the answers
    import sfumato.app.tasks  # noqa: F401  what lies behind takes a second to load: before the first task comes

    for line in sys.stdin:
        _carry_out(json.loads(line), answers)


def _carry_out(task: dict[str, Any], answers: TextIO) -> None:
    """Carry out one task: its result is written whole, or not at all, before it is told that it is done."""

    def tell(**what: Any) -> None:
        answers.write(f"{json.dumps({'task': task['id'], **what})}\n")
        answers.flush()

    def on_progress(stage: Stage) -> None:
        tell(words=stage.description, share=stage.done / stage.total if stage.total else None)

    try:
        if task["verb"] == OPEN:
            _open(task, on_progress)
        else:
            _compute(task, on_progress)
    except SfumatoError as error:
        tell(error=str(error))
    except MemoryError:
        tell(error="this takes more memory than there is; nothing was changed")
    except Exception as error:  # its text may hold a record's values, so only its type is told
        tell(error=UNEXPECTED.format(name=type(error).__name__))
    else:
        tell(done=True)


def _open(task: dict[str, Any], on_progress: OnProgress) -> None:
    from sfumato.app.opening import ProjectPlace, prepare_project

    prepare_project(ProjectPlace(Path(task["folder"]), Path(task["file"])), on_progress)


def _compute(task: dict[str, Any], on_progress: OnProgress) -> None:
    from sfumato.app.project import FOLLOWING, WRITING
    from sfumato.app.tasks import TASKS, Inputs
    from sfumato.recipe import Recipe

    recipe = Recipe.from_yaml(task["recipe"]).replace(seed=task["seed"]) if task["recipe"] else None
    inputs = Inputs(Path(task["file"]), task["schema"], recipe, task["seed"], Path(task["folder"]))
    path = Path(task["result_path"])
    if task["verb"] in WRITING:  # what is written now takes the place of what these tell of
        for verb in (task["verb"], *FOLLOWING.get(task["verb"], ())):
            for earlier in path.parent.glob(f"{verb}-*.json"):
                earlier.unlink()
    result = TASKS[task["verb"]](inputs, task["arguments"], on_progress)
    if result is not None:
        write_text(path, json.dumps(result, allow_nan=True))


if __name__ == "__main__":
    main()
