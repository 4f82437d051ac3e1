"""Prove that a masked file came from its input by its recipe: make it again and compare.

An improved file is proved likewise, from its original and its masked file by its improver.
"""

import filecmp
from collections.abc import Callable, Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from sfumato import files
from sfumato.data import Microdata, Schema
from sfumato.errors import SfumatoError, VerificationError
from sfumato.files.folders import read_first_rows
from sfumato.jobs._file_pair import FilePair, match_pair, read_pair
from sfumato.jobs.folders.checks import Check, digest_check, other_versions, text_check
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.folders.verify_folder import check_folder, parts_check
from sfumato.jobs.improve import improve_pair
from sfumato.jobs.result import JobEnding, JobResult
from sfumato.recipe.improvement_manifest import ImprovementManifest, load_manifest
from sfumato.recipe.manifest import FileFacts, Manifest

FORMATS_WITH_A_CLOCK = frozenset({".xlsx", ".sav", ".zsav", ".dta"})
"""Formats that store when they were written, so that two equal files differ in some bytes."""


@dataclass(frozen=True, kw_only=True)
class VerifyResult(JobResult):
    """What was checked of a masked file."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def to_dict(self) -> dict[str, Any]:
        """Return whether all passed, and each check."""
        return {"passed": self.passed, "checks": [asdict(check) for check in self.checks]}

    def __str__(self) -> str:
        return "\n".join(f"{'passed' if check.passed else 'FAILED'}  {check.sentence}" for check in self.checks)


def verify(
    manifest: str | Path,
    *,
    source: str | Path | None = None,
    threads: int | None = None,
    resources: Resources = Resources(),
) -> VerifyResult:
    """Check a masked file against its manifest, and make it again to compare.

    Parameters
    ----------
    manifest
        The manifest that `mask`, `protect` or `improve` wrote.
    source
        Where the input is now, when it is not where the manifest says; that of an improved file is its original.
    threads
        As in `Recipe.run`; the result does not depend on it.
    resources
        For folders: what making it again may use: memory, a place to spill to, a cluster.

    Raises
    ------
    VerificationError
        When something cannot be checked: the manifest, the input or the output is absent or cannot be read.
    """
    folder = Path(manifest).resolve().parent
    recorded = None
    try:
        recorded = load_manifest(manifest)
        if isinstance(recorded, Manifest) and recorded.output.rows_sha256 is not None:
            return _result(check_folder(recorded, folder, source, threads, resources))
        way = WAYS[type(recorded)](recorded, folder, source, threads)
    except SfumatoError as error:
        made_with = "" if recorded is None else other_versions(recorded)
        raise VerificationError(f"nothing can be verified: {error}{made_with}") from None
    output = folder / recorded.output.file
    needed = [*way.inputs, ("output", output, recorded.output)]
    absent = [f"the {name} {file}" for name, file, facts in needed if facts.parts is None and not file.is_file()]
    if absent:
        raise VerificationError(
            f"nothing can be verified without {' and '.join(absent)}; give an input that was moved as source"
        )
    inputs = [parts_check(name, file, facts) for name, file, facts in way.inputs]
    checks = [text_check(way.name, way.text, way.sha256), *inputs, digest_check("output", output, recorded.output)]
    if all(check.passed for check in inputs):
        checks.append(_repetition_check(recorded, way, output))
    else:
        other = next(check.name for check in inputs if not check.passed)
        why = f"this is not the {other} that was {way.done}"
        checks.append(Check("repetition", False, f"the {way.name} was not run again: {why}"))
    return _result(checks)


def _result(checks: Iterable[Check]) -> VerifyResult:
    result = VerifyResult(checks=tuple(checks))
    return result if result.passed else replace(result, ending=JobEnding.FAILED)


@dataclass(frozen=True)
class _Way:
    """How an output is made: by a recipe or an improver, given as text, from inputs that the manifest knows."""

    name: str
    done: str
    text: str
    sha256: str
    inputs: tuple[tuple[str, Path, FileFacts], ...]
    make: Callable[[], Microdata]


def _recipe_way(manifest: Manifest, folder: Path, source: str | Path | None, threads: int | None) -> _Way:
    recipe, options = manifest.repeatable(), replace(manifest.read_options, schema=manifest.schema_given())
    given = Path(source or folder / manifest.input.file)

    def read() -> Microdata:
        if manifest.input.parts is None:
            return files.read_with(given, options)
        return read_first_rows(given, options, manifest.input.rows)

    return _Way(
        name="recipe",
        done="masked",
        text=manifest.recipe.yaml,
        sha256=manifest.recipe.sha256,
        inputs=(("input", given, manifest.input),),
        make=lambda: recipe.release(recipe.run(read(), threads=threads), manifest.release_key),
    )


def _improver_way(manifest: ImprovementManifest, folder: Path, source: str | Path | None, threads: int | None) -> _Way:
    improver, options = manifest.repeatable(), replace(manifest.read_options, schema=manifest.schema_given())
    original, masked = Path(source or folder / manifest.original.file), folder / manifest.masked.file
    return _Way(
        name="improver",
        done="improved",
        text=manifest.improver.yaml,
        sha256=manifest.improver.sha256,
        inputs=(("original", original, manifest.original), ("masked file", masked, manifest.masked)),
        make=lambda: improve_pair(_matched_again(read_pair(original, masked, options)), improver, manifest.seed).data,
    )


def _matched_again(pair: FilePair) -> FilePair:
    """Return files that were matched before, so that their order is right where nothing else tells."""
    return match_pair(pair, same_order=pair.original.n == pair.masked.n, may_differ=True)


WAYS: dict[type, Callable[..., _Way]] = {Manifest: _recipe_way, ImprovementManifest: _improver_way}
"""How the output of each kind of manifest is made."""


def _repetition_check(manifest: Manifest | ImprovementManifest, way: _Way, output: Path) -> Check:
    """Make the output again as a temporary file and compare that with it."""
    name, who = "repetition", f"the {way.name}"
    try:
        made = way.make()
        with TemporaryDirectory(prefix="sfumato-") as folder:
            again = Path(folder) / output.name
            files.write_with(made, again, manifest.write_options)
            difference = _difference(again, output, manifest.write_options.format)
    except SfumatoError as error:
        return Check(name, False, f"{who} cannot be run again: {error}{other_versions(manifest)}")
    if difference:
        return Check(name, False, f"{who}, run again, gives another output: {difference}{other_versions(manifest)}")
    return Check(name, True, f"{who}, run again, gives the same output")


def _difference(again: Path, output: Path, form: str | None) -> str:
    """Say how two files differ, or nothing; where a format stores the time, their content is what counts."""
    if filecmp.cmp(again, output, shallow=False):
        return ""
    if (output.suffix.lower() if form is None else f".{form}") not in FORMATS_WITH_A_CLOCK:
        return "some bytes differ"
    first, second = (files.read(file, Schema(variables=()), format=form) for file in (again, output))
    if first.schema != second.schema:
        return "names, kinds or labels of columns differ"
    return "" if _same_values(first, second) else "some values differ"


def _same_values(first: Microdata, second: Microdata) -> bool:
    import polars

    return polars.DataFrame(first.frame).equals(polars.DataFrame(second.frame), null_equal=True)
