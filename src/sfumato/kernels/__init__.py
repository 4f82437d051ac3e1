"""Compiled loops on plain arrays; the only room that knows numba.

Random draws come in as arrays, and nothing is checked here: the callers have looked at the data.
"""
