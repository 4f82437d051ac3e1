"""The risk of a file larger than memory: exact counts by keys; what needs all records at once, of a sample."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from tempfile import gettempdir
from typing import Any
from uuid import uuid4

import numpy as np

from sfumato.contracts import Measurement
from sfumato.data import Microdata, Role, role
from sfumato.display import format_count
from sfumato.errors import FileError, ParameterError
from sfumato.execution.folders import Spill
from sfumato.files import ReadOptions
from sfumato.files.folders import Folder, open_folder
from sfumato.jobs.folders.count_keys import FolderCounts, KeyQuestion, count_folder
from sfumato.jobs.folders.resources import COPIES, Resources
from sfumato.jobs.folders.run_plan import RunPlan, StepPlan, row_bytes
from sfumato.jobs.progress import OnProgress, Stage
from sfumato.kernels.keys.counting import classes_of
from sfumato.keys.classes import key_codes
from sfumato.keys.counted_records import CountedRecords
from sfumato.keys.findings.counted_units import ASSUMED_OF_FOLDER
from sfumato.keys.findings.exposure import telling_exposure
from sfumato.keys.findings.found_households import household_remarks
from sfumato.keys.weight_notices import own_weight_notices
from sfumato.keys.weights import check_weights, scale_factor, weight_column
from sfumato.numerics.arrays import FloatColumn
from sfumato.parameters.limits import Limits
from sfumato.reports.counted_file import WHO, CountedFile, has_role, sensitive_names
from sfumato.reports.risk_report import RiskReport, check_risk_limits, report_on_counts
from sfumato.risk import HouseholdRisk, IndividualRisk
from sfumato.risk.keys.household_risk import household_numbers, household_risks
from sfumato.storage.atomic import is_disk_full
from sfumato.storage.private_folders import private_folder

SAMPLED = 100_000
"""Records in whose sample other columns are looked at; files up to that size are looked at as wholes."""


def risk_of_folder(
    folder: Folder,
    names: tuple[str, ...],
    *,
    k: int,
    population_size: float | None,
    combinations: Any,
    limits: Limits,
    resources: Resources,
    workers: int,
    on_progress: OnProgress,
) -> RiskReport:
    """Return the report on a folder; the figures are those of the same records in memory.

    The risk by households, and what other columns tell of a key, are looked for in a random sample of the records where
    there are many; the report says so.

    Parameters
    ----------
    folder, names
        The records, and their keys.
    k, population_size, combinations, limits
        As in `sfumato.risk_report`.
    resources, workers, on_progress
        What the run may use, and who is told of its stages.
    """
    check_risk_limits(limits)
    if folder.schema.person:
        raise ParameterError(
            [
                f"risk of a folder counts records, and {folder.schema.person} says that a person may have several; "
                f"take one record of each person, or a part that fits into memory"
            ]
        )
    weight = weight_column(WHO, folder.schema, None)
    if weight is not None:
        check_weights(WHO, folder, weight)
    factor = 1.0 if population_size is None else scale_factor(WHO, folder, None, population_size)
    households = folder.schema.select(role("household"))
    question = KeyQuestion(
        names,
        sensitive_names(folder.schema, names),
        weight,
        factor,
        households[0] if households else None,
        min(SAMPLED / folder.n, 1.0),
    )
    sizes = resources.sizes(folder, workers)
    with temporary_spill(resources, workers, folder.files, "counting", on_progress) as spill:
        counts = count_folder(
            folder, question, spill=spill, rows_per_range=sizes.rows_per_range, task_bytes=sizes.task_bytes
        )
    on_progress(Stage("looking for those who stand out"))
    file = _counted_file(folder, question, counts, k)
    report = report_on_counts(file, names, k=k, combinations=combinations, limits=limits)
    return replace(report, counted_as=ASSUMED_OF_FOLDER)


def plan_risk(
    file: str | Path,
    *,
    options: ReadOptions = ReadOptions(),
    resources: Resources = Resources(),
    threads: int | None = None,
) -> RunPlan:
    """Return what `risk` would do on a folder, after refusing what cannot run."""
    folder = open_folder(file, options, resources.spill)
    workers = resources.workers(threads, folder)
    sizes, every = resources.sizes(folder, workers), row_bytes(folder, folder.schema.names)
    keys = row_bytes(folder, folder.schema.select(role("key")))
    read, written = folder.n * every / 1e9, folder.n * min(SAMPLED / folder.n, 1.0) * every / 1e9
    steps = (
        StepPlan("count by keys", 1, read, written, COPIES * sizes.rows_per_range * every / 1e9),
        StepPlan("look for codes", 1, folder.n * keys / 1e9, 0.0, COPIES * sizes.rows_per_range * keys / 1e9),
    )
    return RunPlan(
        records=folder.n,
        workers=workers,
        memory_gigabytes=round(resources.bytes / 1e9, 3),
        steps=steps,
        is_of_cluster=resources.cluster is not None,
    )


@contextmanager
def temporary_spill(
    resources: Resources, workers: int, files: tuple[Path, ...], label: str, on_progress: OnProgress
) -> Iterator[Spill]:
    """Give a private folder for a run without an output, with who does its tasks; it is removed in the end."""
    parent = Path(gettempdir()) if resources.spill is None else resources.spill.expanduser()
    try:
        with (
            private_folder(parent.resolve(), f".sfumato-{uuid4().hex[:20]}-spill") as work,
            resources.pool(workers, (work,), files) as pool,
        ):
            on_progress(Stage(label))
            yield Spill(work, pool, lambda done, total: on_progress(Stage(label, done, total)))
    except Exception as error:
        if is_disk_full(error):
            raise FileError(
                f"the disk is full, at {parent}; nothing was left behind: give a larger one with the option spill"
            ) from None
        raise


def _counted_file(folder: Folder, question: KeyQuestion, counts: FolderCounts, k: int) -> CountedFile:
    """Return what the report is made from: the counts, and what a sample tells."""
    names, is_whole, sample = question.keys, question.sampled >= 1, counts.sample
    remarks = list(telling_exposure(sample, names, k).remarks)
    household = None
    if has_role(folder.schema, Role.HOUSEHOLD):
        household = _household_risk(counts.keys, question, sample, folder.n)
    if is_whole:
        remarks += household_remarks(sample, names)
        remarks += [notice.removesuffix(".") for notice in own_weight_notices(sample)]
    else:
        of = f"a random sample of {format_count(sample.n, 'record')}"
        also = ", and the risk by households is of it" if household is not None else ""
        remarks.append(
            f"what other columns tell of a key was looked for in {of}{also}; weights of one record only, and the keys "
            f"of whole households, were not looked at, as they are in files that fit into memory"
        )
    return CountedFile(counts.keys, counts.others, folder.schema, household, tuple(remarks))


def _household_risk(keys: CountedRecords, question: KeyQuestion, sample: Microdata, records: int) -> Measurement:
    """Return the mean risk by households; of a sample of these, with its standard error (that of a ratio)."""
    measure = HouseholdRisk(columns=question.keys)
    by_kind = IndividualRisk(columns=question.keys).of(keys)
    alone = _risks_of(keys, by_kind.per_record, sample, question.keys) / 100
    numbers = household_numbers(type(measure).__name__, sample, question.household)
    by_household, sizes = household_risks(alone, numbers), np.bincount(numbers)
    value = float((by_household * sizes).sum() / sizes.sum())
    error = None
    if question.sampled < 1:
        left = ((by_household - value) * sizes) ** 2
        drawn = sizes.size / max(sizes.size - 1, 1) * (1 - sample.n / records)
        error = 100 * float(np.sqrt(drawn * left.sum()) / sizes.sum())
    return Measurement(measure.name(), measure.symbol, 100 * value, standard_error=error, remark=by_kind.remark)


def _risks_of(
    keys: CountedRecords, risks: FloatColumn | None, sample: Microdata, names: tuple[str, ...]
) -> FloatColumn:
    """Return the risks of records by those of their kinds."""
    import polars as pl

    together = pl.concat([keys.frame.select(names), sample.frame.select(names)])
    codes = key_codes(Microdata(together, keys.schema.subset(names)), names)
    numbers = classes_of(codes).numbers
    by_number = np.empty(int(numbers.max()) + 1)
    by_number[numbers[: keys.n]] = risks
    return by_number[numbers[keys.n :]]
