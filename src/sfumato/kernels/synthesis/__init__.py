"""Loops for synthetic data."""
