"""Trees whose leaves lend values: how they are grown and pruned, and how numbers are drawn from their leaves."""
