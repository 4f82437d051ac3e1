"""Jobs about publications: many tables protected together."""
