"""Prove that a masked file came from its input by its recipe: make it again and compare."""

import filecmp
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from sfumato import files
from sfumato.data import Microdata, Schema
from sfumato.errors import SfumatoError, VerificationError
from sfumato.recipe.manifest import FileFacts, Manifest, sha256_of, sha256_of_text, versions
from sfumato.recipe.recipe import Recipe

FORMATS_WITH_A_CLOCK = frozenset({".xlsx", ".sav", ".zsav", ".dta"})
"""Formats that store when they were written, so that two equal files differ in some bytes."""


@dataclass(frozen=True)
class Check:
    """One thing that was looked at: its name, whether it is as the manifest says, and a sentence about it."""

    name: str
    passed: bool
    sentence: str


@dataclass(frozen=True)
class Verification:
    """What was checked of a masked file."""

    checks: tuple[Check, ...]

    @property
    def passed(self) -> bool:
        """Whether every check passed."""
        return all(check.passed for check in self.checks)

    def __str__(self) -> str:
        return "\n".join(f"{'passed' if check.passed else 'FAILED'}  {check.sentence}" for check in self.checks)


def verify(manifest_path: str | Path, *, source: str | Path | None = None, threads: int | None = None) -> Verification:
    """Check a masked file against its manifest, and make it again to compare.

    Parameters
    ----------
    manifest_path
        The manifest that `mask_file` wrote.
    source
        Where the input is now, when it is not where the manifest says.
    threads
        As in `Recipe.run`; the result does not depend on it.

    Raises
    ------
    VerificationError
        When something cannot be checked: the manifest, the input or the output is absent or cannot be read.
    """
    folder = Path(manifest_path).resolve().parent
    try:
        manifest = Manifest.load(manifest_path)
        recipe, schema = manifest.repeatable(), manifest.schema_given()
    except SfumatoError as error:
        raise VerificationError(f"nothing can be verified: {error}") from None
    given, output = Path(source or folder / manifest.input.file), folder / manifest.output.file
    absent = [f"the {role} {file}" for role, file in (("input", given), ("output", output)) if not file.is_file()]
    if absent:
        raise VerificationError(
            f"nothing can be verified without {' and '.join(absent)}; an input that was moved is given with --input"
        )
    checks = [
        _recipe_check(manifest),
        _digest_check("input", given, manifest.input),
        _digest_check("output", output, manifest.output),
    ]
    if checks[1].passed:
        checks.append(_repetition_check(manifest, recipe, schema, given, output, threads))
    else:
        checks.append(Check("repetition", False, "the recipe was not run again: this is not the input that was masked"))
    return Verification(tuple(checks))


def _recipe_check(manifest: Manifest) -> Check:
    if sha256_of_text(manifest.recipe.yaml) == manifest.recipe.sha256:
        return Check("recipe", True, "the recipe in the manifest has its recorded SHA-256")
    return Check("recipe", False, "the recipe in the manifest does not have its recorded SHA-256: it was changed")


def _digest_check(name: str, file: Path, recorded: FileFacts) -> Check:
    if sha256_of(file) == recorded.sha256:
        return Check(name, True, f"the {name} {file.name} has its recorded SHA-256")
    return Check(
        name, False, f"the {name} {file.name} does not have its recorded SHA-256: it is another, or was changed"
    )


def _repetition_check(
    manifest: Manifest, recipe: Recipe, schema: Schema, source: Path, output: Path, threads: int | None
) -> Check:
    """Run the recipe again into a temporary file and compare that with the output."""
    name = "repetition"
    try:
        masked = recipe.run(manifest.read_options.read(source, schema), threads=threads)
        with TemporaryDirectory(prefix="sfumato-") as folder:
            again = Path(folder) / output.name
            files.write(masked, again)
            difference = _difference(again, output)
    except SfumatoError as error:
        return Check(name, False, f"the recipe cannot be run again: {error}{_other_versions(manifest)}")
    if difference:
        return Check(
            name, False, f"the recipe, run again, gives another output: {difference}{_other_versions(manifest)}"
        )
    return Check(name, True, "the recipe, run again, gives the same output")


def _difference(again: Path, output: Path) -> str:
    """Say how two files differ, or nothing; where a format stores the time, their content is what counts."""
    if filecmp.cmp(again, output, shallow=False):
        return ""
    if output.suffix.lower() not in FORMATS_WITH_A_CLOCK:
        return "some bytes differ"
    first, second = (files.read(file, Schema(variables=())) for file in (again, output))
    if first.schema != second.schema:
        return "names, kinds or labels of columns differ"
    return "" if _same_values(first, second) else "some values differ"


def _same_values(first: Microdata, second: Microdata) -> bool:
    import polars

    return polars.DataFrame(first.frame).equals(polars.DataFrame(second.frame), null_equal=True)


def _other_versions(manifest: Manifest) -> str:
    """Name the versions that changed since the output was made: they may be the reason."""
    now = versions()
    changed = [
        f"{name} {then}, now {now[name]}" for name, then in manifest.versions.items() if now.get(name, then) != then
    ]
    return f" (made with {'; '.join(changed)})" if changed else ""
