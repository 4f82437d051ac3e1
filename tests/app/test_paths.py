"""Whatever is clicked, the command line makes the same bytes of what the project then holds."""

import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

import sfumato as sf
from sfumato.app import changes
from sfumato.app.hierarchy_edits import flat_tree, join
from sfumato.app.project import Project, State
from sfumato.app.tasks import TASKS, Inputs
from sfumato.cli.commands import app
from sfumato.data import Hierarchy
from sfumato.errors import SfumatoError
from sfumato.jobs.verify import verify

PATHS, CLICKS = 100, 12
TOWNS = ["north", "south", "east", "west"]
STEPS: list[Callable[[random.Random], Any]] = [
    lambda draw: sf.TopCoding(columns=("age",), at=draw.randint(40, 70)),
    lambda draw: sf.AdditiveNoise(columns=("income",), scale=draw.choice([0.1, 0.5])),
    lambda draw: sf.RankSwapping(columns=("income",), window=draw.randint(5, 50)),
    lambda draw: sf.Mdav(columns=("age", "income"), k=draw.randint(2, 6)),
    lambda draw: sf.Pram(columns=("town",), stay=draw.randint(60, 95)),
    lambda draw: sf.Rounding(columns=("income",), base=draw.choice([10.0, 500.0])),
    lambda draw: sf.LocalSuppression(columns=("town", "sex"), k=draw.randint(2, 4)),
]


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    draw = random.Random(3)  # noqa: S311
    rows = [
        f"{draw.randint(18, 90)},{draw.randint(500, 9000)},{draw.choice('fm')},{draw.choice(TOWNS)}" for _ in range(40)
    ]
    path = tmp_path_factory.mktemp("paths") / "people.csv"
    path.write_text("\n".join(["age,income,sex,town", *rows, ""]))
    return path


def tree(draw: random.Random) -> Hierarchy:
    return join(flat_tree(TOWNS), draw.sample(TOWNS, 2), "both")


def keeping_order(recipe: str) -> str:
    return recipe if "keep_order" in recipe else recipe.replace("steps:", "keep_order: true\nsteps:", 1)


def click(state: State, draw: random.Random) -> State:
    """Take an action that some control of the page takes."""
    steps = state.recipe.steps if state.recipe else ()
    number = draw.randrange(len(steps)) if steps else 0
    actions: list[Callable[[], State]] = [
        lambda: changes.add_step(state, draw.choice(STEPS)(draw)),
        lambda: changes.add_step(state, sf.Generalisation(columns=("town",), hierarchy=tree(draw), depth=1)),
        lambda: changes.give_role(
            state, draw.choice(state.schema.names), draw.choice(["key", "confidential", "other"])
        ),
        lambda: changes.give_kind(state, "age", draw.choice(["continuous", "ordinal"])),
        lambda: changes.give_missing_codes(state, "age", draw.choice(["90", "", "18, 19"])),
        lambda: changes.change_tree(state, "town", "joined both", tree(draw)),
        lambda: changes.choose(state, "searched", "search", {"trials": draw.randint(8, 20)}),
    ]
    if steps:
        actions += [
            lambda: changes.remove_step(state, number),
            lambda: changes.raise_step(state, number),
            lambda: changes.replace_step(state, number, draw.choice(STEPS)(draw)),
            lambda: changes.edit_recipe(state, keeping_order(state.recipe_yaml)),
        ]
    return draw.choice(actions)()


def walk(project: Project, draw: random.Random) -> None:
    """Click at random: what is refused changes nothing, and undo and redo are clicked, too."""
    for _ in range(CLICKS):
        if draw.random() < 0.2:
            draw.choice([project.undo, project.redo])()
            continue
        try:
            project.reach(click(project.state, draw))
        except SfumatoError:
            continue


@pytest.mark.parametrize("seed", range(PATHS))
def test_a_path_of_clicks_and_the_command_line_give_the_same_bytes(seed: int, file: Path, tmp_path: Path) -> None:
    draw = random.Random(seed)  # noqa: S311
    project = Project.create(tmp_path / "project", file, sf.read(file).schema)
    walk(project, draw)
    if project.recipe is None:
        project.reach(changes.add_step(project.state, draw.choice(STEPS)(draw)))
    project.close()
    project = Project.open(project.folder)
    if seed % 10 == 0 and project.state.schema["age"].kind == "continuous":
        # the order of records is drawn anew by each run, and the manifest keeps it
        assert verify(released(project).with_name("masked.csv.manifest.json")).ending == "done"
    project.reach(changes.edit_recipe(project.state, keeping_order(project.state.recipe_yaml)))
    project.close()
    try:
        made = released(project)
    except SfumatoError:
        with pytest.raises(SfumatoError):
            masked_by_command(project, tmp_path / "refused.csv")
        project.reach(changes.give_kind(project.state, "age", "continuous"))
        made = released(project)
    assert made.read_bytes() == masked_by_command(project, tmp_path / "masked.csv")


def released(project: Project) -> Path:
    """Release what the project holds, as the button does."""
    inputs = Inputs(project.file, project.state.schema_yaml, project.recipe, project.seed, project.folder)
    return Path(TASKS["release"](inputs, {"name": "masked.csv"}, lambda stage: None)["output"])


def masked_by_command(project: Project, output: Path) -> bytes:
    """Mask by the command line with the files that the project has saved; a refusal is raised."""
    saved = [project.folder / name for name in ("recipe.yaml", "schema.yaml")]
    command = ["mask", str(project.file), "--recipe", str(saved[0]), "--schema", str(saved[1]), "-o", str(output)]
    ran = CliRunner().invoke(app, command)
    if ran.exception is not None:
        raise ran.exception
    return output.read_bytes()
