"""Risk-utility maps: their points, labels and lines."""
