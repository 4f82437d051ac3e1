"""Time the protection of categorical keys."""

from benchmarks.case import Case

CASES: list[Case] = []
