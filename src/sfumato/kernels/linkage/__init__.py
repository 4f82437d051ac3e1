"""Loops for record linkage and interval disclosure."""
