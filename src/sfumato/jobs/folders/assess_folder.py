"""Assess a masked folder: sums and counts over all records, links of a sample to all originals, the rest in it."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sfumato import assessment
from sfumato.assessment import Assessment
from sfumato.assessment.run import needs_pairs
from sfumato.comparison.blocks import SummedMeasure, add_up
from sfumato.comparison.side_by_side import compare_block
from sfumato.contracts import FileRisk, Measure, Measurement, Part
from sfumato.data import Microdata, Schema
from sfumato.display import format_count
from sfumato.execution.folders import Spill
from sfumato.execution.folders.exchange import read_frame
from sfumato.execution.folders.step import split_ranges
from sfumato.files.folders import Folder
from sfumato.jobs.folders.count_measure import measure_counts
from sfumato.jobs.folders.measure_tasks import (
    DrawRange,
    LinkRange,
    LookRange,
    drawn_path,
    link_counts,
    links_path,
    look_at,
    read_sums,
)
from sfumato.jobs.folders.sampled_measures import check_sampled, is_estimated, is_refused, sample_remark
from sfumato.numerics.binomial import error_of_mean
from sfumato.risk import DistanceLinkage
from sfumato.risk.linkage.distance_linkage import can_be_counted, link_shares
from sfumato.scores import Score

SAMPLED = 20_000
"""Records that are drawn for measures which need them all at once."""
GROUPS = 10
"""Parts of a sample that are left out in turn to find the error of a figure."""
NOT_LOOKED_FOR = (
    "What the masked records tell beside the figures, as by gaps or by columns that say the same, was not looked for: "
    "it rests on how many of all records are equal."
)


@dataclass(frozen=True)
class Question:
    """What is asked of two folders: measures and scores, as `sfumato.assess` takes them, and the methods behind."""

    measures: tuple[Measure, ...] | None
    scores: tuple[Score, ...] | None
    methods: tuple[Part, ...]


def assess_folders(
    original: Folder, masked: Folder, question: Question, *, spill: Spill, rows_per_range: int, task_bytes: int
) -> Assessment:
    """Return what the measures find in two folders of the same records in the same order.

    Measures that are sums over records, or need only how many have the same keys, are taken of all of them, and equal
    those of memory. Distance linkage tries to link a random sample of the masked records to all original ones. Others
    are measured in that sample, with a standard error where it estimates the figure of all records, and those of which
    it tells nothing are refused, or left out where nobody named them. What is of a sample says so.

    Parameters
    ----------
    original, masked
        The folders.
    question
        What is asked.
    spill
        Where the tasks keep what they find, and who does them.
    rows_per_range
        How many rows a task takes at once; the result does not depend on it.
    task_bytes
        How much memory the different combinations of keys may take; more are refused.
    """
    rows = max(rows_per_range // original.rows_per_piece, 1) * original.rows_per_piece
    ranges = split_ranges(original.n, rows)
    sample, masked_sample = _draw(original, masked, spill, ranges)
    is_drawn = sample.n < original.n
    if is_drawn:
        check_sampled(question.measures or ())
    in_sample = assessment.assess(
        sample,
        masked_sample,
        question.measures,
        question.scores,
        outliers=False,
        worst_case=False,
        methods=question.methods,
        is_sample=is_drawn,
    )
    summed = tuple(each for each in in_sample.measures if isinstance(each, SummedMeasure) and needs_pairs(each))
    added = _add_up(original, masked, summed, spill, ranges) if summed else []
    exact = {id(measure): found for measure, found in zip(summed, added, strict=True)}
    drawn = f"of a random sample of {format_count(sample.n, 'record')} of {original.n:,}" if is_drawn else ""
    found, left_out = list[tuple[Measure, Measurement]](), list[str]()
    for number, (measure, in_sample_found) in enumerate(zip(in_sample.measures, in_sample.measurements, strict=True)):
        if is_drawn and is_refused(measure):
            left_out.append(measure.name())
            continue
        if id(measure) in exact:
            figure = exact[id(measure)]
        elif isinstance(measure, DistanceLinkage) and can_be_counted(measure):
            figure = _link(measure, original, (sample, masked_sample), spill, ranges, number)
            figure = replace(figure, remark=drawn and f"{drawn}, linked to all")
        elif is_drawn and isinstance(measure, FileRisk):
            figure = measure_counts(
                measure, masked, spill, stage=f"count-{number}", rows_per_range=rows, task_bytes=task_bytes
            )
        else:
            figure = _of_sample(measure, in_sample_found, sample, masked_sample, drawn)
        found.append((measure, replace(figure, symbol=in_sample_found.symbol)))
    return replace(
        in_sample,
        measures=tuple(measure for measure, _ in found),
        measurements=tuple(figure for _, figure in found),
        original_records=original.n,
        masked_records=masked.n,
        remarks=(*_sample_remarks(left_out), *in_sample.remarks) if is_drawn else in_sample.remarks,
    )


def _sample_remarks(left_out: Sequence[str]) -> tuple[str, ...]:
    """Return what is of the sample and what of all records, and what was not measured."""
    others = "Figures that do not name a sample are of all records."
    if not left_out:
        return others, NOT_LOOKED_FOR
    names = ", ".join(name.replace("_", " ") for name in left_out)
    return (
        others,
        f"Not measured, as a sample does not tell how many of all records are equal: {names}.",
        NOT_LOOKED_FOR,
    )


def _draw(
    original: Folder, masked: Folder, spill: Spill, ranges: Sequence[tuple[int, int]]
) -> tuple[Microdata, Microdata]:
    """Return a random sample of the original records, and what became of them."""
    import polars as pl

    share = min(SAMPLED / original.n, 1.0)
    drawing = [
        DrawRange(spill.path("drawn", number), original, masked, share, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    ids = np.array([row for rows in spill.run_stage(drawing) for row in rows], dtype=np.int64)

    def read(name: str, schema: Schema) -> Microdata:
        frames = [read_frame(drawn_path(task.path, name)) for task in drawing]
        return Microdata(pl.concat(frames), schema, ids, lineage=original.lineage)

    return read("original", original.schema), read("masked", masked.schema)


def _add_up(
    original: Folder,
    masked: Folder,
    measures: tuple[SummedMeasure, ...],
    spill: Spill,
    ranges: Sequence[tuple[int, int]],
) -> list[Measurement]:
    """Return what measures find that are sums over all records."""
    for measure in measures:
        look_at(measure, original, masked, 0, original.rows_per_piece)  # what they ask of the whole is known then
    looking = [
        LookRange(spill.path("looked", number), measures, original, masked, start, stop)
        for number, (start, stop) in enumerate(ranges)
    ]
    blocks = [read_sums(block) for found in spill.run_stage(looking) for block in found]
    concluded = []
    for place, measure in enumerate(measures):
        concluded.append(measure.conclude(original, masked, add_up([block[place] for block in blocks])))
    return concluded


def _link(
    measure: DistanceLinkage,
    original: Folder,
    samples: tuple[Microdata, Microdata],
    spill: Spill,
    ranges: Sequence[tuple[int, int]],
    number: int,
) -> Measurement:
    """Return how many masked records of a sample are linked to their originals among all."""
    sample, masked_sample = samples
    names = original.schema.select(measure.columns)
    bound = measure.replace(columns=names)
    inside = compare_block(bound, sample, masked_sample, np.arange(sample.n))
    alone = link_counts(bound, original, inside.original, inside.masked, inside.rows)
    linking = [
        LinkRange(spill.path(f"linked-{number}", place), bound, original, sample, masked_sample, start, stop)
        for place, (start, stop) in enumerate(ranges)
    ]
    spill.run_stage(linking)
    counts = np.array([np.load(links_path(task.path)) for task in linking])
    is_linked = (counts > 0).all(axis=0)
    # each range counted those of the sample that lie elsewhere too
    equally_near = np.where(is_linked, counts.sum(axis=0) - (len(linking) - 1) * alone, 0)
    links = link_shares(bound, equally_near)
    parts = {name: 100 * float(link.mean()) for name, link in zip(bound.known_columns(names), links, strict=True)}
    per_record = 100 * links.mean(axis=0)
    error = error_of_mean(per_record, sample.n / original.n) if sample.n < original.n else None
    value = float(np.mean(list(parts.values())))
    return Measurement(measure.name(), measure.symbol, value, parts=parts, standard_error=error)


def _of_sample(
    measure: Measure, found: Measurement, sample: Microdata, masked_sample: Microdata, drawn: str
) -> Measurement:
    """Return a figure of the sample, with its error where it estimates that of all; as it is where all were drawn."""
    if not drawn:
        return replace(found, per_record=None)
    remark = "; ".join(filter(None, (sample_remark(measure, drawn), found.remark)))
    error = _error_in_sample(measure, found, sample, masked_sample) if is_estimated(measure) else None
    return replace(found, per_record=None, standard_error=error, remark=remark)


def _error_in_sample(measure: Measure, found: Measurement, sample: Microdata, masked_sample: Microdata) -> float:
    """Return the standard error of a figure that a sample estimates."""
    if found.standard_error is not None:
        return found.standard_error
    if found.per_record is not None and found.unit == "%" and not found.record_symbol:
        return error_of_mean(found.per_record, 0.0)
    return _jackknife_error(measure, sample, masked_sample)


def _jackknife_error(measure: Measure, sample: Microdata, masked_sample: Microdata) -> float:
    """Return the standard error of a figure, from the figures of the sample without each of some parts in turn."""
    parts = np.arange(sample.n) % GROUPS
    values = [
        measure.measure(sample.take_rows(rows), masked_sample.take_rows(rows)).value
        for rows in (np.flatnonzero(parts != part) for part in range(GROUPS))
    ]
    return float(np.sqrt((GROUPS - 1) / GROUPS * ((np.array(values) - np.mean(values)) ** 2).sum()))
