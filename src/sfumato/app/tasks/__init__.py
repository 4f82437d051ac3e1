"""What the workbench has computed for it: one function per verb, over what the command line calls too.

Each takes the project as it is now (`Inputs`), the arguments of the verb, and `on_progress`, and returns plain values
that are ready for JSON. None of them holds a seed or a row id.
"""

from collections.abc import Callable
from typing import Any

from sfumato.app.tasks.further_risks import measures
from sfumato.app.tasks.inputs import Inputs
from sfumato.app.tasks.masked_risk import masked_risk
from sfumato.app.tasks.original import categories, hierarchy, look, prepare, records, risk
from sfumato.app.tasks.recipes import measure, preview, propose, release, report, verify
from sfumato.app.tasks.studies import compare, search
from sfumato.app.tasks.synthesis import synthesise
from sfumato.app.tasks.tables import alternatives, table, table_release
from sfumato.jobs.progress import OnProgress

Task = Callable[[Inputs, dict[str, Any], OnProgress], Any]

TASKS: dict[str, Task] = {
    task.__name__: task
    for task in (
        *(prepare, look, risk, measures, records, categories, hierarchy),
        *(propose, preview, masked_risk, measure, release, verify, report),
        *(compare, search),
        *(table, alternatives, table_release),
        synthesise,
    )
}

__all__ = ["TASKS", "Inputs", "Task"]
