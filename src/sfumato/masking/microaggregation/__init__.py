"""Microaggregation: groups of at least k similar records share one value."""
