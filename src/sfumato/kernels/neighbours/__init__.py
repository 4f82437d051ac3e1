"""Nearest records: a kd-tree and the searches over it."""
