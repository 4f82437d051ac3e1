"""Cut a file into blocks, hand them to a method, put the result together."""

from sfumato.execution.blocks import Block, cut
from sfumato.execution.local import run_step

__all__ = ["Block", "cut", "run_step"]
