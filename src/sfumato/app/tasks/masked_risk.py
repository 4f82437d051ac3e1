"""Who stands out by the keys before and after the recipe, and whether what was asked for is kept."""

from typing import Any

from sfumato.app.tasks.inputs import Inputs
from sfumato.data import Microdata, role
from sfumato.jobs.progress import OnProgress, Stage, report_steps
from sfumato.keys.classes import keys_shown
from sfumato.keys.findings.key_findings import find_key_findings
from sfumato.parameters.limits import SMALLEST_GROUP, read_limits
from sfumato.reports import risk_report
from sfumato.reports.checked_limits import CheckedLimit, hold_limits

USUAL_K = 3


def masked_risk(inputs: Inputs, arguments: dict[str, Any], on_progress: OnProgress) -> Any:
    """Run the recipe, and measure by the keys who stands out in the original and in what comes of it.

    A limit on k is judged as in a proposal and in the report: other columns that tell a key count against it.
    """
    on_progress(Stage("reading"))
    data = inputs.data_with_keys
    limits = read_limits(arguments.get("limits", ()))
    k = next((int(limit.number) for limit in limits if limit.figure == SMALLEST_GROUP), USUAL_K)
    masked = inputs.given_recipe.run(data, on_progress=report_steps(on_progress))
    names = data.select(role("key"))
    shown = keys_shown(masked, tuple(name for name in names if name in masked.schema))
    together = arguments.get("combinations", ())
    if together and together >= len(shown):
        together = ()
    on_progress(Stage("looking for those who stand out"))
    before = risk_report(data, columns=names, k=k, combinations=together)
    gone = [name for name in names if name not in shown]
    if not shown:
        return {"figures": [], "limits": [], "keys": [], "remarks": [], "gone": gone}
    after = risk_report(masked, columns=shown, k=k, combinations=together, limits=limits, original=data)
    held = after.limits
    if not together:  # against who knows some keys, only these count
        held = hold_limits(after, find_key_findings(data, masked, shown, k))
    later = {figure.name: figure.value for figure in after.figures}
    return {
        "figures": [
            {**figure._asdict(), "after": later[figure.name]} for figure in before.figures if figure.name in later
        ],
        "limits": [
            {"limit": str(one.limit), "figure": one.figure, "is_met": one.is_met, "reason": _why(one)} for one in held
        ],
        "keys": [
            {
                "key": name,
                "values": [dict(one.keys)[name] for one in (before, after)],
                "gaps": _gaps(data, masked, name),
            }
            for name in shown
        ],
        "remarks": list(after.remarks),
        "gone": gone,
    }


def _gaps(data: Microdata, masked: Microdata, name: str) -> list[int]:
    """Return how many records have no value of a key before and after the recipe."""
    return [int((~one.observed(name)).sum()) for one in (data, masked)]


def _why(checked: CheckedLimit) -> str:
    """Return why a limit is not met: against whom it does not hold, and what to do about it."""
    against = [f"it does not hold against {cause.against}: {cause.advice}" for cause in checked.causes]
    return "; ".join(filter(None, (checked.reason, *against)))
