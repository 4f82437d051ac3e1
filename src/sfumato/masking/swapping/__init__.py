"""Swapping: values exchanged between records."""
