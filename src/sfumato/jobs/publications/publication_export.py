"""Export the tables of a publication with their unsafe cells as files of tau-Argus, and a batch that opens them."""

from dataclasses import replace
from pathlib import Path

from sfumato.errors import ParameterError
from sfumato.files import ReadOptions
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.tables.table_export import CONFIDENTIAL, TableExportResult, argus_table
from sfumato.publication import PublicationSpecification, build_publication
from sfumato.publication.build_publication import find_unsafe_specified
from sfumato.storage.atomic import write_text
from sfumato.table_specification.file_names import file_name
from sfumato.table_specification.release_files import make_folder
from sfumato.tables import Table, write_tau_argus
from sfumato.tables.publication.members import Member

BATCH = "publication.arb"
NOT_LINKED = (
    "tau-Argus links tables by their codes: equations, what follows by subtraction, and what tables with a filter "
    "share with others are not in these files, so that tables which are safe by them may not be together."
)


def publication_export(
    specification_file: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    on_progress: OnProgress = ignore_progress,
) -> TableExportResult:
    """Write each table of a publication as .tab, .rda and .hrc files, and a batch (.arb) that protects all of them.

    Parameters
    ----------
    specification_file
        The publication file.
    output
        The folder for the files.
    options
        How the data are to be read.
    on_progress
        Called with each stage.
    """
    path, folder = Path(specification_file).expanduser(), Path(output).expanduser()
    if path.suffix.lower() == ".arb":
        raise ParameterError([f"publication_export: {path} is a batch of tau-Argus already; name a publication file"])
    specification = PublicationSpecification.load(path)
    on_progress(Stage("making the tables"))
    specified = build_publication(specification, options)
    found = find_unsafe_specified(specification, specified)
    on_progress(Stage("writing"))
    make_folder(folder)
    cells: dict[Path, int] = {}
    lines = list[str]()
    for cluster, unsafe in zip(specified.publication.clusters, found, strict=True):
        for number, member in enumerate(cluster.members):
            if member.is_published:
                target = folder / f"{file_name(member.name)}.tab"
                argus = argus_table(unsafe, number)
                told_apart = replace(argus, table=replace(argus.table, value_name=_variable(member)))
                write_tau_argus(told_apart, target)
                cells[target] = member.table.size
                lines += _batch_lines(told_apart.table, target)
    ends = [f'<WRITETABLE> ({place},3,AS+,"{path.stem}.sbs")' for place, path in enumerate(cells, start=1)]
    write_text(folder / BATCH, "\n".join([*lines, "<SUPPRESS> MOD(0,5,1,1,1)", *ends]) + "\n")
    return TableExportResult(cells=cells, notices=(NOT_LINKED, CONFIDENTIAL))


def _variable(member: Member) -> str | None:
    """Return the variable of a table; of one with a filter its name says so, as its cells are not those of others."""
    if not member.fixed:
        return member.table.value_name
    return "_".join(
        [member.table.value_name or "count", *(str(code).replace(" ", "_") for code in member.fixed.values())]
    )


def _batch_lines(table: Table, path: Path) -> list[str]:
    """Return the lines of a batch that open a table whose unsafe cells are marked already."""
    return [
        f'<OPENTABLEDATA> "{path.name}"',
        f'<OPENMETADATA> "{path.with_suffix(".rda").name}"',
        f"<SPECIFYTABLE> {''.join(f'{chr(34)}{name}{chr(34)}' for name in table.names)}"
        f'|"{table.value_name or "<FREQ>"}"||',
        "<READTABLE>",
    ]
