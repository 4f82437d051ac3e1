"""Check the outputs of research projects, each together with all that were shown before.

The walk: `OutputLog` (from a dataframe and a project's folder) -> `crosstab`, `pivot_table`, `ols` ... return an
`Output` with what may be shown -> `finalise` hands them to the output checker -> `Project.check` audits all together.
"""

from sfumato.outputs.audit.joint_audit import Disclosure, audit_outputs
from sfumato.outputs.log import OutputLog
from sfumato.outputs.output import Output, Status
from sfumato.outputs.project import Entry, Project
from sfumato.outputs.rules import Concern, OutputRules

__all__ = ["Concern", "Disclosure", "Entry", "Output", "OutputLog", "OutputRules", "Project", "Status", "audit_outputs"]
