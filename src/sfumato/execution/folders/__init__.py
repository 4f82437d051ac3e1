"""Run a step over a file larger than memory: files carry what is sorted and exchanged, an engine only maps."""

from sfumato.execution.folders.pools import Pool, Processes, ThisProcess
from sfumato.execution.folders.run_step import is_whole, refusal, run_folder_step
from sfumato.execution.folders.tasks import Spill
from sfumato.execution.folders.ways import way

__all__ = ["Pool", "Processes", "Spill", "ThisProcess", "is_whole", "refusal", "run_folder_step", "way"]
