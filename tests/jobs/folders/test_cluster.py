"""A cluster is looked at before anything runs, and where it is lost the message says so."""

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import CancelledError
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import pytest

from sfumato.errors import DataError, FileError, SfumatoError, UnfinishedRunError
from sfumato.jobs.folders.cluster import ClusterPool, check_workers

ADDRESS = "tcp://127.0.0.1:8786"


class Workers:
    """Stands for the client of a cluster; its workers may have another Sfumato, and other files."""

    def __init__(self, **versions: str | Exception) -> None:
        self.versions = versions
        self.root: Path | None = None

    def run(self, function: Callable[..., Any], *given: Any, on_error: str = "raise") -> dict[str, Any]:
        if function is version:
            return dict(self.versions)
        return {worker: function(*given) for worker in self.versions}


def test_a_cluster_without_workers_says_how_to_start_one() -> None:
    with pytest.raises(SfumatoError, match=r"has no worker; start one with `dask worker tcp://127\.0\.0\.1:8786`"):
        check_workers(Workers(), ADDRESS, (), ())


def test_a_worker_without_sfumato_or_with_another_is_named() -> None:
    own = version("sfumato")
    with pytest.raises(SfumatoError, match=r"the worker two has no Sfumato; install it there"):
        check_workers(Workers(one=own, two=PackageNotFoundError("sfumato")), ADDRESS, (), ())
    with pytest.raises(SfumatoError, match=r"the worker two has Sfumato 0\.0\.1, and this machine"):
        check_workers(Workers(one=own, two="0.0.1"), ADDRESS, (), ())


def test_a_worker_that_does_not_see_the_input_or_a_folder_is_named(tmp_path: Path) -> None:
    class Blind(Workers):
        def run(self, function: Callable[..., Any], *given: Any, on_error: str = "raise") -> dict[str, Any]:
            found = super().run(function, *given, on_error=on_error)
            if function is not version:
                file.unlink(missing_ok=True)  # what the others do not have
                found["two"] = function(*given)
            return found

    file = tmp_path / "part-0.parquet"
    file.write_text("records")
    check_workers(Workers(one=version("sfumato")), ADDRESS, (tmp_path,), (file,))
    with pytest.raises(FileError, match=r"the worker two does not see the file .*part-0\.parquet, or sees another"):
        check_workers(Blind(one=version("sfumato")), ADDRESS, (tmp_path,), (file,))
    with pytest.raises(FileError, match=r"the worker one does not see the folder .*absent; all workers must have"):
        check_workers(Workers(one=version("sfumato")), ADDRESS, (tmp_path, tmp_path / "absent"), ())


class Failing:
    """Stands for the executor of a cluster: does one task, and fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def map(self, task: Callable[[Any], Any], tasks: Iterable[Any]) -> Iterator[Any]:
        yield task(next(iter(tasks)))
        raise self.error


def test_a_lost_scheduler_is_told_from_a_task_that_failed() -> None:
    with pytest.raises(
        UnfinishedRunError, match=r"the Dask scheduler at .*8786 was lost .* give the same command again"
    ):
        list(ClusterPool(Failing(CancelledError()), ADDRESS).map(abs, [-1, -2]))
    killed = type("KilledWorker", (Exception,), {})()
    with pytest.raises(SfumatoError, match="a worker died, and so did those that took its task over"):
        list(ClusterPool(Failing(killed), ADDRESS).map(abs, [-1, -2]))
    with pytest.raises(DataError, match="no records"):
        list(ClusterPool(Failing(DataError("no records")), ADDRESS).map(abs, [-1, -2]))
