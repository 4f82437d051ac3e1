"""Compiled loops on plain arrays; the only room that knows numba. Random draws come in as arrays, nothing is checked here."""
