"""The search for the cheapest safe pattern: a master problem, cuts, bounds, and the search in each part."""
