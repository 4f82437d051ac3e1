import os
import subprocess
import sys

import pytest

WORKER = """
import time
from sfumato.storage import worker_processes
worker_processes.SECONDS_BETWEEN_LOOKS = 0.01
worker_processes.depend_on_parent({parent}, lambda process: print("cleaned up after", process, flush=True))
time.sleep({seconds})
print("worked on", flush=True)
"""


@pytest.mark.parametrize(("offset", "words"), [(0, "worked on"), (10**6, "cleaned up after")])
def test_a_worker_ends_with_its_parent_also_where_that_was_gone_before(offset: int, words: str) -> None:
    code = WORKER.format(parent=os.getpid() + offset, seconds=0.2 if not offset else 60)
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30, check=False)
    assert ran.stdout.startswith(words)
