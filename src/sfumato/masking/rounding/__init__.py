"""Rounding: values replaced by the nearest rounding point."""
