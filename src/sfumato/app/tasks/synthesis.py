"""What is asked of synthetic data: to make them, and to hold them against the original and persons kept back."""

from typing import Any

from sfumato.app.shapes import shapes
from sfumato.app.tasks.inputs import UNDRAWN, Inputs
from sfumato.files import read
from sfumato.jobs import synthesise as synthesise_job
from sfumato.jobs.progress import OnProgress, Stage

SYNTHETIC = "synthetic"


def synthesise(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Write a synthetic file with its recipe, manifest and page, and show it beside the original."""
    folder = inputs.make_folder(SYNTHETIC)
    output = folder / f"{SYNTHETIC}{inputs.file.suffix}"
    result = synthesise_job.synthesise(
        inputs.file,
        output,
        options=inputs.options,
        overwrite=True,
        page=folder / "report.html",
        on_progress=on_progress,
        **arguments,
    )
    on_progress(Stage("drawing pictures"))
    original, synthetic = inputs.data, read(output)
    shown = [
        name for name in original.schema.names if name in synthetic.schema and original.schema[name].role not in UNDRAWN
    ]
    found = result.assessment
    return {
        "text": str(result),
        "ending": str(result.ending),
        "notices": list(result.notices),
        "leak": "" if found is None else found.leak_verdict,
        "shows_leak": found is not None and found.shows_leak,
        "assessment": "" if found is None else str(found),
        "shapes": {name: shapes(original, synthetic, name) for name in shown},
        "records": synthetic.n,
    }
