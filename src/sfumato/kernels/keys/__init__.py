"""Loops over key variables: equal and matching combinations, counted, recoded and suppressed."""
