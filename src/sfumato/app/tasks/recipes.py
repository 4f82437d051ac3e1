"""What is asked of recipes: to propose one, to try one on a sample, to measure what it does, to release its file."""

from typing import Any

import numpy as np

from sfumato.app.shapes import shapes
from sfumato.app.tasks.inputs import UNDRAWN, Inputs
from sfumato.app.tasks.original import plain_risk
from sfumato.app.tasks.proposals import proposed
from sfumato.assessment import assess
from sfumato.jobs import mask as mask_job
from sfumato.jobs import verify as verify_job
from sfumato.jobs.progress import OnProgress, Stage, report_steps
from sfumato.jobs.reports import report as report_job
from sfumato.recipe import Recipe
from sfumato.recipe.manifest import manifest_path
from sfumato.recipe.seeds import generator

REPORT = "report"  # the folder
MAX_PREVIEWED = 5_000  # records of the sample on which a step is tried


def propose(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Let `protect` find a recipe, and measure what it gives."""
    on_progress(Stage("reading"))
    data = inputs.data_with_keys
    on_progress(Stage("trying broader keys and suppressions"))
    found = proposed(inputs, arguments)
    plain = found.to_dict()
    return {
        **{name: plain[name] for name in ("recipe", "keys", "promises", "suppressed", "alarms", "remarks")},
        "before": plain_risk(found.before, data),
        "after": plain_risk(found.after, found.data, teller=data),
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
    masked = recipe.run(data)
    return {
        "column": column,
        "records": data.n,
        "of": inputs.data.n,
        "is_dropped": column not in masked.schema,
        "shape": shapes(data, masked, column),
    }


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


def verify(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Make the released file again from the original and the manifest, and compare."""
    on_progress(Stage("making the masked file again, to compare"))
    found = verify_job.verify(manifest_path(inputs.release_folder / arguments["name"]))
    return {"passed": found.passed, "text": str(found)}


def report(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Write the report on the release for those inside: a page, and its figures."""
    released = inputs.release_folder / arguments["name"]
    found = report_job.report(
        inputs.file,
        released,
        inputs.make_folder(REPORT) / "report.html",
        options=inputs.options,
        manifest=manifest_path(released),
        limits=arguments.get("limits", ()),
        on_progress=on_progress,
    )
    return {"text": str(found), "notices": list(found.notices)}
