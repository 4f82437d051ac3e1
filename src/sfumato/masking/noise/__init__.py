"""Noise: random numbers added to values."""
