"""Arithmetic with the same bits on every processor: exponentials, logarithms, and symmetric matrices taken apart."""
