"""Change cells instead of suppressing them: controlled rounding, controlled adjustment, cell keys."""
