"""Camouflage: intervals released in place of values."""
