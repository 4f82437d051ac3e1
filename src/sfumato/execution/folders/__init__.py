"""Run a step over a file larger than memory: files carry what is sorted and exchanged, an engine only maps."""

from typing import TYPE_CHECKING

from sfumato.contracts.late_names import late_names

if TYPE_CHECKING:
    from sfumato.execution.folders.pools import Pool, Processes, ThisProcess
    from sfumato.execution.folders.run_step import is_whole, refusal, run_folder_step
    from sfumato.execution.folders.tasks import Spill
    from sfumato.execution.folders.ways import way
else:
    __getattr__ = late_names(
        __name__,
        {
            "pools": ("Pool", "Processes", "ThisProcess"),
            "run_step": ("is_whole", "refusal", "run_folder_step"),
            "tasks": ("Spill",),
            "ways": ("way",),
        },
    )

__all__ = ["Pool", "Processes", "Spill", "ThisProcess", "is_whole", "refusal", "run_folder_step", "way"]
