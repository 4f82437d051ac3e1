"""A method and a measure of one's own for Sfumato."""

from sfumato_example.jitter import Jitter
from sfumato_example.median_shift import MedianShift

__all__ = ["Jitter", "MedianShift"]
