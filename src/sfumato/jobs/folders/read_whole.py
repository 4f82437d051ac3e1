"""Read a folder of parts into memory, for jobs that look at all records at once, or say how much of it would fit."""

from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

from sfumato.errors import FileError
from sfumato.execution import blocks
from sfumato.files import ReadOptions
from sfumato.files.folders import Folder, is_folder_name, open_folder, read_first_rows
from sfumato.files.folders.part_files import check_outside, part_files
from sfumato.jobs.folders.resources import PROCESS_BYTES, UNITS, Resources
from sfumato.recipe.manifest import FileFacts
from sfumato.recipe.release import Source, read_source


@dataclass(frozen=True)
class MemoryNeed:
    """What a job takes of memory, and what to do with files for which that is too much.

    Parameters
    ----------
    job
        What the job is called.
    copies
        How many times the records, as they lie in memory, it takes at its peak.
    advice
        What to do instead.
    """

    job: str
    copies: int
    advice: str


@dataclass(frozen=True, eq=False, kw_only=True)
class FolderSource(Source):
    """A folder of parts that was read whole; a manifest tells of each part."""

    folder: Folder

    def facts(self, folder: Path) -> FileFacts:
        """Return what a manifest in the folder says of the parts."""
        from sfumato.jobs.folders.mask_folder import folder_facts  # with all that masks folders

        return folder_facts(self.file, self.folder, folder)


def input_files(file: Path, output: Path) -> tuple[Path, ...]:
    """Return the files that a job reads: one, or the parts of a folder or glob, among which no output may lie."""
    check_outside(output, file)
    return part_files(file) if is_folder_name(file) else (file,)


def read_whole(file: Path, options: ReadOptions, need: MemoryNeed, resources: Resources = Resources()) -> Source:
    """Read a file, or all parts of a folder or glob, after a look whether a job has enough memory for the latter.

    The parts are read like one Parquet file that holds all their rows.
    """
    if not is_folder_name(file):
        return read_source(file, options)
    with closing(open_folder(file, options)) as folder:
        _check_memory(file, folder, need, resources.bytes)
        known = replace(options.without_columns(), schema=folder.schema)
        data = read_first_rows(file, known, folder.n)
    return FolderSource(file, "", known, data, folder=folder)


def _check_memory(file: Path, folder: Folder, need: MemoryNeed, allowed: int) -> None:
    """Refuse a folder whose records a job cannot hold, and say how many it could."""
    first = folder.read(0, blocks.ROWS_PER_BLOCK)
    each = need.copies * first.frame.estimated_size() / first.n
    needed = PROCESS_BYTES + each * folder.n
    if needed <= allowed:
        return
    fitting = max(int((allowed - PROCESS_BYTES) / each), 0)
    raise FileError(
        f"{file} holds {folder.n:,} records of {len(folder.schema.names)} columns, for which {need.job} takes about "
        f"{needed / UNITS['GB']:.1f} GB of memory; {allowed / UNITS['GB']:.1f} GB may be used, enough for about "
        f"{fitting:,} records: give more with the option memory where there is more, or {need.advice}"
    )
