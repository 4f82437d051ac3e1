"""Prove that a folder of masked parts came from its input by its recipe: make it again and compare."""

from contextlib import closing
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from uuid import uuid4

from sfumato.display import format_count
from sfumato.errors import SfumatoError
from sfumato.files.folders import Files, open_folder
from sfumato.files.folders.part_files import part_files
from sfumato.jobs.folders.checks import Check, digest_check, other_versions, text_check
from sfumato.jobs.folders.make_parts import make_parts
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.progress import ignore_progress
from sfumato.recipe.folders.facts import Facts
from sfumato.recipe.folders.run import prepare_folder
from sfumato.recipe.manifest import FileFacts, Manifest
from sfumato.storage.digests import file_sha256
from sfumato.storage.private_folders import private_folder


def check_folder(
    manifest: Manifest,
    seen_from: Path,
    source: str | Path | None,
    threads: int | None,
    resources: Resources = Resources(),
) -> list[Check]:
    """Return the checks of a folder of parts against its manifest.

    Parameters
    ----------
    manifest, seen_from
        The manifest, and the folder that it lies in.
    source
        Where the input is now, when it is not where the manifest says.
    threads
        How many processes make it again.
    resources
        What they may use; what is made again lies where the run spills, or in a temporary folder.
    """
    given, output = Path(source or seen_from / manifest.input.file), seen_from / manifest.output.file
    checks = [
        text_check("recipe", manifest.recipe.yaml, manifest.recipe.sha256),
        parts_check("input", given, manifest.input),
        parts_check("output", output, manifest.output),
    ]
    if checks[1].passed:
        return [*checks, _repetition_check(manifest, given, threads, resources)]
    why = "this is not the input that was masked"
    return [*checks, Check("repetition", False, f"the recipe was not run again: {why}")]


def parts_check(name: str, folder: Path, recorded: FileFacts) -> Check:
    """Return whether a folder has the parts that a manifest recorded, and no others."""
    if recorded.parts is None:
        return digest_check(name, folder, recorded)
    expected = {part.file: part.sha256 for part in recorded.parts}
    found = {part.name: part for part in part_files(folder)} if not recorded.named else _named_parts(folder, recorded)
    wrong = [part for part in expected if part not in found or file_sha256(found[part]) != expected[part]]
    foreign = [part for part in found if part not in expected]
    if not wrong and not foreign:
        parts, have = format_count(len(expected), "part"), "has its" if len(expected) == 1 else "have their"
        return Check(name, True, f"{parts} of the {name} {folder.name} {have} recorded SHA-256")
    if wrong:
        return Check(
            name, False, f"{wrong[0]} of the {name} is absent, or another than was recorded ({len(wrong)} such)"
        )
    return Check(name, False, f"the {name} has a part that was not recorded: {foreign[0]}")


def _named_parts(folder: Path, recorded: FileFacts) -> dict[str, Path]:
    """Return the parts that were named one by one, as far as they are there."""
    listed = {part.file: folder / part.file for part in recorded.parts or ()}
    return {name: file for name, file in listed.items() if file.is_file()}


def _repetition_check(manifest: Manifest, given: Path, threads: int | None, resources: Resources) -> Check:
    """Make the parts again in a temporary folder and compare their rows."""
    recipe = manifest.repeatable()
    place = Path(gettempdir()) if resources.spill is None else resources.spill.expanduser()
    try:
        listed = manifest.input if manifest.input.named else None
        files: Files = given if listed is None else tuple(_named_parts(given, listed).values())
        options = replace(manifest.read_options, schema=manifest.schema_given())
        with (
            private_folder(place.resolve(), f".sfumato-{uuid4().hex[:20]}-again") as again,
            closing(open_folder(files, options, again)) as folder,
        ):
            made = make_parts(
                recipe,
                prepare_folder(recipe, folder),
                again / "again",
                lambda parts, facts: None,
                resources=resources,
                workers=resources.workers(threads, folder),
                on_progress=ignore_progress,
                release_key=manifest.release_key,
                facts=None if manifest.facts is None else Facts.from_plain(manifest.facts, recipe, "the manifest"),
            )
    except SfumatoError as error:
        return Check("repetition", False, f"the recipe cannot be run again: {error}{other_versions(manifest)}")
    if made.released.rows_sha256 == manifest.output.rows_sha256:
        return Check("repetition", True, "the recipe, run again, gives the same rows")
    return Check("repetition", False, f"the recipe, run again, gives other rows{other_versions(manifest)}")
