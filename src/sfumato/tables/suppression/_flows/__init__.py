"""Patterns found by flows: cheapest flows through hidden cells, a pattern grown from them, and what they prove."""
