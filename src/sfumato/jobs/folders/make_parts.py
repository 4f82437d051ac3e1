"""Make the parts of a release from a folder by a recipe, in a private folder in which an interrupted run goes on."""

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path

from sfumato.documents import dump
from sfumato.errors import FileError
from sfumato.execution.folders import Spill
from sfumato.execution.folders.sizes import Sizes
from sfumato.files.folders import Folder
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.recipe import Recipe
from sfumato.recipe.folders.facts import Facts
from sfumato.recipe.folders.release import ReleasedParts, release_folder
from sfumato.recipe.folders.run import run_recipe
from sfumato.recipe.seeds import draw_seed
from sfumato.storage.atomic import is_disk_full, write_text
from sfumato.storage.digests import text_sha256
from sfumato.storage.private_folders import LOCK, private_folder

RUN = "run"
"""The record of what an interrupted run must find again."""
PLACED = "placed"
"""The record by which an interrupted run knows what it put in the place of the output."""


@dataclass(frozen=True)
class MadeParts:
    """What a run made: the facts of its parts, the recipe with its seed, the key to the order, and remarks.

    `went_on` tells whether it took over what an interrupted run had finished.
    """

    released: ReleasedParts
    seeded: Recipe
    release_key: int
    started: datetime
    remarks: tuple[str, ...]
    went_on: bool = False


def make_parts(
    recipe: Recipe,
    folder: Folder,
    output: Path,
    publish: Callable[[Path, MadeParts], None],
    *,
    resources: Resources,
    workers: int,
    on_progress: OnProgress,
    release_key: int | None = None,
    facts: Facts | None = None,
    new_facts: Facts | None = None,
) -> MadeParts:
    """Mask a folder and write the parts of its release; `publish` takes them from where they were written.

    Parameters
    ----------
    recipe
        The recipe; without a seed one is drawn, which an interrupted run keeps.
    folder
        The records, prepared for the recipe.
    output
        The folder that the release is for; it is written beside it.
    publish
        Called with the folder of the parts, when all are complete, and with what there is to say of them.
    resources, workers
        What the run may use.
    on_progress
        Called with each stage.
    release_key
        Where the draws of the order begin; drawn when not given.
    facts, new_facts
        As in `run_recipe`.
    """
    sizes = resources.sizes(folder, workers)
    beside_output, spill_place = _private_places(recipe, folder, output, resources, facts)
    try:
        with (
            private_folder(beside_output.parent, beside_output.name, keeps_unfinished=True) as beside,
            private_folder(spill_place.parent, spill_place.name, keeps_unfinished=True) as work,
            resources.pool(workers, (work, beside), folder.files) as pool,
        ):
            parts = beside / "parts"
            if (beside / PLACED).exists() and not parts.exists():
                _take_back(output, parts, work)
            went_on = (work / f"{RUN}.json").exists()
            known = Spill(work, pool).remember(RUN, lambda: _draw_run(recipe, sizes, release_key))
            parts.mkdir(exist_ok=True)
            seeded, remarks = recipe.replace(seed=int(known["seed"])), list[str]()
            steps = [step.name() for step in recipe.steps]

            def spill(number: int) -> Spill:
                label = f"step {number + 1} of {len(steps)}: {steps[number]}" if number < len(steps) else "writing"
                on_progress(Stage(label))
                return Spill(work, pool, lambda done, total: on_progress(Stage(label, done, total)))

            masked = run_recipe(
                seeded,
                folder,
                spill=spill,
                sizes=Sizes(int(known["rows_per_range"]), sizes.task_bytes),
                on_remark=remarks.append,
                facts=facts,
                new_facts=new_facts,
            )
            key = int(known["release_key"])
            released = release_folder(
                seeded,
                folder,
                masked,
                parts,
                spill=spill(len(steps)),
                release_key=key,
                rows_per_range=int(known["rows_per_range"]),
            )
            made = MadeParts(released, seeded, key, datetime.fromisoformat(known["started"]), tuple(remarks), went_on)
            _remove_others(parts, released)
            publish(parts, made)
            return made
    except Exception as error:
        if is_disk_full(error):
            raise FileError(
                f"the disk is full, at {spill_place.parent} or {output.parent}; nothing was left behind"
            ) from None
        raise


def is_own_output(
    recipe: Recipe, folder: Folder, output: Path, resources: Resources, facts: Facts | None = None
) -> bool:
    """Tell whether a run of the same recipe on the same files was killed while it put its output in place.

    What is there is then its own; the output of another run, or of anybody else, is not.
    """
    placed = _private_places(recipe, folder, output, resources, facts)[0] / PLACED
    return placed.is_file() and (not output.exists() or _is_placed(placed, output))


def mark_placed(parts: Path, made: Path) -> None:
    """Record what is about to take the place of the output."""
    write_text(parts.with_name(PLACED), _mark_of(made))


def _is_placed(placed: Path, output: Path) -> bool:
    return output.exists() and placed.read_text(encoding="utf-8") == _mark_of(output)


def _mark_of(made: Path) -> str:
    """Return by what a file or folder is known again after it was renamed."""
    found = made.stat()
    return f"{found.st_ino} {found.st_mtime_ns}"


def _take_back(output: Path, parts: Path, work: Path) -> None:
    """Take back the parts that a killed run put in place without their manifest; begin anew where they are gone."""
    if _is_placed(parts.with_name(PLACED), output):
        output.rename(parts)
        return
    for found in work.iterdir():
        if found.name != LOCK:
            shutil.rmtree(found) if found.is_dir() else found.unlink()


def _private_places(
    recipe: Recipe, folder: Folder, output: Path, resources: Resources, facts: Facts | None
) -> tuple[Path, Path]:
    """Return where the parts are written, on the disk of the output, and where everything else is."""
    name = f".sfumato-{_identity(recipe, folder, output, facts)[:20]}"
    spill = output.parent if resources.spill is None else resources.spill
    return output.parent.resolve() / f"{name}-parts", spill.expanduser().resolve() / f"{name}-spill"


def _draw_run(recipe: Recipe, sizes: Sizes, release_key: int | None) -> dict[str, str]:
    """Return what an interrupted run must find again; the numbers are longer than those of JSON."""
    return {
        "seed": str(recipe.with_seed().seed),
        "release_key": str(draw_seed() if release_key is None else release_key),
        "rows_per_range": str(sizes.rows_per_range),
        "started": datetime.now(UTC).isoformat(),
    }


def _identity(recipe: Recipe, folder: Folder, output: Path, facts: Facts | None) -> str:
    """Return what is the same for the same recipe, schema, output, facts and files, as they are now."""
    found = [(file, file.stat()) for file in folder.sources]
    files = [f"{file} {state.st_size} {state.st_mtime_ns}" for file, state in found]
    known = "" if facts is None else json.dumps(facts.steps)
    return text_sha256(
        "\n".join([version("sfumato"), str(output.resolve()), *files, recipe.to_yaml(), dump(folder.schema), known])
    )


def _remove_others(parts: Path, released: ReleasedParts) -> None:
    """Remove what an interrupted run left half-written among the parts."""
    known = {part.file for part in released.parts}
    for file in parts.iterdir():
        if file.name not in known:
            file.unlink()
