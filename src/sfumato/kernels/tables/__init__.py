"""Loops for the protection of tables."""
