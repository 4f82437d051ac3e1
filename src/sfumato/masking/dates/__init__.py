"""Dates: rounded to periods or ages, or shifted together so that the time between them stays."""
