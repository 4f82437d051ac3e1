"""Verbs on files larger than memory: planned, run by tasks, and verified."""
