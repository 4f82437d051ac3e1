"""The key to the order of a released file: its manifest, where that lies beside it."""

from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from sfumato.contracts import Part
from sfumato.errors import FileError, SfumatoError
from sfumato.numerics.arrays import Rows
from sfumato.recipe.improvement_manifest import ImprovementManifest, load_manifest
from sfumato.recipe.manifest import Manifest, manifest_path
from sfumato.recipe.recipe import Recipe
from sfumato.recipe.release import Source, released_row_ids
from sfumato.storage.digests import file_sha256


@dataclass(frozen=True, eq=False)
class RecordKey:
    """What the manifest of a masked file tells.

    Parameters
    ----------
    row_ids
        Which original record each masked record is; None where no manifest tells.
    sentence
        How the records are matched by it, or why they are not; empty where there is no manifest.
    parts
        The methods that masked the file, and what improved it after them; none where they are not known.
    sampled_ids
        Which original records the recipe drew before anything else, where it begins with a sample; the others were kept
        back.
    """

    row_ids: Rows | None = None
    sentence: str = ""
    parts: tuple[Part, ...] = ()
    sampled_ids: Rows | None = None


def find_record_key(source: Source, masked: Path, manifest: Path | None = None) -> RecordKey:
    """Return what the manifest of a masked file tells of its records; that beside the file when none is given."""
    path = manifest_path(masked) if manifest is None else manifest
    if manifest is None and not path.is_file():
        return RecordKey()
    recorded = load_manifest(path)
    problem = _problem(recorded, source, masked)
    if problem and manifest is not None:
        raise FileError(f"the manifest {path} cannot be used: {problem}")
    if problem:
        return RecordKey(sentence=f"{path.name} was not used: {problem}.")
    if isinstance(recorded, ImprovementManifest):  # an improved file is in the order of the masked one
        key = find_record_key(source, path.parent / recorded.masked.file)
        return replace(key, parts=(*key.parts, recorded.repeatable()) if key.parts else ())
    recipe = recorded.repeatable()
    are_new = any(step.makes_new_records for step in recipe.steps)  # then there is nothing to run the recipe for
    ids = None if are_new else released_row_ids(recorded, source.data)
    if ids is None or not np.isin(ids, source.data.row_ids).all():
        sentence = f"{path.name} says that the records are synthetic and come from nobody."
        return RecordKey(sentence=sentence, parts=recipe.parts, sampled_ids=_sampled_ids(recipe, source))
    return RecordKey(ids, f"Records were matched by the key in {path.name}.", recipe.parts)


def find_sampled_ids(source: Source, masked: Path) -> tuple[Rows | None, str]:
    """Return the records that a synthetic file was made from where its manifest tells that others were kept back.

    And why the manifest beside the file was not used, where it was not. Nothing but the sample is drawn for it.
    """
    path = manifest_path(masked)
    if not path.is_file():
        return None, ""
    recorded = load_manifest(path)
    if problem := _problem(recorded, source, masked):
        return None, f"{path.name} was not used: {problem}."
    if isinstance(recorded, ImprovementManifest):
        return find_sampled_ids(source, path.parent / recorded.masked.file)
    recipe = recorded.repeatable()
    if not any(step.is_a("sequential_synthesis", "household_synthesis") for step in recipe.steps):
        return None, ""
    return _sampled_ids(recipe, source), ""


def check_not_exchanged(source: Source, masked: Path) -> None:
    """Refuse two files of which a manifest says that the one given as masked is the original of the other."""
    path = manifest_path(source.file)
    if not path.is_file():
        return
    try:
        recorded = load_manifest(path)
    except SfumatoError:  # some other file of that name
        return
    if recorded.output.sha256 != source.sha256:
        return
    before = recorded.input if isinstance(recorded, Manifest) else recorded.original
    if before.sha256 == file_sha256(masked):
        raise FileError(
            f"the files are exchanged: {path.name} says that {source.file.name} was made from {masked.name}; give the "
            f"original first"
        )


def _sampled_ids(recipe: Recipe, source: Source) -> Rows | None:
    """Return the records that the first step of a recipe draws, where it is a sample."""
    if not recipe.steps[0].is_a("sampling"):
        return None
    return recipe.replace(steps=recipe.steps[:1], improve=None).run(source.data).row_ids


def _problem(manifest: Manifest | ImprovementManifest, source: Source, masked: Path) -> str:
    """Return why a manifest is not that of the two files, or nothing."""
    before = manifest.input if isinstance(manifest, Manifest) else manifest.original
    digest = file_sha256(masked)
    if (manifest.output.sha256, before.sha256) == (source.sha256, digest):
        return f"the files are exchanged: {source.file.name} was made from {masked.name}; give the original first"
    if manifest.output.sha256 != digest:
        return f"{masked.name} is not the file that it was written for, or was changed since"
    return "" if before.sha256 == source.sha256 else f"{source.file.name} is not the original that it was written for"
