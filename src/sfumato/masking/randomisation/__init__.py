"""Randomisation: categories changed at random with known probabilities."""
