"""Benchmarks: CPU time once compiled, peak memory, and both as ratios to their targets; run by `make bench`."""
