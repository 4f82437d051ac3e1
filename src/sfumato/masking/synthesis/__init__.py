"""Synthesis: values drawn from a model of the file."""
