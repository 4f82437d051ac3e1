"""Improve a masked file that lies beside its original: write the improved file with its manifest."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from sfumato.assessment import assess, default_measures
from sfumato.assessment.defaults import comparable
from sfumato.contracts import Correspondence, Improver
from sfumato.contracts.improvement import Improvement
from sfumato.data import Microdata, numeric
from sfumato.data.missing_code_suspicion import suspicion_problems
from sfumato.display import (
    Column,
    Table,
    as_sentences,
    format_compact,
    format_count,
    format_number,
    header_column,
    join_parts,
    text_column,
)
from sfumato.display.figure_style import FORMATS
from sfumato.errors import DataError, DocumentError, FileError
from sfumato.files import ReadOptions, WriteOptions
from sfumato.files.output_checks import check_free, check_output
from sfumato.files.writing import options_like
from sfumato.jobs._file_pair import FilePair, match_pair, read_pair
from sfumato.jobs._improver_choice import AUTO, choose_improver
from sfumato.jobs._wording import identifier_notices
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.recipe.earlier_release import check_replaceable_output
from sfumato.recipe.improvement_facts import ImprovementFacts
from sfumato.recipe.improvement_manifest import ImprovementManifest, ImproverFacts
from sfumato.recipe.manifest import manifest_path, plugins_of, schema_lines, versions
from sfumato.recipe.release import file_facts, write_release
from sfumato.recipe.seeds import draw_seed, generator
from sfumato.storage.atomic import write_text
from sfumato.storage.digests import file_sha256

SYMBOLS = ("IL", "DLD", "ID")  # the usual measures that are quick
MEANINGS = {
    "E": "squared differences between the moments of the standardised values",
    "IL1": "mean variation of the values against those of original records, %",
    "IL": "information loss of all numeric columns, %",
    "DLD": "distance linkage: records found again, %",
    "ID": "interval disclosure: values known to within an interval, %",
}
ASSESS_AGAIN = "The risk has changed: assess the improved file before you release it."


class FigureChange(NamedTuple):
    """A figure before and after the improving."""

    symbol: str
    before: float
    after: float

    @property
    def figures(self) -> tuple[str, str]:
        """Both figures as readers see them; E is small."""
        if self.symbol == "E":
            return format_compact(self.before, 4), format_compact(self.after, 4)
        return format_number(self.before), format_number(self.after)

    @property
    def meaning(self) -> str:
        """What the figure is."""
        return MEANINGS[self.symbol]


@dataclass(frozen=True, kw_only=True)
class ImproveResult(JobResult):
    """What the improving gave: the figures before and after, and the manifest of the improved file."""

    output: Path
    improver: Improver
    improvement: Improvement
    figures: tuple[FigureChange, ...]
    manifest: ImprovementManifest

    def to_dict(self) -> dict[str, Any]:
        """Return the figures and how they were reached, without records."""
        return {
            "format": 1,
            "improver": self.improver.name(),
            "parameters": self.improver.model_dump(mode="json"),
            "before": {change.symbol: change.before for change in self.figures},
            "after": {change.symbol: change.after for change in self.figures},
            "aimed_loss": self.improvement.aimed_loss,
            "steps_taken": self.manifest.improvement.steps_taken,
            "ended": self.improvement.ended.value,
            "records": {"all": self.manifest.output.rows, "changed": self.improvement.records},
            "remarks": list(self.notices[:-1]),  # the last one is about the manifest
            "seconds": self.manifest.seconds,
            "output": self.manifest.output.file,
        }

    def __str__(self) -> str:
        return join_parts(self.parts())

    def parts(self) -> tuple[str, Table]:
        """Return what was written, and the figures before and after."""
        facts = self.manifest.output
        written = (
            f"{self.output}: {format_count(facts.rows, 'record')}, of which {self.improvement.records:,} changed, "
            f"in {self.manifest.seconds:.1f} s\n"
            f"{manifest_path(self.output)}: improver, seed, versions and checksums"
        )
        return written, self.to_table()

    def to_table(self) -> Table:
        """Return the figures before and after the improving."""
        return Table(
            columns=(header_column("figure"), Column("before"), Column("after"), text_column("what it is")),
            rows=tuple((change.symbol, *change.figures, change.meaning) for change in self.figures),
            title=self.improver.name(),
        )


def improve(
    original: str | Path,
    masked: str | Path,
    output: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    write_options: WriteOptions = WriteOptions(),
    overwrite: bool = False,
    method: str = AUTO,
    columns: Sequence[str] = (),
    parameters: Mapping[str, Any] | None = None,
    seed: int | None = None,
    trace: str | Path | None = None,
    same_order: bool = False,
    on_progress: OnProgress = ignore_progress,
) -> ImproveResult:
    """Make a masked file more like its original, and write it with a manifest.

    Parameters
    ----------
    original, masked, output
        The original file, its masked form, and the file to write.
    options
        How both files are to be read; the schema is that of the original.
    write_options
        How the output is to be written; what is left open is as the masked file has it, where both are text files.
    overwrite
        Whether a file may be replaced that no manifest beside it could make again. A manifest is never replaced by that
        of another output: it is kept under a name of its own.
    method
        An improver's name, or `auto`: the published one for few records, the fast one for many.
    columns, parameters
        The columns to improve, all numeric ones when none is named, and the improver's other parameters by name.
    seed
        Where the random draws begin; drawn when not given.
    trace
        Where to draw how E and IL1 went (.svg, .png, .pdf), or to write it (.csv).
    same_order
        Say that both files are in the same order, where manifest and identifier do not tell and the records do not
        show it.
    on_progress
        Called with each stage.
    """
    started = datetime.now(UTC)
    original, masked, output = Path(original), Path(masked), Path(output)
    schema_files = [options.schema] if isinstance(options.schema, Path) else []
    check_output(output, [original, masked], schema_files, write_options)
    check_replaceable_output(output, overwrite)
    trace = None if trace is None else Path(trace)
    check_free("trace", trace, [original, masked, output, *schema_files])
    _check_trace(trace)
    on_progress(Stage("reading"))
    pair = read_pair(original, masked, options)
    common, not_improved = _common_columns(pair)
    pair = match_pair(pair, same_order=same_order, may_differ=True)
    improver = choose_improver(method, columns, parameters or {}, common, pair.masked.n)
    if problems := suspicion_problems(pair.original, columns or common):
        raise DocumentError(problems, "schema")
    seed = draw_seed() if seed is None else seed
    on_progress(Stage(f"improving by {improver.name()}"))
    improvement = improve_pair(pair, improver, seed)
    on_progress(Stage("measuring"))
    figures = before_and_after(pair, improvement)
    on_progress(Stage("writing"))
    write_options = options_like(write_options, pair.dialect, output)
    manifest = _write_improved(pair, improver, improvement, seed, output, write_options, started)
    _write_trace(improvement, trace)
    remarks = [
        *as_sentences(improvement.remarks),
        *_rise_of_loss(figures),
        *([] if columns else not_improved),
        *([pair.how_matched] if pair.how_matched else []),
        *identifier_notices(improvement.data),
        *([ASSESS_AGAIN] if improvement.records else []),
    ]
    return ImproveResult(
        output=output,
        improver=improver,
        improvement=improvement,
        figures=figures,
        manifest=manifest,
        notices=(*remarks, manifest.confidential),
    )


def improve_pair(pair: FilePair, improver: Improver, seed: int) -> Improvement:
    """Return what the improver makes of the masked file."""
    return improver.improve(pair.original, pair.masked, generator(seed, 0))


def before_and_after(pair: FilePair, improvement: Improvement) -> tuple[FigureChange, ...]:
    """Return each figure before and after: E and IL1 as the improver counts them, and the usual quick measures."""
    before, after = (_usual_figures(pair, data) for data in (pair.masked, improvement.data))
    return (
        FigureChange("E", float(improvement.errors[0]), improvement.error),
        FigureChange("IL1", float(improvement.losses[0]), improvement.loss),
        *(FigureChange(symbol, before[symbol], after[symbol]) for symbol in SYMBOLS if symbol in before),
    )


def _usual_figures(pair: FilePair, data: Microdata) -> dict[str, float]:
    right = Correspondence.TRUE_RECORD if pair.is_matched else Correspondence.NEAREST_RECORD
    usual = [each for each in default_measures(comparable(pair.original, data)[0]) if each.symbol in SYMBOLS]
    return dict(assess(pair.original, data, [each.replace(correspondence=right) for each in usual], ()).values)


def _common_columns(pair: FilePair) -> tuple[tuple[str, ...], list[str]]:
    """Return the numeric columns that both files have, and a sentence about those that only the original has."""
    schema, lost = comparable(pair.original, pair.masked)
    columns = schema.select(numeric)
    if not columns:
        raise DataError(
            "there is nothing to improve: the files have no numeric column in common; compare their columns with "
            "sfumato describe"
        )
    gone = [name for name in pair.original.select(numeric) if name in lost]
    sentence = f"Not improved, as the masked file no longer has them, or in another kind: {', '.join(gone)}."
    return columns, [sentence] if gone else []


def _check_trace(trace: Path | None) -> None:
    endings = (*FORMATS, "csv")
    if trace is not None and trace.suffix.lower().removeprefix(".") not in endings:
        raise FileError(f"a trace is a file that ends in .{', .'.join(endings)}; got '{trace.name}'")


def _write_trace(improvement: Improvement, trace: Path | None) -> None:
    if trace is None:
        return
    if trace.suffix.lower() == ".csv":
        write_text(trace, improvement.to_frame().write_csv())
    else:
        improvement.figure(trace)


def _write_improved(
    pair: FilePair,
    improver: Improver,
    improvement: Improvement,
    seed: int,
    output: Path,
    write_options: WriteOptions,
    started: datetime,
) -> ImprovementManifest:
    """Write the improved file and its manifest: both, or neither."""
    folder, source = output.parent, pair.source

    def manifest() -> ImprovementManifest:
        return ImprovementManifest(
            sfumato=version("sfumato"),
            versions=versions(),
            plugins=plugins_of(improver),
            started=started,
            seconds=round((datetime.now(UTC) - started).total_seconds(), 3),
            original=source.facts(folder),
            masked=file_facts(pair.masked_file, file_sha256(pair.masked_file), pair.masked, folder),
            read_options=replace(pair.options, schema=None),
            original_schema=schema_lines(source.schema),
            improver=ImproverFacts.of(improver),
            seed=seed,
            output=file_facts(output, file_sha256(output), improvement.data, folder),
            write_options=write_options,
            improvement=ImprovementFacts.of(improvement),
        )

    return write_release(improvement.data, output, write_options, manifest)


def _rise_of_loss(figures: tuple[FigureChange, ...]) -> list[str]:
    """Return a sentence if the information loss is higher than before: nearer moments do not always pay."""
    return [
        f"IL has risen from {before:.2f} to {after:.2f} %: by that measure the masked file was the better one."
        for symbol, before, after in figures
        if symbol == "IL" and after > before
    ]
