"""A file larger than memory is masked as one in memory is: the same values, whatever the sizes of parts and ranges."""

from pathlib import Path

import numpy as np
import polars as pl
import pytest

from sfumato.contracts import Layout, MaskingMethod
from sfumato.data import Kind, Microdata, Schema, Variable, summary
from sfumato.errors import DataError
from sfumato.execution import blocks, run_step
from sfumato.execution.folders import Spill, ThisProcess, is_whole, refusal, run_folder_step
from sfumato.files.folders import Folder
from sfumato.masking import (
    METHODS,
    BlockedMicroaggregation,
    DistributionDistortion,
    DropIdentifiers,
    FullDomainRecoding,
    IpsoB,
    LocalSuppression,
    Mdav,
    RankSwapping,
    RiskSuppression,
    Sampling,
)
from tests.files.folders.parts import folder_of
from tests.masking.examples import EXAMPLES
from tests.masking.survey import SCHEMA, survey

N = 900
CODE = -99_999  # noise does not reach it
KINDS = SCHEMA.with_variables(SCHEMA["tax"].replace(missing_codes=(CODE,)))
DATA = Microdata(survey(N).with_columns(pl.col("tax").replace(-9, CODE)), KINDS)
IN_FOLDERS = [method for method in EXAMPLES if method.layout is not Layout.WHOLE and not refusal(method)]
BY_KIND = [method for method in EXAMPLES if method.masks_by_kind]
AS_WHOLE = {type(method): method for method in EXAMPLES if is_whole(method) and not refusal(method)}
del AS_WHOLE[DistributionDistortion]  # which takes as long as all others together, for its fits
LONG_RUNS = [method.replace(window=1) for method in IN_FOLDERS if isinstance(method, RankSwapping)]
IN_STRATA = [
    Mdav(columns=("income", "tax"), k=3, within=("region", "health")),
    IpsoB(columns=("income",), given=("tax",), within=("region",)),
]


@pytest.fixture(autouse=True)
def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SFUMATO_TEST_KEY", "the key of the examples")
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 200)
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 250)
    monkeypatch.setattr(blocks, "NEIGHBOURS_PER_BLOCK", 200)
    monkeypatch.setattr(blocks, "NEIGHBOURS_SAMPLED", 300)
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 200)


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return folder_of(DATA.frame, KINDS, tmp_path / "parts", [3, 500, 501])


def masked_in_folder(method: MaskingMethod, folder: Folder, rows: int = 400, task_bytes: int = 10**9) -> Folder:
    spill = folder.given.files[0].parent.parent / f"spill-{rows}"
    spill.mkdir()
    return run_folder_step(
        method, folder, seed=3, step=0, spill=Spill(spill, ThisProcess()), rows_per_range=rows, task_bytes=task_bytes
    )


@pytest.mark.parametrize("method", [*IN_FOLDERS, *LONG_RUNS, *IN_STRATA, *BY_KIND, DropIdentifiers()], ids=repr)
def test_a_folder_is_masked_as_memory_is(method: MaskingMethod, folder: Folder) -> None:
    wanted = run_step(method, DATA, seed=3, step=0)
    found = masked_in_folder(method, folder)
    assert found.read(0, N).frame.equals(wanted.frame)
    assert found.schema == wanted.schema


@pytest.mark.parametrize("method", AS_WHOLE.values(), ids=repr)
def test_a_method_that_needs_all_records_has_them_in_the_columns_that_it_reads(
    method: MaskingMethod, tmp_path: Path
) -> None:
    few = Microdata(DATA.frame.head(120), KINDS)
    wanted = run_step(method, few, seed=3, step=0)
    found = masked_in_folder(method, folder_of(few.frame, KINDS, tmp_path / "few", [50]))
    assert found.read(0, few.n).frame.equals(wanted.frame)
    assert found.schema == wanted.schema


def test_what_depends_on_counts_alone_is_found_from_the_different_records(tmp_path: Path) -> None:
    rng = np.random.default_rng(8)
    ages_known = zip(rng.random(N) < 0.04, rng.integers(1, 30, N).tolist(), strict=True)
    towns = np.array(["", *"ABCDEFGH"])
    keys = pl.DataFrame(
        {
            "town": towns[np.minimum(rng.geometric(0.3, N), 8)],
            "age": pl.Series([None if gap else age for gap, age in ages_known]),
            "sex": rng.choice(["f", "m"], N),
            "job": rng.integers(0, 6, N),
        }
    )
    schema = Schema(variables=tuple(Variable(name=name, kind=Kind.NOMINAL) for name in keys.columns))
    data = Microdata(keys.with_columns(pl.col("town").replace("", None)), schema)
    ages = {"age": {f"to {10 * tens + 9}": list(range(10 * tens, 10 * tens + 10)) for tens in range(3)}}
    methods: tuple[MaskingMethod, ...] = (
        LocalSuppression(columns=("town", "age", "sex"), k=3),
        LocalSuppression(columns=("town", "age", "sex"), k=2, within=("job",), combinations=2),
        FullDomainRecoding(columns=("town", "age", "sex"), hierarchies=ages, k=4, max_suppressed=4),
        FullDomainRecoding(columns=("town", "age"), hierarchies=ages, k=2, max_suppressed=9, sensitive="job", l=2),
    )
    for number, method in enumerate(methods):
        (tmp_path / str(number)).mkdir()
        folder = folder_of(keys, schema, tmp_path / str(number) / "parts", [1, 333])
        wanted = run_step(method, data, seed=3, step=0)
        found = masked_in_folder(method, folder, rows=130)
        assert found.read(0, N).frame.equals(wanted.frame)
        assert not wanted.frame.equals(data.frame)
        assert found.schema == wanted.schema


