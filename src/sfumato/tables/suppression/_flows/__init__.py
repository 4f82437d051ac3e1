"""Patterns found by flows: cheapest flows through suppressed cells, a pattern grown from them, and what they prove."""
