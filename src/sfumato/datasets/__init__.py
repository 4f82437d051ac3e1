"""Files to try things on: the demo survey that Sfumato makes itself, and the reference files of the field."""

from sfumato.datasets.demo import demo
from sfumato.datasets.reference import REFERENCES, reference, reference_folder

__all__ = ["REFERENCES", "demo", "reference", "reference_folder"]
