"""Change cells instead of hiding them: controlled rounding, controlled adjustment, cell keys."""
