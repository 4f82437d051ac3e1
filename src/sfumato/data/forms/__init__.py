"""One form for each value: cells that are equal look equal, in whatever dataframe they came."""
