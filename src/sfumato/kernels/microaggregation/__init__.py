"""Loops for microaggregation: groups of near records, made and improved."""
