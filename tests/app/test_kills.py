"""Whoever acts on a project and is killed at any moment has lost no action that was shown."""

import os
import random
import signal
import subprocess
import sys
from pathlib import Path
from time import sleep

import yaml

import sfumato as sf
from sfumato.app.project import Project

KILLS = 50
TEXT = "steps: [{top_coding: {columns: [age], at: %d}}]"
UNDONE = 3  # every third action is an undo
# one process loads what is needed and makes another for each kill, which acts until it is killed
ACTING = f"""
UNDONE, TEXT = {UNDONE}, "{TEXT}"
import os, sys
from pathlib import Path
from sfumato.app import changes
from sfumato.app.project import Project

def act(folder, first):
    project = Project.open(folder)
    for number in range(first, first + 100_000):
        if number % UNDONE == 0:
            project.undo()
        else:
            project.reach(changes.edit_recipe(project.state, TEXT % number))
        os.write(1, b"%d\\n" % number)  # whole, or not at all

for line in sys.stdin:
    child = os.fork()
    if child == 0:
        act(Path(sys.argv[1]), int(line))
    os.write(1, b"process %d\\n" % child)
    os.waitpid(child, 0)
    os.write(1, b"killed\\n")
"""


def test_fifty_kills_lose_no_action_that_was_shown(tmp_path: Path) -> None:
    file, folder = tmp_path / "people.csv", tmp_path / "project"
    file.write_text("age,income\n31,2000\n44,3100\n59,1800\n")
    project = Project.create(folder, file, sf.read(file).schema)
    project.close()
    command = [sys.executable, "-c", ACTING, str(folder)]
    draw = random.Random(11)  # noqa: S311
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as killer:
        assert killer.stdin is not None
        assert killer.stdout is not None
        for kill in range(KILLS):
            killer.stdin.write(f"{1 + 999 * kill}\n")
            killer.stdin.flush()
            shown, process, wanted = 0, 0, draw.randint(1, 5)
            while shown < 999 * kill + wanted or not process:  # lines of both come in any order
                word, _, number = killer.stdout.readline().rpartition(" ")
                process, shown = (int(number), shown) if word else (process, int(number))
            sleep(draw.uniform(0, 0.01))
            os.kill(process, signal.SIGKILL)
            rest = [int(line) for line in iter(killer.stdout.readline, "killed\n")]
            last = rest[-1] if rest else shown
            project = Project.open(folder)
            project.close()
            assert last_value(project) in {value_after(last), value_after(last + 1)}


def last_value(project: Project) -> int:
    return int(yaml.safe_load(project.state.recipe_yaml)["steps"][0]["top_coding"]["at"])


def value_after(number: int) -> int:
    """Return the value that stands in the recipe after an action: an undo goes back to the action before the last."""
    return number - 2 if number % UNDONE == 0 else number
