"""Loops for swapping: who changes places with whom."""
