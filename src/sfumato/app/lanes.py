"""Lanes: each has one process that carries out one task after the other; a task that is cancelled ends its process."""

import asyncio
import itertools
import json
import logging
import sys
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

CANCELLED = "cancelled; nothing was changed"
DIED = "the process that worked on it ended; it may have needed more memory than there is; nothing was changed"
MAX_LINE = 2**24  # bytes
SECONDS_BETWEEN_LOOKS = 0.01
logger = logging.getLogger(__name__)
_numbers = itertools.count(1)
_ended: set[asyncio.subprocess.Process] = set()


@dataclass
class TaskStatus:
    """How far a task has come."""

    title: str
    request: Mapping[str, Any] = field(repr=False)
    on_end: Callable[["TaskStatus"], None] = field(repr=False)
    number: int = field(default_factory=lambda: next(_numbers))
    words: str = "getting ready"
    share: float | None = None
    error: str = ""
    is_done: bool = False

    @property
    def has_ended(self) -> bool:
        """Whether it is done, failed or was cancelled."""
        return self.is_done or bool(self.error)


class Lane:
    """A queue of tasks, and the process that carries them out."""

    def __init__(self) -> None:
        self._waiting: deque[TaskStatus] = deque()
        self._process: asyncio.subprocess.Process | None = None
        self._runner: asyncio.Task[None] | None = None
        self._reading: asyncio.Task[bytes] | None = None
        self.current: TaskStatus | None = None

    @property
    def tasks(self) -> list[TaskStatus]:
        """The task that is being carried out, and those that wait."""
        return [*([self.current] if self.current else []), *self._waiting]

    def submit(self, task: TaskStatus) -> None:
        """Put a task into the queue, unless the same is in it already."""
        if any(other.request == task.request and not other.has_ended for other in self.tasks):
            return
        self._waiting.append(task)
        if self._runner is None or self._runner.done():
            self._runner = asyncio.create_task(self._run())

    def cancel(self, task: TaskStatus) -> None:
        """Take a task out of the queue, or end the process that carries it out."""
        if task is self.current:
            task.error = CANCELLED
            self._kill()
            if self._reading is not None:
                self._reading.cancel()  # processes that it has started hold its answers open for a second more
        elif task in self._waiting:
            self._waiting.remove(task)
            self._end(task, CANCELLED)

    async def start(self) -> None:
        """Start the process before the first task comes, as it takes a second until it is ready."""
        await self._running_process()

    def close(self) -> None:
        """End the process; nothing waits any longer."""
        self._waiting.clear()
        self._kill()

    async def _run(self) -> None:
        while self._waiting:
            self.current = task = self._waiting.popleft()
            try:
                await self._carry_out(task)
            finally:
                self.current = None
                self._end(task, task.error or ("" if task.is_done else DIED))

    async def _carry_out(self, task: TaskStatus) -> None:
        process = await self._running_process()
        if task.has_ended or process.stdin is None or process.stdout is None:  # cancelled while the process was started
            return
        with suppress(ConnectionError):
            process.stdin.write(f"{json.dumps({'id': task.number, **task.request})}\n".encode())
            await process.stdin.drain()
        while not task.has_ended:
            self._reading = asyncio.create_task(process.stdout.readline())
            await asyncio.wait([self._reading])
            if self._reading.cancelled() or not (line := self._reading.result()):
                return
            told = json.loads(line)
            if (
                told.get("task", task.number) != task.number
            ):  # of one that was cancelled while its process was being started
                continue
            task.words = told.get("words", task.words)
            task.share = told.get("share")
            task.error = told.get("error", task.error)
            task.is_done = told.get("done", False)

    async def _running_process(self) -> asyncio.subprocess.Process:
        if self._process is None or self._process.returncode is not None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "sfumato.app.worker",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=MAX_LINE,
            )
        return self._process

    def _kill(self) -> None:
        if self._process is not None and self._process.returncode is None:
            with suppress(ProcessLookupError):
                self._process.kill()
            _ended.difference_update([process for process in _ended if process.returncode is not None])
            _ended.add(self._process)
        self._process = None

    def _end(self, task: TaskStatus, error: str) -> None:
        """Say that a task has ended; what goes wrong in showing that must not keep the next ones waiting."""
        task.error = error
        try:
            task.on_end(task)
        except Exception:
            logger.exception("the end of a task could not be shown")


async def wait_for_ended() -> None:
    """Wait until the processes that were ended are gone, and what they were connected by is closed."""
    while _ended:
        process = _ended.pop()
        await process.wait()
        if process.stdin is not None:
            process.stdin.close()
            with suppress(ConnectionError):
                await process.stdin.wait_closed()
        while process.stdout is not None and not process.stdout.at_eof():
            try:
                await process.stdout.read()
            except RuntimeError:  # the task that it carried out is reading, and comes to the end, too
                await asyncio.sleep(SECONDS_BETWEEN_LOOKS)
    await asyncio.sleep(0)
