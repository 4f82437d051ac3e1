"""The memory that masking a folder takes: no more than is allowed, and nothing of ranges that are done."""

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from sfumato.data import Microdata, summary
from sfumato.errors import ParameterError
from sfumato.execution import blocks
from sfumato.files import ReadOptions
from sfumato.files.folders import open_folder
from sfumato.jobs.folders import cluster, resources
from sfumato.jobs.folders.plan import plan_mask
from sfumato.jobs.folders.resources import Resources
from sfumato.jobs.mask import mask
from sfumato.masking import AdditiveNoise, DropIdentifiers, Pram, RankSwapping
from sfumato.recipe import Recipe
from tests.files.folders.parts import write_parts
from tests.masking.survey import SCHEMA, survey

N = 3000
STEPS = (
    DropIdentifiers(),
    AdditiveNoise(columns=("income",)),
    Pram(columns=("region",), stay=80),
    RankSwapping(columns=("tax", "income"), window=1),
)
RECIPE = Recipe(steps=STEPS, seed=7)


@pytest.fixture(autouse=True)
def ranges_of_a_thousand_rows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 500)
    monkeypatch.setattr(blocks, "RANKS_PER_BLOCK", 700)
    monkeypatch.setattr(summary, "ROWS_PER_PIECE", 500)
    monkeypatch.setattr(resources, "BLOCKS_PER_RANGE", 2)


@pytest.fixture
def people(tmp_path: Path) -> Path:
    write_parts(survey(N), tmp_path / "people", [11, 1700])
    (tmp_path / "people.schema.yaml").write_text(SCHEMA.to_yaml(), encoding="utf-8")
    return tmp_path / "people"


def test_a_task_leaves_no_records_in_memory(people: Path, tmp_path: Path) -> None:
    held = []

    class Watched:
        def map(self, task: Callable[[Any], Any], tasks: Iterable[Any], /) -> Iterator[Any]:
            for each in tasks:
                yield task(each)
                held.append(sum(isinstance(known, Microdata) for known in gc.get_objects()))

    gc.collect()
    gc.disable()  # commands look for what refers to itself so seldom that it would fill the memory
    try:
        before = sum(isinstance(known, Microdata) for known in gc.get_objects())
        mask(people, RECIPE, tmp_path / "out", resources=Resources(engine=Watched()))
    finally:
        gc.enable()
    assert len(held) > 20
    assert max(held) <= before + 1  # the rows that the plan looked at


def test_the_workers_of_a_machine_of_a_cluster_share_its_memory(
    people: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Client:
        def __init__(self, address: str, timeout: str) -> None:
            assert address == "tcp://10.0.0.1:8786"

        def __enter__(self) -> "Client":
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def get_executor(self, retries: int) -> None:
            pass

        def nthreads(self) -> dict[str, int]:
            return {"tcp://10.0.0.1:4001": 1, "tcp://10.0.0.2:4001": 1, "tcp://10.0.0.2:4002": 2}

    monkeypatch.setitem(sys.modules, "distributed", SimpleNamespace(Client=Client))
    monkeypatch.setattr(cluster, "check_scheduler", lambda address: None)
    monkeypatch.setattr(cluster, "check_workers", lambda *_: None)
    of_cluster = Resources(memory="2GB", cluster="tcp://10.0.0.1:8786")
    folder = open_folder(people, ReadOptions())
    assert of_cluster.workers(1, folder) == 3
    monkeypatch.setattr(blocks, "ROWS_PER_BLOCK", 1000)
    assert of_cluster.workers(8, folder) == 2  # there is no more to do
    plan = plan_mask(people, RECIPE, tmp_path / "out", resources=of_cluster)
    assert "3,000 records by 2 processes on each machine of the cluster, with 2.0 GB of memory there" in str(plan)
    with pytest.raises(
        ParameterError, match=r"and these columns; got 400MB: give more, or start fewer workers on each"
    ):
        plan_mask(people, RECIPE, tmp_path / "out", resources=Resources(memory="400MB", cluster=of_cluster.cluster))


def test_memory_is_kept_for_the_process_that_hands_out_the_tasks_too(people: Path) -> None:
    resources_of_both = Resources(memory="2GB")
    folder = open_folder(people, ReadOptions())
    alone, both = (resources_of_both.sizes(folder, workers).task_bytes for workers in (1, 2))
    assert alone + resources.PROCESS_BYTES == 2 * 10**9
    assert 2 * both + 3 * resources.PROCESS_BYTES == 2 * 10**9