def test_more_different_records_than_fit_are_refused_with_advice(folder: Folder) -> None:
    with pytest.raises(DataError, match=r"different combinations of region, health, note.*recode the keys"):
        masked_in_folder(BY_KIND[-1].replace(columns=("region", "health", "note")), folder, 100, task_bytes=300)


def test_columns_that_tell_by_their_role_are_read_too(tmp_path: Path) -> None:
    kinds = KINDS.with_roles(weight=["tax"], key=["region", "health"])
    weighted = Microdata(DATA.frame.with_columns(pl.col("tax").abs() + 1), kinds)
    method = RiskSuppression(columns=("region", "health"), max_risk=1)
    wanted = run_step(method, weighted, seed=3, step=0).frame
    found = masked_in_folder(method, folder_of(weighted.frame, kinds, tmp_path / "parts", [500]))
    assert found.read(0, N).frame.equals(wanted)


def test_all_records_that_no_task_can_hold_are_refused_with_advice(folder: Folder) -> None:
    with pytest.raises(DataError, match=r"mdav needs all 900 records at once in 2 columns.*give it strata"):
        masked_in_folder(Mdav(columns=("income",)), folder, 100, task_bytes=1000)


def test_runs_of_ranks_are_cut_where_ties_and_missing_values_are(folder: Folder) -> None:
    method = RankSwapping(columns=("income", "tax", "health"), window=1)
    assert len(blocks.cut(method, DATA)) > 3 * 2
    wanted = run_step(method, DATA, seed=3, step=0).frame
    for rows in (130, 400, N):
        assert masked_in_folder(method, folder, rows).read(0, N).frame.equals(wanted)


def test_sets_of_near_records_are_cut_by_a_sample(folder: Folder) -> None:
    method = BlockedMicroaggregation(columns=("income", "tax"), k=3)
    assert len(blocks.cut(method.bound_to(DATA), DATA)) > 3
    wanted = run_step(method, DATA, seed=3, step=0).frame
    for rows in (130, 400, N):
        assert masked_in_folder(method, folder, rows).read(0, N).frame.equals(wanted)


def test_every_method_that_is_cut_runs_so_or_says_why_not() -> None:
    names = {name for name, method in METHODS.items() if method.layout is not Layout.WHOLE}
    assert {type(method).name() for method in IN_FOLDERS} | {"drop_identifiers"} >= names


def test_what_needs_all_records_or_changes_them_is_refused_with_advice() -> None:
    assert "which records there are" in refusal(Sampling(percent=10))
    assert refusal(Mdav(columns=("income",), within=("region",))) == ""


def test_runs_and_strata_that_no_task_can_hold_are_refused(folder: Folder) -> None:
    with pytest.raises(DataError, match=r"a run of ranks of 'income' has .* records"):
        masked_in_folder(RankSwapping(columns=("income",), window=1), folder, 100, task_bytes=1000)
    with pytest.raises(DataError, match="the largest stratum has 300 records"):
        masked_in_folder(IN_STRATA[1], folder, 200, task_bytes=1000)


def test_what_is_finished_is_not_done_again(folder: Folder, tmp_path: Path) -> None:
    method, done = RankSwapping(columns=("tax",), window=1), list[int]()

    class Dying:
        def map(self, task: object, tasks: list[object], /) -> object:
            for each in tasks:
                if len(done) == 5:
                    raise KeyboardInterrupt
                done.append(1)
                yield task(each)  # type: ignore[operator]

    (tmp_path / "spill").mkdir()

    def run(pool: object) -> Folder:
        spill = Spill(tmp_path / "spill", pool)  # type: ignore[arg-type]
        return run_folder_step(method, folder, seed=3, step=0, spill=spill, rows_per_range=400, task_bytes=10**9)

    with pytest.raises(KeyboardInterrupt):
        run(Dying())
    seen: list[int] = []

    class Counting(ThisProcess):
        def map(self, task, tasks, /):  # type: ignore[no-untyped-def]
            left = list(tasks)
            seen.append(len(left))
            return map(task, left)

    assert run(Counting()).read(0, N).frame.equals(run_step(method, DATA, seed=3, step=0).frame)
    assert sum(seen) == 3 + len(blocks.cut(method, DATA)) + 3 - 5
