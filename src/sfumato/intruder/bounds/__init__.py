"""What nobody can link more than, however clever they are: bounds with a proof, for the recipes that have one."""

from sfumato.intruder.bounds.link_bound import link_bound
from sfumato.intruder.bounds.proof_conditions import reasons_without_bound
from sfumato.intruder.bounds.step_order import steps_without_bound, with_samples_last

__all__ = ["link_bound", "reasons_without_bound", "steps_without_bound", "with_samples_last"]
