"""What is left of a study whose process is killed or interrupted; each test starts a process, which costs seconds."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from time import monotonic, sleep

import pytest

from sfumato.study import compare
from sfumato.study.result_store import count_results
from tests.study.examples import people, swapping
from tests.study.test_result_store import MEASURES

ROOT = Path(__file__).parents[2]
WINDOWS = range(1, 41)
MAX_SECONDS = 120.0
SCRIPT = """
import sys
from sfumato.study import compare
from tests.study.examples import people, swapping
from tests.study.test_result_store import MEASURES
study = compare(
    people(), [swapping(window) for window in range(1, 41)], replications=20, seed=7, measures=MEASURES,
    keep=sys.argv[1], workers=int(sys.argv[2]),
)
print(len(study.results), study.unfinished)
"""


def start(folder: Path, workers: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", SCRIPT, str(folder), str(workers)],
        cwd=ROOT,
        env={**os.environ, "TMPDIR": str(folder)},  # where the data are handed over
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,  # a group of its own, so that its processes can be ended with it
    )


def wait_until(happened: Callable[[], bool], process: subprocess.Popen[str] | None = None) -> None:
    begin = monotonic()
    while not happened():
        assert process is None or process.poll() is None, "the study ended by itself"
        assert monotonic() - begin < MAX_SECONDS
        sleep(0.05)


def test_a_killed_study_keeps_every_run_that_was_done_and_continues_from_there(tmp_path: Path) -> None:
    workers = 2
    process = start(tmp_path, workers)
    try:
        wait_until(lambda: count_results(tmp_path) >= 5, process)
        os.kill(process.pid, signal.SIGKILL)
        process.wait()
        wait_until(lambda: not list(tmp_path.glob("sfumato-study-*")))  # its processes notice and remove the data
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()
    kept = count_results(tmp_path)
    for path in (tmp_path / "runs").glob("*.json"):
        assert json.loads(path.read_text())["values"]["IL"] >= 0  # whole, whatever it was killed in
    candidates = [swapping(window) for window in WINDOWS[:kept]]
    continued = compare(people(), candidates, seed=7, measures=MEASURES, keep=tmp_path, workers=1)
    assert continued == compare(people(), candidates, seed=7, measures=MEASURES, workers=1)
    assert kept - workers <= continued.reused <= kept  # every candidate was run once before any was run again


def test_the_study_so_far_is_returned_and_the_rest_is_counted() -> None:
    def stop(done: int, _: int) -> None:
        if done == 3:
            raise KeyboardInterrupt

    asked = {"replications": 2, "seed": 7, "measures": MEASURES, "workers": 1}
    partly = compare(people(), [swapping(5), swapping(9)], on_progress=stop, **asked)  # type: ignore[arg-type]
    whole = compare(people(), [swapping(5), swapping(9)], **asked)  # type: ignore[arg-type]
    assert partly.unfinished == 1
    assert all(result in whole.results for result in partly.results)
    assert [len(candidate.runs) for candidate in partly.candidates] == [2, 1]
    assert "<svg" in partly.ru_map().to_svg()


def test_ctrl_c_before_anything_is_done_is_not_hidden(monkeypatch: pytest.MonkeyPatch) -> None:
    def stop(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("sfumato.study.workers.run_one", stop)
    with pytest.raises(KeyboardInterrupt):
        compare(people(), [swapping(5)], seed=7, measures=MEASURES, workers=1)
