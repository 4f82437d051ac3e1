"""Noise that other steps follow: what the intruder knows of it, and what a masked record tells through these steps."""
