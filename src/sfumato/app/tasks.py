"""What the workbench has computed for it: one function per verb, over what the command line calls too.

Each takes the project's file as it is now (`Inputs`), the arguments of the verb, and `on_progress`, and returns plain
values that are ready for JSON. None of them holds a seed or a row id.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from sfumato.app.shapes import shapes
from sfumato.assessment import assess
from sfumato.data import Microdata, Role, Schema, role
from sfumato.errors import DataError
from sfumato.files import ReadOptions, read_with
from sfumato.jobs import mask as mask_job
from sfumato.jobs.describe import describe
from sfumato.jobs.progress import OnProgress, Stage, report_steps
from sfumato.protection import protect
from sfumato.recipe import Recipe
from sfumato.recipe.seeds import generator
from sfumato.reports import RiskReport, risk_report
from sfumato.risk import IndividualRisk

MAX_PREVIEWED = 5_000  # records of the sample on which a step is tried
UNDRAWN = (Role.IDENTIFIER, Role.HOUSEHOLD)  # their values point at people
RISK_CLASSES = (0.0, 0.1, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)  # percent


@dataclass(frozen=True)
class Inputs:
    """What a task is about: the file, what its columns are, and the recipe with its seed, if there is one."""

    file: Path
    schema_yaml: str
    recipe: Recipe | None
    seed: int
    release_folder: Path

    @property
    def options(self) -> ReadOptions:
        """How the file is to be read."""
        return ReadOptions(schema=Schema.from_yaml(self.schema_yaml))

    @property
    def data(self) -> Microdata:
        """The records; they are read once by each process."""
        return _read(self.file, self.schema_yaml)

    @property
    def given_recipe(self) -> Recipe:
        """The recipe, which must be there."""
        if self.recipe is None:
            raise DataError("there is no step yet: let one be proposed, or add one, in the screen Protect")
        return self.recipe


Task = Callable[[Inputs, dict[str, Any], OnProgress], Any]


def look(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Describe every column, with its shape."""
    on_progress(Stage("looking at the columns"))
    result, data = describe(inputs.file, options=inputs.options), inputs.data
    columns = [
        {
            "name": column.name,
            "content": column.content,
            "missing": round(100 * column.missing / max(result.records, 1), 1),
            "suspected": [suspect.to_dict() for suspect in column.suspected_codes],
            "shape": {} if column.role in UNDRAWN else shapes(data, None, column.name),
        }
        for column in result.columns
    ]
    return {"records": result.records, "columns": columns, "notices": list(result.notices)}


def risk(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Measure who stands out by the keys of the original file."""
    on_progress(Stage("reading"))
    data = inputs.data
    _check_keys(data)
    on_progress(Stage("looking for those who stand out"))
    return _plain_risk(risk_report(data, **arguments), data)


def propose(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Let `protect` find a recipe, and measure what it gives."""
    on_progress(Stage("reading"))
    data = inputs.data
    _check_keys(data)
    on_progress(Stage("trying broader keys and suppressions"))
    found = protect(data, seed=inputs.seed, **arguments)
    plain = found.to_dict()
    return {
        **{name: plain[name] for name in ("recipe", "keys", "promises", "suppressed", "alarms", "remarks")},
        "before": _plain_risk(found.before, data),
        "after": _plain_risk(found.after, found.data),
        "text": str(found),
    }


def preview(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Try a recipe on a sample, and show one column before and after it."""
    on_progress(Stage("trying it on a sample"))
    data, column = inputs.data, arguments["column"]
    recipe = Recipe.from_yaml(arguments["recipe"]).replace(seed=inputs.seed)
    if data.n > MAX_PREVIEWED:
        rows = np.sort(generator(0, 0).choice(data.n, MAX_PREVIEWED, replace=False))
        data = data.take_rows(rows)
    return {"records": data.n, "of": inputs.data.n, "shape": shapes(data, recipe.run(data), column)}


def measure(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Run the recipe on the whole file, and measure loss and risk, the worst intruder included."""
    on_progress(Stage("reading"))
    data, recipe = inputs.data, inputs.given_recipe
    masked = recipe.run(data, on_progress=report_steps(on_progress))
    on_progress(Stage("measuring what was lost, and what an intruder learns"))
    found = assess(data, masked, methods=recipe.parts)
    kept = [name for name in data.schema.names if name in masked.schema]
    drawn = [name for name in kept if data.schema[name].role not in UNDRAWN]
    return {
        "text": str(found),
        "figures": [
            {"name": one.name, "symbol": one.symbol, "value": one.value, "remark": one.remark}
            for one in found.measurements
        ],
        "shapes": {name: shapes(data, masked, name) for name in drawn},
        "dropped": [name for name in data.schema.names if name not in masked.schema],
    }


def release(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Write the masked file, its manifest and its recipe into the release folder of the project."""
    inputs.release_folder.mkdir(mode=0o700, exist_ok=True)
    output = inputs.release_folder / arguments["name"]
    result = mask_job.mask(
        inputs.file,
        inputs.given_recipe,
        output,
        options=inputs.options,
        overwrite=True,
        on_progress=on_progress,
    )
    return {"output": str(output), "text": str(result), "notices": list(result.notices)}


TASKS: dict[str, Task] = {task.__name__: task for task in (look, risk, propose, preview, measure, release)}


def _plain_risk(report: RiskReport, data: Microdata) -> dict[str, Any]:
    measured = IndividualRisk(columns=role("key")).of(data)
    risks = np.asarray(measured.per_record if measured.per_record is not None else [])
    classes = np.histogram(np.clip(risks, 0, 100), RISK_CLASSES)[0].tolist() if risks.size else []
    return {
        **report.to_dict(),
        "figures": [figure._asdict() for figure in report.figures],
        "histogram": {"edges": list(RISK_CLASSES), "records": classes},
    }


def _check_keys(data: Microdata) -> None:
    if not data.select(role("key")):
        raise DataError("no column is a key: give that role, in the screen Data, to the columns that others may know")


@lru_cache(maxsize=2)
def _read(file: Path, schema_yaml: str) -> Microdata:
    return read_with(file, ReadOptions(schema=Schema.from_yaml(schema_yaml)))
