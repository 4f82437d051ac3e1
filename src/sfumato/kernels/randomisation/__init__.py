"""Loops for post-randomisation."""
