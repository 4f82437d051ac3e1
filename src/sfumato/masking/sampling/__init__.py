"""Sampling: a part of the records released."""
