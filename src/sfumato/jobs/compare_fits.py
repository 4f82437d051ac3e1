"""Fit a regression to an original file and to its synthetic copies, and compare the coefficients."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

import numpy as np

from sfumato import regression
from sfumato.assessment.masked_schema import with_original_schema
from sfumato.contracts import MaskingMethod
from sfumato.data import Microdata, role
from sfumato.data.releases import copies_of
from sfumato.display import Table, format_count
from sfumato.errors import DataError, ParameterError, did_you_mean
from sfumato.files import ReadOptions, fit_options, read_with
from sfumato.jobs._wording import KEPT_BACK, schema_notices
from sfumato.jobs.progress import OnProgress, Stage, ignore_progress
from sfumato.jobs.result import JobResult
from sfumato.keys.households import households_of
from sfumato.masking import HouseholdSynthesis, SequentialSynthesis
from sfumato.recipe import Manifest, manifest_path
from sfumato.recipe.improvement_manifest import ImprovementManifest, load_manifest
from sfumato.recipe.real_columns import draws_all_columns
from sfumato.recipe.record_key import find_sampled_ids
from sfumato.recipe.release import Source, read_source
from sfumato.regression import POOLING_RULES, REGRESSIONS, FitComparison

T = TypeVar("T")

LIVE_TOGETHER = (
    "Persons who live together are alike, and each counts by itself here: errors are too small for what households "
    "have in common, and the test of the lack of fit finds more than the level says."
)
ALL_SYNTHETIC = (
    "The partial rule is for files in which some columns or records stayed real. By the manifest, every column of "
    "these copies was drawn: take the rule for large samples, which counts the size of the copies, too."
)
WITHOUT_BOOTSTRAP = (
    "The models of these copies were not drawn anew for each (bootstrap). Where they are trees, intervals are a little "
    "too short, as what trees of one sample miss is not counted; errors of copies that are made with it count that."
)
UNKNOWN_RECORDS = (
    "Nothing tells which records {copies} came from: {why}. All {records} of the original are taken; if some were kept "
    "back (a holdout), ERRORS OF THE COPIES ARE TOO SMALL, so put the manifest beside the file, or leave them out of "
    "the original."
)
UNKNOWN_DRAWS = (
    "Nothing tells whether each copy had parameters of its own (bootstrap), as `synthesise -m` makes them: "
    "large_sample takes it that they had not. If they had, ERRORS ARE TOO SMALL: take the rule large_sample_drawn."
)
OTHER_RECORDS = (
    "by their manifests, the copies were made from different records of the original, as some were kept back; compare "
    "them one by one"
)


@dataclass(frozen=True, kw_only=True)
class CompareFitsResult(JobResult):
    """The coefficients of both."""

    comparison: FitComparison

    def to_dict(self) -> dict[str, Any]:
        """Return the coefficients and what they say."""
        return self.comparison.to_dict()

    def __str__(self) -> str:
        return str(self.comparison)

    def parts(self) -> Iterable[str | Table]:
        """Return the table."""
        return (self.comparison.to_table(),)


def compare_fits(
    original: str | Path,
    copies: Sequence[str | Path],
    formula: str,
    *,
    options: ReadOptions = ReadOptions(),
    model: str = "linear",
    rule: str | None = None,
    confidence: float = 95.0,
    plot: str | Path | None = None,
    on_progress: OnProgress = ignore_progress,
) -> CompareFitsResult:
    """Fit a regression to the original and to its copies.

    Parameters
    ----------
    original, copies
        The original file and its synthetic copies; a file with a column `release`, as `synthesise` writes it, holds
        several. Records that were kept back before a copy was made, as its manifest tells, are left out of the
        original.
    formula
        What is explained by what, as in `income ~ age + sex`.
    options
        How the files are to be read; the schema is that of the original.
    model
        The regression, by its name in `REGRESSIONS`.
    rule
        How the copies are pooled, by its name in `POOLING_RULES`; as their manifests ask for when not given, and for
        large samples where there is none.
    confidence
        The confidence of the intervals, in percent.
    plot
        A picture of the intervals (.svg, .png, .pdf) to write.
    on_progress
        Called with each stage.
    """
    fitted = _pick("model", model, REGRESSIONS)(formula)
    pooling = _pick("rule", rule or _rule_of(copies), POOLING_RULES)
    on_progress(Stage("reading"))
    paths = [Path(original), *map(Path, copies)]
    for_original, *for_copies = fit_options(options, paths)
    source = read_source(paths[0], for_original)
    first = source.data
    members, notices = _members(source, paths[1:])
    others = [
        with_original_schema(read_with(path, replace(one.without_columns(), schema=None)), first.schema)
        for path, one in zip(paths[1:], for_copies, strict=True)
    ]
    others = [release for copy in others for release in copies_of(first, copy)]
    on_progress(Stage("fitting"))
    found = regression.compare_fits(fitted, members, others, rule=pooling, confidence=confidence)
    if plot is not None:
        found.figure().save(plot)
    together = (LIVE_TOGETHER,) if _live_together(members) else ()
    unfit = (ALL_SYNTHETIC,) if rule == "partial" and _draws_all_columns(copies, others) else ()
    drawn_once = (WITHOUT_BOOTSTRAP,) if _draws_by_trees_once(copies) else ()
    read = schema_notices(paths[0], options)
    unknown = (UNKNOWN_DRAWS,) if rule is None and not all(map(_manifest_of, copies)) else ()
    return CompareFitsResult(comparison=found, notices=(*read, *notices, *unknown, *unfit, *drawn_once, *together))


def _rule_of(copies: Sequence[str | Path]) -> str:
    """Return the rule for copies whose manifests say whether parameters were drawn for each of them (bootstrap)."""
    steps = [step for copy in copies for step in _steps_of(copy)]
    if any(isinstance(step, SequentialSynthesis | HouseholdSynthesis) and step.bootstrap for step in steps):
        return "large_sample_drawn"
    return "large_sample"


def _draws_by_trees_once(copies: Sequence[str | Path]) -> bool:
    """Tell whether the manifest of a copy says that some column was drawn by a tree, without the bootstrap."""
    steps = [step for copy in copies for step in _steps_of(copy)]
    return any(
        isinstance(step, SequentialSynthesis | HouseholdSynthesis)
        and not step.bootstrap
        and len(step.models or {}) < len(step.columns if isinstance(step.columns, tuple) else ())
        for step in steps
    )


def _draws_all_columns(copies: Sequence[str | Path], read: Sequence[Microdata]) -> bool:
    """Tell whether the manifest of every copy says that all columns were drawn."""
    return all(draws_all_columns(one.schema, _steps_of(copy)) for copy in copies for one in read)


def _steps_of(copy: str | Path) -> tuple[MaskingMethod, ...]:
    """Return the steps that made a copy, by its manifest; none where there is no manifest."""
    recorded = _manifest_of(copy)
    return () if recorded is None else recorded.repeatable().steps


def _manifest_of(copy: str | Path) -> Manifest | None:
    """Return the manifest beside a copy; of an improved one that of the file that was improved."""
    path = manifest_path(Path(copy))
    recorded = load_manifest(path) if path.is_file() else None
    if isinstance(recorded, ImprovementManifest):
        return _manifest_of(path.parent / recorded.masked.file)
    return recorded


def _live_together(data: Microdata) -> bool:
    """Tell whether some household of a file has several members."""
    names = data.select(role("household"))
    return bool(names) and households_of(data, names).count < data.n


def _members(source: Source, copies: Sequence[Path]) -> tuple[Microdata, tuple[str, ...]]:
    """Return the records that the copies were made from, and what their manifests say of others that were kept back."""
    found = [find_sampled_ids(source, copy) for copy in copies]
    sampled = [ids for ids, _ in found]
    notices = tuple(
        UNKNOWN_RECORDS.format(copies=path.name, why=why, records=f"{source.data.n:,}")
        for path, (_, unused) in zip(copies, found, strict=True)
        if (why := _unknown_because(path, unused))
    )
    if any(ids is None for ids in sampled):
        if any(ids is not None for ids in sampled):
            raise DataError(OTHER_RECORDS)
        return source.data, notices
    first, *others = (np.sort(ids) for ids in sampled if ids is not None)
    if any(not np.array_equal(first, ids) for ids in others):
        raise DataError(OTHER_RECORDS)
    members = source.data.take_rows(np.flatnonzero(np.isin(source.data.row_ids, first)))
    kept_back = format_count(source.data.n - members.n, "record")
    return members, (*notices, KEPT_BACK.format(kept_back=kept_back, members=f"{members.n:,}"))


def _unknown_because(copy: Path, unused: str) -> str:
    """Return why no manifest tells which records a copy was made from; nothing where one does."""
    if unused or _manifest_of(copy) is not None:
        return unused.rstrip(".")
    return f"there is no {manifest_path(copy).name} beside it"


def _pick(what: str, name: str, table: dict[str, T]) -> T:
    if name not in table:
        nearest = did_you_mean(name, tuple(table))
        raise ParameterError([f"{what} must be one of {', '.join(table)}; got '{name}'{nearest}"])
    return table[name]
