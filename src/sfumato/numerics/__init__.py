"""Arithmetic on arrays that methods and measures share."""
