"""Mask a file: read it, run the recipe, write the masked file with its manifest."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from sfumato.contracts.improvement import Improvement
from sfumato.display import format_count
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.output_checks import check_output
from sfumato.files.writing import options_like
from sfumato.jobs._wording import page_notices, release_notices
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress, report_steps
from sfumato.jobs.result import JobResult
from sfumato.recipe import Manifest, Recipe, manifest_path
from sfumato.recipe.earlier_release import check_replaceable_output
from sfumato.recipe.release import masked_manifest, read_source, write_release
from sfumato.recipe.seeds import draw_seed
from sfumato.report.weight_notices import weight_notices


@dataclass(frozen=True, kw_only=True)
class MaskResult(JobResult):
    """A masked file, and its manifest."""

    output: Path
    manifest: Manifest

    def to_dict(self) -> dict[str, Any]:
        """Return the manifest."""
        return self.manifest.model_dump(mode="json")

    def __str__(self) -> str:
        return "\n".join(written_files(self.output, self.manifest))


def mask(
    file: str | Path,
    recipe: Recipe | str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    overwrite: bool = False,
    threads: int | None = None,
    on_progress: OnProgress = ignore_progress,
) -> MaskResult:
    """Write a masked copy of a file, and its manifest beside it.

    A file whose identifiers the recipe neither drops nor replaces by pseudonyms is refused. The records come in random
    order and households get new numbers, unless the recipe says otherwise; the manifest holds the key.

    Parameters
    ----------
    file, output
        The file to mask and the file to write; the suffix of the output tells its format.
    recipe
        The recipe, or the YAML file that holds it. Without a seed one is drawn and kept in the manifest. What the
        recipe says of columns goes before the schema of the options.
    options
        How the file is to be read.
    write_options
        How the output is to be written; what is left open is as the input has it, where both are text files.
    overwrite
        Whether a file may be replaced that no manifest beside it could make again. A manifest is never replaced by that
        of another output: it is kept under a name of its own.
    threads
        As in `Recipe.run`; the result does not depend on it.
    on_progress
        Called with each stage.
    """
    started = datetime.now(UTC)
    file, output = Path(file).expanduser(), Path(output).expanduser()
    recipe_file = None if isinstance(recipe, Recipe) else Path(recipe)
    others = [path for path in (recipe_file, options.schema) if isinstance(path, Path)]
    check_output(output, [file], others, write_options)
    check_replaceable_output(output, overwrite)
    as_given = recipe if isinstance(recipe, Recipe) else Recipe.load(recipe)
    seeded = as_given.with_seed()
    on_progress(Stage("reading"))
    source = read_source(file, options)
    seeded.refuse_release(source.data.schema)
    write_options = options_like(write_options, source.dialect, output)
    improvements: list[Improvement] = []
    remarks: list[str] = []
    masked = seeded.run(
        source.data,
        threads=threads,
        on_progress=report_steps(on_progress),
        on_improvement=improvements.append,
        on_remark=remarks.append,
    )
    complete = masked_manifest(
        source,
        masked,
        output,
        recipe=as_given,
        seeded=seeded,
        release_key=(release_key := draw_seed()),
        write_options=write_options,
        started=started,
        recipe_file=recipe_file,
        improvement=next(iter(improvements), None),
        remarks=tuple(remarks),
    )
    weights = weight_notices(masked, source.data)
    del source, improvements  # writing needs memory of its own
    on_progress(Stage("writing"))
    masked = seeded.release(masked, release_key)
    manifest = write_release(masked, output, write_options, complete)
    notices = (*page_notices(output), *release_notices(manifest, masked, weights))
    return MaskResult(output=output, manifest=manifest, notices=notices)


def written_files(output: Path, manifest: Manifest) -> list[str]:
    """Return a line for the masked file and one for its manifest."""
    facts = manifest.output
    return [
        f"{output}: {format_count(facts.rows, 'record')}, {format_count(facts.columns, 'column')}, in "
        f"{manifest.seconds:.1f} s",
        f"{manifest_path(output)}: recipe, seed, versions and checksums",
    ]
