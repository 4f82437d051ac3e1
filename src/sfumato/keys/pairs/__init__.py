"""Pairs of columns of numbers that tell a key together: by their sum, difference, product or ratio."""
