"""Exact relations between columns of amounts: which is a sum of multiples of others."""
