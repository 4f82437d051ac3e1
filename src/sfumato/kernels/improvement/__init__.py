"""Loops for post-masking optimisation."""
